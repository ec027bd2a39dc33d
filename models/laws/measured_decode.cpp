#include "models/laws/measured_decode.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "models/laws/decode.h"
#include "models/laws/measured_correction.h"

namespace rightsize {
namespace {

constexpr double nearby = 0.25;  // of the asked length

// The law's tokens/s of a batch with so much in each of its caches.
class LawfulRate {
 public:
  LawfulRate(const Network& network, const GpuSpec& gpu, Precision precision)
      : work_(decode_work(network, {precision}, {0, 1, 1})), gpu_(decode_gpu(gpu, {precision})) {}

  [[nodiscard]] double operator()(int batch, double context) const {
    return batch / decode_step_seconds(work_, gpu_, batch, context);
  }

 private:
  DecodeWork work_;
  DecodeGpu gpu_;
};

// Caches grow from the prompt to the whole sequence, then start again: what they hold in the mean.
double mean_length(const MeasuredRate& rate) {
  const auto whole = rate.sequence > 0
                         ? rate.sequence
                         : static_cast<int>(make_network(rate.network).input.positions());
  return (rate.prompt + whole) / 2.0;
}

// Of the figures of one batch that with caches nearest to the asked length.
struct Nearest {
  double log_ratio = 0;  // measured / law
  double far = 0;        // of ln(length)
  bool near = false;     // its length stands for the asked one
};

// By ln(batch).
std::map<double, Nearest> nearest_by_batch(std::span<const MeasuredRate* const> figures,
                                           const LawfulRate& law,
                                           double context) {
  std::map<double, Nearest> by_batch;
  for (const auto* figure : figures) {
    const double length = mean_length(*figure);
    const Nearest one{std::log(figure->items_per_s / law(figure->batch, length)),
                      std::abs(std::log(context / length)),
                      std::abs(length - context) <= nearby * context};
    const auto [known, fresh] = by_batch.try_emplace(std::log(figure->batch), one);
    if (!fresh && one.far < known->second.far) {
      known->second = one;
    }
  }
  return by_batch;
}

std::vector<const MeasuredRate*> figures_of(std::span<const MeasuredRate> rates,
                                            const RateQuery& query,
                                            const GpuSpec& gpu) {
  const auto precision = available_precision(gpu, query.precision);
  std::vector<const MeasuredRate*> own;
  for (const auto& rate : rates) {
    if (rate.network == query.network && rate.gpu == gpu.name && rate.precision == precision) {
      own.push_back(&rate);
    }
  }
  return own;
}

}  // namespace

std::optional<GpuRate> measured_decode_rate(std::span<const MeasuredRate> rates,
                                            const RateQuery& query,
                                            const GpuSpec& gpu) {
  const auto own = figures_of(rates, query, gpu);
  if (own.empty()) {
    return std::nullopt;
  }
  const auto precision = available_precision(gpu, query.precision);
  const auto network = make_network(query.network, query.sequence);
  const auto context = static_cast<double>(network.input.positions());
  const LawfulRate law(network, gpu, precision);
  const auto known = nearest_by_batch(own, law, context);
  std::map<double, double> ratios;
  for (const auto& [log_batch, nearest] : known) {
    ratios[log_batch] = nearest.log_ratio;
  }
  const auto correction = measured_correction(ratios, std::log(query.batch));
  const auto& below = known.at(correction.below);
  const auto& above = known.at(correction.above);
  const bool near = below.near && above.near;
  const bool here = near && correction.far < 1e-9;
  const auto words = "measured on this machine's " + gpu.name;
  return GpuRate{law(query.batch, context) * std::exp(correction.log_ratio),
                 std::hypot(measured_log_sd,
                            far_log_sd * correction.far,
                            far_log_sd * std::max(below.far, above.far)),
                 here ? Source::measured : Source::scaled,
                 precision,
                 here ? words : "scaled by the law of decoding from what was " + words,
                 Stack::current,
                 here                               ? RateRegime::measured
                 : near && correction.beyond < 1e-9 ? RateRegime::interpolated
                                                    : RateRegime::extrapolated};
}

}  // namespace rightsize
