#include "profiler/measure/worker_process.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <stdexcept>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "profiler/measure/exec_arguments.h"
#include "profiler/measure/process_tree.h"
#include "profiler/measure/worker.h"

namespace rightsize {
namespace {

// What the child needs, made before fork: after it, only async-signal-safe calls are allowed.
struct Exec {
  std::vector<std::string> words;
  std::vector<std::string> variables;
  std::vector<char*> arguments;
  std::vector<char*> environment;

  explicit Exec(const WorkerCommand& command)
      : words{command.executable}, variables(environment_with(command.environment)) {
    words.insert(words.end(), command.arguments.begin(), command.arguments.end());
    arguments = pointers_to(words);
    environment = pointers_to(variables);
  }
};

[[noreturn]] void complain(int out, const char* line) {
  static_cast<void>(!write(out, line, std::strlen(line)));
  _exit(1);
}

[[noreturn]] void become_worker(
    const Exec& exec, const Throttle& throttle, pid_t parent, int in, int out, int words) {
  setpgid(0, 0);  // the terminal's Ctrl-C is for the parent to judge
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) {
    _exit(1);
  }
  if (!throttle.enter()) {
    complain(out,
             "{\"event\":\"error\",\"kind\":\"failed\",\"message\":\"the worker could not enter "
             "its control group; see rightsize doctor\"}\n");
  }
  dup2(words, STDERR_FILENO);
  dup2(words, STDOUT_FILENO);
  dup2(in, worker_in_fd);
  const int safe_out = fcntl(out, F_DUPFD_CLOEXEC, worker_out_fd + 1);
  dup2(safe_out, worker_out_fd);  // dup2 clears close-on-exec on the copy
  execve(exec.arguments[0], exec.arguments.data(), exec.environment.data());
  complain(safe_out,
           "{\"event\":\"error\",\"kind\":\"failed\",\"message\":\"the worker program could not "
           "be executed\"}\n");
}

}  // namespace

WorkerProcess::WorkerProcess(const WorkerCommand& command, const Throttle& throttle) {
  std::array<int, 2> in{};
  std::array<int, 2> out{};
  if (pipe2(in.data(), O_CLOEXEC) != 0) {
    throw std::runtime_error(fmt::format("cannot make a pipe: {}", std::strerror(errno)));
  }
  if (pipe2(out.data(), O_CLOEXEC) != 0) {
    close(in[0]);
    close(in[1]);
    throw std::runtime_error(fmt::format("cannot make a pipe: {}", std::strerror(errno)));
  }
  words_ = memfd_create("rightsize-worker", MFD_CLOEXEC);
  const Exec exec(command);
  const pid_t parent = getpid();
  pid_ = fork();
  if (pid_ == 0) {
    become_worker(exec, throttle, parent, in[0], out[1], words_);
  }
  const int error = errno;
  close(in[0]);
  close(out[1]);
  in_ = in[1];
  out_ = out[0];
  if (pid_ < 0) {
    close(in_);
    close(out_);
    close(words_);
    throw std::runtime_error(fmt::format("cannot start a worker: {}", std::strerror(error)));
  }
}

WorkerProcess::~WorkerProcess() {
  if (!reaped_) {
    kill_now();
    wait();
  }
  if (in_ >= 0) {
    close(in_);
  }
  close(out_);
  close(words_);
}

void WorkerProcess::send(const std::string& text) {
  struct sigaction ignore {};
  struct sigaction old {};
  ignore.sa_handler = SIG_IGN;
  sigaction(SIGPIPE, &ignore, &old);  // a dead worker is seen by wait(), not by a signal
  for (std::size_t sent = 0; sent < text.size();) {
    const auto count = write(in_, text.data() + sent, text.size() - sent);
    if (count < 0 && errno != EINTR) {
      break;
    }
    sent += count > 0 ? static_cast<std::size_t>(count) : 0;
  }
  sigaction(SIGPIPE, &old, nullptr);
  close(in_);
  in_ = -1;
}

std::optional<std::vector<std::string>> WorkerProcess::receive(double wait_s) {
  pollfd waiting{out_, POLLIN, 0};
  std::vector<std::string> lines;
  if (poll(&waiting, 1, static_cast<int>(wait_s * 1000)) <= 0) {
    return lines;  // nothing yet, or a signal
  }
  std::array<char, 65536> chunk{};
  const auto count = read(out_, chunk.data(), chunk.size());
  if (count <= 0) {
    return count < 0 && errno == EINTR ? std::optional(lines) : std::nullopt;
  }
  partial_.append(chunk.data(), static_cast<std::size_t>(count));
  for (auto end = partial_.find('\n'); end != std::string::npos; end = partial_.find('\n')) {
    lines.push_back(partial_.substr(0, end));
    partial_.erase(0, end + 1);
  }
  return lines;
}

void WorkerProcess::kill_now() {
  if (!reaped_) {
    kill(pid_, SIGSTOP);
    kill_descendants(pid_);  // a program of the user's may have left the group
    kill(-pid_, SIGKILL);    // its whole process group
    kill(pid_, SIGKILL);     // in case it died before it had one
  }
}

int WorkerProcess::wait() {
  int status = 0;
  while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  reaped_ = true;
  return status;
}

std::string WorkerProcess::last_words() const {
  constexpr off_t most = 600;
  const auto size = lseek(words_, 0, SEEK_END);
  std::string text(static_cast<std::size_t>(std::clamp<off_t>(size, 0, most)), '\0');
  const auto count = pread(words_, text.data(), text.size(), std::max<off_t>(0, size - most));
  text.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
  if (const auto line = text.find('\n'); size > most && line + 1 < text.size()) {
    text.erase(0, line + 1);  // whose beginning is cut off
  }
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) {
    text.pop_back();
  }
  return text;
}

}  // namespace rightsize
