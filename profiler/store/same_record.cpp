#include "profiler/store/same_record.h"

#include <algorithm>
#include <cmath>

#include <boost/json.hpp>

namespace rightsize {
namespace {

namespace json = boost::json;

bool is_close(double a, double b) {
  constexpr double last_digits = 1e-14;
  return std::abs(a - b) <= last_digits * std::max(std::abs(a), std::abs(b));
}

bool is_same_value(const json::value& a, const json::value& b) {
  if (a.is_object() && b.is_object()) {
    const auto& left = a.get_object();
    const auto& right = b.get_object();
    return left.size() == right.size() &&
           std::all_of(left.begin(), left.end(), [&](const auto& entry) {
             const auto* other = right.if_contains(entry.key());
             return other != nullptr && is_same_value(entry.value(), *other);
           });
  }
  if (a.is_array() && b.is_array()) {
    return std::equal(a.get_array().begin(),
                      a.get_array().end(),
                      b.get_array().begin(),
                      b.get_array().end(),
                      is_same_value);
  }
  if (a.is_double() && b.is_double()) {
    return is_close(a.get_double(), b.get_double());
  }
  return a == b;
}

}  // namespace

bool is_same(const Record& a, const Record& b) {
  return is_same_value(to_json(a), to_json(b));
}

}  // namespace rightsize
