#include "profiler/command/child_program.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <stdexcept>
#include <thread>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "profiler/command/user_command.h"
#include "profiler/measure/exec_arguments.h"
#include "profiler/measure/process_tree.h"

namespace rightsize {
namespace {

std::array<int, 2> make_pipe() {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) {
    throw std::runtime_error(fmt::format("cannot make a pipe: {}", std::strerror(errno)));
  }
  return ends;
}

// To the pipe that the parent reads the last words from.
void complain(const char* sentence) {
  static_cast<void>(!write(STDERR_FILENO, sentence, std::strlen(sentence)));
}

// Between fork and exec: async-signal-safe calls only.
[[noreturn]] void become(char* const* words, char* const* variables, int output, int protocol) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  signal(SIGPIPE, SIG_DFL);
  signal(SIGTERM, SIG_DFL);
  const int nothing = open("/dev/null", O_RDONLY);
  dup2(nothing, STDIN_FILENO);
  const int safe_protocol = fcntl(protocol, F_DUPFD_CLOEXEC, step_fd + 1);
  const int safe_output = fcntl(output, F_DUPFD_CLOEXEC, step_fd + 1);
  dup2(safe_output, STDOUT_FILENO);
  dup2(safe_output, STDERR_FILENO);
  dup2(safe_protocol, step_fd);  // dup2 clears close-on-exec on the copy
  execve(words[0], words, variables);
  complain(errno == ENOEXEC  ? "the kernel cannot execute it: a script needs a first line such as "
                               "#!/bin/sh, a binary the processor of this machine"
           : errno == ENOENT ? "the interpreter of its first line (#!) does not exist"
           : errno == E2BIG  ? "its arguments and environment are too long"
                             : "it could not be executed");
  _exit(127);
}

std::string read_some(int fd) {
  std::array<char, 65536> chunk{};
  const auto count = read(fd, chunk.data(), chunk.size());
  return {chunk.data(), static_cast<std::size_t>(std::max<ssize_t>(count, 0))};
}

}  // namespace

void adopt_orphans() {
  prctl(PR_SET_CHILD_SUBREAPER, 1);
}

ChildProgram::ChildProgram(const std::vector<std::string>& words,
                           const std::vector<std::string>& variables) {
  auto arguments = words;
  const auto program = find_program(words.at(0));
  if (!program) {
    throw std::runtime_error(fmt::format(
        "{}: no such program that may be executed; is it on the PATH, with its x bit set?",
        words[0]));
  }
  auto environment = environment_with(variables);
  arguments[0] = *program;
  const auto argument_pointers = pointers_to(arguments);
  const auto variable_pointers = pointers_to(environment);
  const auto output = make_pipe();
  const auto protocol = make_pipe();
  pid_ = fork();
  if (pid_ == 0) {
    become(argument_pointers.data(), variable_pointers.data(), output[1], protocol[1]);
  }
  const int error = errno;
  close(output[1]);
  close(protocol[1]);
  output_ = output[0];
  protocol_ = protocol[0];
  if (pid_ < 0) {
    close(output_);
    close(protocol_);
    throw std::runtime_error(fmt::format("cannot start {}: {}", words[0], std::strerror(error)));
  }
}

ChildProgram::~ChildProgram() {
  using namespace std::chrono_literals;
  if (!status_) {
    kill(pid_, SIGTERM);
    for (int i = 0; i < 200 && !reap(false); ++i) {
      std::this_thread::sleep_for(10ms);
    }
  }
  // Its daemons and workers are ours now: adopt_orphans().
  kill_descendants(getpid());
  if (!status_) {
    reap(true);
  }
  while (waitpid(-1, nullptr, WNOHANG) > 0) {
  }
  close(output_);
  close(protocol_);
}

Heard ChildProgram::listen(double wait_s) {
  std::array<pollfd, 2> waiting{pollfd{output_, POLLIN, 0}, pollfd{protocol_, POLLIN, 0}};
  Heard heard;
  if (poll(waiting.data(), waiting.size(), static_cast<int>(wait_s * 1000)) <= 0) {
    return heard;
  }
  if ((waiting[0].revents & POLLIN) != 0) {
    heard.output = read_some(output_);
  }
  if ((waiting[1].revents & POLLIN) != 0) {
    heard.protocol = read_some(protocol_);
  }
  const bool closed = heard.output.empty() && heard.protocol.empty();
  if (closed && !status_) {
    // Both ends hung up, or one did and poll returns at once: do not spin.
    std::this_thread::sleep_for(std::chrono::duration<double>(std::min(wait_s, 0.01)));
  }
  return heard;
}

std::optional<int> ChildProgram::ended() {
  if (!status_ && !reap(false)) {
    return std::nullopt;
  }
  return status_;
}

bool ChildProgram::reap(bool block) {
  int status = 0;
  pid_t pid = 0;
  do {
    pid = waitpid(pid_, &status, block ? 0 : WNOHANG);
  } while (pid < 0 && errno == EINTR);
  if (pid == pid_) {
    status_ = status;
  }
  return pid == pid_;
}

}  // namespace rightsize
