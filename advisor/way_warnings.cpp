#include "advisor/way_warnings.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "advisor/candidate/accelerator_query.h"
#include "advisor/candidate/experts_hint.h"
#include "advisor/candidate/training_way.h"
#include "advisor/query/job_defaults.h"
#include "advisor/way_out/way_out.h"
#include "kernels/gibibyte.h"
#include "models/laws/gpu_memory.h"
#include "models/laws/gpu_share.h"
#include "models/laws/toolchain.h"

namespace rightsize {
namespace {

// How a step is held by each GPU alone, in the flags that ask for it.
struct Unshared {
  int batch = 0;  // per GPU
  bool recompute = false;
};

// Of the largest minibatch up to the chosen one; blocks are run again only where that is what fits
// and the query does not forbid it. Smaller ones are named where they fit with room to spare; of
// one item it is enough to fit.
std::optional<Unshared> way_unshared(const Evidence& evidence,
                                     const Offer& offer,
                                     const Recommendation& answer) {
  const auto& query = answer.query;
  const auto& chosen = *answer.chosen;
  const auto* gpu = evidence.gpu_rates.find(chosen.gpu);
  if (gpu == nullptr) {
    return std::nullopt;
  }
  const NetworkFacts facts(query.network, query.sequence, query.tuning, query.phase);
  auto asked =
      accelerator_query(query, offer, evidence.gpu_rates, chosen.batch_per_gpu, chosen.nodes);
  const auto sold = gpu_as_sold(*gpu, asked.gpu_memory_bytes);
  asked.exchange = query.exchange.value_or(Exchange::device);
  asked.expert_parallel = 1;
  asked.expert_tensor_parallel = 0;
  for (; asked.batch >= 1; asked.batch /= 2) {
    for (const bool recompute : {false, true}) {
      asked.recompute = recompute;
      const bool any_room = asked.batch == chosen.batch_per_gpu || asked.batch == 1;
      const bool fits = any_room ? fits_gpu(facts, asked, sold, MemorySpared::as_asked)
                                 : fits_safely(facts, asked, sold);
      if (fits && query.recompute.value_or(recompute) == recompute) {
        return Unshared{asked.batch, recompute};
      }
    }
  }
  return std::nullopt;
}

std::string unshared_words(const Recommendation& answer, const std::optional<Unshared>& alone) {
  const auto& chosen = *answer.chosen;
  if (!alone) {
    return fmt::format("{}no batch is small enough for one {} to hold all of them",
                       answer.query.recompute == false ? "without --recompute true " : "",
                       chosen.gpu);
  }
  const bool same_batch = alone->batch == chosen.batch_per_gpu;
  return fmt::format("with {}{}{} one {} holds all of them{}",
                     same_batch ? "" : fmt::format("--batch {}", alone->batch),
                     !same_batch && alone->recompute ? " " : "",
                     alone->recompute ? "--recompute true" : "",
                     chosen.gpu,
                     same_batch ? ", more slowly" : "");
}

// Of what a figure of a TPU did, though by our count it does not fit.
std::string host_words(const Evidence& evidence, const Option& chosen) {
  const auto* gpu = evidence.gpu_rates.find(chosen.gpu);
  const bool beyond = gpu != nullptr && toolchain_of(*gpu) == Toolchain::xla &&
                      chosen.gpu_memory_needed_gib * bytes_per_gib > usable_memory_bytes(*gpu);
  return beyond ? " by our count, of which MaxText kept some in the host's memory" : "";
}

// Of what fits, the search took the fastest way: another that is slower may do at this batch too.
void warn_of_sharing(const Evidence& evidence, const Offer& offer, Recommendation& answer) {
  const auto& chosen = *answer.chosen;
  const auto alone = way_unshared(evidence, offer, answer);
  const auto noun = accelerator_noun(toolchain_of_any(chosen.gpu));
  const bool has_to = !alone || alone->batch < chosen.batch_per_gpu;
  answer.warnings.push_back(
      fmt::format("at batch {} {} parameters, gradients and optimizer out over the {}s (FSDP, "
                  "ZeRO stage 3){}, {:.0f} GiB a {} then{}; {}",
                  chosen.batch_per_gpu,
                  has_to ? "the training program has to share" : "it is fastest to share",
                  noun,
                  has_to ? "" : ", which the training program has to do",
                  chosen.gpu_memory_needed_gib,
                  noun,
                  host_words(evidence, chosen),
                  unshared_words(answer, alone)));
}

void warn_of_experts(const Evidence& evidence, const Offer& offer, Recommendation& answer) {
  const auto& query = answer.query;
  const auto& chosen = *answer.chosen;
  if (evidence.gpu_rates.find(chosen.gpu) == nullptr) {
    return;
  }
  const NetworkFacts facts(query.network, query.sequence, query.tuning, query.phase);
  const auto& rates = evidence.gpu_rates;
  const auto asked = accelerator_query(query, offer, rates, chosen.batch_per_gpu, chosen.nodes);
  auto hint = experts_hint(rates, facts, asked, accelerator_rate(rates, facts, asked));
  if (!hint.empty()) {
    answer.warnings.push_back(std::move(hint));
  }
}

void warn_of_share(Recommendation& answer) {
  const auto share = gpu_share(answer.chosen->gpu);
  if (!share) {
    return;
  }
  answer.warnings.push_back(
      fmt::format("the chosen machine has a part of a GPU ({}): its work is counted {} times as "
                  "long as on a whole {}, as nothing is published of networks on such parts{}: "
                  "measure one before you rely on it",
                  answer.chosen->gpu,
                  share->parts,
                  share->whole,
                  answer.query.serves() ? "; waiting for its turn, some milliseconds of each "
                                          "answer, is not counted"
                                        : ""));
}

void warn_of_vain_recomputation(Recommendation& answer) {
  const auto& query = answer.query;
  const NetworkFacts facts(query.network, query.sequence, query.tuning, query.phase);
  if (auto vain = recomputed_in_vain(facts.network, answer.chosen->precision); !vain.empty()) {
    answer.warnings.push_back(std::move(vain));
  }
}

// One network is taken of all types where it is said, and of those of which no table says theirs.
void warn_of_network(Recommendation& answer) {
  const auto& options = answer.options;
  const auto& stated = answer.query.network_between;
  const auto taken = [&](const Option& it) {
    return it.nodes > 1 && (stated.fabric || it.network.empty());
  };
  // Of those that are put forward: the network of another is nobody's concern.
  const auto is_put_forward = [&](const Option& it) {
    const auto at = static_cast<std::size_t>(&it - options.data());
    return at == 0 || std::find(answer.ties.begin(), answer.ties.end(), at) != answer.ties.end();
  };
  const auto together = std::find_if(options.begin(), options.end(), [&](const auto& it) {
    return taken(it) && is_put_forward(it);
  });
  // Machines that infer or preprocess share the data out and do not talk.
  if (answer.query.serves() || answer.query.phase != Phase::train || together == options.end()) {
    return;
  }
  const auto network = network_words(network_of_job(stated)).value_or("");
  answer.warnings.push_back(
      stated.fabric
          ? fmt::format("a network of {} between machines [given] is taken of every instance type "
                        "alike, also of those that are sold without: no table here says which, so "
                        "see that {} has it",
                        network,
                        together->instance)
          : fmt::format(
                "a network of {} between machines is taken of instance types of which no table "
                "here says theirs [assumed], and small ones are sold with less: look {} up and say "
                "it by --net, or network under [constraints]",
                network,
                together->instance));
}

}  // namespace

void warn_of_way(const Evidence& evidence, const Offer& offer, Recommendation& answer) {
  if (answer.chosen->nodes > 1 && has_backward(answer.query.phase)) {
    answer.warnings.push_back(
        fmt::format("{} machines train together, {}{}: {:.0f} % of so many that exchange nothing",
                    answer.chosen->nodes,
                    answer.chosen->exchange.empty() ? "nothing exchanged" : answer.chosen->exchange,
                    answer.chosen->exchange.empty() || answer.query.network_between.fabric ? ""
                    : answer.chosen->network.empty() ? " [assumed]"
                                                     : " [published]",
                    100 * answer.chosen->scaling_efficiency));
  }
  if (answer.chosen->sharded && answer.query.exchange != Exchange::sharded) {
    warn_of_sharing(evidence, offer, answer);
  }
  if (answer.chosen->sharded) {
    warn_of_experts(evidence, offer, answer);
  }
  if (answer.chosen->recompute && !answer.query.recompute) {
    answer.warnings.push_back(
        "activations do not fit otherwise: the training program has to run blocks again in the "
        "backward pass (activation checkpointing); the time holds it");
  } else if (answer.chosen->recompute) {
    warn_of_vain_recomputation(answer);
  }
  warn_of_share(answer);
  if (answer.chosen->preprocess_on_gpu) {
    answer.warnings.push_back(
        "pictures are resized and normalised on the GPU: the training program has to do so");
  }
  warn_of_network(answer);
}

}  // namespace rightsize
