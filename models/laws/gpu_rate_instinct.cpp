// AMD's GPUs, of which no published figure had a part in the fit.
#include <algorithm>
#include <cmath>

#include "models/laws/framework_habits.h"
#include "models/laws/gpu_rate_target.h"

namespace rightsize {

// What the law may be wrong by on AMD's GPUs beside its interval: none had a part in its fit, and
// the shares of their chips are set to trainings of language models by programs tuned for them
// (calibration/programs_instinct.csv, within 0.15). By others an H200 made 1.32 to 1.40 of what an
// MI300X did where the law says 0.8 (github.com/alpharomercoma/MI300X-vs-H200), and convolutions
// are another library's, MIOpen. 0 of other makers.
double GpuRates::instinct_log_sd(const GpuSpec& gpu, const Target& target) {
  constexpr double tuned_log_sd = 0.15;
  constexpr double language_log_sd = 0.3;
  constexpr double others_log_sd = 0.4;
  const bool language = target.work->language_parameters > 0 && has_backward(target.query.phase);
  const auto* habits = habits_of(target.query.framework);
  const bool tuned = habits != nullptr && habits->hopper_kernels;
  return !is_instinct(gpu) ? 0 : !language ? others_log_sd : tuned ? tuned_log_sd : language_log_sd;
}

// Where one of them was measured the law is mended by it.
GpuRate GpuRates::as_of_instinct(GpuRate rate, const Target& target) const {
  const bool measured =
      std::any_of(target.measured.begin(), target.measured.end(), [&](const PublishedRate* figure) {
        return is_instinct(*find(figure->gpu));
      });
  if (!measured && is_instinct(*target.gpu)) {
    rate.log_sd = std::hypot(rate.log_sd, instinct_log_sd(*target.gpu, target));
    rate.provenance += "; no figure of AMD's GPUs has a part in it";
  }
  return rate;
}

}  // namespace rightsize
