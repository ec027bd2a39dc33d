#include "advisor/machine/flops_words.h"

#include <fmt/format.h>

#include "kernels/work.h"

namespace rightsize {

void note_model_flops(const Network& network,
                      const GpuSpec& gpu,
                      double items_per_s,
                      Answer& answer) {
  const double peak = peak_tflops(gpu, answer.precision);
  if (!network.reads_tokens() || network.adapters.any() || !(peak > 0)) {
    return;
  }
  const double reached = items_per_s * training_flops(network) / 1e12;
  answer.notes.push_back(fmt::format(
      "the model's own operations come to {:.3g} TFLOP/s a GPU, {:.0f} % of the {:.4g} of its data "
      "sheet in {} (model FLOPs utilisation)",
      reached,
      100 * reached / peak,
      peak,
      to_string(answer.precision)));
}

}  // namespace rightsize
