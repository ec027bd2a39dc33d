// Dispatch and the one place where exceptions become messages and exit codes.
#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "advisor/cli/command.h"
#include "advisor/query/toml_fields.h"
#include "advisor/query/usage_error.h"
#include "advisor/text_file.h"
#include "advisor/way_out/nothing_satisfies.h"
#include "kernels/network_error.h"
#include "profiler/campaign/plan.h"
#include "profiler/measure/interrupt.h"

namespace rightsize::cli {
namespace {

std::string program_help() {
  std::string out =
      "rightsize: which machine to rent for a deep-learning job, with the evidence.\n\n"
      "usage: rightsize COMMAND [arguments] [options]\n\n";
  for (const auto& command : commands()) {
    if (!command.hidden) {
      out += fmt::format("  {:<10} {}\n", command.name, command.summary);
    }
  }
  out +=
      "\nrightsize COMMAND --help shows its options and examples.\n"
      "exit codes: 0 ok, 1 failed, 2 usage or bad input, 3 nothing satisfies the constraints,\n"
      "            4 measured but untrusted (--strict), 5 a check failed, 130 interrupted\n";
  return out;
}

const Command* find_command(const std::string& name) {
  const auto all = commands();
  const auto found = std::find_if(
      all.begin(), all.end(), [&](const auto& command) { return command.name == name; });
  return found == all.end() ? nullptr : &*found;
}

int unknown_command(Context& context, const std::string& name) {
  std::vector<std::string> names;
  for (const auto& command : commands()) {
    if (!command.hidden) {
      names.emplace_back(command.name);
    }
  }
  const auto near = nearest_word(name, names);
  context.err << fmt::format(
      "error: unknown command \"{}\"{}\n       rightsize --help lists them\n",
      name,
      near.empty() ? "" : fmt::format(", did you mean \"{}\"?", near));
  return exit_usage;
}

int guarded(Context& context, const Command& command, const std::vector<std::string>& arguments) {
  const auto error = [&](const std::exception& what, int code) {
    context.err << context.err_style.bad("error:") << " " << what.what() << "\n";
    return code;
  };
  try {
    return command.run(context, arguments);
  } catch (const HelpShown&) {
    return exit_ok;
  } catch (const NothingSatisfies& what) {
    return error(what, exit_nothing_satisfies);
  } catch (const UsageError& what) {
    return error(what, exit_usage);
  } catch (const PlanError& what) {
    return error(what, exit_usage);
  } catch (const UnknownNetwork& what) {
    return error(what, exit_usage);
  } catch (const NetworkError& what) {
    return error(what, exit_usage);
  } catch (const Interrupted& what) {
    return error(what, exit_interrupted);
  } catch (const std::filesystem::filesystem_error& what) {
    // Most are names of the user's that cannot be looked at; a full disk is nobody's mistake.
    const auto reason =
        fmt::format("{}: {}", what.path1().string(), why_unreadable(what.code().value()));
    const bool full =
        what.code() == std::errc::no_space_on_device || what.code() == std::errc::io_error;
    return error(std::runtime_error(reason), full ? exit_failed : exit_usage);
  } catch (const std::exception& what) {
    return error(what, exit_failed);
  }
}

}  // namespace

int run_program(Context& context, const std::vector<std::string>& arguments) {
  if (arguments.size() > 1 && arguments[0] == "help") {
    return run_program(context, {arguments[1], "--help"});
  }
  if (arguments.empty() || arguments[0] == "--help" || arguments[0] == "-h" ||
      arguments[0] == "help") {
    (arguments.empty() ? context.err : context.out) << program_help();
    return arguments.empty() ? exit_usage : exit_ok;
  }
  if (arguments[0] == "--version" || arguments[0] == "version") {
    context.out << "rightsize " RIGHTSIZE_VERSION "\n";
    return exit_ok;
  }
  const Command* command = find_command(arguments[0]);
  if (command == nullptr) {
    return unknown_command(context, arguments[0]);
  }
  return guarded(context, *command, {arguments.begin() + 1, arguments.end()});
}

}  // namespace rightsize::cli
