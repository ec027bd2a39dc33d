#include "advisor/service/service_answer.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "advisor/query/latency_words.h"

namespace rightsize {
namespace {

constexpr double low_end = 0.05;  // of the 90 % interval
constexpr double high_end = 0.95;

Server server_of(const Configuration& asked, const BatchTime& time, int limit) {
  return {time.law, time.log_sd, std::max(1, asked.machine.gpus_per_node), limit};
}

Service service_of(const Configuration& asked) {
  Service service = *asked.service;
  if (asked.machine.nodes > 1) {
    service.machines = asked.machine.nodes;
  }
  return service;
}

// By the limit `limit`; of those that cannot be, the reason is in the answer.
ServiceAnswer with_limit(Estimator& estimator, const Configuration& asked, int limit) {
  ServiceAnswer result;
  const auto time = batch_time(estimator, asked, limit, result.answer);
  if (time) {
    result.time = *time;
    result.fleet =
        size_fleet(service_of(asked), server_of(asked, *time, limit), asked.confidence, normal_90);
  }
  return result;
}

Estimate each_of(const Service& service, const ServiceAnswer& answer) {
  const auto at = [&](double confidence) {
    return most_requests_per_s(service, answer.fleet.server, 1, confidence);
  };
  return {at(0.5), at(high_end), at(low_end), 0.9, "requests/s", answer.time.source};
}

// The whole machine, in the minibatches of that limit.
Answer machine_answer(Estimator& estimator, Configuration asked, std::optional<int> limit) {
  asked.phase = Phase::infer;
  asked.data = DataFormat::synthetic;
  asked.machine.nodes = 1;
  asked.batch = limit;
  return estimator.estimate(asked);
}

// As stated; where nothing is, the largest that fits.
std::vector<int> limits_of(Estimator& estimator, const Configuration& asked) {
  if (!asked.batch && !asked.batches.empty()) {
    return asked.batches;
  }
  return {asked.batch ? *asked.batch
                      : std::max(1, machine_answer(estimator, asked, std::nullopt).batch)};
}

}  // namespace

ServiceAnswer answer_service(Estimator& estimator, const Configuration& asked) {
  const auto limits = limits_of(estimator, asked);
  ServiceAnswer best = with_limit(estimator, asked, limits.front());
  for (std::size_t i = 1; i < limits.size(); ++i) {
    auto other = with_limit(estimator, asked, limits[i]);
    const bool can = other.answer.verdict == Verdict::ok;
    if (can && (best.answer.verdict != Verdict::ok ||
                serves_better(other.fleet, best.fleet, asked.objective))) {
      best = std::move(other);
    }
  }
  if (best.answer.verdict != Verdict::ok) {
    return best;
  }
  const int limit = best.fleet.server.max_batch;
  best.answer = machine_answer(estimator, asked, limit);
  if (limits.size() > 1) {
    best.answer.notes.push_back(
        fmt::format("minibatches of at most {}: of the job's {} the limit with which it {}",
                    limit,
                    fmt::join(limits, ", "),
                    asked.objective == Objective{}
                        ? "answers the most in time"
                        : "is best by the objective, " + to_string(asked.objective)));
  }
  Service one = *asked.service;
  best.each = each_of(one, best);
  if (best.fleet.each_per_s > 0) {
    one.requests_per_s = best.fleet.each_per_s;
    best.full = point_of(one, best.fleet.server, 1);
  }
  return best;
}

std::string too_slow(const Service& service, const ServiceAnswer& answer) {
  if (any_number_answers(answer.fleet)) {
    return "";
  }
  const double alone_s = step_seconds(answer.fleet.server.time, 1);
  return fmt::format(
      "no number of them answers 99 % within {} with the wanted confidence: a request alone "
      "takes {}, and waits {}for the minibatch before it",
      latency_text(service.p99_s),
      latency_text(alone_s),
      service.max_delay_s > 0 ? fmt::format("up to max_delay = {:g} ms for its own to fill, or ",
                                            1e3 * service.max_delay_s)
                              : "");
}

}  // namespace rightsize
