#include "advisor/tokens/token_order.h"

#include <cmath>

#include <fmt/format.h>

#include "advisor/service/service.h"
#include "models/predict.h"

namespace rightsize {

namespace {

double last_token_s(const TokenFleet& fleet, const TokenPoint& point) {
  const auto& latency = point.latency;
  const int more = fleet.server.lengths.output_tokens - 1;
  return latency.first_token_p99_s + (more == 0 ? 0 : more * latency.token_p99_s);
}

}  // namespace

double sequence_p99_s(const TokenFleet& fleet) {
  return last_token_s(fleet, fleet.expected);
}

Estimate sequence_time(const TokenFleet& fleet, double confidence, Source source) {
  return {last_token_s(fleet, fleet.expected),
          last_token_s(fleet, fleet.fast),
          last_token_s(fleet, fleet.slow),
          confidence,
          "s",
          source};
}

bool writes_better(const TokenFleet& a, const TokenFleet& b, const Objective& objective) {
  const bool can = any_number_writes(a);
  if (can != any_number_writes(b)) {
    return can;
  }
  const auto score = [&](const TokenFleet& fleet) {
    return objective.score(fleet.machines, sequence_p99_s(fleet));
  };
  return can && score(a) != score(b) ? score(a) < score(b) : a.each_per_s > b.each_per_s;
}

bool takes_too_many(const TokenService& service, const TokenFleet& fleet) {
  if (any_number_writes(fleet)) {
    return false;
  }
  return (fleet.machines > 0 ? each_in_time(service, fleet.server, normal_90) : fleet.each_per_s) >
         0;
}

std::string why_none_writes(const TokenService& service, const TokenFleet& fleet) {
  if (any_number_writes(fleet)) {
    return "";
  }
  const bool expected = fleet.machines > 0;
  return takes_too_many(service, fleet)
             ? fmt::format(
                   "{} more than {} machines", expected ? "might take" : "takes", most_machines)
             : fmt::format("{}too slow for the tokens, however many", expected ? "might be " : "");
}

}  // namespace rightsize
