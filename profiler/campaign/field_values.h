// Values of a campaign file into the fields of a run. Each answers false where the value is none of
// its kind; what the target holds then means nothing.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <toml++/toml.h>

#include "kernels/workload.h"
#include "profiler/command/user_command.h"

namespace rightsize::field_value {

// A word of an enumeration, by its parser.
template <typename Enum>
[[nodiscard]] bool set_word(const toml::node& node,
                            std::optional<Enum> (*parse)(std::string_view),
                            Enum& target) {
  const auto text = node.value_exact<std::string>();
  const auto value = text ? parse(*text) : std::nullopt;
  target = value.value_or(target);
  return value.has_value();
}

[[nodiscard]] bool set_text(const toml::node& node, std::string& target);
[[nodiscard]] bool set_count(const toml::node& node, int least, int& target);
[[nodiscard]] bool set_number(const toml::node& node, double& target);  // finite, not negative
// Nobody measures one run for longer, and no plan of them would end.
inline constexpr double most_seconds = 30 * 86400.0;
// A number of them, or a time as people write it: "30s"; at most most_seconds.
[[nodiscard]] bool set_seconds(const toml::node& node, double& target);
// No process lives in less than a MiB, of a GPU's memory either, nor does a disk read less than a
// kB a second: who writes memory = 8 means GiB.
[[nodiscard]] bool set_memory(const toml::node& node, std::uint64_t& target);
[[nodiscard]] bool set_disk_rate(const toml::node& node, double& target);
[[nodiscard]] bool set_rate(const toml::node& node, double& target);  // bytes a second
[[nodiscard]] bool set_flag(const toml::node& node, bool& target);
// A bare number would be seconds, which nobody means who writes 5.
[[nodiscard]] bool set_delay(const toml::node& node, double& target);
// "poisson", "bursty:8", or the name of a file, which is looked for when the run is complete.
[[nodiscard]] bool set_arrivals(const toml::node& node, Requests& requests);
[[nodiscard]] bool set_isa(const toml::node& node, std::string& target);
// A list of words, or one line that a shell would cut at blanks (no quotes: a list can say those).
[[nodiscard]] bool set_command(const toml::node& node, UserCommand& command);
[[nodiscard]] bool set_steps(const toml::node& node, UserCommand& command);

}  // namespace rightsize::field_value
