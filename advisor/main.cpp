#include <csignal>
#include <iostream>
#include <string>
#include <vector>

#include <unistd.h>

#include "advisor/cli/command.h"

int main(int argc, char** argv) {
  using namespace rightsize;
  std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is an error of its writer, with a name
  std::vector<std::string> arguments;
  std::string color = "auto";
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--no-color") {
      color = "never";
    } else if (argument.starts_with("--color=")) {
      color = argument.substr(8);
      if (color != "auto" && color != "always" && color != "never") {
        std::cerr << "error: --color=" << color << ": expected auto, always or never\n";
        return cli::exit_usage;
      }
    } else {
      arguments.push_back(argument);
    }
  }
  cli::Context context{std::cout,
                       std::cerr,
                       report::style_for(STDOUT_FILENO, color),
                       report::style_for(STDERR_FILENO, color),
                       isatty(STDERR_FILENO) == 1};
  const int code = cli::run_program(context, arguments);
  std::cout.flush();
  if (!std::cout) {
    std::cerr << "error: could not write the result: is the disk full?\n";
    return code == 0 ? cli::exit_failed : code;
  }
  return code;
}
