// "key=value" as typed behind --set: what a campaign's file says, said otherwise for once.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <toml++/toml.h>

namespace rightsize {

// One value, or those of an axis ("cpus=1,2,4", "cpus=1:16:x2").
struct Override {
  std::string key;
  toml::array values;
  bool is_axis = false;
};

// A value of the command line as a campaign file writes it: 8, true, "8s" with its quotes.
[[nodiscard]] std::string toml_value(const std::string& text);

// The same in quotes, whatever it looks like.
[[nodiscard]] std::string toml_text(const std::string& text);

// A path, a pattern, a command line: commas and colons in it make no axis.
[[nodiscard]] bool is_one_value(std::string_view key, std::string_view text);

// "1,2,4" as [1, 2, 4] and "1:16:x2" as a string; nullopt when it is one value.
[[nodiscard]] std::optional<std::string> toml_axis(const std::string& text);

// Each is checked against the field it names, as the file's own keys are; of two with one key the
// last counts. Throws PlanError: "--set cpux=2: unknown key; did you mean cpus?".
[[nodiscard]] std::vector<Override> parse_overrides(const std::vector<std::string>& assignments);

[[nodiscard]] const Override* find_override(const std::vector<Override>& overrides,
                                            std::string_view key);

}  // namespace rightsize
