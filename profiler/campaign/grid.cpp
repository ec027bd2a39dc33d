#include "profiler/campaign/grid.h"

#include <algorithm>

#include <fmt/format.h>

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

std::vector<std::pair<Cell, Point>> grid_of(const Axes& axes, Cell base, const TomlErrors& errors) {
  std::vector<std::pair<Cell, Point>> grid{{std::move(base), {}}};
  for (const auto& [key, node] : axes) {
    const auto values = axis_values(key, *node, errors);
    std::vector<std::pair<Cell, Point>> wider;
    for (const auto& [cell, point] : grid) {
      for (const auto& value : values) {
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
