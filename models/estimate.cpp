#include "models/estimate.h"

#include <algorithm>
#include <cmath>

#include <boost/json.hpp>

namespace rightsize {
namespace {

boost::json::value or_null(double value) {
  return std::isinf(value) ? boost::json::value(nullptr) : boost::json::value(value);
}

}  // namespace

std::string_view to_string(Source source) {
  switch (source) {
    case Source::measured:
      return "measured";
    case Source::fitted:
      return "fitted";
    case Source::scaled:
      return "scaled";
    case Source::published:
      return "published";
    case Source::assumed:
      return "assumed";
  }
  return "assumed";
}

Source weaker(Source a, Source b) {
  // Ordered by how much stands behind the number, strongest first: a published figure was at least
  // measured by somebody on that hardware; a scaled one by nobody.
  const auto rank = [](Source source) {
    switch (source) {
      case Source::measured:
        return 0;
      case Source::fitted:
        return 1;
      case Source::published:
        return 2;
      case Source::scaled:
        return 3;
      case Source::assumed:
        return 4;
    }
    return 4;
  };
  return rank(a) >= rank(b) ? a : b;
}

boost::json::object to_json(const Estimate& estimate) {
  return {{"value", or_null(estimate.value)},
          {"low", or_null(estimate.low)},
          {"high", or_null(estimate.high)},
          {"confidence", estimate.confidence},
          {"unit", estimate.unit},
          {"source", to_string(estimate.source)}};
}

}  // namespace rightsize
