// The grid of one [[run]]: its axes, as the file has them or --set, and every combination of their
// values.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "profiler/campaign/fields.h"
#include "profiler/campaign/hold_out.h"
#include "profiler/campaign/override.h"
#include "profiler/campaign/toml_errors.h"

namespace rightsize {

// Each axis with its values, a list or a range in a string; the nodes outlive it.
using Axes = std::vector<std::pair<std::string, const toml::node*>>;

// The file's axes with the overridden ones in their place; an override may add one. Throws
// PlanError by `errors`.
[[nodiscard]] Axes axes_of(const toml::table& run,
                           const std::vector<Override>& overrides,
                           const TomlErrors& errors);
[[nodiscard]] bool has_axis(const Axes& axes, std::string_view key);

// Of a campaign, repeats counted: at a second each they take a day, and they are held in memory.
inline constexpr std::size_t most_runs = 100'000;

// `base` at every point of the grid, the last axis changing fastest. Throws PlanError by `errors`,
// also for more points than most_runs.
[[nodiscard]] std::vector<std::pair<Cell, Point>> grid_of(const Axes& axes,
                                                          Cell base,
                                                          const TomlErrors& errors);

// One field from the file, or from the command line. Throws PlanError by `errors`, at `at`.
void set_field(std::string_view key,
               const toml::node& value,
               Cell& cell,
               const TomlErrors& errors,
               const toml::source_region& at);

// Every key must be a field of a run, or one of `extra`.
void check_fields(const toml::table& table,
                  std::vector<std::string_view> extra,
                  const TomlErrors& errors);

}  // namespace rightsize
