// How fast a GPU that is not here runs a network: from published figures where somebody measured
// this network on it, otherwise carried over from GPUs with figures by a roofline proxy
//   rate ~ (peak FLOP/s)^a * (memory bandwidth)^(1 - a),     a = 0.4,
// the log-linear form of a roofline whose layers are part compute-bound, part memory-bound (wave
// scaling's exponent; Yu et al., "Habitat", USENIX ATC 2021, section 4). Leave-one-GPU-out over the
// shipped figures: median error 21 %, and 88 % of them inside the interval of a scaled rate,
// whose logarithm gets a standard deviation of 0.30 (models/VALIDATION.md has the table). Pure
// functions of the shipped tables.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kernels/workload.h"
#include "models/estimate.h"

namespace rightsize {

// One GPU (one die of K80/M60). 0 = not published, or the unit does not exist.
struct GpuSpec {
  std::string name;  // the canonical name: "A100-80GB"
  std::string arch;
  double fp32_tflops = 0;
  double tf32_tflops = 0;
  double fp16_tflops = 0;  // tensor cores, dense
  double memory_gb = 0;
  double bandwidth_gbs = 0;
  double tdp_w = 0;
  double nvlink_gbs = 0;
  std::string source;
};

struct PublishedRate {
  std::string network;
  Phase phase = Phase::train;
  Precision precision = Precision::fp32;
  std::string gpu;
  int batch = 0;
  double items_per_s = 0;
  std::string stack;  // "era" (2016-2018 frameworks) or "current"
  std::string framework;
  std::string source;
};

// A rate seen on a GPU of a machine that rightsize ran on: goes before every published figure.
struct MeasuredRate {
  std::string network;
  Phase phase = Phase::train;
  Precision precision = Precision::fp32;
  std::string gpu;  // canonical name
  int batch = 0;
  double items_per_s = 0;
};

struct GpuRate {
  double items_per_s = 0;
  double log_sd = 0;  // of ln(items_per_s)
  Source source = Source::published;
  Precision precision = Precision::fp32;  // as used: what the GPU has
  std::string provenance;                 // one line for `explain`
};

// Frameworks and libraries of 2023-2026, or of 2015-2018.
enum class Stack { current, era };

[[nodiscard]] std::string_view to_string(Stack stack);

// What is asked of a GPU. Views must outlive the call.
struct RateQuery {
  std::string_view network;  // built-in name
  Phase phase = Phase::train;
  Precision precision = Precision::fp32;
  std::string_view gpu;        // canonical name of gpus.csv
  int batch = 32;              // per GPU
  int sequence = 0;            // 0: the network's own
  std::optional<Stack> stack;  // nullopt: the best evidence
  double sm_share = 1;
  std::string_view excluding_gpu;  // leave-one-out tests
  std::string_view excluding_network;
};

class GpuRates {
 public:
  // The texts of calibration/gpus.csv and calibration/gpu_rates.csv. Throws ModelError with the
  // line number of a malformed row.
  GpuRates(std::string_view gpus_csv, std::string_view rates_csv);

  void add_measured(std::span<const MeasuredRate> rates);

  [[nodiscard]] const GpuSpec* find(std::string_view gpu) const;
  [[nodiscard]] std::span<const GpuSpec> gpus() const { return gpus_; }
  [[nodiscard]] std::span<const PublishedRate> published() const { return rates_; }

  // nullopt when nothing was published for the network and phase on any GPU, or the GPU is unknown.
  // `excluding` leaves that GPU's own figures out: the leave-one-out test.
  [[nodiscard]] std::optional<GpuRate> rate(std::string_view network,
                                            Phase phase,
                                            Precision wanted,
                                            std::string_view gpu,
                                            int batch,
                                            std::string_view excluding = {}) const;
  [[nodiscard]] std::optional<GpuRate> rate(const RateQuery& query) const;

 private:
  // Figures by GPU and precision.
  using Figures = std::map<std::pair<std::string, Precision>, std::vector<const PublishedRate*>>;

  // Measured here, today's frameworks, those of 2017: the best evidence first.
  [[nodiscard]] std::array<Figures, 3> figures_of(std::string_view network,
                                                  Phase phase,
                                                  std::string_view excluding) const;
  // The mean over the GPUs with figures, the same precision if there are any.
  [[nodiscard]] std::optional<GpuRate> carried_over(const std::array<Figures, 3>& groups,
                                                    const GpuSpec& target,
                                                    Precision precision,
                                                    int batch) const;

  std::vector<GpuSpec> gpus_;
  std::vector<PublishedRate> rates_;
};

// "NVIDIA H100 80GB HBM3" -> "H100": the name of calibration/gpus.csv for what a driver says, or
// the name as it is without "NVIDIA" and "Tesla".
[[nodiscard]] std::string canonical_gpu_name(std::string_view driver_name);

// The precision a GPU really offers when `wanted` is asked: fp16/bf16 and tf32 need tensor cores.
[[nodiscard]] Precision available_precision(const GpuSpec& gpu, Precision wanted);

}  // namespace rightsize
