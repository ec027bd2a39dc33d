// An explanation as a document: schema "rightsize/explanation/1".
#include <cmath>

#include <boost/json.hpp>

#include "advisor/explain/explanation.h"
#include "advisor/json_values.h"
#include "advisor/tokens/token_values.h"

namespace rightsize {
namespace {

namespace json = boost::json;

json::array inputs_to_json(const std::vector<Input>& inputs) {
  json::array array;
  for (const auto& input : inputs) {
    json::object entry{
        {"name", input.name}, {"value", input.value}, {"unit", input.unit}, {"source", input.tag}};
    if (!input.decimal.empty()) {
      entry["decimal"] = input.decimal;
    }
    array.push_back(std::move(entry));
  }
  return array;
}

json::object cause_to_json(const Cause& cause) {
  json::array parts;
  for (const auto& part : cause.parts) {
    parts.push_back(cause_to_json(part));
  }
  return {{"name", cause.name},
          {"decimal", or_null(cause.decimal)},
          {"value", std::isinf(cause.value.value) ? json::value(nullptr) : to_json(cause.value)},
          {"formula", cause.formula},
          {"inputs", inputs_to_json(cause.inputs)},
          {"provenance", cause.provenance},
          {"tag", or_null(cause.tag)},
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

json::array steps_to_json(const std::vector<TokenStep>& steps, const Option& now) {
  json::array array;
  for (const auto& step : steps) {
    json::object row{{"what", step.what}, {"reason", or_null(step.reason)}};
    if (step.option) {
      row["cost_difference"] = step.option->cost.value - now.cost.value;
      row["cost_per_1m_output_tokens"] = step.option->cost_per_1m_tokens;
      row["tokens"] = token_fleet_to_json(*step.option->tokens);
    }
    array.push_back(std::move(row));
  }
  return array;
}

json::value margins_to_json(const std::optional<TokenMargins>& margins, const Option& now) {
  if (!margins) {
    return nullptr;
  }
  return {{"most_sequences_per_s", margins->most_sequences_per_s},
          {"limited_by", token_limit_words(margins->limit)},
          {"least_first_token_s", finite(margins->least_first_token_s)},
          {"least_token_s", finite(margins->least_token_s)},
          {"machines", steps_to_json(margins->machines, now)},
          {"others", steps_to_json(margins->others, now)}};
}

json::value break_even_to_json(const std::optional<BreakEven>& even) {
  if (!even) {
    return nullptr;
  }
  const auto estimate = [](const Estimate& value) {
    if (!std::isfinite(value.value)) {  // it never pays
      return json::value(nullptr);
    }
    auto written = to_json(value);
    written["high"] = finite(value.high);
    return json::value(std::move(written));
  };
  return {{"rented", even->rented},
          {"currency", even->currency},
          {"purchase_per_month", even->purchase_per_month},
          {"power_per_hour", even->power_per_hour},
          {"rented_per_hour", even->rented_per_hour},
          {"hours_per_month", estimate(even->hours_per_month)},
          {"runs_per_month", estimate(even->runs_per_month)}};
}

}  // namespace

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
    neighbours.push_back(json::object{{"instance", row.option.provider + "/" + row.option.instance},
                                      {"market", to_string(row.option.market)},
                                      {"vcpus", row.option.vcpus},
                                      {"gpus", row.option.gpus},
                                      {"price_per_hour", row.option.price_per_hour.decimal()},
                                      {"price_difference_per_hour", row.price_difference},
                                      {"hours_difference", row.hours_difference},
                                      {"p99_difference_s", row.p99_difference_s},
                                      {"cost_difference", row.cost_difference}});
  }
  auto option = to_json(explanation.option, 1);
  option["p_cheapest"] = nullptr;  // of a field, which one is not
  return {{"schema", "rightsize/explanation/1"},
          {"tool_version", RIGHTSIZE_VERSION},
          {"option", std::move(option)},
          {"chosen", or_null(explanation.chosen)},
          {"cost", cause_to_json(explanation.cost)},
          {"interval_parts", inputs_to_json(explanation.spread)},
          {"given_and_used", substitutions},
          {"sensitivities", sensitivities},
          {"neighbours", neighbours},
          {"break_even", break_even_to_json(explanation.break_even)},
          {"service", margins_to_json(explanation.service)},
          {"tokens", margins_to_json(explanation.tokens, explanation.option)}};
}

}  // namespace rightsize
