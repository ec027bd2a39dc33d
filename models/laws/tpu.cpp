#include "models/laws/tpu.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "models/calibration_table.h"
#include "models/estimate.h"
#include "models/laws/toolchain.h"
#include "models/model.h"
#include "rightsize_tpu.h"

namespace rightsize {
namespace {

constexpr double bytes_of_element = 2;

// What the figures of a chip are off the law by: means of ln(figure / law) over their networks. The
// law is of v6e; smaller arrays reach more of their peak.
struct ChipFactor {
  std::string_view gpu;
  double log_factor = 0;
  double log_sd = 0;  // of networks that are left out of it
};
constexpr std::array<ChipFactor, 4> chip_factors{{{"TPU-v4", 0.157, 0.15},
                                                  {"TPU-v5e", 0.226, 0.12},
                                                  {"TPU-v5p", 0.168, 0.14},
                                                  {"TPU-v6e", 0, 0.15}}};

// Standard deviations of ln(rate) of a network with figures on that chip: between batches and
// numbers of chips they are 1 to 4 % apart, between releases of MaxText more (assumed).
constexpr double published_log_sd = 0.08;
constexpr double beyond_log_sd = 0.12;
// Of mixtures: programs that drop tokens and that do not, and what routing costs, differ more. Of
// small models no figure is here: that with the fewest parameters has 7e9.
constexpr double experts_log_sd = 0.25;
constexpr double small_log_sd = 0.3;
constexpr double small = 3e9;  // parameters

const ChipFactor& factor_of(const GpuSpec& chip) {
  return *std::find_if(chip_factors.begin(), chip_factors.end() - 1, [&](const ChipFactor& one) {
    return one.gpu == chip.name;
  });
}

double array_of(const GpuSpec& chip) {
  return chip.arch == "TPU-v6e" ? 256 : 128;
}

double filled(double size, double array) {
  return size / (std::ceil(size / array) * array);
}

double kernel_seconds(const TpuLaw& law,
                      const GpuKernel& kernel,
                      const GpuSpec& chip,
                      double batch) {
  const double through = kernel.elements_per_item + kernel.scores_per_item;
  const double bytes =
      bytes_of_element * (law.kept * through * batch + kernel.elements_fixed) + kernel.bytes_fixed;
  const double memory = bytes / (chip.bandwidth_gbs * 1e9 * law.reached);
  if (kernel.flops_per_item == 0) {
    return memory;
  }
  const double array = array_of(chip);
  const double fill = filled(kernel.inner, array) * filled(kernel.columns, array);
  const double compute =
      kernel.flops_per_item * batch / (chip.fp16_tflops * 1e12 * law.products * fill);
  return std::hypot(compute, memory);
}

double law_log_rate(const GpuWork& work, const GpuSpec& chip, int batch, double updates_by) {
  return std::log(batch / tpu_step_seconds(TpuLaw{}, work, chip, batch, updates_by));
}

// Minibatches before an update, times the chips that divide it.
double updates_by(const RateQuery& query) {
  return static_cast<double>(query.accumulate) * query.portions * query.shards;
}

bool is_of(const TpuFigure& figure, const RateQuery& query, const GpuSpec& chip) {
  return figure.gpu == chip.name && figure.network == query.network &&
         figure.gpu != query.excluding_gpu && figure.network != query.excluding_network &&
         figure.recompute == query.recompute &&
         figure.sequence == resolved_sequence(query.network, query.sequence);
}

// The figure of the very network whose batch is nearest; of several its mean with them.
struct Nearest {
  const TpuFigure* figure = nullptr;
  double log_tokens = 0;
};

Nearest nearest_figure(const RateQuery& query, const GpuSpec& chip) {
  Nearest found;
  double least = 0;
  double sum = 0;
  int count = 0;
  for (const auto& figure : tpu_figures()) {
    if (!is_of(figure, query, chip)) {
      continue;
    }
    const double far = std::abs(std::log(static_cast<double>(query.batch) / figure.batch));
    if (found.figure == nullptr || far < least) {
      found.figure = &figure;
      least = far;
      sum = 0;
      count = 0;
    }
    if (far == least) {
      sum += std::log(figure.tokens_per_s);
      ++count;
    }
  }
  found.log_tokens = count > 0 ? sum / count : 0;
  return found;
}

// In RateRegime's terms; `rate` has the law's.
GpuRate through_figure(GpuRate rate,
                       const Nearest& nearest,
                       const RateQuery& query,
                       const GpuSpec& chip,
                       const GpuWork& work) {
  const auto& figure = *nearest.figure;
  const bool here = figure.batch == query.batch;
  const double told = nearest.log_tokens - std::log(static_cast<double>(figure.sequence));
  rate.items_per_s *= std::exp(told - law_log_rate(work, chip, figure.batch, figure.chips));
  rate.regime = here ? RateRegime::published : RateRegime::extrapolated;
  rate.source = here && query.precision == Precision::bf16 ? Source::published : Source::scaled;
  rate.log_sd = here ? published_log_sd : beyond_log_sd;
  const auto words = fmt::format("{:.0f} tokens/s a chip of batch {} on {} {} (MaxText)",
                                 std::exp(nearest.log_tokens),
                                 figure.batch,
                                 figure.chips,
                                 chip.name);
  rate.provenance =
      here ? words + ", as Google published" : "scaled by a roofline of its arrays from " + words;
  return rate;
}

bool has_experts(const GpuWork& work) {
  return std::any_of(work.kernels.begin(), work.kernels.end(), [](const GpuKernel& kernel) {
    return kernel.before_head && kernel.groups > 1;
  });
}

}  // namespace

std::vector<TpuFigure> parse_tpu_figures(std::string_view csv) {
  constexpr std::string_view file = "calibration/tpu_rates.csv";
  std::vector<TpuFigure> figures;
  for (const auto& row : parse_table(csv, file)) {
    const auto recompute = row.text("recompute");
    if (row.text("phase") != "train" || row.text("precision") != "bf16" ||
        (recompute != "blocks" && recompute != "none") || row.number("chips") < 1 ||
        row.number("batch") < 1 || row.number("tokens_per_s_chip") <= 0) {
      throw ModelError(fmt::format("{}:{}: not a rate of training in bf16", file, row.line));
    }
    figures.push_back({row.text("part"),
                       row.text("network"),
                       static_cast<int>(row.number("sequence")),
                       row.text("gpu"),
                       static_cast<int>(row.number("chips")),
                       static_cast<int>(row.number("batch")),
                       recompute == "blocks",
                       row.number("tokens_per_s_chip"),
                       row.text("source")});
  }
  return figures;
}

const std::vector<TpuFigure>& tpu_figures() {
  static const auto figures = parse_tpu_figures(embedded::tpu_rates_csv());
  return figures;
}

double tpu_step_seconds(
    const TpuLaw& law, const GpuWork& work, const GpuSpec& chip, int batch, double updates_by) {
  double seconds = 0;
  for (const auto& kernel : work.kernels) {
    const double times = kernel.bytes_fixed > 0 ? kernel.count / updates_by : kernel.count;
    seconds += times * kernel_seconds(law, kernel, chip, batch);
  }
  return seconds;
}

ExchangeLaw tpu_exchange_law() {
  ExchangeLaw law;
  law.hidden_cost = 0;
  law.step_jitter = 0;
  law.coordination = 0;
  return law;
}

std::string chips_of_slice(std::string_view name) {
  const auto dash = name.rfind('-');
  if (dash == std::string_view::npos) {
    return "";
  }
  const auto number = name.substr(dash + 1);
  int counted = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), counted);
  const auto chip = canonical_gpu_name(name.substr(0, dash));
  const bool read = error == std::errc{} && end == number.data() + number.size() && counted > 0;
  if (!read || toolchain_named(chip) != Toolchain::xla) {
    return "";
  }
  const bool cores = chip != "TPU-v5e" && chip != "TPU-v6e";
  return fmt::format("{}:{}", chip, cores ? std::max(1, counted / 2) : counted);
}

int most_chips_of_slice(std::string_view gpu) {
  return gpu == "TPU-v4" ? 4096 : gpu == "TPU-v5p" ? 6144 : 256;
}

SliceSizes nearest_slices(std::string_view gpu, int chips) {
  const int most = most_chips_of_slice(gpu);
  if (gpu == "TPU-v4" || gpu == "TPU-v5p") {
    constexpr int of_a_machine = 4;
    const int below = std::min(chips, most) / of_a_machine * of_a_machine;
    return {below, chips > most ? 0 : (chips + of_a_machine - 1) / of_a_machine * of_a_machine};
  }
  SliceSizes found;
  for (int size = 1; size <= most; size *= 2) {
    if (size == 2) {
      continue;  // no topology has two
    }
    found.below = size <= chips ? size : found.below;
    found.above = size >= chips && found.above == 0 ? size : found.above;
  }
  return found;
}

bool was_done_on_tpu(const RateQuery& query, const GpuSpec& chip) {
  const auto& figures = tpu_figures();
  return toolchain_of(chip) == Toolchain::xla && has_backward(query.phase) &&
         std::any_of(figures.begin(), figures.end(), [&](const TpuFigure& figure) {
           return is_of(figure, query, chip) && figure.batch >= query.batch &&
                  figure.chips <= query.shards;
         });
}

std::optional<GpuRate> tpu_rate(const RateQuery& query, const GpuSpec& chip, const GpuWork& work) {
  const bool narrow = bytes_per_element(query.precision) <= 2;
  if (!narrow || !has_backward(query.phase) || work.language_parameters == 0) {
    return std::nullopt;
  }
  GpuRate rate;
  rate.items_per_s = std::exp(law_log_rate(work, chip, query.batch, updates_by(query)));
  rate.precision = query.precision == Precision::fp8 ? Precision::bf16 : query.precision;
  rate.language = true;
  if (const auto nearest = nearest_figure(query, chip); nearest.figure != nullptr) {
    rate = through_figure(std::move(rate), nearest, query, chip, work);
  } else {
    const auto& factor = factor_of(chip);
    rate.items_per_s *= std::exp(factor.log_factor);
    rate.log_sd = std::max({factor.log_sd,
                            has_experts(work) ? experts_log_sd : 0,
                            work.language_parameters < small ? small_log_sd : 0});
    rate.regime = RateRegime::other_network;
    rate.source = Source::scaled;
    rate.provenance =
        "scaled by a roofline of its arrays from what MaxText reaches with other networks on it";
  }
  if (query.precision == Precision::fp16) {  // which no TPU multiplies
    rate.provenance += ", in BF16";
  }
  return rate;
}

GpuRate as_measured_on_tpu(GpuRate rate,
                           const RateQuery& query,
                           const GpuSpec& chip,
                           const GpuWork& work,
                           std::span<const PublishedRate* const> measured) {
  return as_measured_on_chip(
      std::move(rate),
      query,
      chip.name,
      "a roofline of its arrays",
      measured,
      [&](int batch, double every) { return law_log_rate(work, chip, batch, every); });
}

}  // namespace rightsize
