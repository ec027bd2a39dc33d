// Which cells of a [[run]] are kept out of the fit.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include <toml++/toml.h>

#include "profiler/campaign/toml_errors.h"

namespace rightsize {

// A cell's place in the grid: each axis with the value as printed().
using Point = std::vector<std::pair<std::string, std::string>>;

// `node` is the run's hold_out: true, false, or a list of cells like [{cpus = 1}]; null for none.
// Throws PlanError by `errors`, also for an axis that `point` does not have.
[[nodiscard]] bool held_out(const toml::node* node, const Point& point, const TomlErrors& errors);

// Throws PlanError for a cell of the list that none of `points` is in: nothing is held out by it.
void refuse_idle_hold_out(const toml::node* node,
                          std::span<const Point> points,
                          const TomlErrors& errors);

}  // namespace rightsize
