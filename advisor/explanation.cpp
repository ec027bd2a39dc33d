#include "advisor/explanation.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <boost/json.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "advisor/comparison.h"
#include "advisor/constraint.h"
#include "advisor/json_values.h"
#include "advisor/preprocessing.h"

namespace rightsize {
namespace {

namespace json = boost::json;

std::vector<Input> spread_of(const Appraisal& appraisal) {
  const auto& prediction = appraisal.prediction;
  const auto half = [](double sd) { return std::exp(normal_90 * std::abs(sd)) - 1; };
  const auto& candidate = appraisal.candidate;
  std::vector<Input> all = {
      {"the model's own error", half(prediction.model_sd), "1", "fitted"},
      {"GPU speed",
       half(prediction.accelerator_sd),
       "1",
       std::string(to_string(candidate.rate_source))},
      {"CPU speed",
       half(prediction.cpu_speed_sd),
       "1",
       std::string(to_string(candidate.cpu_source))},
      {"disk speed", half(prediction.disk_sd), "1", std::string(to_string(candidate.disk.source))}};
  std::erase_if(all, [](const Input& input) { return input.value < 0.0005; });
  std::stable_sort(
      all.begin(), all.end(), [](const Input& a, const Input& b) { return a.value > b.value; });
  return all;
}

std::vector<Substitution> substitutions_of(const Query& query, const Option& option) {
  std::vector<Substitution> all;
  if (query.batches.size() > 1) {
    all.push_back({"batch",
                   fmt::format("{}", fmt::join(query.batches, ", ")),
                   std::to_string(option.batch_per_gpu),
                   "meets the constraints at the least cost of those that fit"});
  }
  if (query.precision != option.precision) {
    all.push_back({"precision",
                   std::string(to_string(query.precision)),
                   std::string(to_string(option.precision)),
                   option.gpu.empty() ? "the CPU computes in it" : "the GPU lacks the other"});
  }
  if (option.sharded && query.exchange != Exchange::sharded) {
    all.push_back({"exchange",
                   query.exchange ? std::string(to_string(*query.exchange)) : "the fastest",
                   "sharded",
                   "parameters, gradients and optimizer do not fit one GPU"});
  }
  if (option.recompute && !query.recompute) {
    all.push_back({"recompute", "where needed", "true", "activations do not fit otherwise"});
  }
  if (option.service && !query.service->machines) {
    const auto& fleet = *option.service;
    Service expected = *query.service;
    const auto even = size_fleet(expected, fleet.server, 0.5, normal_90).machines;
    all.push_back(
        {"machines",
         fmt::format("{} at the expected speed", even),
         std::to_string(fleet.machines),
         fmt::format("in time with {:.0f} % instead of 50 % confidence", 100 * query.confidence)});
  }
  if (query.format != DataFormat::synthetic) {
    all.push_back({"disk",
                   fmt::format("{:.0f} GB of data", static_cast<double>(bytes_held(query)) / 1e9),
                   option.disk,
                   "holds the data and 20 GiB; the better of the classes and sizes on offer"});
  }
  return all;
}

// Shapes of the same provider, market, GPU and number of it, with other vCPUs: nearest first.
std::vector<std::string> other_shapes(const Query& query,
                                      const Evidence& evidence,
                                      const Option& option,
                                      bool larger) {
  const OfferConstraints constraints(query);
  std::set<std::pair<double, std::string>> found;
  for (const auto& offer : evidence.catalog.offers()) {
    const bool same = offer.provider == option.provider && offer.market == option.market &&
                      offer.gpu == option.gpu && offer.gpus == option.gpus;
    if (same && offer.vcpus && constraints.in_scope(offer) &&
        (larger ? *offer.vcpus > option.vcpus : *offer.vcpus < option.vcpus)) {
      found.insert({larger ? *offer.vcpus : -*offer.vcpus, offer.provider + "/" + offer.instance});
    }
  }
  std::vector<std::string> names;
  for (const auto& [vcpus, name] : found) {
    names.push_back(name);
  }
  return names;
}

std::optional<Neighbour> neighbour(const Query& query,
                                   const Evidence& evidence,
                                   const Option& option,
                                   bool larger) {
  Appraiser appraiser(query, evidence);
  std::optional<Neighbour> best;
  for (const auto& name : other_shapes(query, evidence, option, larger)) {
    try {
      auto other = appraiser.appraise(name).option;
      if (best && other.vcpus != best->option.vcpus) {
        break;  // the nearest size only
      }
      if (best && !better(other, best->option)) {
        continue;
      }
      best = Neighbour{other,
                       other.price_per_hour.approximate() - option.price_per_hour.approximate(),
                       other.hours.value - option.hours.value,
                       other.p99.value - option.p99.value,
                       other.cost.value - option.cost.value};
    } catch (const UsageError&) {
      // A shape that cannot do the job is nobody's neighbour.
    }
  }
  return best;
}

json::array inputs_to_json(const std::vector<Input>& inputs) {
  json::array array;
  for (const auto& input : inputs) {
    array.push_back(json::object{
        {"name", input.name}, {"value", input.value}, {"unit", input.unit}, {"source", input.tag}});
  }
  return array;
}

json::object cause_to_json(const Cause& cause) {
  json::array parts;
  for (const auto& part : cause.parts) {
    parts.push_back(cause_to_json(part));
  }
  return {{"name", cause.name},
          {"value", std::isinf(cause.value.value) ? json::value(nullptr) : to_json(cause.value)},
          {"formula", cause.formula},
          {"inputs", inputs_to_json(cause.inputs)},
          {"provenance", cause.provenance},
          {"binding", cause.binding},
          {"parts", parts}};
}

json::object sensitivity_to_json(const Sensitivity& sensitivity) {
  json::array flips;
  for (const auto& flip : sensitivity.flips) {
    flips.push_back(json::object{{"at", flip.at},
                                 {"chosen_below", or_null(flip.below)},
                                 {"chosen_above", or_null(flip.above)}});
  }
  return {{"what", sensitivity.what},
          {"unit", sensitivity.unit},
          {"now", sensitivity.now ? json::value(*sensitivity.now) : json::value(nullptr)},
          {"tried_from", sensitivity.low},
          {"tried_to", sensitivity.high},
          {"flips", flips}};
}

json::value margins_to_json(const std::optional<ServiceMargins>& margins) {
  if (!margins) {
    return nullptr;
  }
  json::array steps;
  for (const auto& step : margins->steps) {
    steps.push_back(json::object{{"machines", step.machines},
                                 {"cost_difference", step.cost_difference},
                                 {"p99", to_json(step.p99)},
                                 {"p_enough", step.p_enough}});
  }
  return {{"most_requests_per_s", margins->most_requests_per_s},
          {"least_p99_s", margins->least_p99_s},
          {"machines", steps}};
}

}  // namespace

Explanation explain(const Query& query, const Evidence& evidence, const std::string& instance) {
  const auto answer = search(query, evidence, {});
  if (instance.empty() && answer.options.empty()) {
    throw UsageError(
        "nothing can do this job at all, so there is nothing to explain; rightsize "
        "advise counts the reasons");
  }
  Appraiser appraiser(query, evidence);
  const auto name = instance.empty() ? full_name(answer.options.front()) : instance;
  const auto appraisal = appraiser.appraise(name);
  Explanation result;
  result.query = query;
  result.option = appraisal.option;
  result.chosen = answer.chosen ? full_name(*answer.chosen) : "";
  result.cost = cost_tree(query, model_for(query, evidence, appraisal.candidate), appraisal);
  result.spread = spread_of(appraisal);
  result.substitutions = substitutions_of(query, appraisal.option);
  result.sensitivities = sensitivities(query, evidence, appraisal.option);
  if (query.service) {
    result.service = service_margins(query, evidence, appraisal);
  }
  for (const bool larger : {true, false}) {
    if (auto found = neighbour(query, evidence, appraisal.option, larger)) {
      result.neighbours.push_back(std::move(*found));
    }
  }
  return result;
}

json::object to_json(const Explanation& explanation) {
  json::array substitutions;
  for (const auto& row : explanation.substitutions) {
    substitutions.push_back(json::object{
        {"what", row.what}, {"given", row.given}, {"used", row.used}, {"why", row.why}});
  }
  json::array sensitivities;
  for (const auto& row : explanation.sensitivities) {
    sensitivities.push_back(sensitivity_to_json(row));
  }
  json::array neighbours;
  for (const auto& row : explanation.neighbours) {
    neighbours.push_back(json::object{{"instance", full_name(row.option)},
                                      {"vcpus", row.option.vcpus},
                                      {"price_difference_per_hour", row.price_difference},
                                      {"hours_difference", row.hours_difference},
                                      {"p99_difference_s", row.p99_difference_s},
                                      {"cost_difference", row.cost_difference}});
  }
  return {{"schema", "rightsize/explanation/1"},
          {"tool_version", RIGHTSIZE_VERSION},
          {"option", to_json(explanation.option, 1)},
          {"chosen", or_null(explanation.chosen)},
          {"cost", cause_to_json(explanation.cost)},
          {"interval_parts", inputs_to_json(explanation.spread)},
          {"given_and_used", substitutions},
          {"sensitivities", sensitivities},
          {"neighbours", neighbours},
          {"service", margins_to_json(explanation.service)}};
}

}  // namespace rightsize
