#include "advisor/recommendation.h"

#include <cmath>

#include <boost/json.hpp>

#include "advisor/json_values.h"
#include "advisor/token_values.h"

namespace rightsize {
namespace {

namespace json = boost::json;

json::array strings(const std::vector<std::string>& values) {
  json::array array;
  for (const auto& value : values) {
    array.push_back(json::string(value));
  }
  return array;
}

json::object query_to_json(const Query& query) {
  json::array batches;
  for (const int batch : query.batches) {
    batches.push_back(batch);
  }
  json::array markets;
  for (const auto market : query.markets) {
    markets.push_back(json::string(to_string(market)));
  }
  return {
      {"name", query.name},
      {"network", query.network},
      {"sequence", query.sequence},
      {"phase", to_string(query.phase)},
      {"precision", to_string(query.precision)},
      {"batch_per_gpu", batches},
      {"items", query.items},
      {"epochs", query.epochs},
      {"data", to_string(query.format)},
      {"dataset_bytes", query.dataset_bytes},
      {"writes",
       query.phase == Phase::preprocess ? json::value(to_string(query.writes))
                                        : json::value(nullptr)},
      {"data_at", query.data_at},
      {"deadline_s", or_null(query.deadline_s)},
      {"budget", query.budget ? json::value(query.budget->decimal()) : json::value(nullptr)},
      {"confidence", query.confidence},
      {"objective", to_string(query.objective)},
      {"stack", query.stack ? json::value(to_string(*query.stack)) : json::value(nullptr)},
      {"framework", or_null(query.framework)},
      {"exchange", query.exchange ? json::value(to_string(*query.exchange)) : json::value(nullptr)},
      {"adapter", or_null(to_string(query.adapters))},
      {"recompute", query.recompute ? json::value(*query.recompute) : json::value(nullptr)},
      {"tensor_parallel", query.tensor_parallel},
      {"pipeline_parallel", query.pipeline_parallel},
      {"nodes_max", query.nodes_max},
      {"network_between", or_null(network_words(query.network_between))},
      {"preprocess_on", to_string(query.preprocess_on)},
      {"markets", markets},
      {"book", query.book},
      {"infra", strings(query.infra)},
      {"currency", query.currency},
      {"service",
       query.service ? json::value{{"requests_per_s", query.service->requests_per_s},
                                   {"p99_s", query.service->p99_s},
                                   {"max_delay_s", query.service->max_delay_s},
                                   {"burst", query.service->group_size},
                                   {"machines", or_null(query.service->machines)}}
                     : json::value(nullptr)},
      {"tokens",
       query.tokens ? json::value(token_query_to_json(*query.tokens)) : json::value(nullptr)}};
}

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
          {"requests_per_s_each", fleet.each_per_s},
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

json::array bill_to_json(const Bill& bill) {
  json::array lines;
  for (const auto& line : bill.lines) {
    lines.push_back(json::object{{"kind", bill_line_kinds[static_cast<std::size_t>(line.kind)]},
                                 {"what", line.what},
                                 {"quantity", line.quantity},
                                 {"unit_price", line.unit_price.decimal()},
                                 {"unit", line.unit},
                                 {"amount", line.amount.decimal()},
                                 {"currency", line.amount.currency()}});
  }
  return lines;
}

json::value right_sizing_to_json(const std::optional<RightSizing>& right_sizing,
                                 const std::string& currency) {
  if (!right_sizing) {
    return nullptr;
  }
  const auto& it = *right_sizing;
  json::object document{
      {"instance", it.name},
      {"option", it.current ? json::value(to_json(*it.current, 1)) : json::value(nullptr)},
      {"cannot_do_the_job", it.reason.empty() ? json::value(nullptr) : json::value(it.reason)},
      {"finding", to_string(it.finding)},
      {"finding_reason_codes", strings(it.reason_codes)},
      {"p_better", or_null(it.p_better)},
      {"move", it.move}};
  if (it.move) {
    document["savings_opportunity"] = {
        {"share",
         it.savings_share ? json::value(to_json(*it.savings_share)) : json::value(nullptr)},
        {"per_job", it.savings_share ? json::value(it.savings_per_job) : json::value(nullptr)},
        {"estimated_monthly_savings", or_null(it.savings_per_month)},
        {"currency", currency}};
    document["performance_risk"] = {{"score", it.risk}, {"probability", it.p_missed}};
    document["migration_effort"] = {{"word", it.effort}, {"reason", it.effort_reason}};
  }
  return document;
}

}  // namespace

std::string_view to_string(Finding finding) {
  switch (finding) {
    case Finding::underprovisioned:
      return "Underprovisioned";
    case Finding::overprovisioned:
      return "Overprovisioned";
    case Finding::not_optimized:
      return "NotOptimized";
    case Finding::optimized:
      return "Optimized";
  }
  return "";
}

json::object to_json(const Option& option, std::size_t rank) {
  json::object busy;
  for (std::size_t i = 0; i < bound_count; ++i) {
    busy[to_string(static_cast<Bound>(i))] = option.busy[i];
  }
  json::object document{
      {"rank", option.rank > 0 ? option.rank : rank},
      {"provider", option.provider},
      {"instance", option.instance},
      {"region", option.region},
      {"market", to_string(option.market)},
      {"nodes", option.nodes},
      {"gpu", option.gpu.empty() ? json::value(nullptr) : json::value(option.gpu)},
      {"gpus", option.gpus},
      {"vcpus", option.vcpus},
      {"memory_gib", option.memory_gib},
      {"disk", option.disk},
      {"batch_per_gpu", option.batch_per_gpu},
      {"precision", to_string(option.precision)},
      {"preprocess_on", option.preprocess_on_gpu ? "gpu" : "cpu"},
      {"scaling_efficiency", option.scaling_efficiency},
      {"exchange", option.exchange.empty() ? json::value(nullptr) : json::value(option.exchange)},
      {"sharded", option.sharded},
      {"recompute", option.recompute},
      {"tensor_parallel", option.tensor_parallel},
      {"pipeline_parallel", option.pipeline_parallel},
      {"gpu_memory_needed_gib",
       option.gpu_memory_needed_gib > 0 ? json::value(option.gpu_memory_needed_gib)
                                        : json::value(nullptr)},
      {"throughput", to_json(option.throughput)},
      {"hours", to_json(option.hours)},
      {"cost", to_json(option.cost)},
      {"score", option.score},
      {"currency", option.cost.unit},
      {"p_cheapest", option.p_cheapest},
      {"p_constraints", option.p_deadline},
      {"satisfies_constraints", option.satisfies},
      {"bottleneck", to_string(option.limited_by)},
      {"utilization", busy},
      {"page_cache_hit_ratio", option.hit_ratio},
      {"bill", bill_to_json(option.bill)},
      {"price_per_hour", option.price_per_hour.decimal()},
      {"price_currency", option.price_per_hour.currency()},
      {"price_as_of", option.price_as_of},
      {"price_source", option.price_source},
      {"gpu_rate_provenance", option.rate_provenance},
      {"cpu_speed_provenance", option.cpu_provenance}};
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
  }
  return document;
}

json::object to_json(const Recommendation& recommendation) {
  json::array options;
  for (std::size_t i = 0; i < recommendation.options.size(); ++i) {
    options.push_back(to_json(recommendation.options[i], i + 1));
  }
  json::array rejected;
  for (const auto& rejection : recommendation.rejected) {
    rejected.push_back(json::object{{"reason", rejection.reason},
                                    {"count", rejection.count},
                                    {"examples", strings(rejection.examples)}});
  }
  return {{"schema", "rightsize/recommendation/1"},
          {"tool_version", recommendation.tool_version},
          {"generated_at", recommendation.generated_at},
          {"currency", recommendation.query.currency},
          {"hours_per_month", hours_per_month},
          {"query", query_to_json(recommendation.query)},
          {"chosen",
           recommendation.chosen ? json::value(to_json(*recommendation.chosen, 1))
                                 : json::value(nullptr)},
          {"current", right_sizing_to_json(recommendation.current, recommendation.query.currency)},
          {"options", options},
          {"options_total", recommendation.options_total},
          {"candidates", recommendation.candidates},
          {"rejected", rejected},
          {"assumptions", strings(recommendation.assumptions)},
          {"warnings", strings(recommendation.warnings)},
          {"evidence",
           {{"runs", recommendation.runs},
            {"model_cv_error", recommendation.model_error},
            {"model_cv_p90_error", recommendation.model_p90_error},
            {"machine", recommendation.machine},
            {"measured_at", recommendation.measured_at},
            {"price_tables", strings(recommendation.price_tables)}}}};
}

}  // namespace rightsize
