#include "advisor/cli/flags.h"

#include <algorithm>
#include <sstream>

namespace rightsize::cli {

const Command* visible_command(std::string_view name) {
  const auto all = commands();
  const auto found = std::find_if(
      all.begin(), all.end(), [&](const Command& c) { return c.name == name && !c.hidden; });
  return found == all.end() ? nullptr : &*found;
}

std::vector<Flag> options_of(std::string_view name) {
  const auto* command = visible_command(name);
  std::vector<Flag> flags;
  if (command == nullptr) {
    return flags;
  }
  std::ostringstream unused;
  Context context{unused, unused, {}, {}};
  context.see_options = [&](const Options& options, const std::vector<std::string>& by_position) {
    for (const auto& option : options.options()) {
      const auto& flag = option->long_name();
      const bool has_place =
          std::any_of(by_position.begin(), by_position.end(), [&](const auto& p) {
            return p == flag || p == flag + "...";
          });
      const auto brief = option->canonical_display_name(
          boost::program_options::command_line_style::allow_dash_for_short);
      flags.push_back({"--" + flag,
                       brief.starts_with('-') ? brief : "",
                       option->semantic()->max_tokens() > 0,
                       has_place});
    }
  };
  try {
    command->run(context, {"--help"});
  } catch (const HelpShown&) {
  }
  return flags;
}

std::vector<Flag> flags_of(std::string_view command) {
  auto flags = options_of(command);
  std::erase_if(flags, [](const Flag& flag) { return flag.has_place; });
  return flags;
}

}  // namespace rightsize::cli
