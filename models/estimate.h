// A number that was not measured: value, interval, unit and where it came from.
#pragma once

#include <string>
#include <string_view>

#include <boost/json/fwd.hpp>

namespace rightsize {

// measured: seen on this kind of machine. fitted: from a law fitted to measurements here. scaled:
// carried to other hardware by a law. published: somebody else's figure, cited. assumed: a default.
enum class Source { measured, fitted, scaled, published, assumed };

[[nodiscard]] std::string_view to_string(Source source);

// The less certain of two sources; a result is as good as its weakest input.
[[nodiscard]] Source weaker(Source a, Source b);

struct Estimate {
  double value = 0;
  double low = 0;
  double high = 0;
  double confidence = 0.9;
  std::string unit;
  Source source = Source::assumed;
};

// {"value","low","high","confidence","unit","source"}; what is infinite is null, for JSON has no
// other word for it.
[[nodiscard]] boost::json::object to_json(const Estimate& estimate);

}  // namespace rightsize
