#include "advisor/tokens/token_field.h"

#include <algorithm>
#include <cmath>

#include "advisor/candidate/own_stock.h"
#include "advisor/full_name.h"
#include "advisor/judge/mishap.h"
#include "advisor/tokens/token_order.h"
#include "pricing/least_share_paid.h"

namespace rightsize {
namespace {

// What one machine answers, whatever the limits and however slow it turns out.
double most_per_s(const TokenServer& server) {
  return server.replicas * fullest_load *
         serve_decode(server.work, server.gpu, server.lengths).most_sequences_per_s;
}

double least_cost(const Query& query, double each_per_s, const Offer& offer) {
  const auto& service = *query.tokens;
  const double machines =
      service.machines
          ? *service.machines
          : std::max(1.0, std::ceil(service.sequences_per_s / each_per_s * (1 - 1e-6)));
  return least_share_paid * machines * offer.price_per_hour.approximate() * query.hours_of_month();
}

}  // namespace

struct TokenField::Question {
  const Query& query;
  const Supposal& supposal;
  const Judge& judge;

  // A fleet of it scores worse than the best, however it is sized: it costs no less, and a sequence
  // is never sooner than one alone.
  [[nodiscard]] bool too_dear(const BestOfField& best,
                              const Offer& offer,
                              double each_per_s,
                              double alone_s) const {
    return best.standing && offer.price_per_hour.currency() == query.currency &&
           query.objective.score(least_cost(query, each_per_s, offer), alone_s) >
               best.standing->score;
  }

  // More of them cost more than the best; where time counts too, nobody knows.
  [[nodiscard]] int most_affordable(const BestOfField& best, const Offer& offer) const {
    const double each =
        least_share_paid * offer.price_per_hour.approximate() * query.hours_of_month() / (1 + 1e-6);
    if (!best.standing || !(query.objective == Objective{}) || !(each > 0) ||
        offer.price_per_hour.currency() != query.currency) {
      return most_machines;
    }
    return static_cast<int>(std::min<double>(most_machines, best.standing->score / each));
  }
};

TokenField::TokenField(const Query& query,
                       const Evidence& evidence,
                       const std::vector<Candidate>& field)
    : evidence_(evidence), field_(field) {
  std::vector<double> least;
  for (const auto& candidate : field) {
    least.push_back(least_cost(query, most_per_s(*candidate.tokens), *candidate.offer));
  }
  order_ = places_by(least);
}

TokenField::Replica TokenField::replica_of(const TokenServer& server) {
  const auto& gpu = server.gpu;
  return {server.work.weight_bytes,
          gpu.bytes_per_s,
          gpu.most_weight_bytes_per_s,
          gpu.flops_per_s,
          gpu.memory_bytes,
          gpu.overhead_s,
          server.work.engines,
          server.gpus_each(),
          gpu.cluster.interconnect.link_bytes_per_s,
          gpu.cluster.interconnect.link_latency_s};
}

TokenField::LoadOf TokenField::load_of(const TokenService& service, const TokenServer& server) {
  return {replica_of(server),
          {service.sequences_per_s, service.limits.first_token_s, service.limits.token_s}};
}

// Replicas share one queue whatever machine they are on, so that machines follow from their number.
int TokenField::machines(const TokenService& service,
                         const TokenServer& server,
                         double deviations,
                         int most) {
  auto& needed = replicas_needed_[{load_of(service, server), deviations}];
  const int most_replicas =
      most < most_machines / server.replicas ? most * server.replicas : most_machines;
  if (needed.replicas == 0 && needed.too_few < most_replicas) {
    needed.replicas = replicas_enough(service, server, deviations, most_replicas);
    needed.too_few = most_replicas;
  }
  return (needed.replicas + server.replicas - 1) / server.replicas;
}

int TokenField::replicas_enough(const TokenService& service,
                                const TokenServer& server,
                                double deviations,
                                int most) {
  TokenServer one = server;
  one.replicas = 1;
  const auto load = service.load();
  const auto replica = replica_of(server);
  return token_machines_enough(
      service,
      one,
      deviations,
      [&](double time_factor, int machines) -> const DecodeTail& {
        const auto [tail, unseen] =
            tails_.try_emplace({replica, load.sequences_per_s, time_factor, machines});
        if (unseen) {
          tail->second = decode_tail(one.replicas_of(machines, time_factor), load);
        }
        return tail->second;
      },
      most);
}

TokenField::Fleet TokenField::fleet_of(const Query& query, const TokenServer& server, int most) {
  const auto& service = *query.tokens;
  if (!service.machines) {
    const int needed = machines(service, server, deviations_at(query.confidence), most);
    const bool any = needed > 0 && machines(service, server, normal_90, most_machines) > 0;
    return {any ? needed : 0, query.confidence};  // so many are taken as give it
  }
  const auto [found, fresh] =
      chances_.try_emplace({load_of(service, server), *service.machines * server.replicas});
  if (fresh) {
    found->second = chance_enough(service, server, *service.machines);
  }
  return {*service.machines, found->second};
}

const TokenPoint& TokenField::point_of(const TokenService& service,
                                       const TokenServer& server,
                                       int machines) {
  const auto [found, fresh] = points_.try_emplace(
      {replica_of(server), machines * server.replicas, service.sequences_per_s});
  if (fresh) {
    found->second = token_point(service, server, machines);
  }
  return found->second;
}

double TokenField::alone_s(const TokenService& service, const TokenServer& server) {
  TokenService rarely = service;
  rarely.sequences_per_s = 1e-6 * server.replicas;
  TokenFleet fleet;
  fleet.server = server;
  fleet.expected = point_of(rarely, server, 1);
  return sequence_p99_s(fleet);
}

void TokenField::consider(std::size_t index, const Question& question, BestOfField& best) {
  const auto& [query, supposal, judge] = question;
  std::optional<Candidate> changed;
  if (supposal.meant && supposal.meant(field_[index])) {
    supposal.change(changed.emplace(field_[index]));
  }
  const auto& candidate = changed ? *changed : field_[index];
  const auto& server = *candidate.tokens;
  const auto& offer = *candidate.offer;
  const auto& service = *query.tokens;
  const double alone = query.objective.time == 0 ? 1 : alone_s(service, server);
  if (question.too_dear(best, offer, most_per_s(server), alone)) {
    return;
  }
  const auto [needed, p_enough] = fleet_of(query, server, question.most_affordable(best, offer));
  if (needed == 0) {
    return;
  }
  Outlook outlook;
  outlook.nodes = needed;
  outlook.hours = query.hours_of_month();
  if (!why_too_few(offer, query, outlook.nodes, outlook.hours).empty()) {
    return;
  }
  outlook.p_in_time = p_enough;
  outlook.tokens.emplace();
  outlook.tokens->server = server;
  outlook.tokens->machines = needed;
  if (query.objective.time != 0) {
    outlook.tokens->expected = point_of(service, server, needed);
  }
  const auto standing = judge.standing(candidate, outlook, offer, judge.rule_of(offer));
  best.consider(index, standing);
}

std::string TokenField::chosen(const Query& query, const Supposal& supposal) {
  const auto best = best_of(query, supposal);
  return best ? full_name(*field_[*best].offer) : "";
}

std::optional<std::size_t> TokenField::best_of(const Query& query, const Supposal& supposal) {
  const Judge judge(query, evidence_);
  const Question question{query, supposal, judge};
  BestOfField best;
  for (const auto index : order_) {
    consider(index, question, best);
  }
  if (!best.standing) {
    return std::nullopt;
  }
  ask_first(best.index, order_);
  return best.index;
}

}  // namespace rightsize
