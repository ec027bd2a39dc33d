#include "models/simulate/trace.h"

#include <algorithm>
#include <set>

#include <boost/json.hpp>
#include <fmt/format.h>

namespace rightsize::simulate {
namespace {

// Nanoseconds as microseconds with three decimals: exact, whatever the platform's printing.
std::string microseconds(Nanoseconds time) {
  return fmt::format("{}.{:03}", time / 1000, time % 1000);
}

std::string lane_name(int lane, const std::string& device) {
  const auto name = lane == 0 ? device : fmt::format("loader {}", lane);
  return fmt::format(
      "{{\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":1,\"tid\":{},\"args\":{{\"name\":{}}}}}",
      lane,
      boost::json::serialize(boost::json::string(name)));
}

}  // namespace

std::string chrome_trace(const Trace& trace, const std::string& device) {
  Nanoseconds first = 0;
  std::set<int> lanes;
  for (const auto& span : trace.spans()) {
    first = lanes.empty() ? span.begin : std::min(first, span.begin);
    lanes.insert(span.lane);
  }
  std::string text = "{\"displayTimeUnit\":\"ms\",\"traceEvents\":[";
  const char* separator = "\n";
  for (const int lane : lanes) {
    text += separator + lane_name(lane, device);
    separator = ",\n";
  }
  for (const auto& span : trace.spans()) {
    text +=
        fmt::format("{}{{\"name\":\"{}\",\"ph\":\"X\",\"ts\":{},\"dur\":{},\"pid\":1,\"tid\":{}}}",
                    separator,
                    span.name,
                    microseconds(span.begin - first),
                    microseconds(span.end - span.begin),
                    span.lane);
  }
  return text + fmt::format("\n],\"otherData\":{{\"spans_left_out\":{}}}}}\n", trace.left_out());
}

}  // namespace rightsize::simulate
