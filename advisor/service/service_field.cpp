#include "advisor/service/service_field.h"

#include <algorithm>
#include <cmath>

#include "advisor/candidate/own_stock.h"
#include "advisor/full_name.h"
#include "pricing/least_share_paid.h"

namespace rightsize {
namespace {

// Less than this no fleet of the candidate costs a month: it cannot answer more than its GPUs do.
// Of a machine without GPUs one is the least.
double least_month(const Candidate& candidate, const Query& query) {
  const auto& service = *query.service;
  const double rate = candidate.setting.accelerator_items_per_s;
  const double machines = rate > 0 ? std::max(1.0, std::ceil(service.requests_per_s / rate)) : 1;
  return least_share_paid * machines * candidate.offer->price_per_hour.approximate() *
         query.hours_of_month();
}

double most_of(const Server& server) {
  return server.replicas * server.max_batch / step_seconds(server.time, server.max_batch);
}

double least_machines(const Service& service, double most_per_s) {
  return service.machines ? *service.machines
                          : std::ceil(service.requests_per_s / most_per_s - 1e-9);
}

}  // namespace

struct ServiceField::Question {
  const Query& query;
  const Supposal& supposal;
  const Judge& judge;
};

ServiceField::ServiceField(const Query& query,
                           const Evidence& evidence,
                           const std::vector<Candidate>& field)
    : query_(query),
      evidence_(evidence),
      field_(field),
      judge_(query, evidence),
      known_(field.size()) {
  std::vector<double> least;
  for (const auto& candidate : field) {
    least.push_back(least_month(candidate, query));
  }
  order_ = places_by(least);
}

ServiceField::Known& ServiceField::known(std::size_t index) {
  auto& known = known_[index];
  if (!known.asked) {
    Refusal refusal;
    known.asked = true;
    known.server = judge_.server(field_[index], refusal);
    if (known.server) {
      known.most_per_s = most_of(*known.server);
      known.fleets = &fleets_[*known.server];
    }
  }
  return known;
}

// Where cost is all that counts: so many at the most cost no more than the best, whatever is taken
// off.
double ServiceField::most_worth(const Question& question,
                                const BestOfField& best,
                                const Candidate& candidate) {
  const auto& query = question.query;
  const auto& price = candidate.offer->price_per_hour;
  if (!best.standing || query.objective != Objective{} || price.currency() != query.currency) {
    return HUGE_VAL;
  }
  const bool discounted = !question.judge.rule_of(*candidate.offer).sustained.empty();
  constexpr double rounding = 1 + 1e-6;
  return std::floor(
      rounding * best.standing->cost /
      ((discounted ? least_share_paid : 1) * price.approximate() * query.hours_of_month()));
}

// No fewer machines answer within a limit than within the next looser one that was asked for.
ServiceField::Fleet& ServiceField::fleet_within(Fleets& fleets, const Service& service) {
  const auto [found, fresh] = fleets.try_emplace({service.requests_per_s, service.p99_s});
  const auto looser = std::next(found);
  if (fresh && looser != fleets.end() && looser->first.first == service.requests_per_s) {
    const auto& [of, rated, too_few] = looser->second;
    if (of && of->machines == 0) {
      found->second.of = of;  // no number does
    }
    found->second.too_few = of ? of->machines - 1 : too_few;
  }
  return found->second;
}

ServerFleet* ServiceField::fleet_of(const Question& question,
                                    const Server& server,
                                    double most,
                                    Fleet& known) {
  const auto& service = *question.query.service;
  const double confidence = question.query.confidence;
  if (!known.of) {
    const int at_most = most < most_machines ? static_cast<int>(most) : most_machines;
    if (at_most <= known.too_few) {
      return nullptr;
    }
    const auto fleet = fewest(service, server, confidence, at_most);
    if (fleet.machines > at_most) {
      known.too_few = at_most;
      return nullptr;
    }
    known.of = fleet;
  }
  if (known.of->machines == 0 || known.of->machines > most) {
    return nullptr;
  }
  if (!known.rated) {
    rate_fleet(service, confidence, normal_90, *known.of);
    known.rated = true;
  }
  return &*known.of;
}

void ServiceField::consider(std::size_t index, const Question& question, BestOfField& best) {
  const auto& query = question.query;
  const auto& supposal = question.supposal;
  auto& before = known(index);
  if (!before.server) {
    return;
  }
  const bool meant = supposal.meant && supposal.meant(field_[index]);
  const bool faster = meant && supposal.speedup > 0;
  std::optional<Candidate> changed;
  if (meant && !faster) {
    supposal.change(changed.emplace(field_[index]));
  }
  const double most_per_s = before.most_per_s * (faster ? std::max(1.0, supposal.speedup) : 1);
  const auto& service = *query.service;
  const auto most = most_worth(question, best, changed ? *changed : field_[index]);
  if (least_machines(service, most_per_s) > most) {
    return;
  }
  if (faster) {
    supposal.change(changed.emplace(field_[index]));
  }
  const auto& candidate = changed ? *changed : field_[index];
  Refusal refusal;
  const auto server = faster ? judge_.server(candidate, refusal) : before.server;
  if (!server) {
    return;
  }
  auto& sized = faster ? supposed_[*server] : fleet_within(*before.fleets, service);
  if (const auto* fleet = fleet_of(question, *server, most, sized)) {
    weigh(index, question, candidate, *fleet, best);
  }
}

// Whether such a fleet is better than the best so far.
void ServiceField::weigh(std::size_t index,
                         const Question& question,
                         const Candidate& candidate,
                         const ServerFleet& fleet,
                         BestOfField& best) {
  Refusal refusal;
  const auto outlook = question.judge.serving(fleet, refusal);
  if (!outlook) {
    return;
  }
  const auto& offer = *candidate.offer;
  if (!why_too_few(offer, question.query, outlook->nodes, outlook->hours).empty()) {
    return;
  }
  const auto& judge = question.judge;
  const auto standing = judge.standing(candidate, *outlook, offer, judge.rule_of(offer));
  best.consider(index, standing);
}

std::string ServiceField::chosen(const Query& query, const Supposal& supposal) {
  const Judge judge(query, evidence_);
  const Question question{query, supposal, judge};
  BestOfField best;
  supposed_.clear();
  for (const auto index : order_) {
    consider(index, question, best);
  }
  if (!best.standing) {
    return "";
  }
  ask_first(best.index, order_);
  return full_name(*field_[best.index].offer);
}

}  // namespace rightsize
