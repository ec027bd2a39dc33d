// `campaign --plan adaptive`: which of a campaign's runs comes next, by what it would teach.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "models/adaptive.h"
#include "profiler/campaign/campaign.h"

namespace rightsize {

class AdaptiveChoice {
 public:
  // `target`: of the predictions' uncertainty over all runs of `plan` (answer_uncertainty()).
  // Borrows both.
  AdaptiveChoice(const Plan& plan, const RecordLog& log, double target);

  // For CampaignOptions::choose.
  [[nodiscard]] std::optional<std::size_t> operator()(std::span<const RunSpec> pending);

  // How well all runs of the campaign are known; nullopt before the first fit.
  [[nodiscard]] std::optional<double> uncertainty() const { return plan_.uncertainty(); }
  [[nodiscard]] bool content() const { return plan_.content(); }

 private:
  const std::vector<RunSpec>& runs_;
  const RecordLog& log_;
  std::string machine_;  // this one's: what others made of the same runs says nothing of it
  std::map<std::string, std::size_t> index_by_id_;
  AdaptivePlan plan_;
};

}  // namespace rightsize
