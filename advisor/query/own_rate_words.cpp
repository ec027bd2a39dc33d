#include "advisor/query/own_rate_words.h"

#include <algorithm>

#include <fmt/format.h>

#include "advisor/calibration.h"
#include "advisor/machine/configuration.h"
#include "advisor/query/own_rate.h"
#include "advisor/query/query.h"
#include "models/laws/framework_habits.h"
#include "models/laws/gpu_rate.h"
#include "models/laws/measured_step.h"
#include "models/laws/step_phase.h"

namespace rightsize {
namespace {

std::string no_engine_or(const std::string& framework) {
  return framework.empty() ? "no engine's" : framework + "'s";
}

std::string what_learns(const Adapters& adapters) {
  return adapters.any() ? to_string(adapters) : "all parameters";
}

// Why its GPU, one of several stages, says nothing of one that does all layers; "" where it does.
std::string why_not_whole(const MeasuredRate& rate) {
  static const auto gpus = shipped_rate_tables().gpus;
  const auto gpu = std::find_if(
      gpus.begin(), gpus.end(), [&](const GpuSpec& one) { return one.name == rate.gpu; });
  if (gpu == gpus.end() || is_of_whole_network(rate, *gpu)) {
    return "";
  }
  return rate.batch == 0
             ? fmt::format(
                   "goes by GPUs that do all layers: of stages say a micro-batch that one "
                   "did with them, as --measured {}:1={:g}",
                   rate.gpu,
                   rate.items_per_s)
             : fmt::format(
                   "goes by GPUs that do all layers, for which one {} has no room at batch "
                   "{}: what it shared with others is not known",
                   rate.gpu,
                   rate.batch);
}

// Why GpuRates leaves it out; "" where it does not. Asked is a Query or a Configuration.
template <typename Asked>
std::string why_idle(const MeasuredRate& rate, const Asked& asked) {
  if (rate.network != asked.network) {
    return fmt::format("is of {} and not of {}", asked.network, rate.network);
  }
  if (!has_steps(asked.phase) || has_backward(rate.phase) != has_backward(asked.phase)) {
    return fmt::format("is of phase {} and not {}", to_string(asked.phase), to_string(rate.phase));
  }
  const int here = resolved_sequence(asked.network, asked.sequence);
  const int there = resolved_sequence(rate.network, rate.sequence);
  if (here != there) {
    return fmt::format("is of {} tokens an item and not of {}", here, there);
  }
  if (is_engine(asked.framework) != is_engine(rate.framework)) {
    return fmt::format(
        "is {} and not {}", no_engine_or(asked.framework), no_engine_or(rate.framework));
  }
  if (asked.stack && *asked.stack != rate.stack) {
    return fmt::format(
        "is of the {} stack and not the {}", to_string(*asked.stack), to_string(rate.stack));
  }
  if (asked.tuning.adapters != rate.step.tuning.adapters) {
    return fmt::format("trains {} and not {}",
                       what_learns(asked.tuning.adapters),
                       what_learns(rate.step.tuning.adapters));
  }
  return asked.tensor_parallel * asked.expert_parallel * asked.context_parallel > 1
             ? "is of GPUs that share layers, sequences or experts, of which no measured rate is "
               "taken yet"
             : why_not_whole(rate);
}

std::string idle_sentence(const MeasuredRate& rate, const std::string& why) {
  return fmt::format("{}: it has no part in this answer, which {}", words_of(rate), why);
}

// What figures and the law say of the same; 0 where they know no such work, or nobody said at which
// batch it was done.
double told_of(const MeasuredRate& rate) {
  static const auto rates = shipped_gpu_rates();
  RateQuery query;
  query.network = rate.network;
  query.phase = rate.phase;
  query.precision = rate.precision;
  query.gpu = rate.gpu;
  query.batch = rate.batch;
  query.sequence = rate.sequence;
  query.stack = rate.stack;
  query.framework = rate.framework;
  query.tuning = rate.step.tuning;
  query.recompute = rate.step.recompute;
  const auto told = rate.batch > 0 ? rates.rate(query) : std::nullopt;
  return told ? told->items_per_s : 0;
}

// A rate of steps instead of items, or of a whole machine, is taken for the truth like any other.
std::string doubt_of(const MeasuredRate& rate) {
  constexpr double far = 5;
  const double told = told_of(rate);
  if (told <= 0 || (rate.items_per_s >= told / far && rate.items_per_s <= told * far)) {
    return "";
  }
  return fmt::format(
      "{}: figures and the law say {} of it; is it items a second, and not steps, "
      "and of one GPU alone? It is taken as it is",
      words_of(rate),
      per_second(told));
}

template <typename Asked>
std::vector<std::string> warnings_of(const Asked& asked) {
  std::vector<std::string> sentences;
  for (const auto& rate : measured_rates(asked)) {
    const auto why = why_idle(rate, asked);
    const auto sentence = why.empty() ? doubt_of(rate) : idle_sentence(rate, why);
    if (!sentence.empty()) {
      sentences.push_back(sentence);
    }
  }
  return sentences;
}

}  // namespace

std::string words_of(const MeasuredRate& rate) {
  return fmt::format("{} of one {}{} in {}, as {} says",
                     per_second(rate.items_per_s),
                     rate.gpu,
                     rate.batch > 0 ? fmt::format(" at batch {}", rate.batch) : "",
                     to_string(rate.precision),
                     rate.said_by);
}

std::vector<std::string> own_rate_sentences(const Query& query) {
  std::vector<std::string> sentences;
  for (const auto& rate : measured_rates(query)) {
    const auto why = why_idle(rate, query);
    sentences.push_back(
        why.empty() ? fmt::format("{}: of how much faster or slower that is than the published "
                                  "figures and the law say of it, the power {:g} holds on other "
                                  "GPUs and in other precisions",
                                  words_of(rate),
                                  programs_share)
                    : idle_sentence(rate, why));
  }
  return sentences;
}

std::vector<std::string> own_rate_warnings(const Query& asked) {
  return warnings_of(asked);
}

std::vector<std::string> own_rate_warnings(const Configuration& asked) {
  return warnings_of(asked);
}

}  // namespace rightsize
