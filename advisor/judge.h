// From a candidate to an option: prediction, time, the whole bill, and the chance of meeting the
// constraints.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

#include "advisor/candidate.h"
#include "advisor/chance.h"
#include "advisor/recommendation.h"
#include "advisor/search.h"
#include "models/predict.h"

namespace rightsize {

struct Judged {
  Option option;
  UncertainCost uncertain;
  const Offer* offer = nullptr;
  DiskChoice disk;
};

// Satisfying first, then the lower score; among those that do not satisfy, likelier first.
[[nodiscard]] bool better(const Option& a, const Option& b);

class Judge {
 public:
  // Both are borrowed.
  Judge(const Query& query, const Evidence& evidence) : query_(query), evidence_(evidence) {}

  // nullopt with the reason when nothing can be predicted. Throws ModelError when the data path of
  // the query was never measured.
  [[nodiscard]] std::optional<Judged> judge(const Candidate& candidate, std::string& reason);

  // What judge() rests on: nullptr with the reason when nothing can be predicted.
  [[nodiscard]] const Prediction* prediction(const Candidate& candidate, std::string& reason);

  // Fills in the bill line by line; left out of judge() because few options are kept.
  void itemise(Judged& judged) const;

 private:
  const Predictor* predictor_for(const Candidate& candidate, std::string& reason);
  const Prediction& predict(const Predictor& predictor, const Candidate& candidate);
  [[nodiscard]] std::optional<SpotTime> interrupted(const Candidate& candidate,
                                                    double work_s) const;
  [[nodiscard]] double cost_of(const Candidate& candidate,
                               const BillingRule& rule,
                               double seconds,
                               int nodes = 1) const;
  // A service: how many of the machine, for how much a month. False with the reason when no number
  // of them answers in time.
  bool fill_service(const Candidate& candidate,
                    const Prediction& prediction,
                    Option& option,
                    std::string& reason);
  [[nodiscard]] UncertainCost uncertain_cost(const Candidate& candidate,
                                             const Prediction& prediction,
                                             const Option& option) const;
  void fill_estimates(const Candidate& candidate,
                      const Prediction& prediction,
                      const Predictor& predictor,
                      Option& option) const;
  void check_limits(double log_sd, Option& option) const;

  const Query& query_;
  const Evidence& evidence_;
  std::map<std::pair<bool, int>, std::optional<Predictor>> predictors_;
  std::unordered_map<std::string, Prediction> predictions_;
};

}  // namespace rightsize
