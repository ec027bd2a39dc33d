// Judging a candidate as a server of sequences: how many of them write the tokens in time.
#include <algorithm>
#include <cmath>

#include "advisor/judge/judge.h"
#include "advisor/tokens/token_order.h"

namespace rightsize {

const TokenFleet& Judge::token_fleet(const Candidate& candidate) const {
  const auto& server = *candidate.tokens;
  const TokenMachine machine{candidate.offer->gpu,
                             server.replicas,
                             server.gpus_each(),
                             server.attention,
                             server.gpu.memory_bytes,
                             server.gpu.bytes_per_s};
  auto known = token_fleets_.find(machine);
  if (known == token_fleets_.end()) {
    auto fleet = size_token_fleet(*query_.tokens, server, query_.confidence, normal_90);
    known = token_fleets_.emplace(machine, std::move(fleet)).first;
  }
  return known->second;
}

std::optional<Outlook> Judge::token_outlook(const Candidate& candidate, Refusal& refusal) const {
  const auto& server = *candidate.tokens;
  const auto& fleet = token_fleet(candidate);
  if (!any_number_writes(fleet)) {
    refusal = {why_none_writes(*query_.tokens, fleet), Lacking::speed};
    return std::nullopt;
  }
  Outlook outlook;
  const auto& point = fleet.expected.point;
  outlook.nodes = fleet.machines;
  outlook.hours = query_.hours_of_month();
  outlook.source = candidate.rate_source;
  outlook.log_sd = server.log_sd;
  outlook.p_in_time = fleet.p_enough;
  outlook.prediction.items_per_s =
      server.replicas * point.most_sequences_per_s * server.lengths.output_tokens;
  outlook.prediction.cold_items_per_s = outlook.prediction.items_per_s;
  outlook.prediction.log_sd = server.log_sd;
  outlook.prediction.accelerator_sd = server.log_sd;
  outlook.prediction.busy[static_cast<std::size_t>(Bound::accelerator)] = fleet.utilisation;
  const double spread = std::exp(normal_90 * server.log_sd);
  outlook.throughput = {outlook.prediction.items_per_s,
                        outlook.prediction.items_per_s / spread,
                        outlook.prediction.items_per_s * spread,
                        evidence_.model.confidence,
                        "tokens/s",
                        outlook.source};
  outlook.tokens = fleet;
  return outlook;
}

Standing Judge::token_standing(const Outlook& outlook, double cost) const {
  Standing standing;
  const bool affordable = !query_.budget || cost <= query_.budget->approximate();
  standing.cost = cost;
  standing.score = query_.objective.score(cost, sequence_p99_s(*outlook.tokens));
  standing.each_per_s = outlook.tokens->each_per_s;
  standing.p_limits = affordable ? outlook.p_in_time : 0;
  standing.satisfies = affordable && is_in_time(outlook);
  return standing;
}

void Judge::fill_tokens(const Candidate& candidate,
                        const Outlook& outlook,
                        const Offer& offer,
                        Option& option) const {
  const auto& fleet = *outlook.tokens;
  const auto cost = [&](int machines) {
    return cost_of(candidate, offer, rule_of(offer), outlook.hours, machines);
  };
  option.cost.low = cost(std::min(fleet.machines_low, fleet.machines));
  option.cost.high = cost(std::max(fleet.machines_high, fleet.machines));
  const double written = query_.tokens->sequences_per_s * served_share(fleet.utilisation) *
                         query_.tokens->output_tokens * outlook.hours * 3600;
  option.cost_per_1m_tokens = option.cost.value / written * 1e6;
}

}  // namespace rightsize
