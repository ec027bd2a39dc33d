#include "models/laws/measured_decode.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "models/laws/decode.h"
#include "models/laws/measured_correction.h"

namespace rightsize {
namespace {

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

// Caches grow from the prompt to the whole sequence, then start again.
struct Lengths {
  explicit Lengths(const MeasuredRate& rate)
      : least(rate.prompt),
        most(rate.sequence > 0 ? rate.sequence
                               : static_cast<int>(make_network(rate.network).input.positions())) {}

  [[nodiscard]] double mean() const { return (least + most) / 2.0; }
  [[nodiscard]] bool contain(double context) const { return least <= context && context <= most; }

  int least = 0;
  int most = 0;
};

// Of the figures of one batch that with caches nearest to the asked length.
struct Nearest {
  double log_ratio = 0;  // measured / law
  double far = 0;        // of ln(length)
  bool inside = false;   // the asked length is one of its own
};

std::map<int, Nearest> nearest_by_batch(std::span<const MeasuredRate* const> figures,
                                        const LawfulRate& law,
                                        double context) {
  std::map<int, Nearest> by_batch;
  for (const auto* figure : figures) {
    const Lengths lengths(*figure);
    const Nearest one{std::log(figure->items_per_s / law(figure->batch, lengths.mean())),
                      std::abs(std::log(context / lengths.mean())),
                      lengths.contain(context)};
    const auto [known, fresh] = by_batch.try_emplace(figure->batch, one);
    if (!fresh && one.far < known->second.far) {
      known->second = one;
    }
  }
  return by_batch;
}

}  // namespace

std::optional<GpuRate> measured_decode_rate(std::span<const MeasuredRate> rates,
                                            const RateQuery& query,
                                            const GpuSpec& gpu) {
  const auto precision = available_precision(gpu, query.precision);
  std::vector<const MeasuredRate*> own;
  for (const auto& rate : rates) {
    if (rate.network == query.network && rate.gpu == gpu.name && rate.precision == precision) {
      own.push_back(&rate);
    }
  }
  if (own.empty()) {
    return std::nullopt;
  }
  const auto network = make_network(query.network, query.sequence);
  const auto context = static_cast<double>(network.input.positions());
  const LawfulRate law(network, gpu, precision);
  std::map<double, double> ratios;
  double far = 0;
  bool inside = true;
  for (const auto& [batch, nearest] : nearest_by_batch(own, law, context)) {
    ratios[std::log(batch)] = nearest.log_ratio;
    far = std::max(far, nearest.far);
    inside = inside && nearest.inside;
  }
  const auto correction = measured_correction(ratios, std::log(query.batch));
  const bool here = inside && correction.beyond < 1e-9;
  const auto words = "measured on this machine's " + gpu.name;
  return GpuRate{law(query.batch, context) * std::exp(correction.log_ratio),
                 std::hypot(measured_log_sd, far_log_sd * correction.beyond, far_log_sd * far),
                 here ? Source::measured : Source::scaled,
                 precision,
                 here ? words : "scaled by the law of decoding from what was " + words,
                 Stack::current,
                 here ? RateRegime::measured : RateRegime::extrapolated};
}

}  // namespace rightsize
