#include "advisor/query/latency_words.h"

#include <charconv>

#include <fmt/format.h>

#include "advisor/query/usage_error.h"

namespace rightsize {

double parse_latency(const std::string& text, const std::string& what) {
  double value = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const std::string unit(rest, text.data() + text.size());
  const double scale = unit == "ms" ? 1e-3 : unit == "us" ? 1e-6 : unit == "s" ? 1 : 0;
  const bool zero = error == std::errc() && value == 0 && unit.empty();
  if (!zero && (error != std::errc() || scale == 0 || !(value >= 0) || value * scale > 3600)) {
    throw UsageError(fmt::format(
        "{} = {}: expected a time such as 5ms, 200us or 0.5s, of an hour at most", what, text));
  }
  return value * scale;
}

double parse_slo(const std::string& text, const std::string& what) {
  if (!text.starts_with("p99=")) {
    throw UsageError(fmt::format("{} {}: expected p99=50ms", what, text));
  }
  const double seconds = parse_latency(text.substr(4), what + " p99");
  if (!(seconds > 0)) {
    throw UsageError(fmt::format("{} {}: no answer takes no time", what, text));
  }
  return seconds;
}

std::string latency_text(double seconds) {
  return seconds < 1 ? fmt::format("{:.3g} ms", 1e3 * seconds) : fmt::format("{:.3g} s", seconds);
}

}  // namespace rightsize
