#include "models/laws/gpu_rate.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "models/calibration_table.h"
#include "models/model.h"

namespace rightsize {
namespace {

constexpr double compute_exponent = 0.4;
constexpr double scaled_log_sd = 0.30;
constexpr double published_log_sd = 0.08;  // spread between publishers on one GPU
constexpr double other_precision_log_sd = 0.45;
constexpr double unpublished_peak_log_sd = 0.35;
constexpr double clamped_batch_log_sd = 0.10;
constexpr double measured_log_sd = 0.03;  // our own runs repeat to a few per cent

double peak_tflops(const GpuSpec& gpu, Precision precision) {
  switch (precision) {
    case Precision::fp32:
      return gpu.fp32_tflops;
    case Precision::tf32:
      return gpu.tf32_tflops;
    case Precision::fp16:
    case Precision::bf16:
      return gpu.fp16_tflops;
  }
  return 0;
}

bool has_tensor_cores(const GpuSpec& gpu) {
  return gpu.arch != "Kepler" && gpu.arch != "Maxwell" && gpu.arch != "Pascal";
}

// Where the tensor rate was not published, four times FP32: the A10's ratio, the only Ampere
// workstation part in the table with both. The caller widens the interval.
double peak_or_guess(const GpuSpec& gpu, Precision precision, bool& guessed) {
  const double peak = peak_tflops(gpu, precision);
  guessed = peak <= 0;
  if (!guessed) {
    return peak;
  }
  if (gpu.fp16_tflops > 0) {  // tf32 or fp32 unknown: half and a quarter of the FP16 tensor rate
    return precision == Precision::tf32 ? gpu.fp16_tflops / 2 : gpu.fp16_tflops / 4;
  }
  return precision == Precision::fp32 ? gpu.fp32_tflops : 4 * gpu.fp32_tflops;
}

double log_speed(const GpuSpec& gpu, Precision precision, bool& guessed) {
  const double peak = peak_or_guess(gpu, precision, guessed);
  return compute_exponent * std::log(peak) + (1 - compute_exponent) * std::log(gpu.bandwidth_gbs);
}

struct LogRate {
  double value = 0;
  double sd = 0;
  std::string source;
  int figures = 0;
};

// ln(rate) at `batch` from the figures of one GPU: publishers' median per batch, interpolated in
// ln(batch), held constant outside the published range. nullopt without figures.
std::optional<LogRate> at_batch(const std::vector<const PublishedRate*>& figures, int batch) {
  std::map<int, std::vector<double>> by_batch;
  for (const auto* figure : figures) {
    by_batch[figure->batch].push_back(std::log(figure->items_per_s));
  }
  if (by_batch.empty()) {
    return std::nullopt;
  }
  std::vector<std::pair<double, double>> curve;
  double spread = published_log_sd;
  for (auto& [size, logs] : by_batch) {
    std::sort(logs.begin(), logs.end());
    curve.emplace_back(std::log(size), logs[logs.size() / 2]);
    spread = std::max(spread, (logs.back() - logs.front()) / 4);
  }
  LogRate result;
  result.sd = spread;
  result.source = figures.front()->framework + " (" + figures.front()->source + ")";
  result.figures = static_cast<int>(figures.size());
  const double at = std::log(batch);
  if (at <= curve.front().first || at >= curve.back().first) {
    const bool below = at <= curve.front().first;
    result.value = below ? curve.front().second : curve.back().second;
    const bool exact = at == curve.front().first || at == curve.back().first;
    result.sd = exact ? spread : std::hypot(spread, clamped_batch_log_sd);
    return result;
  }
  const auto above = std::upper_bound(
      curve.begin(), curve.end(), at, [](double x, const auto& point) { return x < point.first; });
  const auto& [x1, y1] = *above;
  const auto& [x0, y0] = *(above - 1);
  result.value = y0 + (y1 - y0) * (at - x0) / (x1 - x0);
  return result;
}

}  // namespace

Precision available_precision(const GpuSpec& gpu, Precision wanted) {
  if (!has_tensor_cores(gpu)) {
    return Precision::fp32;
  }
  const bool ampere_or_later = gpu.arch != "Volta" && gpu.arch != "Turing";
  if (wanted == Precision::tf32 && !ampere_or_later) {
    return Precision::fp32;
  }
  if (wanted == Precision::bf16 && !ampere_or_later) {
    return Precision::fp16;
  }
  return wanted;
}

GpuRates::GpuRates(std::string_view gpus_csv, std::string_view rates_csv) {
  for (const auto& row : parse_table(gpus_csv, "calibration/gpus.csv")) {
    gpus_.push_back({row.text("gpu"),
                     row.text("arch"),
                     row.number("fp32_tflops"),
                     row.number("tf32_tflops"),
                     row.number("fp16_tflops"),
                     row.number("memory_gb"),
                     row.number("bandwidth_gbs"),
                     row.number("tdp_w"),
                     row.number("nvlink_gbs"),
                     row.text("source")});
  }
  for (const auto& row : parse_table(rates_csv, "calibration/gpu_rates.csv")) {
    const auto phase = parse_phase(row.text("phase"));
    const auto precision = parse_precision(row.text("precision"));
    if (!phase || !precision) {
      throw ModelError(
          fmt::format("calibration/gpu_rates.csv:{}: unknown phase or precision", row.line));
    }
    rates_.push_back({row.text("network"),
                      *phase,
                      *precision,
                      row.text("gpu"),
                      static_cast<int>(row.number("batch")),
                      row.number("items_per_s"),
                      row.text("stack"),
                      row.text("framework"),
                      row.text("source")});
  }
}

void GpuRates::add_measured(std::span<const MeasuredRate> rates) {
  for (const auto& rate : rates) {
    rates_.push_back({rate.network,
                      rate.phase,
                      rate.precision,
                      rate.gpu,
                      rate.batch,
                      rate.items_per_s,
                      "measured",
                      "rightsize's GPU engine",
                      "measured on this machine's " + rate.gpu});
  }
}

std::string canonical_gpu_name(std::string_view driver_name) {
  // Driver names as NVML gives them, longest first within a family.
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 18> names{
      {{"A100-SXM4-80GB", "A100-80GB"},
       {"A100 80GB PCIe", "A100-PCIe-80GB"},
       {"A100-SXM4-40GB", "A100"},
       {"A100-PCIE-40GB", "A100-PCIe"},
       {"H100 PCIe", "H100-PCIe"},
       {"H100", "H100"},
       {"H200", "H200"},
       {"B200", "B200"},
       {"V100-SXM2", "V100"},
       {"V100-PCIE", "V100-PCIe"},
       {"P100-SXM2", "P100-SXM2"},
       {"P100", "P100"},
       {"L40S", "L40S"},
       {"NVIDIA L40", "L40"},
       {"A10G", "A10G"},
       {"Tesla T4", "T4"},
       {"NVIDIA L4", "L4"},
       {"K80", "K80"}}};
  for (const auto& [part, name] : names) {
    if (driver_name.find(part) != std::string_view::npos) {
      return std::string(name);
    }
  }
  for (const std::string_view prefix : {"NVIDIA ", "Tesla "}) {
    if (driver_name.starts_with(prefix)) {
      driver_name.remove_prefix(prefix.size());
    }
  }
  return std::string(driver_name);
}

const GpuSpec* GpuRates::find(std::string_view gpu) const {
  const auto found =
      std::find_if(gpus_.begin(), gpus_.end(), [&](const GpuSpec& g) { return g.name == gpu; });
  return found == gpus_.end() ? nullptr : &*found;
}

std::optional<GpuRate> GpuRates::rate(std::string_view network,
                                      Phase phase,
                                      Precision wanted,
                                      std::string_view gpu,
                                      int batch,
                                      std::string_view excluding) const {
  const GpuSpec* target = find(gpu);
  if (target == nullptr) {
    return std::nullopt;
  }
  const Precision precision = available_precision(*target, wanted);
  const auto groups = figures_of(network, phase, excluding);
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const auto* group = &groups[i];
    const auto own = group->find({target->name, precision});
    if (own == group->end()) {
      continue;
    }
    const auto figure = at_batch(own->second, batch);
    const bool measured = i == 0;
    return GpuRate{std::exp(figure->value),
                   measured ? measured_log_sd : figure->sd,
                   measured ? Source::measured : Source::published,
                   precision,
                   measured
                       ? figure->source
                       : fmt::format("{} published figures, {}", figure->figures, figure->source)};
  }
  return carried_over(groups, *target, precision, batch);
}

std::string_view to_string(Stack stack) {
  return stack == Stack::era ? "era" : "current";
}

std::optional<GpuRate> GpuRates::rate(const RateQuery& query) const {
  if (query.network == query.excluding_network) {
    return std::nullopt;
  }
  return rate(
      query.network, query.phase, query.precision, query.gpu, query.batch, query.excluding_gpu);
}

std::array<GpuRates::Figures, 3> GpuRates::figures_of(std::string_view network,
                                                      Phase phase,
                                                      std::string_view excluding) const {
  std::array<Figures, 3> groups;
  for (const auto& figure : rates_) {
    if (figure.network == network && figure.phase == phase && figure.gpu != excluding) {
      const std::size_t rank = figure.stack == "measured" ? 0 : figure.stack == "current" ? 1 : 2;
      groups[rank][{figure.gpu, figure.precision}].push_back(&figure);
    }
  }
  return groups;
}

std::optional<GpuRate> GpuRates::carried_over(const std::array<Figures, 3>& groups,
                                              const GpuSpec& target,
                                              Precision precision,
                                              int batch) const {
  for (const bool same_precision : {true, false}) {
    for (const auto& group : groups) {
      double sum = 0;
      int count = 0;
      bool guessed = false;
      std::string from;
      for (const auto& [key, figures] : group) {
        const GpuSpec* other = find(key.first);
        if (other == nullptr || (key.second == precision) != same_precision) {
          continue;
        }
        bool other_guessed = false;
        sum += at_batch(figures, batch)->value - log_speed(*other, key.second, other_guessed);
        ++count;
        from += (from.empty() ? "" : " ") + key.first;
      }
      if (count == 0) {
        continue;
      }
      const double value = sum / count + log_speed(target, precision, guessed);
      double sd = same_precision ? scaled_log_sd : other_precision_log_sd;
      sd = guessed ? std::hypot(sd, unpublished_peak_log_sd) : sd;
      return GpuRate{std::exp(value),
                     sd,
                     Source::scaled,
                     precision,
                     fmt::format("scaled from {} by peak FLOP/s^{} x bandwidth^{}",
                                 from,
                                 compute_exponent,
                                 1 - compute_exponent)};
    }
  }
  return std::nullopt;
}

}  // namespace rightsize
