#include "advisor/report/decode_text.h"

#include <algorithm>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "advisor/report/table.h"
#include "advisor/report/units.h"

namespace rightsize::report {
namespace {

namespace json = boost::json;

Estimate estimate(const DecodeReport& decode,
                  double DecodePoint::*which,
                  const char* unit,
                  double factor = 1) {
  const auto [low, high] = std::minmax({decode.fast.*which, decode.slow.*which});
  const double value = decode.point.*which;
  return {factor * value,
          factor * std::min(low, value),
          factor * std::max(high, value),
          0.9,
          unit,
          Source::scaled};
}

std::string sentence(const DecodeReport& decode) {
  const auto& point = decode.point;
  const double most = point.most_sequences_per_s * decode.replicas;
  if (point.regime == DecodeRegime::saturated) {
    return fmt::format("Saturated: ~{} sequences/s can be served; add replicas [scaled]",
                       digits(most));
  }
  return fmt::format("~{} to the first token, ~{} per token, ~{} tokens/s in all [scaled]",
                     duration(point.first_token_s),
                     duration(point.token_s),
                     digits(point.tokens_per_s * decode.replicas));
}

}  // namespace

std::string_view regime_word(DecodeRegime regime) {
  switch (regime) {
    case DecodeRegime::memory_bound:
      return "memory_bound";
    case DecodeRegime::compute_bound:
      return "compute_bound";
    case DecodeRegime::host_bound:
      return "host_bound";
    case DecodeRegime::saturated:
      return "saturated";
    case DecodeRegime::too_small:
      return "too_small";
  }
  return "?";
}

std::string decode_text(const DecodeReport& decode, const Style& style) {
  const auto& point = decode.point;
  Table table({{"closed form"}, {"value", Align::right}, {"interval", Align::right}});
  const auto time = [&](const char* name, double DecodePoint::*which) {
    const auto of = estimate(decode, which, "s");
    table.add(
        {name, duration(of.value), fmt::format("{} … {}", duration(of.low), duration(of.high))});
  };
  time("first token", &DecodePoint::first_token_s);
  time("per token", &DecodePoint::token_s);
  time("whole sequence", &DecodePoint::sequence_s);
  const auto most =
      estimate(decode, &DecodePoint::most_sequences_per_s, "sequences/s", decode.replicas);
  return fmt::format(
      "{}\n{}; {} tokens in, {} out, {} sequences/s on {}\n\n{}\n"
      "{} sequences in flight on a replica; caches of {} fit beside {} of weights; {}\n"
      "the most that can be served: ~{} sequences/s ({} … {}); first tokens wait for no queue\n"
      "- of the data sheet, decoding reaches {} of the bandwidth and {} of the matrix rate; a job "
      "file with phase = \"decode\" and [service] shares a network between GPUs\n",
      style.bold(sentence(decode)),
      decode.question,
      decode.load.prompt_tokens,
      decode.load.output_tokens,
      digits(decode.load.sequences_per_s * decode.replicas),
      count_of(static_cast<std::uint64_t>(decode.replicas), "replica"),
      table.text(style),
      digits(point.sequences),
      count(static_cast<std::uint64_t>(point.most_sequences)),
      bytes(decode.work.weight_bytes),
      point.regime == DecodeRegime::compute_bound ? "bound by compute"
      : point.regime == DecodeRegime::host_bound  ? "bound by the host, which schedules each token"
                                                  : "bound by memory bandwidth",
      digits(most.value),
      digits(most.low),
      digits(most.high),
      percent(decode.bandwidth_share),
      percent(decode.matrix_share));
}

json::object decode_to_json(const DecodeReport& decode) {
  const auto& point = decode.point;
  return {{"schema", "rightsize/decode/1"},
          {"status", point.regime == DecodeRegime::saturated ? "saturated" : "ok"},
          {"regime", regime_word(point.regime)},
          {"replicas", decode.replicas},
          {"first_token", to_json(estimate(decode, &DecodePoint::first_token_s, "s"))},
          {"token", to_json(estimate(decode, &DecodePoint::token_s, "s"))},
          {"sequence", to_json(estimate(decode, &DecodePoint::sequence_s, "s"))},
          {"throughput",
           to_json(estimate(decode, &DecodePoint::tokens_per_s, "tokens/s", decode.replicas))},
          {"saturation",
           to_json(estimate(
               decode, &DecodePoint::most_sequences_per_s, "sequences/s", decode.replicas))},
          {"sequences_in_flight", point.sequences},
          {"most_sequences", point.most_sequences},
          {"weight_bytes", decode.work.weight_bytes},
          {"kv_bytes_per_token", mean_cache_bytes(decode.work, decode.load.tokens())}};
}

}  // namespace rightsize::report
