// AWS's own accelerators, Inferentia2 and Trainium: how long a step takes, and what is not told of
// them. Their rows of calibration/gpus.csv are chips: of two NeuronCores, which `cores` counts. A
// network is compiled by AWS Neuron into one graph; each NeuronCore runs a copy of it, and a batch
// is divided between them. A kernel takes
//   t = sqrt(compute^2 + memory^2) + start
//   compute = FLOPs / (peak x E x k/(k + h) x n/(n + h))
//   memory = (weights + kept x activations) / (bandwidth x M)
// and a step the time of its kernels and of one call of the graph: nothing is launched by the host.
// k and n are the inner and the column size of a product, which an array of 128 x 128 takes in
// tiles; activations stay in the core's 24 MiB but for the share `kept`. The constants are set to
// half of the networks in calibration/neuron_rates.csv on Inferentia2, in BF16; the others and
// Trainium were asked blind (models/README.md). Peak and bandwidth: AWS's pages of the hardware, as
// gpus.csv names them. Williams, Waterman & Patterson, "Roofline", CACM 52 (2009).
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/network.h"
#include "models/laws/compiled_rate.h"
#include "models/laws/gpu_rate.h"

namespace rightsize {

// A row of calibration/neuron_rates.csv, of one chip.
struct NeuronFigure {
  std::string
      part;  // "set": constants were set to it; "blind"; "twin": a network shaped as one set
  std::string network;
  int sequence = 0;  // tokens of an item; 0: reads none
  Phase phase = Phase::infer;
  std::string gpu;  // Inferentia2 or Trainium
  int batch = 1;    // of the chip
  double items_per_s = 0;
  std::string version;  // of AWS Neuron
  std::string source;
};

// Throws ModelError with the line number of a malformed row.
[[nodiscard]] std::vector<NeuronFigure> parse_neuron_figures(std::string_view csv);
// Those that are shipped.
[[nodiscard]] const std::vector<NeuronFigure>& neuron_figures();

// One step of a batch on a chip, in seconds, by the law alone. `updates_every`: minibatches before
// an update.
[[nodiscard]] double neuron_step_seconds(
    const GpuWork& work, const GpuSpec& chip, Phase phase, int batch, double updates_every = 1);

// By the law, through the figures of the very network where there are any, but those that the query
// excludes. nullopt: a chip, a precision or a phase without figures.
[[nodiscard]] std::optional<GpuRate> neuron_rate(const RateQuery& query,
                                                 const GpuSpec& chip,
                                                 const GpuWork& work);

// Where it was measured on such a chip, that instead, along the law in the batch.
[[nodiscard]] GpuRate as_measured_on_neuron(GpuRate rate,
                                            const RateQuery& query,
                                            const GpuSpec& chip,
                                            const GpuWork& work,
                                            std::span<const PublishedRate* const> measured);

// Why it has no answer on this chip of AWS's; empty where it has one.
[[nodiscard]] std::string why_not_on_neuron(const GpuSpec& chip,
                                            const Network& network,
                                            const CompiledQuestion& asked);

}  // namespace rightsize
