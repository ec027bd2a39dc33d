// How fast a GPU that is not here runs a network: the roofline law of gpu_step.h with constants
// fitted to published throughputs, corrected by what the nearest figures say beyond it
// (rate_blend.h), so that a published point comes back to who names its framework and a GPU or a
// network without figures falls back to the law. Every rate names its regime; its interval is that
// of cross-validated errors in that regime (models/VALIDATION.md has the tables). Pure functions of
// the shipped tables.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "models/estimate.h"
#include "models/laws/gpu_name.h"
#include "models/laws/gpu_spec.h"
#include "models/laws/gpu_step.h"
#include "models/laws/gpu_work_cache.h"
#include "models/laws/published_rate.h"
#include "models/laws/rate_blend.h"

namespace rightsize {

struct GpuShare;

struct RateQuery {
  std::string_view network;  // built-in name, or a file's that may equal one (known_network.h)
  Phase phase = Phase::train;
  Precision precision = Precision::fp32;
  std::string_view gpu;                       // any name that canonical_gpu_name() knows
  int batch = 32;                             // per GPU
  int sequence = 0;                           // 0: the network's own
  std::optional<Stack> stack = std::nullopt;  // nullopt: the best evidence
  // As in gpu_rates.csv, by publisher ("PyTorch (timm)") or whoever published it ("PyTorch");
  // empty: not known.
  std::string_view framework = {};
  bool recompute = false;               // blocks' forward pass, in the backward pass
  Tuning tuning = {};                   // what is trained, and what is kept of it
  int tensor = 1;                       // GPUs that share each layer: one's own work
  int expert_ranks = 1;                 // ranks that divide a mixture's experts
  int expert_tensor = 0;                // GPUs that share each of these; 0: as each layer
  int context = 1;                      // GPUs that share every sequence
  int shards = 1;                       // ranks that share the optimizer's work
  int accumulate = 1;                   // minibatches before an update
  int portions = 1;                     // micro-batches before one, added up as they are made
  bool gathers = false;                 // the shards have a part of the parameters too
  double sm_share = 1;                  // of the multiprocessors, in (0, 1]
  std::string_view excluding_gpu = {};  // leave-one-out tests
  std::string_view excluding_network = {};
};

// How far a rate is from figures, nearest first. A figure is of the same network, GPU, precision
// and stack, with a backward pass or both without, by one of the frameworks that answer.
enum class RateRegime {
  measured,       // by rightsize or the user
  carried,        // measured on another GPU, or there at another precision
  published,      // a figure of this batch
  interpolated,   // between batches with figures
  extrapolated,   // beyond them
  same_pair,      // network and GPU known together, at another precision, direction or stack
  other_gpu,      // the network is known on other GPUs
  other_network,  // the GPU is known with other networks
  neither,
};
inline constexpr std::size_t rate_regimes = 9;

[[nodiscard]] std::string_view to_string(RateRegime regime);

// The row of calibration/gpu_step.csv with the factor of such a rate's standard deviation.
[[nodiscard]] std::string interval_name(RateRegime regime, Stack stack, bool framework_told);

// That of rates carried from what was measured. By direction: without a backward pass programs
// differ more in how they launch, and what was measured on one GPU says less of another.
[[nodiscard]] std::string carried_interval_name(Stack stack, bool backward);

// A framework without who published it: "PyTorch" of "PyTorch (timm)".
[[nodiscard]] std::string_view unpublished_name(std::string_view framework);

// A told step of GPUs that shared their parameters: what gathering took of it is in the rate.
struct SharedStep {
  GpuSpec gpu;
  int batch = 0;
  bool recompute = false;
  double seconds = 0;      // as told
  double law_seconds = 0;  // by the law, of one that has all
  double share = 1;        // of ln(told / law) in the rate
};

struct GpuRate {
  double items_per_s = 0;
  double log_sd = 0;  // of ln(items_per_s)
  Source source = Source::published;
  Precision precision = Precision::fp32;  // as used: what the GPU has
  std::string provenance;                 // one line for `explain`
  Stack stack = Stack::current;           // as assumed
  RateRegime regime = RateRegime::neither;
  double publisher_log_sd = 0;  // part of log_sd: how far the frameworks that answer are apart
  bool language = false;        // as of the large language models whose figures are alike
  std::optional<SharedStep> shared{};  // where the rate goes by one: it is not yet a lone GPU's
};

inline constexpr std::string_view own_framework = "rightsize";  // of measured rates

// What a measured rate is off is the program's in part, on every GPU, and in part that GPU's with
// it. Of publishers left out but for one figure (rate_validation.h, check_carried) 0.6 to 0.8 come
// nearest.
inline constexpr double programs_share = 0.7;

class GpuRates {
 public:
  // The texts of calibration/gpus.csv, gpu_rates.csv and gpu_step.csv; without the last one the
  // law's priors. Throws ModelError with the line number of a malformed row.
  GpuRates(std::string_view gpus_csv, std::string_view rates_csv, std::string_view step_csv = {});

  // The same from parsed tables, to leave figures out or to try other variances.
  GpuRates(std::vector<GpuSpec> gpus,
           std::vector<PublishedRate> figures,
           std::string_view step_csv,
           const BlendEffects& effects = {});

  void add_measured(std::span<const MeasuredRate> rates);

  // A copy that remembers no work of networks, as copies of this one do for each other: the file
  // behind a network's name may have changed since.
  [[nodiscard]] GpuRates afresh() const;

  // By canonical name, or any that canonical_gpu_name() knows, also of a share (gpu_share.h).
  // nullptr: not in the table.
  [[nodiscard]] const GpuSpec* find(std::string_view gpu) const;
  [[nodiscard]] std::span<const GpuSpec> gpus() const { return gpus_; }
  [[nodiscard]] std::span<const PublishedRate> published() const { return rates_; }

  // nullopt when the GPU or the network is not known, or the phase does not use a GPU. What is
  // excluded is left out of the law's fit too. Decode: what was measured on this machine
  // (measured_decode.h), nullopt where nothing was; the law is decode.h's.
  [[nodiscard]] std::optional<GpuRate> rate(const RateQuery& query) const;
  [[nodiscard]] std::optional<GpuRate> rate(std::string_view network,
                                            Phase phase,
                                            Precision wanted,
                                            std::string_view gpu,
                                            int batch,
                                            std::string_view excluding = {}) const;

  // The part of a step in which the GPU waits for launches, by the law alone; nullopt as above.
  [[nodiscard]] std::optional<double> launch_share(const RateQuery& query) const;

 private:
  struct Target;
  struct Readings;
  using FrameworkShares = std::map<std::string_view, double>;  // shares sum to 1

  [[nodiscard]] double interval_factor(const Target& target, RateRegime regime) const;
  void read_step_constants(std::string_view csv);
  void refresh_residuals();
  [[nodiscard]] RateQuery as_known(RateQuery query) const;
  [[nodiscard]] const GpuStepLaw& law_of(const RateQuery& query) const;
  [[nodiscard]] bool is_measured_on(std::string_view gpu) const;
  [[nodiscard]] std::optional<GpuRate> rate_of_share(const RateQuery& query,
                                                     const GpuShare& share) const;
  [[nodiscard]] BlendFigure residual_of(const PublishedRate& figure, const GpuStepLaw& law) const;
  [[nodiscard]] BlendPoint point_of(const PublishedRate& figure) const;
  [[nodiscard]] int number_of(std::string_view name) const;
  [[nodiscard]] BlendPoint point_of(const Target& target) const;
  [[nodiscard]] std::optional<Target> target_of(const RateQuery& query) const;
  // Of the network, precision and direction, on any GPU of the same die.
  [[nodiscard]] std::vector<const PublishedRate*> figures_of_die(const Target& target) const;
  [[nodiscard]] std::vector<const PublishedRate*> measured_figures(const Target& target) const;
  [[nodiscard]] std::optional<std::vector<BlendFigure>> evidence_without_excluded(
      const RateQuery& query) const;
  [[nodiscard]] std::string provenance_of(const Target& target, bool own) const;
  [[nodiscard]] Stack best_stack(const Target& target,
                                 const std::vector<const PublishedRate*>& of_die) const;
  [[nodiscard]] bool is_of_today(std::string_view network) const;
  [[nodiscard]] RateRegime regime_of(const Target& target) const;
  [[nodiscard]] FrameworkShares frameworks_published(const Target& target) const;
  [[nodiscard]] FrameworkShares frameworks_of(const Target& target) const;
  template <typename Of>
  [[nodiscard]] static Readings mean_of(const std::vector<MeasuredStep>& readings, Of of);
  [[nodiscard]] Readings residuals_there(const Target& target, const PublishedRate& figure) const;
  [[nodiscard]] std::optional<SharedStep> shared_step(const Target& target,
                                                      const PublishedRate& figure,
                                                      double share) const;
  [[nodiscard]] std::optional<GpuRate> from_measured(const Target& target) const;
  [[nodiscard]] double unseen_log_sd(const Target& target) const;
  [[nodiscard]] GpuRate carried(const GpuRate& blend, const Target& target) const;
  [[nodiscard]] GpuRate from_blend(const Target& target) const;
  [[nodiscard]] GpuRate as_denoiser(GpuRate rate, const Target& target) const;
  [[nodiscard]] GpuRate as_language_model(GpuRate rate, const Target& target) const;
  [[nodiscard]] static GpuRate as_recommender(GpuRate rate, const Target& target);
  [[nodiscard]] static double instinct_log_sd(const GpuSpec& gpu, const Target& target);
  [[nodiscard]] GpuRate as_of_instinct(GpuRate rate, const Target& target) const;
  [[nodiscard]] double other_maker_sd(const Target& target, const PublishedRate& figure) const;

  std::vector<GpuSpec> gpus_;
  std::vector<GpuSpec> shares_;  // of gpus_
  std::vector<PublishedRate> rates_;
  std::vector<MeasuredRate> measured_decode_;
  std::vector<BlendFigure> residuals_;                   // of rates_, by the law of all figures
  std::map<std::string, GpuStepLaw, std::less<>> laws_;  // "all", "gpu K80", "network vgg16"
  std::map<std::string, double, std::less<>> interval_factors_;  // by interval_name()
  std::map<std::string, int, std::less<>> numbers_;              // of the names in figures and GPUs
  GpuWorkCache works_;
  RateBlend blend_;
};

}  // namespace rightsize
