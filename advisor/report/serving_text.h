// A fleet that serves requests, played and by its closed form, as people and programs read it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <boost/json/fwd.hpp>

#include "advisor/machine/batch_time.h"
#include "advisor/report/style.h"
#include "models/simulate/serving.h"

namespace rightsize::report {

struct ServingReport {
  std::string question;    // "resnet50 infer fp16 on 2 x T4"
  std::string arrivals;    // "poisson", "bursty:8", a file's name
  bool from_file = false;  // the closed form then takes the file's mean rate as Poisson
  BatchTime time;
  ServingLoad load;
  bool by_chance = false;  // which replica a request gets; else the one with the shortest queue
  ServingPoint point;      // by the closed form
  ServingSummary played;   // with the law's mean
  ServingSummary quick;    // with times at the lower end of the law's interval
  ServingSummary slow;     // at the upper end
  std::optional<double> target_p99_s;
  double largest_requests_per_s = 0;  // within the target; with a target only
  int replicas_needed = 0;            // 0: no number of them is enough
  std::string framework;              // whose GPU rates; empty: any framework's
  std::vector<std::string> notes;     // what was used and assumed, a sentence each
};

// Played, with the expected times: whether 99 % are answered, but later than the target.
[[nodiscard]] bool misses_target(const ServingReport& serving);

// "steady", "knee", "saturated".
[[nodiscard]] std::string_view regime_word(ServingRegime regime);

[[nodiscard]] std::string serving_text(const ServingReport& serving, const Style& style);

// Schema rightsize/serving/1.
[[nodiscard]] boost::json::object serving_to_json(const ServingReport& serving);

}  // namespace rightsize::report
