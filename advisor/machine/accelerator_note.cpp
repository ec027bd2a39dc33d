#include "advisor/machine/accelerator_note.h"

#include <fmt/format.h>

#include "advisor/lacking_precision.h"
#include "advisor/machine/memory_note.h"
#include "advisor/machine/update_note.h"
#include "advisor/query/job_defaults.h"
#include "advisor/query/own_rate_words.h"
#include "models/laws/toolchain.h"
#include "models/laws/tpu.h"

namespace rightsize {
namespace {

// One NVLink domain: a machine's, or a rack's of the GPUs that come in such (NVL72); a TPU's slice.
int most_gpus_together(const std::string& gpu) {
  constexpr int of_a_rack = 72;
  if (toolchain_of_any(gpu) == Toolchain::xla) {
    return most_chips_of_slice(gpu);
  }
  return gpu.starts_with("GB200") || gpu.starts_with("GB300") ? of_a_rack : largest_gpus;
}

// Whose software the rate is of.
void note_software(const Configuration& asked, Answer& answer) {
  const auto tools = toolchain_of_any(asked.machine.gpu);
  if (compiles_whole(tools)) {
    answer.notes.push_back(fmt::format(
        "the speed is that of {} compiled by {}: programs written for CUDA do not run there as "
        "they are",
        compiler_words(tools).takes,
        compiler_words(tools).name));
  } else if (asked.writing.of_texts()) {
    answer.notes.emplace_back(
        "texts are worked through by a program that serves (continuous batching): another takes "
        "the place of each that is done, and its prompt is read beside what is written");
  } else if (asked.phase == Phase::decode) {
    answer.notes.emplace_back(
        "every sequence of the batch is in flight, its cache as long as --sequence says; prompts "
        "are counted with --prompt-tokens and --output-tokens, waiting is answered for [service] "
        "of a job file (examples/llm/serve.toml)");
  } else if (asked.of_job || !asked.framework.empty()) {
    answer.notes.push_back("GPU speed is " + framework_words(asked.stack, asked.framework));
  } else {
    answer.notes.emplace_back(
        "GPU speed is the mean of all frameworks', as none is named (--framework)");
  }
}

// What goes between the GPUs, and over which links.
void note_exchange(const Configuration& asked, const AcceleratorRate& rate, Answer& answer) {
  if (rate.interconnect.empty()) {
    return;
  }
  if (runs_compiled_whole(asked.machine.gpu)) {
    answer.notes.push_back(fmt::format("{} chips {} over {}{}",
                                       asked.machine.gpus(),
                                       rate.exchange == Exchange::sharded
                                           ? "gather parameters and sum up gradients"
                                           : "average gradients",
                                       rate.interconnect,
                                       rate.interconnect_assumed ? " (assumed)" : ""));
    return;
  }
  const int gpus = asked.machine.gpus();
  const int sharing = rate.way.parallel.gpus();
  const auto who =
      !has_backward(asked.phase) && rate.way.table_ranks > 1
          ? fmt::format("{} GPUs send one another what their tables give", gpus)
      : rate.exchange == Exchange::sharded
          ? fmt::format("{} GPUs gather parameters and sum up gradients", gpus)
      : sharing == gpus ? fmt::format("{} GPUs share one copy", gpus)
      : sharing > 1
          ? fmt::format("{} copies of {} GPUs average gradients by {}",
                        gpus / sharing,
                        sharing,
                        to_string(rate.exchange))
          : fmt::format("{} GPUs exchange gradients by {}", gpus, to_string(rate.exchange));
  const bool sends_rows = has_backward(asked.phase) && rate.way.table_ranks > 1;
  const char* routed = rate.way.expert_ranks() > 1 ? ", and tokens go to experts and back,"
                       : sends_rows ? ", and send one another what their tables give,"
                                    : "";
  answer.notes.push_back(fmt::format("{}{} over {}{}",
                                     who,
                                     routed,
                                     rate.interconnect,
                                     rate.interconnect_assumed ? " (assumed)" : ""));
}

}  // namespace

void note_accelerator(const Configuration& asked,
                      const AcceleratorRate& rate,
                      bool after_era,
                      Answer& answer) {
  const auto& gpu = asked.machine.gpu;
  answer.notes.push_back(fmt::format("one {}: {}", gpu, rate.provenance));
  note_software(asked, answer);
  if (asked.stack == Stack::era && after_era) {
    answer.warn(fmt::format(
        "{} came after the libraries of 2015-2018, which have no code for it: ask for the current "
        "stack",
        gpu));
  }
  if (!asked.precision_said && !asked.of_job && asked.phase != Phase::decode) {
    answer.notes.push_back(
        fmt::format("precision not stated: {} is used, as of a job file (--precision says another)",
                    to_string(rate.precision)));
  }
  if (auto lacks = lacking_precision(asked.precision, rate.precision, gpu); !lacks.empty()) {
    answer.warn(std::move(lacks));
  }
  if (asked.machine.nodes_assumed) {
    answer.warn(fmt::format("no nodes were named: taken as {} of {} GPUs",
                            asked.machine.nodes,
                            asked.machine.gpus_per_node));
  } else if (asked.machine.gpus_per_node > most_gpus_together(gpu)) {
    answer.warn(fmt::format("no machine has {} GPUs: say how many nodes they are in",
                            asked.machine.gpus_per_node));
  }
  if (rate.memory_tight) {
    answer.warn("within 10 % of the GPU's memory: frameworks differ");
  }
  note_exchange(asked, rate, answer);
  if (const auto& unread = asked.machine.unread_interconnect; !unread.empty()) {
    answer.warn(
        fmt::format("of the interconnect \"{}\" is not known and was left out: known are NVLink, "
                    "Infinity Fabric, PCIe, InfiniBand, RoCE, EFA, TCPX and Ethernet",
                    unread));
  }
  note_memory(asked, rate, answer);
  warn_of_nearest_update(asked, answer);
  for (auto& sentence : own_rate_warnings(asked)) {
    answer.notes.push_back(std::move(sentence));
  }
}

}  // namespace rightsize
