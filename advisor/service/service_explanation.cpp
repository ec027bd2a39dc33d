#include "advisor/service/service_explanation.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "advisor/candidate/look_at.h"
#include "advisor/explain/cause_values.h"
#include "advisor/judge/judge.h"

namespace rightsize {
namespace {

constexpr auto queueing =
    "the closed form of models/laws/serving.h (Inoue 2021, Asmussen XIII.5), and of several GPUs "
    "that of shared_replicas.h, each request at the one that has the fewest. Up to 90 % of what "
    "they can do the simulated p99 of one is 0.8 to 1.6 times this, in bursts 0.8 to 2; of several "
    "0.75 to 1.2, in bursts 0.7 to 1.3, with windows up to 1.4. rightsize simulate --serve plays "
    "it";

// A time of the server's, with the interval of its law.
Estimate uncertain_seconds(double value, const Option& option) {
  const double spread = std::exp(normal_90 * option.service->server.log_sd);
  return {value,
          value / spread,
          value * spread,
          option.throughput.confidence,
          "s",
          option.throughput.source};
}

double gpus_of(const Option& option) {
  return static_cast<double>(option.service->machines) * option.service->server.replicas;
}

const char* each_of(const Option& option) {
  return option.gpu.empty() ? "machine" : "GPU";
}

Cause load_cause(const Query& query, const Option& option) {
  const auto& fleet = *option.service;
  return {std::string("load of a ") + each_of(option),
          exact(query.service->requests_per_s / gpus_of(option), "requests/s", Source::fitted),
          option.gpu.empty() ? "requests / machines" : "requests / (machines x GPUs of one)",
          {{"requests", query.service->requests_per_s, "requests/s", "given"},
           {"machines", static_cast<double>(fleet.machines), "", "fitted"},
           {option.gpu.empty() ? "servers of one" : "GPUs of one",
            static_cast<double>(fleet.server.replicas),
            "",
            "published"}},
          "",
          false,
          {}};
}

Cause minibatch_cause(const Option& option, Cause throughput) {
  const auto& server = option.service->server;
  const auto from = tag(option.throughput.source);
  std::vector<Input> times;
  for (const auto& [requests, seconds] : server.time.points()) {
    times.push_back({fmt::format("of {}", requests), seconds, "s", from});
  }
  return {"largest minibatch",
          uncertain_seconds(step_seconds(server.time, server.max_batch), option),
          "the time of so many requests together; between 1, 2, 4 ... straight",
          std::move(times),
          "",
          false,
          {std::move(throughput)}};
}

Cause saturation_cause(const Option& option, Cause throughput) {
  const auto& server = option.service->server;
  const double spread = std::exp(normal_90 * server.log_sd);
  const double rate = server.max_batch / step_seconds(server.time, server.max_batch);
  return {std::string("most of a ") + each_of(option),
          {rate,
           rate / spread,
           rate * spread,
           option.throughput.confidence,
           "requests/s",
           option.throughput.source},
          "largest minibatch / its time",
          {},
          "",
          false,
          {minibatch_cause(option, std::move(throughput))}};
}

Cause latency_cause(const Query& query, const Option& option) {
  const auto& point = option.service->point;
  const auto from = tag(option.throughput.source);
  Cause node{
      "p99",
      option.p99,
      "the rest of the minibatch under way or the window, those ahead, and its own minibatch",
      {{"utilisation", point.utilisation, "", from},
       {"mean minibatch", point.mean_batch, "", from},
       {"window", query.service->max_delay_s, "s", "given"},
       {"arriving together", query.service->group_size, "", "given"}},
      queueing,
      false,
      {}};
  if (std::isinf(point.p99_s)) {
    node.formula = "never: more requests come than can be answered";
    return node;
  }
  node.inputs.push_back({"p50", point.p50_s, "s", from});
  node.inputs.push_back({"p95", point.p95_s, "s", from});
  return node;
}

}  // namespace

Cause machines_cause(const Query& query, const Option& option, Cause throughput) {
  const auto& fleet = *option.service;
  const auto& service = *query.service;
  const auto source = option.throughput.source;
  const bool open = fleet.machines_high == 0;
  Estimate machines{
      static_cast<double>(fleet.machines),
      static_cast<double>(std::min(fleet.machines_low, fleet.machines)),
      open ? HUGE_VAL : static_cast<double>(std::max(fleet.machines_high, fleet.machines)),
      option.cost.confidence,
      "machines",
      source};
  return {"machines",
          machines,
          service.machines ? "as given" : "the fewest whose p99 is in time with the confidence",
          {{"in time", service.p99_s, "s", "given"},
           {"confidence", query.confidence, "", "given"},
           {"chance of being in time", fleet.p_enough, "", tag(source)}},
          "",
          false,
          {load_cause(query, option),
           saturation_cause(option, std::move(throughput)),
           latency_cause(query, option)}};
}

ServiceMargins service_margins(const Query& query,
                               const Evidence& evidence,
                               const Appraisal& appraisal) {
  const auto& option = appraisal.option;
  const auto& fleet = *option.service;
  ServiceMargins margins;
  margins.most_requests_per_s =
      most_requests_per_s(*query.service, fleet.server, fleet.machines, query.confidence);
  // Who waits for no window answers sooner; how sure each minibatch's time is, is its own.
  margins.least_p99_s = HUGE_VAL;
  Judge judge(query, evidence);
  look_at(evidence, query, {appraisal.candidate.offer}, [&](const Candidate& candidate) {
    Refusal refusal;
    if (const auto server = judge.server(candidate, refusal)) {
      margins.least_p99_s = std::min(
          margins.least_p99_s, least_p99_s(*query.service, *server, query.confidence, normal_90));
    }
  });
  for (const int machines : {fleet.machines - 1, fleet.machines + 1}) {
    if (machines < 1) {
      continue;
    }
    Query other = query;
    other.service->machines = machines;
    Refusal refusal;
    if (const auto judged = Appraiser(other, evidence).judge(appraisal.candidate, refusal)) {
      margins.steps.push_back({machines,
                               judged->option.cost.value - option.cost.value,
                               judged->option.p99,
                               judged->option.service->p_enough});
    }
  }
  return margins;
}

}  // namespace rightsize
