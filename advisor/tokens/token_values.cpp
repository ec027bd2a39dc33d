#include "advisor/tokens/token_values.h"

#include <boost/json.hpp>

#include "advisor/json_values.h"
#include "advisor/tokens/weights_taken.h"

namespace rightsize {
namespace {

namespace json = boost::json;

// The quantile with the ends of its interval.
json::object waiting(const TokenFleet& fleet, double DecodeLatency::*which) {
  return {{"value", finite(fleet.expected.latency.*which)},
          {"low", finite(fleet.fast.latency.*which)},
          {"high", finite(fleet.slow.latency.*which)},
          {"confidence", 0.9},
          {"unit", "s"},
          {"source", to_string(Source::scaled)}};
}

}  // namespace

json::object token_query_to_json(const TokenService& service, std::string_view network) {
  return {
      {"sequences_per_s", service.sequences_per_s},
      {"prompt_tokens", service.prompt_tokens},
      {"cached_prompt_tokens", service.cached_prompt_tokens},
      {"prompt_tokens_stddev", service.prompt_stddev},
      {"output_tokens", service.output_tokens},
      {"output_tokens_stddev", service.output_stddev},
      {"burst", service.burst},
      {"first_token_s", finite(service.limits.first_token_s)},
      {"token_s", finite(service.limits.token_s)},
      {"weights", to_string(weights_taken(service, network))},
      {"weights_said", service.weights.has_value()},
      {"caches", service.fp8_caches ? "fp8" : "own"},
      {"software", or_null(service.software)},
      {"gpus_per_replica", or_null(service.per_replica)},
      {"attention", or_null(service.attention ? std::string(to_string(*service.attention)) : "")},
      {"machines", or_null(service.machines)}};
}

json::object token_fleet_to_json(const TokenFleet& fleet) {
  const auto& server = fleet.server;
  const auto& point = fleet.expected.point;
  return {{"machines", fleet.machines},
          {"machines_low", fleet.machines_low},
          {"machines_high",
           fleet.machines_high == 0 ? json::value(nullptr) : json::value(fleet.machines_high)},
          {"p_enough", fleet.p_enough},
          {"sequences_per_s_each",
           fleet.each_per_s > 0 ? json::value(fleet.each_per_s) : json::value(nullptr)},
          {"gpus_per_replica", server.gpus_each()},
          {"weights", to_string(server.weights)},
          {"caches", server.fp8_caches ? "fp8" : "own"},
          {"replicas_per_machine", server.replicas},
          {"attention", to_string(server.attention)},
          {"first_token_p50", waiting(fleet, &DecodeLatency::first_token_p50_s)},
          {"first_token_p95", waiting(fleet, &DecodeLatency::first_token_p95_s)},
          {"first_token_p99", waiting(fleet, &DecodeLatency::first_token_p99_s)},
          {"token_p50", waiting(fleet, &DecodeLatency::token_p50_s)},
          {"token_p95", waiting(fleet, &DecodeLatency::token_p95_s)},
          {"token_p99", waiting(fleet, &DecodeLatency::token_p99_s)},
          {"sequences_in_flight", point.sequences},
          {"most_sequences", point.most_sequences},
          {"max_sequences_per_s", fleet.machines * server.replicas * point.most_sequences_per_s},
          {"utilisation", fleet.utilisation},
          {"weight_bytes", server.weight_bytes},
          {"weight_bytes_per_gpu", server.work.weight_bytes},
          {"memory_bytes_per_gpu", server.gpu.memory_bytes},
          {"kept_bytes_per_gpu", server.gpu.kept_bytes},
          {"cache_bytes_per_token", mean_cache_bytes(server.work, server.lengths.tokens())},
          {"log_sd", server.log_sd}};
}

}  // namespace rightsize
