// Rates of writing tokens that were measured on this machine, carried along the law of decoding
// (decode.h) to other batches and lengths of the caches: where one is, it goes before the law.
#pragma once

#include <optional>
#include <span>

#include "models/laws/gpu_rate.h"

namespace rightsize {

// Tokens/s of one GPU, every cache as long as the query's sequence. Source: measured where that
// batch was, with caches whose mean length is at most a quarter of the query's away; else scaled,
// and less certain the farther both are. nullopt where nothing was measured of this network, GPU
// and precision. `rates` are of phase decode.
[[nodiscard]] std::optional<GpuRate> measured_decode_rate(std::span<const MeasuredRate> rates,
                                                          const RateQuery& query,
                                                          const GpuSpec& gpu);

}  // namespace rightsize
