// Google's TPUs: how long a step of training takes on one chip, and what is not told of them. Their
// rows of calibration/gpus.csv are chips: of one TensorCore (v5e, v6e) or two that work as one (v4,
// v5p). A step is compiled by XLA into one program. A kernel takes
//   t = sqrt(compute^2 + memory^2)
//   compute = FLOPs / (peak x E x filled)
//   memory = (weights + kept x activations) / (bandwidth x M)
// and a step the time of its kernels. A product's inner and column sizes are padded to whole
// arrays, of 256 x 256 on v6e and of 128 x 128 before (`filled`): a head of 128 fills half of
// v6e's. Passes over activations are fused with products but for the share `kept`. Chips of a slice
// divide the parameters over links of their own (ICI), by sharded_exchange.h with
// exchange_law_of(): engines beside the TensorCores move what is gathered, and programs that are
// laid out beforehand do not wait for stragglers (Llama 3.1 8B is as fast on 256 chips as on 8).
// The constants are set to Llama 3.1 8B and Llama 2 70B on v6e in calibration/tpu_rates.csv; other
// networks and chips were asked blind (models/README.md). Peak and bandwidth: Google's pages of the
// hardware, as gpus.csv names them. Williams, Waterman & Patterson, "Roofline", CACM 52 (2009).
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/network.h"
#include "models/laws/compiled_rate.h"
#include "models/laws/exchange.h"
#include "models/laws/gpu_rate.h"

namespace rightsize {

// A row of calibration/tpu_rates.csv: training in bf16 on the chips of one slice, which divide the
// parameters.
struct TpuFigure {
  std::string part;  // "set": constants were set to it; "blind"
  std::string network;
  int sequence = 0;
  std::string gpu;  // TPU-v6e
  int chips = 1;
  int batch = 1;            // of a chip
  bool recompute = false;   // blocks' forward pass, or most of it
  double tokens_per_s = 0;  // of a chip
  std::string source;
};

// Throws ModelError with the line number of a malformed row.
[[nodiscard]] std::vector<TpuFigure> parse_tpu_figures(std::string_view csv);
// Those that are shipped.
[[nodiscard]] const std::vector<TpuFigure>& tpu_figures();

// Set by least squares on the logarithms of the seven rates that are "set", with wide priors: 2 %
// off as root mean square. M is assumed: those do not part it from the share kept.
struct TpuLaw {
  double products = 0.641;  // E, of an array that is filled
  double reached = 0.9;     // M
  double kept = 0.705;      // of activations, written to memory and read again
};

// One step of a batch on a chip, in seconds, by the law alone. `updates_by`: minibatches before an
// update, times the chips that divide it.
[[nodiscard]] double tpu_step_seconds(
    const TpuLaw& law, const GpuWork& work, const GpuSpec& chip, int batch, double updates_by = 1);

// Chips that are joined by ICI at the most.
[[nodiscard]] int most_chips_of_slice(std::string_view gpu);

// The sizes that slices have which are nearest to so many chips: the largest that is not above, and
// the smallest that is not below; 0 where there is none. Chips of v5e and v6e are a square or half
// of one (docs.cloud.google.com/tpu/docs/v6e), of v4 and v5p machines of four.
struct SliceSizes {
  int below = 0;
  int above = 0;
};
[[nodiscard]] SliceSizes nearest_slices(std::string_view gpu, int chips);

// A slice's name as clouds write it, in words of chips: "TPU-v5p:4" of "tpu-v5p-8", whose number
// counts TensorCores, "TPU-v6e:8" of "v6e-8". Empty of other names.
[[nodiscard]] std::string chips_of_slice(std::string_view name);

// What of a gathering shows: that which has no time beside the products.
[[nodiscard]] ExchangeLaw tpu_exchange_law();

// By the law, through the figures of the very network where there are any, but those that the query
// excludes; else through what those of the chip are off it by. nullopt: a chip, a precision or a
// phase without figures.
[[nodiscard]] std::optional<GpuRate> tpu_rate(const RateQuery& query,
                                              const GpuSpec& chip,
                                              const GpuWork& work);

// Whether some figure of the query's network and sequence was made in its way, with as large a
// batch of each chip and on no more chips (`shards`): then so much has been done, whatever memory
// it takes by our count, for MaxText keeps activations in the memory of the host.
[[nodiscard]] bool was_done_on_tpu(const RateQuery& query, const GpuSpec& chip);

// Where it was measured on such a chip, that instead, along the law in the batch.
[[nodiscard]] GpuRate as_measured_on_tpu(GpuRate rate,
                                         const RateQuery& query,
                                         const GpuSpec& chip,
                                         const GpuWork& work,
                                         std::span<const PublishedRate* const> measured);

// Why it has no answer on this TPU; empty where it has one.
[[nodiscard]] std::string why_not_on_tpu(const GpuSpec& chip,
                                         const Network& network,
                                         const CompiledQuestion& asked);

}  // namespace rightsize
