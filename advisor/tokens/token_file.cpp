#include "advisor/tokens/token_file.h"

#include <cmath>

namespace rightsize {
namespace {

struct Quantile {
  const char* name;
  double DecodeLatency::*which;
};
constexpr Quantile quantiles[] = {{"first_token_p50", &DecodeLatency::first_token_p50_s},
                                  {"first_token_p95", &DecodeLatency::first_token_p95_s},
                                  {"first_token_p99", &DecodeLatency::first_token_p99_s},
                                  {"token_p50", &DecodeLatency::token_p50_s},
                                  {"token_p95", &DecodeLatency::token_p95_s},
                                  {"token_p99", &DecodeLatency::token_p99_s}};

constexpr auto sharings = "by_heads or by_sequences";

WeightFormat read_weights(const JsonPlace& place) {
  return place.word(parse_weight_format, "own, fp8, int8, int4, nvfp4 or mxfp4");
}

AttentionSharing read_sharing(const JsonPlace& fleet) {
  return fleet.has("attention")
             ? fleet["attention"].word(parse_attention_sharing, sharings)
             : AttentionSharing::by_heads;  // answers of earlier versions have no other
}

// Null of a sequence of one token says that there is none, of others that it never comes.
double read_wait(const JsonPlace& place, bool one_token) {
  const double seconds = place.number_or_infinite();
  return one_token && std::isinf(seconds) ? std::nan("") : seconds;
}

void read_waits(const JsonPlace& place, const TokenService& service, TokenFleet& fleet) {
  for (const auto& [name, which] : quantiles) {
    const auto wait = place[name];
    const bool none = service.output_tokens == 1 && std::string_view(name).starts_with("token");
    fleet.expected.latency.*which = read_wait(wait["value"], none);
    fleet.fast.latency.*which = read_wait(wait["low"], none);
    fleet.slow.latency.*which = read_wait(wait["high"], none);
  }
}

}  // namespace

std::optional<WeightFormat> read_said_weights(const JsonPlace& place) {
  const auto weights = read_weights(place["weights"]);
  const bool said = !place.has("weights_said") || place["weights_said"].flag();
  return said ? std::optional(weights) : std::nullopt;
}

TokenService read_token_service(const JsonPlace& place) {
  TokenService service;
  service.sequences_per_s = place["sequences_per_s"].above_zero();
  service.prompt_tokens = place["prompt_tokens"].whole_from(1);
  if (place.has("cached_prompt_tokens")) {  // answers of before have none
    service.cached_prompt_tokens = place["cached_prompt_tokens"].whole_from(0);
  }
  service.output_tokens = place["output_tokens"].whole_from(1);
  if (place.has("prompt_tokens_stddev")) {
    service.prompt_stddev = place["prompt_tokens_stddev"].not_negative();
    service.output_stddev = place["output_tokens_stddev"].not_negative();
  }
  service.burst = place.has("burst") ? place["burst"].above_zero() : 1;
  service.limits.first_token_s = place["first_token_s"].number_or_infinite();
  service.limits.token_s = place["token_s"].number_or_infinite();
  service.weights = read_said_weights(place);
  service.fp8_caches = place["caches"].text() == "fp8";
  service.software = place["software"].text_or_null();
  if (place.says("gpus_per_replica")) {
    service.per_replica = place["gpus_per_replica"].whole_from(1);
  }
  if (place.says("attention")) {
    service.attention = place["attention"].word(parse_attention_sharing, sharings);
  }
  if (place.says("machines")) {
    service.machines = place["machines"].whole_from(1);
  }
  return service;
}

void read_token_fleet(const JsonPlace& place, const TokenService& service, Option& option) {
  TokenFleet fleet;
  fleet.machines = place["machines"].whole_from(1);
  fleet.machines_low = place["machines_low"].whole_from(0);
  fleet.machines_high = place["machines_high"].is_null() ? 0 : place["machines_high"].whole_from(1);
  fleet.p_enough = place["p_enough"].share();
  if (place.says("sequences_per_s_each")) {
    fleet.each_per_s = place["sequences_per_s_each"].not_negative();
  }
  fleet.utilisation = place["utilisation"].above_zero();
  auto& server = fleet.server;
  server.lengths = service.lengths();
  server.precision = option.precision;
  server.replicas = place["replicas_per_machine"].whole_from(1);
  server.gpu.cluster.gpus_per_node = place["gpus_per_replica"].whole_from(1);
  server.attention = read_sharing(place);
  const bool own = server.attention == AttentionSharing::by_sequences;
  server.work.engines = own ? server.gpus_each() : 1;
  server.work.weight_bytes = place["weight_bytes_per_gpu"].above_zero();
  server.weight_bytes = place.has("weight_bytes")  // answers of earlier versions have it of a GPU
                            ? place["weight_bytes"].above_zero()
                            : server.work.weight_bytes * server.gpus_each();
  server.log_sd = place["log_sd"].not_negative();
  if (place.has("memory_bytes_per_gpu")) {  // answers of earlier versions have none of these
    server.weights = read_weights(place["weights"]);
    server.fp8_caches = place["caches"].text() == "fp8";
    server.gpu.memory_bytes = place["memory_bytes_per_gpu"].above_zero();
    server.gpu.kept_bytes = place.has("kept_bytes_per_gpu")
                                ? place["kept_bytes_per_gpu"].not_negative()
                                : server.gpu.memory_bytes * (1 / DecodeLaw{}.memory_share - 1);
    server.work.kv_bytes_per_token = place["cache_bytes_per_token"].above_zero();
  }
  read_waits(place, service, fleet);
  auto& point = fleet.expected.point;
  point.sequences = place["sequences_in_flight"].not_negative();
  point.most_sequences = place["most_sequences"].whole_from(1);
  point.most_sequences_per_s =
      place["max_sequences_per_s"].above_zero() / (fleet.machines * server.replicas);
  option.tokens = fleet;
  option.cost_per_1m_tokens = place["cost_per_1m_output_tokens"].above_zero();
}

}  // namespace rightsize
