#include "profiler/campaign/grid.h"

#include <algorithm>
#include <memory>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "profiler/campaign/axis.h"

namespace rightsize {

void set_field(std::string_view key,
               const toml::node& value,
               Cell& cell,
               const TomlErrors& errors,
               const toml::source_region& at) {
  const auto* field = find_field(key);
  if (!field->set(value, cell)) {
    errors.fail_at(at, fmt::format("{} = {}: {}", key, printed(value), refusal(*field, value)));
  }
}

void check_fields(const toml::table& table,
                  std::vector<std::string_view> extra,
                  const TomlErrors& errors) {
  for (const auto& field : campaign_fields()) {
    extra.push_back(field.name);
  }
  errors.check_keys(table, extra);
}

Axes axes_of(const toml::table& run,
             const std::vector<Override>& overrides,
             const TomlErrors& errors) {
  Axes axes;
  if (const auto* node = run.get("axes")) {
    if (!node->is_table()) {
      errors.fail("axes", *node, "a table like {cpus = [1, 2]}");
    }
    check_fields(*node->as_table(), {}, errors);
    for (const auto& [key, values] : *node->as_table()) {
      const auto* given = find_override(overrides, key.str());
      axes.emplace_back(key.str(), given == nullptr ? &values : &given->values);
    }
  }
  for (const auto& given : overrides) {
    if (given.is_axis && !has_axis(axes, given.key)) {
      axes.emplace_back(given.key, &given.values);
    }
  }
  return axes;
}

bool has_axis(const Axes& axes, std::string_view key) {
  return std::any_of(axes.begin(), axes.end(), [&](const auto& axis) { return axis.first == key; });
}

namespace {

using Values = std::vector<std::unique_ptr<toml::node>>;

// Before any of it is made.
void check_points(const Axes& axes, const std::vector<Values>& values, const TomlErrors& errors) {
  double points = 1;
  std::vector<std::string> factors;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    points *= static_cast<double>(values[i].size());
    factors.push_back(fmt::format("{} of {}", values[i].size(), axes[i].first));
  }
  if (points > static_cast<double>(most_runs)) {
    errors.fail_at(axes.front().second->source(),
                   fmt::format("axes: {} are {:.0f} runs, more than {}; leave values out",
                               fmt::join(factors, " x "),
                               points,
                               most_runs));
  }
}

}  // namespace

std::vector<std::pair<Cell, Point>> grid_of(const Axes& axes, Cell base, const TomlErrors& errors) {
  std::vector<Values> values;
  for (const auto& [key, node] : axes) {
    values.push_back(axis_values(key, *node, errors));
  }
  check_points(axes, values, errors);
  std::vector<std::pair<Cell, Point>> grid{{std::move(base), {}}};
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const auto& [key, node] = axes[i];
    std::vector<std::pair<Cell, Point>> wider;
    for (const auto& [cell, point] : grid) {
      for (const auto& value : values[i]) {
        auto next = std::pair(cell, point);
        set_field(key, *value, next.first, errors, node->source());
        next.second.emplace_back(key, printed(*value));
        wider.push_back(std::move(next));
      }
    }
    grid = std::move(wider);
  }
  return grid;
}

}  // namespace rightsize
