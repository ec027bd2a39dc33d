#include "advisor/service/service_file.h"

#include <stdexcept>
#include <vector>

namespace rightsize {
namespace {

ServingRegime read_regime(const JsonPlace& place) {
  const auto word = place.text();
  if (word != "steady" && word != "knee" && word != "saturated") {
    place.refuse("steady, knee or saturated");
  }
  return word == "steady" ? ServingRegime::steady
         : word == "knee" ? ServingRegime::knee
                          : ServingRegime::saturated;
}

// Answers of earlier versions have a line instead.
MinibatchTime read_minibatches(const JsonPlace& server) {
  if (!server.has("minibatches")) {
    return StepTimeLaw{server["fixed_s"].number(), server["per_request_s"].number()};
  }
  const auto place = server["minibatches"];
  std::vector<MinibatchTime::Point> points;
  for (const auto& item : place.items()) {
    points.push_back({item["requests"].whole_from(1), item["seconds"].above_zero()});
  }
  try {
    return MinibatchTime(points);
  } catch (const std::invalid_argument&) {
    place.refuse("minibatches of 1, 2, 4 ... requests, each with its seconds");
  }
}

Server read_server(const JsonPlace& place) {
  return {read_minibatches(place),
          place["log_sd"].not_negative(),
          place["replicas"].whole_from(1),
          place["largest_minibatch"].whole_from(1)};
}

}  // namespace

// Answers of earlier versions have no server in them: such an option keeps what it shows.
void read_fleet(const JsonPlace& place, Option& option) {
  ServerFleet fleet;
  fleet.machines = place["machines"].whole_from(1);
  fleet.machines_low = place["machines_low"].whole_from(0);
  fleet.machines_high = place["machines_high"].is_null() ? 0 : place["machines_high"].whole_from(1);
  fleet.p_enough = place["p_enough"].share();
  if (place.says("requests_per_s_each")) {
    fleet.each_per_s = place["requests_per_s_each"].not_negative();
  }
  fleet.point = {read_regime(place["regime"]),
                 place["utilisation"].above_zero(),
                 place["max_requests_per_s"].not_negative(),
                 place["mean_minibatch"].not_negative(),
                 place["latency_p50_s"].number_or_infinite(),
                 place["latency_p50_s"].number_or_infinite(),
                 place["latency_p95_s"].number_or_infinite(),
                 place["latency_p99_s"].number_or_infinite()};
  const double p99 = fleet.point.p99_s;
  option.p99 = {p99, p99, p99, option.cost.confidence, "s", option.cost.source};
  if (place.says("server")) {
    fleet.server = read_server(place["server"]);
    fleet.point.mean_s = place["latency_mean_s"].number_or_infinite();
    option.p99.low = place["latency_p99_low_s"].number_or_infinite();
    option.p99.high = place["latency_p99_high_s"].number_or_infinite();
  }
  option.service = fleet;
  option.cost_per_1k_requests = place["cost_per_1k_requests"].above_zero();
}

Service read_service(const JsonPlace& place) {
  Service service{place["requests_per_s"].above_zero(),
                  place["p99_s"].above_zero(),
                  place["max_delay_s"].not_negative(),
                  place["burst"].above_zero(),
                  std::nullopt};
  if (place.says("machines")) {
    service.machines = place["machines"].whole_from(1);
  }
  return service;
}

}  // namespace rightsize
