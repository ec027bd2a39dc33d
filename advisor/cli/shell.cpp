#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <iostream>

#include <fmt/format.h>
#include <unistd.h>

#include "advisor/cli/command.h"
#include "advisor/shell/line_editor.h"
#include "advisor/shell/session.h"

namespace rightsize::cli {
namespace {

namespace fs = std::filesystem;
namespace po = boost::program_options;

// $XDG_STATE_HOME/rightsize/history; "" when it cannot be.
std::string history_path() {
  const char* state = std::getenv("XDG_STATE_HOME");
  const char* home = std::getenv("HOME");
  if ((state == nullptr || state[0] != '/') && home == nullptr) {
    return "";
  }
  const auto folder =
      (state != nullptr && state[0] == '/' ? fs::path(state) : fs::path(home) / ".local/state") /
      "rightsize";
  std::error_code error;
  fs::create_directories(folder, error);
  return error ? "" : (folder / "history").string();
}

// A script: stops at the first line that fails, and says which.
int run_script(Context& context, shell::Session& session) {
  std::string line;
  for (int number = 1; !session.finished() && std::getline(std::cin, line); ++number) {
    if (const int code = session.run(line); code != exit_ok) {
      context.err << fmt::format("stopped at line {}: {}\n", number, line);
      return code;
    }
  }
  return exit_ok;
}

int run_terminal(Context& context, shell::Session& session) {
  context.err << "help lists the commands, Tab completes, Ctrl-D leaves\n";
  shell::LineEditor editor([&](std::string_view line) { return session.completions(line); },
                           history_path());
  std::signal(SIGINT, SIG_IGN);  // a command's, not ours
  while (!session.finished()) {
    const auto line = editor.read(session.prompt());
    if (!line) {
      context.out << "\n";
      break;
    }
    static_cast<void>(session.run(*line));
    context.out.flush();
  }
  return exit_ok;
}

}  // namespace

int run_shell(Context& context, const std::vector<std::string>& arguments) {
  Options options("options");
  options.add_options()("job", po::value<std::string>(), "the job file to begin with");
  const auto values = parse(context, "shell", options, {"job"}, arguments);
  shell::Session session(context);
  if (values.count("job") > 0) {
    const auto& job = values["job"].as<std::string>();
    if (const int code = session.start(job); code != exit_ok) {
      return code;
    }
  }
  return isatty(STDIN_FILENO) == 1 ? run_terminal(context, session) : run_script(context, session);
}

}  // namespace rightsize::cli
