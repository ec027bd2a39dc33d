#include "advisor/tokens/token_slo.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "advisor/query/latency_words.h"
#include "advisor/query/usage_error.h"

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

std::string limit_words(double seconds) {
  return seconds < 1 ? fmt::format("{:g}ms", 1e3 * seconds) : fmt::format("{:g}s", seconds);
}

std::string token_slo_words(const DecodeLimits& limits) {
  std::string words;
  for (const auto& [name, seconds] :
       {std::pair{"ttft", limits.first_token_s}, std::pair{"tpot", limits.token_s}}) {
    if (std::isfinite(seconds)) {
      words += fmt::format("{}{}={}", words.empty() ? "" : ",", name, limit_words(seconds));
    }
  }
  return words;
}

std::string token_limit_flags(const DecodeLimits& limits, const OwnLimitFlags& own) {
  constexpr double none = std::numeric_limits<double>::infinity();
  const auto in_slo = token_slo_words(
      {own.first_token ? none : limits.first_token_s, own.token ? none : limits.token_s});
  std::vector<std::string> flags;
  if (!in_slo.empty()) {
    flags.push_back("--slo " + in_slo);
  }
  if (own.first_token && std::isfinite(limits.first_token_s)) {
    flags.push_back("--ttft " + limit_words(limits.first_token_s));
  }
  if (own.token && std::isfinite(limits.token_s)) {
    flags.push_back("--tpot " + limit_words(limits.token_s));
  }
  return fmt::format("{}", fmt::join(flags, " "));
}

}  // namespace rightsize
