// The one table of what may be written in a campaign file.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <toml++/toml.h>

#include "profiler/measure/run_spec.h"

namespace rightsize {

// A run under construction.
struct Cell {
  RunSpec spec;
  int repeats = 1;
  bool serve = false;  // answer requests: what the fields of them describe
  std::optional<int> max_batch;
  bool differential = false;  // three runs in place of one (campaign/differential.h)
  std::string synthetic;      // words for the user's own program
  bool phase_given = false;
  bool batch_given = false;
};

struct Field {
  std::string_view name;
  std::string_view meaning;
  std::string_view expected;  // for the error message
  bool (*set)(const toml::node& value, Cell& cell);
};

[[nodiscard]] std::span<const Field> campaign_fields();
[[nodiscard]] const Field* find_field(std::string_view name);

// Why `value` is refused: "expected a rate, saw an integer", or what is wrong with a pattern.
[[nodiscard]] std::string refusal(const Field& field, const toml::node& value);

}  // namespace rightsize
