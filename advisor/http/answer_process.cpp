#include "advisor/http/answer_process.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <sstream>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <variant>

#include <boost/asio/error.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "advisor/cli/command.h"
#include "advisor/text_file.h"

namespace rightsize::http {
namespace {

namespace asio = boost::asio;

class Pipe {
 public:
  Pipe() {
    if (pipe2(ends_.data(), O_CLOEXEC) != 0) {
      throw std::runtime_error("cannot make a pipe: are too many files open?");
    }
  }
  ~Pipe() {
    for (const int end : ends_) {
      close(end);
    }
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  // What is written, to be read by this process alone: it has no writing end any more.
  [[nodiscard]] int taken_reading_end() {
    close(std::exchange(ends_[1], -1));
    return std::exchange(ends_[0], -1);
  }
  [[nodiscard]] int writing_end() const { return ends_[1]; }

 private:
  std::array<int, 2> ends_{};
};

void write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const auto n = write(descriptor, text.data(), text.size());
    if (n < 0 && errno != EINTR) {
      return;  // the server has given this answer up
    }
    text.remove_prefix(n < 0 ? 0 : static_cast<std::size_t>(n));
  }
}

// Never returns. Connections of other requests are closed, which would else end only with this
// process; files can be read and none can grow.
[[noreturn]] void work_out(const Question& question, const std::string& folder, int out, int err) {
  const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
  dup2(nothing, STDIN_FILENO);  // the operator's terminal is nobody else's to read
  dup2(out, STDOUT_FILENO);
  dup2(err, STDERR_FILENO);
  close_range(STDERR_FILENO + 1, ~0U, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  std::signal(SIGINT, SIG_IGN);  // Ctrl-C is the server's, whose end is ours
  std::signal(SIGTERM, SIG_DFL);
  int code = cli::exit_failed;
  if (chdir(folder.c_str()) != 0) {
    write_all(STDERR_FILENO, "error: " + folder + ": the folder that is served is gone\n");
    _exit(code);
  }
  std::vector<std::string> words = {question.command};
  if (!question.job.empty()) {
    give_text(question.job_name, question.job);
    words.push_back("--job=" + question.job_name);
  }
  words.insert(words.end(), question.words.begin(), question.words.end());
  const rlimit none{0, 0};
  setrlimit(RLIMIT_FSIZE, &none);
  std::ostringstream result;
  std::ostringstream notes;
  cli::Context context{result, notes, {}, {}, false};
  code = cli::run_program(context, words);
  write_all(STDOUT_FILENO, result.str());
  write_all(STDERR_FILENO, notes.str());
  _exit(code);
}

// A process that is ended and waited for with whoever started it.
class Child {
 public:
  explicit Child(pid_t process) : process_(process) {}
  ~Child() {
    if (process_ > 0) {
      kill(process_, SIGKILL);
      (void)exit_code();
    }
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  // Waits for its end.
  [[nodiscard]] int exit_code() {
    int status = 0;
    while (waitpid(process_, &status, 0) < 0 && errno == EINTR) {
    }
    process_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : cli::exit_failed;
  }

 private:
  pid_t process_;
};

asio::awaitable<std::string> read_to_end(asio::posix::stream_descriptor& from) {
  std::string text;
  boost::system::error_code end;
  co_await asio::async_read(
      from, asio::dynamic_buffer(text), asio::redirect_error(asio::use_awaitable, end));
  if (end != asio::error::eof) {  // nobody waits for it any more
    throw boost::system::system_error(end);
  }
  co_return text;
}

}  // namespace

asio::awaitable<Answered> answer_in_child(const Question& question,
                                          const std::string& folder,
                                          std::chrono::seconds limit) {
  using namespace asio::experimental::awaitable_operators;
  Pipe out;
  Pipe err;
  const pid_t process = fork();
  if (process == 0) {
    work_out(question, folder, out.writing_end(), err.writing_end());
  }
  if (process < 0) {
    throw std::runtime_error("cannot start another process: is the machine out of memory?");
  }
  Child child(process);
  const auto executor = co_await asio::this_coro::executor;
  asio::posix::stream_descriptor from_out(executor, out.taken_reading_end());
  asio::posix::stream_descriptor from_err(executor, err.taken_reading_end());
  asio::steady_timer timer(executor, limit);
  auto first = co_await ((read_to_end(from_out) && read_to_end(from_err)) ||
                         timer.async_wait(asio::use_awaitable));
  Answered answered;
  answered.given_up = first.index() == 1;
  if (!answered.given_up) {
    std::tie(answered.out, answered.err) = std::move(std::get<0>(first));
    answered.code = child.exit_code();
  }
  co_return answered;
}

}  // namespace rightsize::http
