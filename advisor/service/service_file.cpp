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
    points.push_back({item["requests"].whole<int>(), item["seconds"].number()});
  }
  try {
    return MinibatchTime(points);
  } catch (const std::invalid_argument&) {
    place.refuse("minibatches of 1, 2, 4 ... requests, each with its seconds");
  }
}

Server read_server(const JsonPlace& place) {
  return {read_minibatches(place),
          place["log_sd"].number(),
          place["replicas"].whole<int>(),
          place["largest_minibatch"].whole<int>()};
}

}  // namespace

// Answers of earlier versions have no server in them: such an option keeps what it shows.
void read_fleet(const JsonPlace& place, Option& option) {
  ServerFleet fleet;
  fleet.machines = place["machines"].whole<int>();
  fleet.machines_low = place["machines_low"].whole<int>();
  fleet.machines_high = place["machines_high"].is_null() ? 0 : place["machines_high"].whole<int>();
  fleet.p_enough = place["p_enough"].number();
  if (place.has("requests_per_s_each")) {
    fleet.each_per_s = place["requests_per_s_each"].number();
  }
  fleet.point = {read_regime(place["regime"]),
                 place["utilisation"].number(),
                 place["max_requests_per_s"].number(),
                 place["mean_minibatch"].number(),
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
  option.cost_per_1k_requests = place["cost_per_1k_requests"].number();
}

Service read_service(const JsonPlace& place) {
  Service service{place["requests_per_s"].number(),
                  place["p99_s"].number(),
                  place["max_delay_s"].number(),
                  place["burst"].number(),
                  std::nullopt};
  if (place.says("machines")) {
    service.machines = place["machines"].whole<int>();
  }
  return service;
}

}  // namespace rightsize
