#include "advisor/explain/job_field.h"

#include <algorithm>
#include <limits>
#include <set>
#include <tuple>

#include "advisor/full_name.h"

namespace rightsize {

struct JobField::Question {
  const Query& query;
  const Supposal& supposal;
  Judge judge;  // by the query, with a memory of its own for what speeds are supposed
  std::vector<Near> near;
};

namespace {

// What may be taken costs no more than so many times the least.
double slack(const Query& query) {
  return knows_near_ties(query) ? 1 + same_cost : 1;
}

}  // namespace

std::optional<Outlook> JobField::foresee(Judge& judge,
                                         const Candidate& candidate,
                                         double* undisturbed_h) {
  Refusal refusal;
  auto outlook = judge.outlook(candidate, refusal);
  if (!outlook) {
    return std::nullopt;
  }
  if (undisturbed_h != nullptr) {
    *undisturbed_h = outlook->hours;
  }
  return candidate.offer->market == Market::spot ? judge.interrupted(candidate, *outlook, refusal)
                                                 : outlook;
}

JobField::JobField(const Query& query,
                   const Evidence& evidence,
                   const std::vector<Candidate>& field)
    : evidence_(evidence), field_(field), seen_(field.size()) {
  Judge judge(query, evidence);
  std::vector<double> scores;
  for (std::size_t i = 0; i < field.size(); ++i) {
    auto& seen = seen_[i];
    const auto& offer = *field[i].offer;
    seen.outlook = foresee(judge, field[i], &seen.undisturbed_h);
    seen.score = seen.outlook
                     ? judge.standing(field[i], *seen.outlook, offer, judge.rule_of(offer)).score
                     : std::numeric_limits<double>::infinity();
    scores.push_back(seen.score);
  }
  order_ = places_by(scores);
}

std::optional<Standing> JobField::supposed_standing(std::size_t index,
                                                    Question& question,
                                                    const BestOfField& best) {
  auto& [query, supposal, judge, near] = question;
  const auto& seen = seen_[index];
  const auto& given = field_[index];
  // As fast as it can become by this it costs and takes no less; 1 % is for rounding.
  if (supposal.speedup > 0 && best.standing && seen.outlook) {
    auto soonest = *seen.outlook;
    soonest.hours = 0.99 * seen.undisturbed_h / std::max(1.0, supposal.speedup);
    soonest.faster = 1;  // it may be as far from a tie
    if (judge.standing(given, soonest, *given.offer, judge.rule_of(*given.offer)).score >
        best.standing->score * slack(query)) {
      return std::nullopt;
    }
  }
  auto candidate = given;
  supposal.change(candidate);
  const auto& offer = *candidate.offer;
  const auto& rule = judge.rule_of(offer);
  if (supposal.speedup == 0) {
    return judge.standing(candidate, *seen.outlook, offer, rule);
  }
  const auto outlook = foresee(judge, candidate, nullptr);
  return outlook ? std::optional(judge.standing(candidate, *outlook, offer, rule)) : std::nullopt;
}

void JobField::consider(std::size_t index, Question& question, BestOfField& best) {
  auto& [query, supposal, judge, near] = question;
  auto& seen = seen_[index];
  const auto& given = field_[index];
  const bool beaten = best.standing && seen.score > best.standing->score * slack(query);
  const bool meant = supposal.meant && supposal.meant(given);
  if (meant ? !seen.outlook && supposal.speedup <= 1 : !seen.outlook || beaten) {
    return;
  }
  if (seen.outlook) {
    seen.outlook->p_in_time = judge.chance_in_time(*seen.outlook);
  }
  const auto standing = meant
                            ? supposed_standing(index, question, best)
                            : std::optional(judge.standing(
                                  given, *seen.outlook, *given.offer, judge.rule_of(*given.offer)));
  if (!standing) {
    return;
  }
  best.consider(index, *standing);
  if (standing->satisfies && knows_near_ties(query)) {
    near.push_back({index, NearTie(given, *standing)});
  }
}

// Of machines whose costs are the least, or as much, the one that advise takes; `best` has the
// least.
std::size_t JobField::first_of(std::vector<Near>& near, const BestOfField& best) const {
  std::erase_if(near, [&](const Near& one) {
    return one.tie.score > best.standing->score * (1 + same_cost);
  });
  std::sort(near.begin(), near.end(), [](const Near& a, const Near& b) {
    return std::tie(a.tie.score, a.index) < std::tie(b.tie.score, b.index);
  });
  std::set<std::string> seen;
  std::erase_if(near, [&](const Near& one) {  // the best way of each machine stays
    return !seen.insert(full_name(*field_[one.index].offer)).second;
  });
  order_near_ties(near, [](const Near& one) { return one.tie; });
  return near.empty() ? best.index : near.front().index;
}

std::string JobField::chosen(const Query& query, const Supposal& supposal) {
  Question question{query, supposal, Judge(query, evidence_), {}};
  BestOfField best;
  for (const auto index : order_) {
    consider(index, question, best);
  }
  return best.standing ? full_name(*field_[first_of(question.near, best)].offer) : "";
}

}  // namespace rightsize
