// How soon answers are wanted, as people write it.
#pragma once

#include <string>

namespace rightsize {

// "p99=50ms" -> 0.05. Throws UsageError naming `what`.
[[nodiscard]] double parse_slo(const std::string& text, const std::string& what);
// "5ms", "200us", "0.5s" -> seconds. Throws UsageError naming `what`.
[[nodiscard]] double parse_latency(const std::string& text, const std::string& what);

// "12.3 ms", from a second on "1.2 s".
[[nodiscard]] std::string latency_text(double seconds);

}  // namespace rightsize
