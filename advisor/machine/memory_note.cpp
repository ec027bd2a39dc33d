#include "advisor/machine/memory_note.h"

#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "advisor/candidate/update_share.h"
#include "advisor/query/tuning_words.h"
#include "kernels/gibibyte.h"
#include "models/laws/toolchain.h"

namespace rightsize {
namespace {

// How GPUs that write tokens share a copy of the network, and what each of them holds.
void note_shared_copy(const AcceleratorRate& rate, Answer& answer) {
  if (rate.way.parallel.tensor > 1) {
    answer.notes.push_back(
        fmt::format("{} GPUs share a copy of the network, and the batch is a copy's: about {:.1f} "
                    "GiB of each GPU's memory, {:.1f} of weights, {:.1f} of caches",
                    rate.way.parallel.tensor,
                    rate.memory.total() / bytes_per_gib,
                    rate.memory.parameters_bytes / bytes_per_gib,
                    rate.memory.activations_bytes / bytes_per_gib));
  }
}

// "8 GPUs share every layer, 4 stages share the layers, micro-batches of 1".
std::string sharing_words(const ModelParallel& parallel) {
  std::vector<std::string> words;
  if (parallel.tensor > 1) {
    words.push_back(fmt::format("{} GPUs share every layer", parallel.tensor));
  }
  if (parallel.context > 1) {
    words.push_back(fmt::format("{} GPUs share every sequence", parallel.context));
  }
  if (parallel.pipeline > 1) {
    words.push_back(fmt::format("{} stages share the layers", parallel.pipeline));
  }
  if (parallel.chunks > 1) {
    words.push_back(fmt::format("interleaved in {} parts each", parallel.chunks));
  }
  words.push_back(fmt::format("micro-batches of {}", parallel.micro_batch));
  return fmt::format("{}", fmt::join(words, ", "));
}

// Who divides a mixture's experts, and how many GPUs share one where not all of tensor's do.
void add_experts(const MemoryWay& way, std::vector<std::string>& ways) {
  const auto& parallel = way.parallel;
  const bool whole = parallel.folds() && parallel.gpus_of_expert() == 1;
  if (way.expert_ranks() > 1) {
    ways.push_back(fmt::format("experts divided by {} {}",
                               way.expert_ranks(),
                               whole                  ? "GPUs of a stage"
                               : parallel.folds()     ? "groups of a stage's GPUs"
                               : parallel.gpus() == 1 ? "GPUs"
                                                      : "copies"));
  } else if (whole) {
    ways.emplace_back("every expert whole on each GPU");
  }
  if (parallel.folds() && !whole) {
    ways.push_back(fmt::format("{} GPUs sharing an expert", parallel.gpus_of_expert()));
  }
}

// What is trained, and in which ways it spares memory.
std::vector<std::string> ways_of(const Configuration& asked,
                                 int accumulate,
                                 const AcceleratorRate& rate) {
  const bool adapted = asked.tuning.adapters.any();
  std::vector<std::string> ways;
  if (adapted) {
    ways.push_back("adapters alone are trained (" + to_string(asked.tuning.adapters) + ")");
  }
  if (!asked.tuning.state.usual()) {
    ways.push_back(state_words(asked.tuning.state));
  }
  if (accumulate > 1) {
    ways.push_back(fmt::format("{} minibatches an update", accumulate));
  }
  if (const auto& parallel = rate.way.parallel; parallel.any()) {
    if (parallel.gpus() > 1) {  // else the micro-batch is the batch
      ways.push_back(sharing_words(parallel));
    }
    if (rate.way.gathers() && rate.way.shards > 1) {
      ways.push_back(
          fmt::format("parameters sharded by {} GPUs (FSDP, ZeRO stage 3)", rate.way.shards));
    } else if (rate.way.shards > 1 && !adapted) {
      ways.push_back(fmt::format("the optimizer's state divided by {} copies (ZeRO stage 1)",
                                 rate.way.shards));
    }
  } else if (rate.way.gathers()) {
    ways.emplace_back("sharded (FSDP, ZeRO stage 3)");
  }
  add_experts(rate.way, ways);
  if (rate.way.table_ranks > 1) {
    ways.push_back(fmt::format("tables divided by {} GPUs", rate.way.table_ranks));
  }
  if (rate.way.recompute) {
    ways.emplace_back("recomputation (activation checkpointing)");
  }
  return ways;
}

}  // namespace

void note_memory(const Configuration& asked, const AcceleratorRate& rate, Answer& answer) {
  if (asked.phase == Phase::decode) {
    return note_shared_copy(rate, answer);
  }
  if (rate.way == MemoryWay{} && trains_as_usual(asked)) {
    return;
  }
  const bool unasked =
      (rate.way.gathers() && asked.exchange != Exchange::sharded && asked.expert_parallel == 1) ||
      (rate.way.recompute && !asked.recompute);
  const auto update = with_update_shared(asked, asked.machine.gpus(), answer.batch);
  const auto sentence = fmt::format(
      "{}: about {:.1f} GiB {}, {:.1f} of {}, {:.1f} of activations{}",
      fmt::join(ways_of(asked, update.accumulate, rate), " with "),
      rate.memory.total() / bytes_per_gib,
      rate.beyond_memory ? std::string("a chip, some of them in the host's memory")
                         : fmt::format("of each {}'s memory",
                                       accelerator_noun(toolchain_of_any(asked.machine.gpu))),
      rate.memory.parameters_bytes / bytes_per_gib,
      asked.tuning.adapters.any() ? "frozen parameters and adapters"
      : has_backward(asked.phase) ? "parameters, gradients and optimizer"
                                  : "parameters",
      rate.memory.activations_bytes / bytes_per_gib,
      !unasked                 ? std::string()
      : rate.spared_for_memory ? fmt::format("; without it {:.1f} GiB would not fit",
                                             rate.unspared_bytes / bytes_per_gib)
                               : std::string("; whole copies would fit too, and are slower here"));
  if (unasked) {
    answer.warn(sentence);
  } else {
    answer.notes.push_back(sentence);
  }
}

}  // namespace rightsize
