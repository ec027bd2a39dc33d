// One instance looked at closely: the best offer, disk and batch of that name, with the conditions
// and the prediction that a search over thousands does not keep.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "advisor/candidate/candidate.h"
#include "advisor/candidate/refusal.h"
#include "advisor/judge/chance.h"
#include "advisor/judge/judge.h"
#include "advisor/recommendation.h"
#include "advisor/search.h"
#include "advisor/suppose/offer_name.h"
#include "advisor/way_out/nothing_satisfies.h"
#include "models/predict.h"

namespace rightsize {

struct Appraisal {
  Option option;        // as search() would show it, with its bill
  Candidate candidate;  // borrows from the catalogue and from the Appraiser
  Prediction prediction;
  UncertainCost uncertain;
};

// An instance that exists and is sold there, but not for this job, or nobody here can say: an
// answer, and no mistake of the user's.
class CannotDoJob : public NothingSatisfies {
 public:
  CannotDoJob(const std::string& name, Refusal refusal)
      : NothingSatisfies(name + " cannot " +
                         (refusal.lacking == Lacking::evidence ? "be judged for" : "do") +
                         " this job: " + refusal.reason),
        why(std::move(refusal)) {}
  const Refusal why;
};

class Appraiser {
 public:
  // All borrowed. Throws UnknownNetwork.
  Appraiser(const Query& query, const Evidence& evidence);

  // The best region, disk and batch of it within the book of the query, and within its place and
  // market where `name` says no other. Throws UsageError: no such instance (with the nearest name)
  // or not sold there; CannotDoJob.
  [[nodiscard]] Appraisal appraise(const OfferName& name);
  [[nodiscard]] Appraisal appraise(const std::string& name);  // as read_offer_name() has it

  // The best disk and batch of an offer that the tables need not have; nullopt where it cannot do
  // the job. Borrowed by the result.
  [[nodiscard]] std::optional<Appraisal> appraise(const Offer& offer);

  // A candidate as it is, its disk, batch and price not chosen anew; nullopt with the reason.
  [[nodiscard]] std::optional<Appraisal> judge(const Candidate& candidate, Refusal& refusal) const;

 private:
  [[nodiscard]] std::vector<const Offer*> offers_named(const OfferName& name) const;
  void consider(const Offer& offer, Judge& judge, std::optional<Appraisal>& best, Refusal& why);

  const Query& query_;
  const Evidence& evidence_;
  CandidateMaker maker_;
};

}  // namespace rightsize
