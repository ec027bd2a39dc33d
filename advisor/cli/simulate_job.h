// simulate's part of a job that spends what its disk has saved up: played whole, from a rested disk
// to the last epoch, where the steady state alone would miss it.
#pragma once

#include <optional>
#include <string>

#include <boost/json/fwd.hpp>

#include "advisor/machine/estimator.h"
#include "models/simulate/pipeline.h"

namespace rightsize::cli {

struct CreditedJob {
  JobLength length;   // of one node's share
  Setting rested;     // its disk with all that it has saved up
  DiskSpeed later;    // that the later epochs find on average
  JobTime predicted;  // by the closed form
  int nodes = 1;
};

// nullopt where no epochs are stated, or nothing that is saved up counts. `predicted` is the
// estimator's answer to what it planned.
[[nodiscard]] std::optional<CreditedJob> credited_job(const Estimator& estimator,
                                                      const Estimator::Plan& plan,
                                                      const Answer& predicted);

// Whether it has few enough minibatches to be played in seconds; else its later epochs stand for
// it.
[[nodiscard]] bool playable(const CreditedJob& job);

[[nodiscard]] boost::json::object to_json(const CreditedJob& job, const JobSimulation& played);
[[nodiscard]] std::string text(const CreditedJob& job,
                               const JobSimulation& played,
                               const std::string& unit);

}  // namespace rightsize::cli
