// What no published figure of Google's TPUs bears out is not told of them.
#include <fmt/format.h>

#include "kernels/work.h"
#include "models/laws/framework_habits.h"
#include "models/laws/tpu.h"

namespace rightsize {
namespace {

std::string why_not_run(const GpuSpec& chip, const CompiledQuestion& asked) {
  return asked.phase == Phase::decode
             ? fmt::format(
                   "writing text on {} is not modelled: what is published with numbers is of one "
                   "network, Llama 3.3 70B, on eight TPU-v6e",
                   chip.name)
             : fmt::format(
                   "the figures of {} are of training language models, and none of answering with "
                   "a pass through a network",
                   chip.name);
}

std::string why_not_precision(const GpuSpec& chip, Precision precision) {
  if (bytes_per_element(precision) > 2) {
    return fmt::format(
        "the figures of {} are of products in BF16, of whatever width the parameters are kept: ask "
        "for --precision bf16",
        chip.name);
  }
  return precision == Precision::fp8
             ? fmt::format("of {} in fp8 no figure is here: ask for --precision bf16", chip.name)
             : "";
}

std::string why_no_slice(const GpuSpec& chip, int chips) {
  const int most = most_chips_of_slice(chip.name);
  const auto [below, above] = nearest_slices(chip.name, chips);
  if (chips > most) {
    return fmt::format("a slice of {} has {} chips at most, and slices together are not modelled",
                       chip.name,
                       most);
  }
  if (below == chips) {
    return "";
  }
  return below == 0 ? fmt::format("the smallest slice of {} has {} chips: ask for gpu={}:{}",
                                  chip.name,
                                  above,
                                  chip.name,
                                  above)
                    : fmt::format("no slice of {} has {} chips: the nearest have {} and {}",
                                  chip.name,
                                  chips,
                                  below,
                                  above);
}

std::string why_not_together(const GpuSpec& chip, const CompiledQuestion& asked) {
  if (asked.adapters) {
    return fmt::format("of training on {} no figure is here with adapters: ask for all parameters",
                       chip.name);
  }
  if (asked.eight_bit) {
    return fmt::format(
        "moments in 8 bits are bitsandbytes', which has no code for {}: leave the optimizer out",
        chip.name);
  }
  if (asked.shared) {
    return fmt::format(
        "layers, experts or sequences divided among chips of {} are not modelled: ask for a slice "
        "whose chips divide the parameters (--exchange sharded)",
        chip.name);
  }
  if (asked.nodes > 1) {
    return fmt::format(
        "slices of {} joined by the network of the data centre are not modelled: ask for all chips "
        "in one slice, as gpu={}:{}",
        chip.name,
        chip.name,
        asked.chips * asked.nodes);
  }
  return why_no_slice(chip, asked.chips);
}

}  // namespace

std::string why_not_on_tpu(const GpuSpec& chip,
                           const Network& network,
                           const CompiledQuestion& asked) {
  if (!has_backward(asked.phase)) {
    return why_not_run(chip, asked);
  }
  if (!asked.writes || takes_given(network)) {
    return fmt::format(
        "of training on {} figures are here of language models (Llama, Mistral, Gemma, GPT-3, "
        "Mixtral) by MaxText, and none that are like {}",
        chip.name,
        network.name);
  }
  if (!asked.framework.empty() && framework_family(asked.framework) != "JAX") {
    return fmt::format(
        "the figures of {} are of JAX (MaxText), and {} is not known there: leave the framework "
        "out, or say JAX",
        chip.name,
        asked.framework);
  }
  if (auto reason = why_not_precision(chip, asked.precision); !reason.empty()) {
    return reason;
  }
  return why_not_together(chip, asked);
}

}  // namespace rightsize
