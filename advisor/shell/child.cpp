#include "advisor/shell/child.h"

#include <cerrno>
#include <csignal>
#include <stdexcept>

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

namespace rightsize::shell {

int run_in_child(cli::Context& context, const std::vector<std::string>& arguments) {
  context.out.flush();
  context.err.flush();
  const pid_t child = fork();
  if (child < 0) {
    throw std::runtime_error("cannot start another process: is the machine out of memory?");
  }
  if (child == 0) {
    std::signal(SIGINT, SIG_DFL);
    const int code = cli::run_program(context, arguments);
    context.out.flush();
    context.err.flush();
    _exit(code);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status)) {
    return WEXITSTATUS(status);
  }
  const bool by_user = WTERMSIG(status) == SIGINT;
  context.err << (by_user ? "\n"
                          : fmt::format(
                                "{} was killed by signal {}\n", arguments[0], WTERMSIG(status)));
  return by_user ? cli::exit_interrupted : cli::exit_failed;
}

}  // namespace rightsize::shell
