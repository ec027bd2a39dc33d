#include "profiler/campaign/axis.h"

#include <cmath>
#include <type_traits>

#include "profiler/campaign/units.h"

namespace rightsize {
namespace {

// Whole numbers stay integers, because some fields take nothing else; as far as an integer goes.
std::unique_ptr<toml::node> number_node(double value) {
  constexpr double most = 0x1p63;
  if (value == std::floor(value) && value < most) {
    return std::make_unique<toml::value<std::int64_t>>(static_cast<std::int64_t>(value));
  }
  return std::make_unique<toml::value<double>>(value);
}

}  // namespace

std::vector<std::unique_ptr<toml::node>> axis_values(std::string_view key,
                                                     const toml::node& node,
                                                     const TomlErrors& errors) {
  std::vector<std::unique_ptr<toml::node>> values;
  if (const auto* array = node.as_array()) {
    for (const auto& element : *array) {
      element.visit([&](const auto& value) {
        using Value = std::remove_cvref_t<decltype(value)>;
        values.push_back(std::make_unique<Value>(value));
      });
    }
  } else if (const auto text = node.value_exact<std::string>()) {
    for (const double value : parse_range(*text).value_or(std::vector<double>{})) {
      values.push_back(number_node(value));
    }
  }
  if (values.empty()) {
    errors.fail(key, node, "a list like [1, 2, 4] or a range like \"1:16:x2\"");
  }
  return values;
}

}  // namespace rightsize
