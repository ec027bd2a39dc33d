// An option as JSON: the machine, how the work is done on it, what comes of that, and its price.
#include <cmath>
#include <utility>

#include <boost/json.hpp>

#include "advisor/bill_json.h"
#include "advisor/json_values.h"
#include "advisor/recommendation.h"
#include "advisor/tokens/token_values.h"

namespace rightsize {
namespace {

namespace json = boost::json;

// JSON has no infinity: what never ends is null.
json::value seconds(double value) {
  return std::isinf(value) ? json::value(nullptr) : json::value(value);
}

json::value regime_of(ServingRegime regime) {
  return regime == ServingRegime::steady ? "steady"
         : regime == ServingRegime::knee ? "knee"
                                         : "saturated";
}

json::object server_to_json(const Server& server) {
  json::array times;
  for (const auto& [requests, seconds] : server.time.points()) {
    times.push_back({{"requests", requests}, {"seconds", seconds}});
  }
  return {{"minibatches", std::move(times)},
          {"log_sd", server.log_sd},
          {"replicas", server.replicas},
          {"largest_minibatch", server.max_batch}};
}

json::object service_to_json(const Option& option) {
  const auto& fleet = *option.service;
  const auto& point = fleet.point;
  return {{"machines", fleet.machines},
          {"machines_low", fleet.machines_low},
          {"machines_high",
           fleet.machines_high == 0 ? json::value(nullptr) : json::value(fleet.machines_high)},
          {"p_enough", fleet.p_enough},
          {"requests_per_s_each",
           fleet.each_per_s > 0 ? json::value(fleet.each_per_s) : json::value(nullptr)},
          {"latency_mean_s", seconds(point.mean_s)},
          {"latency_p50_s", seconds(point.p50_s)},
          {"latency_p95_s", seconds(point.p95_s)},
          {"latency_p99_s", seconds(point.p99_s)},
          {"latency_p99_low_s", seconds(option.p99.low)},
          {"latency_p99_high_s", seconds(option.p99.high)},
          {"mean_minibatch", point.mean_batch},
          {"utilisation", point.utilisation},
          {"max_requests_per_s", point.saturation_per_s},
          {"regime", regime_of(point.regime)},
          {"cost_per_1k_requests", option.cost_per_1k_requests},
          {"server", server_to_json(fleet.server)}};
}

json::object machine_to_json(const Option& option, std::size_t rank) {
  return {{"rank", option.rank > 0 ? option.rank : rank},
          {"provider", option.provider},
          {"instance", option.instance},
          {"region", option.region},
          {"market", to_string(option.market)},
          {"nodes", option.nodes},
          {"gpu", or_null(option.gpu)},
          {"gpus", option.gpus},
          {"cpu", or_null(option.cpu)},
          {"network", or_null(option.network)},
          {"vcpus", option.vcpus},
          {"memory_gib", option.memory_gib},
          {"disk", option.disk},
          {"own", option.own}};
}

void add_way(const Option& option, json::object& document) {
  document["batch_per_gpu"] = option.batch_per_gpu;
  document["precision"] = to_string(option.precision);
  document["preprocess_on"] = option.preprocess_on_gpu ? "gpu" : "cpu";
  document["scaling_efficiency"] = option.scaling_efficiency;
  document["exchange"] = or_null(option.exchange);
  document["sharded"] = option.sharded;
  document["recompute"] = option.recompute;
  document["tensor_parallel"] = option.tensor_parallel;
  if (option.attention != AttentionSharing::by_heads) {
    document["attention"] = to_string(option.attention);
  }
  document["pipeline_parallel"] = option.pipeline_parallel;
  document["expert_parallel"] = option.expert_parallel;
  document["context_parallel"] = option.context_parallel;
  document["virtual_pipeline"] = option.virtual_pipeline;
  document["micro_batch"] =
      option.micro_batch > 0 ? json::value(option.micro_batch) : json::value(nullptr);
  document["gpu_memory_needed_gib"] = option.gpu_memory_needed_gib > 0
                                          ? json::value(option.gpu_memory_needed_gib)
                                          : json::value(nullptr);
}

void add_outcome(const Option& option, json::object& document) {
  json::object busy;
  for (std::size_t i = 0; i < bound_count; ++i) {
    busy[to_string(static_cast<Bound>(i))] = option.busy[i];
  }
  document["throughput"] = to_json(option.throughput);
  document["hours"] = to_json(option.hours);
  document["cost"] = to_json(option.cost);
  document["score"] = option.score;
  document["currency"] = option.cost.unit;
  document["p_cheapest"] = option.p_cheapest;
  document["p_constraints"] = option.p_deadline;
  document["satisfies_constraints"] = option.satisfies;
  document["shortfall"] = or_null(option.shortfall);
  document["bottleneck"] = bottleneck_of(option);
  document["utilization"] = std::move(busy);
  document["page_cache_hit_ratio"] = option.hit_ratio;
}

void add_price(const Option& option, json::object& document) {
  document["bill"] = bill_to_json(option.bill);
  document["bill_total"] = money_to_json(option.bill.total);
  document["price_per_hour"] = option.price_per_hour.decimal();
  if (option.price_per_month) {
    document["price_per_month"] = option.price_per_month->decimal();
  }
  document["price_currency"] = option.price_per_hour.currency();
  document["price_as_of"] = option.price_as_of;
  document["price_source"] = option.price_source;
  document["gpu_rate_provenance"] = option.rate_provenance;
  document["cpu_speed_provenance"] = option.cpu_provenance;
}

// What only some options have.
void add_kind(const Option& option, json::object& document) {
  if (option.spot) {
    document["spot"] = {{"interruptions", option.spot->interruptions},
                        {"chance_of_none", option.spot->chance_of_none},
                        {"hours_p50", option.spot->p50_h},
                        {"hours_p90", option.spot->p90_h},
                        {"hours_undisturbed", option.spot->least_h},
                        {"checkpoint_interval_s", option.spot->interval_s}};
  }
  if (option.service) {
    document["service"] = service_to_json(option);
  }
  if (option.tokens) {
    auto tokens = token_fleet_to_json(*option.tokens);
    tokens["cost_per_1m_output_tokens"] = option.cost_per_1m_tokens;
    document["tokens"] = std::move(tokens);
  } else if (option.cost_per_1m_tokens > 0) {
    document["cost_per_1m_output_tokens"] = option.cost_per_1m_tokens;
  }
}

}  // namespace

json::object to_json(const Option& option, std::size_t rank) {
  auto document = machine_to_json(option, rank);
  add_way(option, document);
  add_outcome(option, document);
  if (option.rank == 0 && rank == 0) {
    document["rank"] = document["p_cheapest"] = nullptr;
  }
  add_price(option, document);
  add_kind(option, document);
  return document;
}

}  // namespace rightsize
