#include "advisor/tokens/token_explanation.h"

#include <fmt/format.h>

#include "advisor/judge/mishap.h"
#include "advisor/judge/standing_order.h"
#include "advisor/tokens/token_least.h"

namespace rightsize {
namespace {

// The same machine, in the best of its ways by the objective, or in the one with so many GPUs a
// replica.
TokenStep asked_so(std::string what,
                   const Query& query,
                   const Evidence& evidence,
                   const Candidate& now,
                   std::optional<int> share = {}) {
  TokenStep step{std::move(what), std::nullopt, ""};
  CandidateMaker maker(
      query, evidence.catalog, evidence.gpu_rates, evidence.cpu_speeds, evidence.model.cpu());
  const Appraiser appraiser(query, evidence);
  Refusal refusal;
  for (const auto& way : maker.ways(*now.offer)) {
    if (share && way.gpus_each != *share) {
      continue;
    }
    const auto candidate = maker.make(*now.offer, now.disk, way, refusal);
    auto judged = candidate ? appraiser.judge(*candidate, refusal) : std::nullopt;
    if (judged && (!step.option || better(judged->option, *step.option))) {
      step.option = std::move(judged->option);
    }
  }
  step.reason = step.option ? "" : refusal.reason;  // a way that cannot is none where another can
  return step;
}

std::vector<TokenStep> other_machines(const Query& query,
                                      const Evidence& evidence,
                                      const Appraisal& appraisal) {
  std::vector<TokenStep> steps;
  const int now = appraisal.option.tokens->machines;
  for (const int machines : {now - 1, now + 1}) {
    if (machines < 1) {
      continue;
    }
    Query other = query;
    other.tokens->machines = machines;
    steps.push_back(asked_so(fmt::format("{} machine{}", machines, machines == 1 ? "" : "s"),
                             other,
                             evidence,
                             appraisal.candidate,
                             appraisal.candidate.way.gpus_each));
  }
  return steps;
}

void add_shares(const Query& query,
                const Evidence& evidence,
                const Appraisal& appraisal,
                std::vector<TokenStep>& steps) {
  const int now = appraisal.option.tokens->server.gpus_each();
  Query other = query;
  other.tokens->per_replica.reset();
  for (const int share : {now / 2, now * 2}) {
    if (share >= 1 && share <= static_cast<int>(appraisal.option.gpus)) {
      steps.push_back(asked_so(fmt::format("{} GPU{} a replica", share, share == 1 ? "" : "s"),
                               other,
                               evidence,
                               appraisal.candidate,
                               share));
    }
  }
}

void add_weights(const Query& query,
                 const Evidence& evidence,
                 const Appraisal& appraisal,
                 std::vector<TokenStep>& steps) {
  for (const auto weights :
       {WeightFormat::own,
        WeightFormat::fp8,
        WeightFormat::int8,
        WeightFormat::int4,
        runs_rocm(appraisal.option.gpu) ? WeightFormat::mxfp4 : WeightFormat::nvfp4}) {
    if (weights == appraisal.option.tokens->server.weights) {
      continue;
    }
    Query other = query;
    other.tokens->weights = weights;
    steps.push_back(
        asked_so(weights == WeightFormat::own
                     ? fmt::format("weights in {}", to_string(appraisal.option.precision))
                     : fmt::format("weights in {}", to_string(weights)),
                 other,
                 evidence,
                 appraisal.candidate));
  }
}

void add_limits(const Query& query,
                const Evidence& evidence,
                const Appraisal& appraisal,
                std::vector<TokenStep>& steps) {
  const auto add = [&](const char* what, double DecodeLimits::*limit) {
    for (const double factor : {0.5, 2.0}) {
      Query other = query;
      auto& seconds = other.tokens->limits.*limit;
      seconds *= factor;
      if (std::isfinite(seconds)) {
        steps.push_back(asked_so(fmt::format("{} {:.4g} ms", what, 1e3 * seconds),
                                 other,
                                 evidence,
                                 appraisal.candidate));
      }
    }
  };
  add("the first token within", &DecodeLimits::first_token_s);
  if (query.tokens->output_tokens > 1) {
    add("a token within", &DecodeLimits::token_s);
  }
}

}  // namespace

TokenMargins token_margins(const Query& query,
                           const Evidence& evidence,
                           const Appraisal& appraisal) {
  const auto& fleet = *appraisal.option.tokens;
  const auto least = least_limits(*query.tokens, fleet.server, query.confidence, normal_90);
  TokenMargins margins;
  margins.most_sequences_per_s =
      each_in_time(*query.tokens, fleet.server, deviations_at(query.confidence), fleet.machines);
  margins.limit = binding_limit(*query.tokens, fleet.server, fleet.machines);
  margins.least_first_token_s = least.first_token_s;
  margins.least_token_s = least.token_s;
  margins.machines = other_machines(query, evidence, appraisal);
  add_shares(query, evidence, appraisal, margins.others);
  add_weights(query, evidence, appraisal, margins.others);
  add_limits(query, evidence, appraisal, margins.others);
  return margins;
}

std::string token_limit_words(TokenLimit limit) {
  switch (limit) {
    case TokenLimit::first_token:
      return "how soon the first token comes";
    case TokenLimit::token:
      return "the pace of tokens";
    case TokenLimit::fullness:
      return "all that it can write";
  }
  return "";
}

}  // namespace rightsize
