// The one table of what may be written in a campaign file.
#pragma once

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
};

struct Field {
  std::string_view name;
  std::string_view expected;  // for the error message
  bool (*set)(const toml::node& value, Cell& cell);
};

[[nodiscard]] std::span<const Field> campaign_fields();
[[nodiscard]] const Field* find_field(std::string_view name);

// Why `value` is refused: "expected a rate, saw an integer", or what is wrong with a pattern.
[[nodiscard]] std::string refusal(const Field& field, const toml::node& value);

// The known word nearest to `word`, or empty when none is near. Distance: Levenshtein (1966).
[[nodiscard]] std::string_view nearest(std::string_view word,
                                       std::span<const std::string_view> known);

}  // namespace rightsize
