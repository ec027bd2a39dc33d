// A job on spot machines, by the law and played, as people and programs read it.
#pragma once

#include <optional>
#include <string>

#include <boost/json/fwd.hpp>

#include "advisor/report/style.h"
#include "models/estimate.h"
#include "models/simulate/spot.h"

namespace rightsize::report {

struct SpotReport {
  double useful_h = 0;
  SpotTerms terms;
  Source hazard_source = Source::assumed;
  bool hazard_given = false;    // by the user, whose number it is then
  std::string checkpoint_note;  // where the checkpoint's seconds come from
  std::string restart_note;     // what of the restart is read from the disk
  SpotTime law;
  SpotSimulation played;
  std::optional<double> usd_per_hour;
};

[[nodiscard]] std::string spot_text(const SpotReport& spot, const Style& style);

// Schema rightsize/spot/1.
[[nodiscard]] boost::json::object spot_to_json(const SpotReport& spot);

}  // namespace rightsize::report
