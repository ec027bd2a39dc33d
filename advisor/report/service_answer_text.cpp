#include "advisor/report/service_answer_text.h"

#include <algorithm>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "advisor/json_values.h"
#include "advisor/report/service_text.h"
#include "advisor/report/serving_text.h"
#include "advisor/report/units.h"

namespace rightsize::report {
namespace {

namespace json = boost::json;

json::object point_to_json(const ServingPoint& point) {
  return {{"utilisation", point.utilisation},
          {"mean_minibatch", point.mean_batch},
          {"latency_p50_s", finite(point.p50_s)},
          {"latency_p95_s", finite(point.p95_s)},
          {"latency_p99_s", finite(point.p99_s)},
          {"regime", regime_word(point.regime)}};
}

std::string machine_words(const Configuration& asked) {
  auto one = asked.machine;
  one.nodes = 1;
  return to_text(one);
}

std::string range(const Estimate& estimate) {
  return fmt::format(
      "~{} ({} … {})", digits(estimate.value), digits(estimate.low), digits(estimate.high));
}

Estimate fleet_p99(const Configuration& asked, const ServiceAnswer& answer) {
  return p99_of(*asked.service, answer.fleet, 0.9, normal_90, answer.time.source);
}

void add_row(Table& table,
             const std::string& name,
             const std::string& requests,
             const ServingPoint& point,
             const std::string& p99) {
  table.add({name,
             requests,
             percent(point.utilisation),
             digits(point.mean_batch),
             latency(point.p50_s),
             latency(point.p95_s),
             p99});
}

}  // namespace

Table service_answer_table(const Configuration& asked, const ServiceAnswer& answer) {
  Table table({{"load"},
               {"requests/s", Align::right},
               {"of its most", Align::right},
               {"minibatch", Align::right},
               {"p50", Align::right},
               {"p95", Align::right},
               {"p99", Align::right}});
  if (answer.fleet.each_per_s > 0) {
    add_row(table,
            fmt::format("the most in time, a machine alone, with {}", percent(asked.confidence)),
            digits(answer.fleet.each_per_s),
            answer.full,
            latency(answer.full.p99_s));
  }
  if (const auto& fleet = answer.fleet; fleet.machines > 0) {
    add_row(table,
            fmt::format("as asked, {} of it", machines_text(fleet)),
            digits(asked.service->requests_per_s),
            fleet.point,
            latency_text(fleet_p99(asked, answer)));
  }
  return table;
}

std::string service_question(const Configuration& asked, const ServiceAnswer& answer) {
  const auto& service = *asked.service;
  return fmt::format(
      "{} infer {} on {}; minibatches of at most {}, {}, arrivals {}",
      asked.network,
      to_string(answer.answer.precision),
      machine_words(asked),
      answer.fleet.server.max_batch,
      service.max_delay_s > 0 ? "delayed by " + duration(service.max_delay_s) + " at most"
                              : "not delayed",
      service.group_size > 1 ? fmt::format("bursty:{:g}", service.group_size) : "poisson");
}

std::string fleet_sentence(const Configuration& asked, const ServiceAnswer& answer) {
  const auto& service = *asked.service;
  return fmt::format("{} of {} answer {}, with {} confidence",
                     machines_text(answer.fleet),
                     machine_words(asked),
                     request_words(asked.network, service),
                     percent(asked.confidence));
}

std::string service_answer_text(const Configuration& asked,
                                const ServiceAnswer& answer,
                                const Style& style) {
  const auto why = too_slow(*asked.service, answer);
  const auto& each = answer.each;
  const auto head = why.empty() ? fmt::format(
                                      "~{} requests/s ({} … {}) within a p99 of {}, {} with {} "
                                      "confidence, limited by {} [{}]",
                                      digits(each.value),
                                      digits(each.low),
                                      digits(each.high),
                                      duration(asked.service->p99_s),
                                      digits(answer.fleet.each_per_s),
                                      percent(asked.confidence),
                                      answer.answer.bottleneck,
                                      to_string(each.source))
                                : fmt::format("Cannot: {}.", why);
  std::string text = style.bold(head) + "\n" + service_question(asked, answer) + "\n";
  if (why.empty() && !asked.service->machines && asked.machine.nodes == 1) {
    text += fleet_sentence(asked, answer) + ".\n";
  }
  text += "\n" + service_answer_table(asked, answer).text(style);
  text += fmt::format("\nthe most it can serve: {} requests/s, p99 aside\n",
                      range(answer.answer.throughput));
  for (const auto& note : answer.answer.notes) {
    text += "- " + note + "\n";
  }
  return text;
}

json::object service_answer_to_json(const Configuration& asked, const ServiceAnswer& answer) {
  const auto& service = *asked.service;
  const auto& fleet = answer.fleet;
  const auto count = [](int machines) {
    return machines > 0 ? json::value(machines) : json::value(nullptr);
  };
  json::object document{{"requests_per_s", service.requests_per_s},
                        {"p99_s", service.p99_s},
                        {"max_delay_s", service.max_delay_s},
                        {"burst", service.group_size},
                        {"confidence", asked.confidence},
                        {"max_batch", fleet.server.max_batch},
                        {"replicas", fleet.server.replicas},
                        {"in_time", answer.each.value > 0 ? to_json(answer.each) : json::object{}},
                        {"in_time_with_confidence", fleet.each_per_s},
                        {"full", point_to_json(answer.full)},
                        {"machines", count(fleet.machines)},
                        {"machines_low", count(fleet.machines_low)},
                        {"machines_high", count(fleet.machines_high)},
                        {"p_enough", fleet.p_enough}};
  if (answer.each.value <= 0) {
    document["in_time"] = nullptr;
  }
  if (fleet.each_per_s <= 0) {
    document["full"] = nullptr;
  }
  document["fleet"] =
      fleet.machines > 0 ? json::value(point_to_json(fleet.point)) : json::value(nullptr);
  return document;
}

}  // namespace rightsize::report
