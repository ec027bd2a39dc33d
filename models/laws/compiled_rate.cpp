#include "models/laws/compiled_rate.h"

#include <cmath>

#include <fmt/format.h>

#include "models/laws/measured_correction.h"
#include "models/laws/neuron.h"
#include "models/laws/toolchain.h"
#include "models/laws/tpu.h"

namespace rightsize {

GpuRate as_measured_on_chip(GpuRate rate,
                            const RateQuery& query,
                            std::string_view chip,
                            std::string_view roofline,
                            std::span<const PublishedRate* const> measured,
                            const LawLogRate& law) {
  const auto far = [&](const PublishedRate& figure) {
    return std::abs(std::log(static_cast<double>(query.batch) / figure.batch));
  };
  const PublishedRate* nearest = nullptr;
  for (const auto* figure : measured) {
    if (figure->gpu == chip && (nearest == nullptr || far(*figure) < far(*nearest))) {
      nearest = figure;
    }
  }
  if (nearest == nullptr) {
    return rate;
  }
  const double every = static_cast<double>(query.accumulate) * query.portions;
  rate.items_per_s = nearest->items_per_s * std::exp(law(query.batch, every) -
                                                     law(nearest->batch, nearest->step.accumulate));
  rate.log_sd = std::hypot(measured_log_sd, far_log_sd * far(*nearest));
  const bool here = nearest->batch == query.batch;
  rate.source = here ? Source::measured : Source::scaled;
  rate.regime = here ? RateRegime::measured : RateRegime::extrapolated;
  rate.provenance = here ? nearest->source
                         : fmt::format("scaled by {} from what was {}", roofline, nearest->source);
  return rate;
}

std::optional<GpuRate> compiled_rate(const RateQuery& query,
                                     const GpuSpec& chip,
                                     const GpuWork& work,
                                     std::span<const PublishedRate* const> measured) {
  if (toolchain_of(chip) == Toolchain::xla) {
    const auto rate = tpu_rate(query, chip, work);
    return rate ? std::optional(as_measured_on_tpu(*rate, query, chip, work, measured))
                : std::nullopt;
  }
  const auto rate = neuron_rate(query, chip, work);
  return rate ? std::optional(as_measured_on_neuron(*rate, query, chip, work, measured))
              : std::nullopt;
}

ExchangeLaw exchange_law_of(const GpuSpec& chip) {
  return toolchain_of(chip) == Toolchain::xla ? tpu_exchange_law() : ExchangeLaw{};
}

std::string why_not_compiled(const GpuSpec& chip,
                             const Network& network,
                             const CompiledQuestion& asked) {
  switch (toolchain_of(chip)) {
    case Toolchain::neuron:
      return why_not_on_neuron(chip, network, asked);
    case Toolchain::xla:
      return why_not_on_tpu(chip, network, asked);
    case Toolchain::cuda:
    case Toolchain::rocm:
      break;
  }
  return "";
}

}  // namespace rightsize
