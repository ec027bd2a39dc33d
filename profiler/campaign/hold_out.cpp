#include "profiler/campaign/hold_out.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include <fmt/format.h>

#include "profiler/campaign/units.h"

namespace rightsize {
namespace {

// As printed(), or two ways to write one number, size or rate: 1 and 1.0, "1GiB" and "1024MiB".
bool same_value(std::string_view a, std::string_view b) {
  const auto unquoted = [](std::string_view text) {
    const bool is_quoted = text.size() >= 2 && (text[0] == '"' || text[0] == '\'');
    return is_quoted ? text.substr(1, text.size() - 2) : text;
  };
  const auto same = [&](auto&& parse) {
    const auto left = parse(unquoted(a));
    const auto right = parse(unquoted(b));
    return left && right && std::abs(*left - *right) <= 1e-9 * std::abs(*left);
  };
  return a == b || same(parse_bytes_per_s) || same(parse_seconds);
}

bool matches(const toml::table& wanted, const Point& point, const TomlErrors& errors) {
  for (const auto& [key, value] : wanted) {
    const auto axis = std::find_if(
        point.begin(), point.end(), [&](const auto& entry) { return entry.first == key.str(); });
    if (axis == point.end()) {
      errors.fail_at(
          key.source(),
          fmt::format(
              "{} = {}: hold_out names an axis this run does not have", key.str(), printed(value)));
    }
    if (!same_value(axis->second, printed(value))) {
      return false;
    }
  }
  return true;
}

}  // namespace

bool held_out(const toml::node* node, const Point& point, const TomlErrors& errors) {
  if (node == nullptr) {
    return false;
  }
  if (const auto flag = node->value_exact<bool>()) {
    return *flag;
  }
  const auto* list = node->as_array();
  if (list == nullptr) {
    errors.fail("hold_out", *node, "true, false, or a list of cells like [{cpus = 1}]");
  }
  bool held = false;
  for (const auto& element : *list) {
    if (!element.is_table()) {
      errors.fail("hold_out", element, "a cell like {cpus = 1}");
    }
    held = held || matches(*element.as_table(), point, errors);
  }
  return held;
}

void refuse_idle_hold_out(const toml::node* node,
                          std::span<const Point> points,
                          const TomlErrors& errors) {
  const auto* list = node == nullptr ? nullptr : node->as_array();
  if (list == nullptr) {
    return;
  }
  for (const auto& element : *list) {
    const auto* wanted = element.as_table();
    const bool idle = wanted != nullptr && std::none_of(points.begin(), points.end(), [&](auto& p) {
                        return matches(*wanted, p, errors);
                      });
    if (idle) {
      errors.fail_at(element.source(),
                     fmt::format("hold_out = {}: no run has these values; expected some that its "
                                 "axes have together",
                                 printed(element)));
    }
  }
}

}  // namespace rightsize
