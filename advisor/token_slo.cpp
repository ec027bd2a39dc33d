#include "advisor/token_slo.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "advisor/query.h"

namespace rightsize {

void parse_token_slo(const std::string& text, const std::string& what, DecodeLimits& limits) {
  std::size_t begin = 0;
  std::set<std::string> seen;
  while (begin <= text.size()) {
    const auto end = std::min(text.find(',', begin), text.size());
    const auto part = text.substr(begin, end - begin);
    begin = end + 1;
    const auto equals = std::min(part.find('='), part.size());
    const auto name = part.substr(0, equals);
    if ((name != "ttft" && name != "tpot") || equals == part.size()) {
      throw UsageError(fmt::format(
          "{} {}: expected ttft=1s, tpot=50ms or both by comma: the first token, and from one to "
          "the next, of 99 of 100 sequences",
          what,
          text));
    }
    if (!seen.insert(name).second) {
      throw UsageError(fmt::format("{} {}: {} is said twice", what, text, name));
    }
    const double seconds = parse_latency(part.substr(equals + 1), what + " " + name);
    if (!(seconds > 0)) {
      throw UsageError(fmt::format("{} {}: no token takes no time", what, text));
    }
    (name == "ttft" ? limits.first_token_s : limits.token_s) = seconds;
  }
}

}  // namespace rightsize
