#include "advisor/recommendation.h"

#include <algorithm>

#include <boost/json.hpp>

#include "advisor/json_values.h"
#include "advisor/machine/bottleneck.h"
#include "advisor/query/tuning_words.h"
#include "advisor/tokens/token_values.h"
#include "advisor/tokens/weights_taken.h"

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

json::array measured_to_json(const std::vector<OwnRate>& measured) {
  json::array rates;
  for (const auto& own : measured) {
    rates.push_back(
        {{"gpu", own.gpu},
         {"items_per_s", own.items_per_s},
         {"batch_per_gpu", or_null(own.batch)},
         {"precision",
          own.precision ? json::value(to_string(*own.precision)) : json::value(nullptr)},
         {"said_by", own.said_by}});
  }
  return rates;
}

// What narrows the machines by their shapes and names.
json::object shapes_to_json(const Query& query) {
  return {{"gpu", json::array(query.gpus.begin(), query.gpus.end())},
          {"gpus_min", or_null(query.gpus_min)},
          {"gpus_max", or_null(query.gpus_max)},
          {"vcpus_min", or_null(query.vcpus_min)},
          {"vcpus_max", or_null(query.vcpus_max)},
          {"memory_gib_min", or_null(query.memory_gib_min)},
          {"memory_gib_max", or_null(query.memory_gib_max)},
          {"allow", or_null(query.allow)},
          {"deny", or_null(query.deny)}};
}

json::value writing_to_json(const Query& query) {
  const auto& writing = query.writing;
  const auto weights = query.phase == Phase::decode ? weights_taken(query) : WeightFormat::own;
  if (writing == Writing{} && weights == WeightFormat::own) {
    return nullptr;
  }
  return {{"prompt_tokens", writing.prompt_tokens},
          {"output_tokens", writing.output_tokens},
          {"weights", to_string(weights)},
          {"weights_said", writing.weights.has_value()},
          {"caches", writing.fp8_caches ? "fp8" : "own"}};
}

json::value service_query_to_json(const std::optional<Service>& service) {
  return service ? json::value{{"requests_per_s", service->requests_per_s},
                               {"p99_s", service->p99_s},
                               {"max_delay_s", service->max_delay_s},
                               {"burst", service->group_size},
                               {"machines", or_null(service->machines)}}
                 : json::value(nullptr);
}

namespace {

// Of numbers from 1 on, where 0 is none.
json::value said(int number) {
  return number > 0 ? json::value(number) : json::value(nullptr);
}

}  // namespace

json::object query_to_json(const Query& query) {
  json::array markets;
  for (const auto market : query.markets) {
    markets.push_back(json::string(to_string(market)));
  }
  return {
      {"name", query.name},
      {"network", query.network},
      {"sequence", query.sequence},
      {"writing", writing_to_json(query)},
      {"phase", to_string(query.phase)},
      {"precision", to_string(query.precision)},
      {"batch_per_gpu", json::value_from(query.batches)},
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
      {"runs_per_month", or_null(query.runs_per_month)},
      {"confidence", query.confidence},
      {"objective", to_string(query.objective)},
      {"stack", query.stack ? json::value(to_string(*query.stack)) : json::value(nullptr)},
      {"framework", or_null(query.framework)},
      {"measured", measured_to_json(query.measured)},
      {"exchange", query.exchange ? json::value(to_string(*query.exchange)) : json::value(nullptr)},
      {"adapter", or_null(to_string(query.tuning.adapters))},
      {"optimizer", or_null(std::string(to_string(query.tuning.state.optimizer)))},
      {"master_weights", query.tuning.state.masters ? "fp32" : "none"},
      {"accumulate", query.accumulate},
      {"global_batch", said(query.global_batch)},
      {"recompute", query.recompute ? json::value(*query.recompute) : json::value(nullptr)},
      {"tensor_parallel", query.tensor_parallel},
      {"pipeline_parallel", query.pipeline_parallel},
      {"expert_parallel", query.expert_parallel},
      {"expert_tensor_parallel", said(query.expert_tensor_parallel)},
      {"context_parallel", query.context_parallel},
      {"virtual_pipeline", said(query.virtual_pipeline)},
      {"nodes_max", query.nodes_max},
      {"network_between", or_null(network_words(query.network_between))},
      {"preprocess_on", to_string(query.preprocess_on)},
      {"loader", or_null(query.loader)},
      {"markets", markets},
      {"book", query.book},
      {"infra", strings(query.infra)},
      {"shapes", shapes_to_json(query)},
      {"currency", query.currency},
      {"service", service_query_to_json(query.service)},
      {"service_hours_per_month", or_null(query.service_hours)},
      {"tokens",
       query.tokens ? json::value(token_query_to_json(*query.tokens, query.network))
                    : json::value(nullptr)}};
}

json::value right_sizing_to_json(const std::optional<RightSizing>& right_sizing,
                                 const std::string& currency) {
  if (!right_sizing) {
    return nullptr;
  }
  const auto& it = *right_sizing;
  const bool unjudged = it.finding == Finding::not_judged;
  json::object document{
      {"instance", it.name},
      {"place", or_null(it.place)},
      {"option",
       it.current ? json::value(to_json(*it.current, it.current->rank)) : json::value(nullptr)},
      {"cannot_do_the_job",
       it.current || unjudged || it.reason.empty() ? json::value(nullptr) : json::value(it.reason)},
      {"cannot_be_judged", unjudged ? json::value(it.reason) : json::value(nullptr)},
      {"counted", it.counted},
      {"fewer", it.fewer ? json::value(to_json(*it.fewer, it.fewer->rank)) : json::value(nullptr)},
      {"note", it.current && !it.reason.empty() ? json::value(it.reason) : json::value(nullptr)},
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
    document["migration_effort"] =
        it.effort.empty() ? json::value(nullptr)
                          : json::value{{"word", it.effort}, {"reason", it.effort_reason}};
  }
  return document;
}

}  // namespace

std::string_view bottleneck_of(const Option& option) {
  return bottleneck_word(option.scaling_efficiency, option.limited_by);
}

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
    case Finding::not_judged:
      return "NotJudged";
  }
  return "";
}

json::object to_json(const Recommendation& recommendation) {
  json::array options;
  for (std::size_t i = 0; i < recommendation.options.size(); ++i) {
    auto option = to_json(recommendation.options[i], i + 1);
    const auto& ties = recommendation.ties;
    option["ties_with_chosen"] = std::find(ties.begin(), ties.end(), i) != ties.end();
    options.push_back(std::move(option));
  }
  json::array rejected;
  for (const auto& rejection : recommendation.rejected) {
    rejected.push_back(json::object{{"reason", rejection.reason},
                                    {"count", rejection.count},
                                    {"examples", strings(rejection.examples)}});
  }
  return {
      {"schema", "rightsize/recommendation/1"},
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
      {"options_ranked", std::max(recommendation.options_ranked, recommendation.options.size())},
      {"candidates", recommendation.candidates},
      {"rejected", rejected},
      {"assumptions", strings(recommendation.assumptions)},
      {"warnings", strings(recommendation.warnings)},
      {"evidence",
       {{"runs", recommendation.runs},
        {"model_cv_error", recommendation.model_error},
        {"model_cv_p90_error", recommendation.model_p90_error},
        {"data_path_note", recommendation.data_path_note},
        {"machine", recommendation.machine},
        {"measured_at", recommendation.measured_at},
        {"price_tables", strings(recommendation.price_tables)}}}};
}

}  // namespace rightsize
