#include "advisor/explain/explanation.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "advisor/candidate/network_facts.h"
#include "advisor/candidate/own_loader.h"
#include "advisor/candidate/preprocessing.h"
#include "advisor/candidate/system_disk.h"
#include "advisor/candidate/training_way.h"
#include "advisor/explain/comparison.h"
#include "advisor/full_name.h"
#include "advisor/judge/near_ties.h"
#include "advisor/query/job_defaults.h"
#include "advisor/query/job_work.h"
#include "advisor/way_out/nothing_satisfies.h"
#include "kernels/longer_sequence.h"
#include "pricing/monthly.h"

namespace rightsize {
namespace {

// Of interruptions: when they come, and how often where that is assumed.
double interruptions_sd(const Query& query, const Appraisal& appraisal) {
  const double own = appraisal.uncertain.own_sd;
  const double noise = std::min(appraisal.prediction.noise_sd, appraisal.prediction.model_sd);
  return appraisal.option.spot && !query.serves()
             ? std::sqrt(std::max(0.0, own * own - noise * noise))
             : 0;
}

std::vector<Input> spread_of(const Query& query, const Appraisal& appraisal) {
  const auto& prediction = appraisal.prediction;
  const auto half = [](double sd) { return std::exp(normal_90 * std::abs(sd)) - 1; };
  const auto& candidate = appraisal.candidate;
  if (candidate.tokens) {
    return {{"the law of decoding", half(candidate.tokens->log_sd), "1", "scaled"}};
  }
  const bool by_framework = loaded_by(query) == LoadedBy::framework;
  std::vector<Input> all = {
      {by_framework ? "the model's own error, with what a framework's loader takes"
                    : "the model's own error",
       half(prediction.model_sd),
       "1",
       by_framework ? "scaled" : "fitted"},
      {"GPU speed",
       half(prediction.accelerator_sd),
       "1",
       std::string(to_string(candidate.rate_source))},
      {"CPU speed",
       half(prediction.cpu_speed_sd),
       "1",
       std::string(to_string(candidate.cpu_source))},
      {"disk speed", half(prediction.disk_sd), "1", std::string(to_string(candidate.disk.source))},
      {"interruptions", half(interruptions_sd(query, appraisal)), "1", "assumed"}};
  std::erase_if(all, [](const Input& input) { return input.value < 0.0005; });
  std::stable_sort(
      all.begin(), all.end(), [](const Input& a, const Input& b) { return a.value > b.value; });
  return all;
}

std::string in_time_words(const Query& query) {
  return fmt::format("in time with {:.4g} % instead of 50 % confidence", 100 * query.confidence);
}

// How many machines a service takes, and how they share their GPUs.
void add_fleet(const Query& query, const Option& option, std::vector<Substitution>& all) {
  if (option.service && !query.service->machines) {
    const auto& fleet = *option.service;
    Service expected = *query.service;
    const auto even = size_fleet(expected, fleet.server, 0.5, normal_90).machines;
    all.push_back({"machines",
                   fmt::format("{} at the expected speed", even),
                   std::to_string(fleet.machines),
                   in_time_words(query)});
  }
  if (option.tokens) {
    const auto& tokens = *option.tokens;
    if (!query.tokens->per_replica) {
      all.push_back({"GPUs of a replica",
                     "as many as serve best",
                     fmt::format("{} of {:g}", tokens.server.gpus_each(), option.gpus),
                     "the best by objective = \"" + to_string(query.objective) + "\""});
    }
    all.push_back({"machines",
                   fmt::format("{} at the expected speed",
                               token_machines_enough(*query.tokens, tokens.server, 0)),
                   std::to_string(tokens.machines),
                   in_time_words(query)});
  }
}

// "140 GB", "2.5 TB".
std::string gb_words(double bytes) {
  return bytes < 1e12 ? fmt::format("{:.3g} GB", bytes / 1e9)
                      : fmt::format("{:.4g} TB", bytes / 1e12);
}

Substitution disk_in_use(const Query& query, const Option& option) {
  const NetworkFacts facts(query.network, query.sequence, query.tuning, query.phase);
  const double weights = model_files(facts, query).bytes();
  if (query.format == DataFormat::synthetic) {
    return {"disk",
            gb_words(weights) + " of weights and checkpoint",
            option.disk,
            fmt::format("holds them and {} GiB; the better of the classes and sizes on offer",
                        system_disk_gib)};
  }
  const auto beside =
      weights > 0 ? fmt::format(", {} of weights and checkpoint", gb_words(weights)) : "";
  return {"disk",
          gb_words(static_cast<double>(bytes_held(query))) + " of data",
          option.disk,
          fmt::format("holds the data{} and {} GiB; the better of the classes and sizes on offer",
                      beside,
                      system_disk_gib)};
}

// Where the query leaves it open, or asks for it in vain.
std::optional<Substitution> recompute_in_use(const Query& query, const Option& option) {
  if (!option.recompute) {
    return std::nullopt;
  }
  if (!query.recompute) {
    return Substitution{"recompute", "where needed", "true", "activations do not fit otherwise"};
  }
  const NetworkFacts facts(query.network, query.sequence, query.tuning, query.phase);
  auto vain = recomputed_in_vain(facts.network, option.precision);
  return vain.empty() ? std::nullopt
                      : std::optional(Substitution{"recompute", "true", "true", std::move(vain)});
}

std::optional<Substitution> batch_in_use(const Query& query, const Option& option) {
  const auto used = std::to_string(option.batch_per_gpu);
  if (query.batches.size() > 1) {
    return Substitution{"batch",
                        fmt::format("{}", fmt::join(query.batches, ", ")),
                        used,
                        query.objective == Objective{}
                            ? "meets the constraints at the least cost of those that fit"
                            : fmt::format("meets the constraints, and the best of those that fit "
                                          "by objective = \"{}\"",
                                          to_string(query.objective))};
  }
  if (query.batches.empty() && option.batch_per_gpu > 0) {
    return Substitution{
        "batch",
        "not stated",
        used,
        query.writing.of_texts() ? "texts in flight whose caches fit beside the weights, as the "
                                   "copies that write most share the network"
        : option.gpu.empty()     ? "usual on CPUs"
        : query.global_batch > 0
            ? "of what divides a GPU's share of global_batch, up to 128, or 65536 tokens of a "
              "language model, the fastest that fits its memory"
            : "the largest power of two up to 128, or of 65536 tokens of a "
              "language model that trains, that fits the GPU's memory with "
              "nothing spared, or in one of the ways to spare memory: the "
              "fastest of these"};
  }
  return std::nullopt;
}

// How GPUs share what one alone does not hold, or would take longer for.
void add_sharing(const Query& query, const Appraisal& appraisal, std::vector<Substitution>& all) {
  const auto& option = appraisal.option;
  if (option.sharded && query.exchange != Exchange::sharded) {
    all.push_back({"exchange",
                   query.exchange ? std::string(to_string(*query.exchange)) : "the fastest",
                   "sharded",
                   appraisal.candidate.spared_for_memory
                       ? "whole copies do not fit the GPUs at this batch, and of what does this is "
                         "the fastest"
                       : "whole copies would fit the GPUs too, and are slower here"});
  }
  if (option.micro_batch > 0 && query.expert_parallel == 1) {
    all.push_back({"micro-batches",
                   "1 to 8 items",
                   std::to_string(option.micro_batch),
                   "the fastest that fits: " + split_words(option)});
  }
}

std::vector<Substitution> substitutions_of(const Query& query, const Appraisal& appraisal) {
  const auto& option = appraisal.option;
  std::vector<Substitution> all;
  if (auto batch = batch_in_use(query, option)) {
    all.push_back(std::move(*batch));
  }
  if (has_network(query) && query.precision != option.precision) {
    all.push_back({"precision",
                   std::string(to_string(query.precision)),
                   std::string(to_string(option.precision)),
                   option.gpu.empty() ? "the CPU computes in it" : "the GPU lacks the other"});
  }
  if (const auto trained = exceeded_length(query.network, query.sequence, query.phase)) {
    all.push_back({"positions",
                   fmt::format("{}, as it was trained", trained),
                   std::to_string(query.sequence),
                   std::string(longer_positions)});
  }
  add_sharing(query, appraisal, all);
  if (auto recompute = recompute_in_use(query, option)) {
    all.push_back(std::move(*recompute));
  }
  if (option.nodes > 1 && !query.serves() && !query.network_between.fabric) {
    all.push_back({"network between machines",
                   "not said",
                   network_words(network_of_job({}, option.network)).value_or(""),
                   option.network.empty()
                       ? "assumed, as no table says: --net, or network under [constraints], says "
                         "what this one has"
                       : "what this type keeps up (pricing/tables/network.csv)"});
  }
  add_fleet(query, option, all);
  if (query.format != DataFormat::synthetic || option.disk_gib > 0) {
    all.push_back(disk_in_use(query, option));
  }
  return all;
}

// That whole months are paid is part of a month's price.
std::string billing_basis(const Catalog& catalog, const Offer& offer) {
  return is_monthly(offer) ? "published" : catalog.billing(offer.provider, offer.book).basis;
}

}  // namespace

Explanation explain(const Query& asked, const Evidence& evidence, const std::string& instance) {
  const auto name = read_machine_name(evidence.catalog, instance);
  const auto query = reaching(asked, name);
  const auto answer = search(query, evidence, {});
  if (instance.empty() && answer.options.empty()) {
    throw NothingSatisfies(nothing_words(answer, "there is nothing to explain"));
  }
  Appraiser appraiser(query, evidence);
  const auto appraisal = instance.empty() ? appraiser.appraise(name_of(answer.options.front()))
                                          : appraiser.appraise(name);
  Explanation result;
  result.query = query;
  result.place = name.place;
  result.besides =
      query.markets.size() > asked.markets.size() ? to_string(*name.market) : std::string_view();
  result.option = appraisal.option;
  result.chosen = answer.chosen ? full_name(*answer.chosen) : "";
  result.chosen_typically =
      answer.chosen && wins_typically(query, *answer.chosen, appraisal.option);
  result.chosen_near_tie = answer.chosen && wins_near_tie(query, *answer.chosen, appraisal.option);
  result.cost = query.tokens
                    ? token_cost_tree(query, appraisal.option)
                    : cost_tree(query,
                                model_for(query, evidence, appraisal.candidate),
                                appraisal,
                                billing_basis(evidence.catalog, *appraisal.candidate.offer));
  result.spread = spread_of(query, appraisal);
  result.substitutions = substitutions_of(query, appraisal);
  for (auto& row : reached(asked, name)) {
    result.substitutions.push_back({row.what, row.asked, row.reached, row.why});
  }
  result.break_even = break_even(query, evidence, appraisal);
  result.sensitivities = sensitivities(query, evidence, appraisal.option);
  if (query.service) {
    result.service = service_margins(query, evidence, appraisal);
  }
  if (query.tokens) {
    result.tokens = token_margins(query, evidence, appraisal);
  }
  result.neighbours = neighbours(query, evidence, appraisal.option);
  return result;
}

}  // namespace rightsize
