#include "advisor/service_field.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace rightsize {
namespace {

// No provider's rule takes more off.
constexpr double largest_discount = 0.5;

double most_of(const Server& server) {
  return server.replicas * server.max_batch / step_seconds(server.time, server.max_batch);
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
      known_(field.size()) {}

const ServiceField::Known& ServiceField::known(std::size_t index) {
  auto& known = known_[index];
  if (!known.asked) {
    std::string reason;
    known.asked = true;
    known.server = judge_.server(field_[index], reason);
    if (known.server) {
      known.each_per_s.emplace(HUGE_VAL, most_of(*known.server));
    }
  }
  return known;
}

// Where cost is all that counts: a fleet of it costs more than the best, however it is sized.
bool ServiceField::too_dear(const Question& question,
                            const Best& best,
                            const Candidate& candidate,
                            double most_per_s) {
  const auto& query = question.query;
  const auto& price = candidate.offer->price_per_hour;
  if (!best.standing || query.objective != Objective{} || price.currency() != query.currency) {
    return false;
  }
  const double machines = query.service->machines
                              ? *query.service->machines
                              : std::ceil(query.service->requests_per_s / most_per_s - 1e-9);
  return largest_discount * std::max(1.0, machines) * price.approximate() *
             static_cast<double>(hours_per_month) >
         best.standing->cost;
}

double ServiceField::each_of(std::size_t index,
                             const Server& server,
                             bool changed,
                             const Query& query) {
  const auto& service = *query.service;
  if (changed) {
    return most_requests_per_s(service, server, 1, query.confidence);
  }
  const auto [found, fresh] = known_[index].each_per_s.try_emplace(service.p99_s);
  if (fresh) {
    found->second = most_requests_per_s(service, server, 1, query.confidence);
  }
  return found->second;
}

void ServiceField::consider(std::size_t index, const Question& question, Best& best) {
  const auto& [query, supposal, judge] = question;
  const auto& before = known(index);
  if (!before.server) {
    return;
  }
  const bool meant = supposal.meant && supposal.meant(field_[index]);
  const bool faster = meant && supposal.speedup > 0;
  std::optional<Candidate> changed;
  if (meant && !faster) {
    supposal.change(changed.emplace(field_[index]));
  }
  // A latency tells nothing of another speed: then all that the machine can do is its most.
  const auto bound =
      faster ? std::prev(before.each_per_s.end())->second * std::max(1.0, supposal.speedup)
             : before.each_per_s.lower_bound(query.service->p99_s)->second;
  if (too_dear(question, best, changed ? *changed : field_[index], bound)) {
    return;
  }
  if (faster) {
    supposal.change(changed.emplace(field_[index]));
  }
  const auto& candidate = changed ? *changed : field_[index];
  std::string reason;
  const auto server = faster ? judge_.server(candidate, reason) : before.server;
  if (!server) {
    return;
  }
  auto fleet = fewest(*query.service, *server, each_of(index, *server, faster, query));
  if (fleet.machines == 0 || too_dear(question, best, candidate, fleet.each_per_s)) {
    return;
  }
  complete_fleet(*query.service, normal_90, fleet);
  const auto outlook = judge.serving(fleet, reason);
  if (!outlook) {
    return;
  }
  const auto& offer = *candidate.offer;
  const auto standing = judge.standing(candidate, *outlook, offer, judge.rule_of(offer));
  const bool first = !best.standing || better(standing, *best.standing) ||
                     (!better(*best.standing, standing) && index < best.index);
  if (standing.satisfies && first) {
    best = {standing, index};
  }
}

std::string ServiceField::chosen(const Query& query, const Supposal& supposal) {
  if (field_.empty()) {
    return "";
  }
  const Judge judge(query, evidence_);
  const Question question{query, supposal, judge};
  Best best;
  consider(last_, question, best);
  for (std::size_t index = 0; index < field_.size(); ++index) {
    if (index != last_) {
      consider(index, question, best);
    }
  }
  if (!best.standing) {
    return "";
  }
  last_ = best.index;
  return field_[last_].offer->provider + "/" + field_[last_].offer->instance;
}

}  // namespace rightsize
