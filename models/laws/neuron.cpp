#include "models/laws/neuron.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "kernels/work.h"
#include "models/calibration_table.h"
#include "models/estimate.h"
#include "models/model.h"
#include "rightsize_neuron.h"

namespace rightsize {
namespace {

// Set by least squares on the logarithms of the 12 rates of "set" networks that infer on
// Inferentia2, with wide priors: 13 % off as root mean square.
constexpr double products = 0.731;   // E, of a tile that is filled
constexpr double half_size = 177;    // h
constexpr double reached = 0.895;    // M
constexpr double kept = 0.212;       // of activations, written to memory and read again
constexpr double start_s = 2.04e-6;  // of each kernel
constexpr double call_s = 132e-6;    // of the graph

// Beside those. Training: three rates of BERT-large on Trainium, of 128 and 512 tokens. Pictures:
// Stable Diffusion 1.5, whose text encoder, decoder and scheduler are other graphs.
constexpr double training_time = 1.30;
constexpr double pictures_time = 1.42;

// Standard deviations of ln(rate), from the blind errors: 24 that infer (0.21 as root mean square,
// less on Inferentia2's encoders), two of pictures, one of training.
constexpr double infer_log_sd = 0.22;
constexpr double training_log_sd = 0.35;
constexpr double pictures_log_sd = 0.25;
// Of a network with figures (assumed): versions of the compiler are 3 to 20 % apart.
constexpr double published_log_sd = 0.10;
constexpr double between_log_sd = 0.15;
constexpr double beyond_log_sd = 0.20;

constexpr double bytes_of_element = 2;

double kernel_seconds(const GpuKernel& kernel,
                      double flops_per_s,
                      double bytes_per_s,
                      double batch) {
  const double through = kernel.elements_per_item + kernel.scores_per_item;
  const double bytes =
      bytes_of_element * (kept * through * batch + kernel.elements_fixed) + kernel.bytes_fixed;
  const double memory = bytes / (bytes_per_s * reached);
  if (kernel.flops_per_item == 0) {  // what passes is fused with its neighbours
    return memory;
  }
  const double filled =
      kernel.inner / (kernel.inner + half_size) * kernel.columns / (kernel.columns + half_size);
  const double compute = kernel.flops_per_item * batch / (flops_per_s * products * filled);
  return std::hypot(compute, memory) + start_s;
}

// Of a batch that the cores divide: whole items, but the halves of a picture with guidance.
double items_of_core(const GpuWork& work, const GpuSpec& chip, int batch) {
  const double each = batch / chip.cores;
  return work.denoises ? each : std::ceil(each);
}

double law_log_rate(
    const GpuWork& work, const GpuSpec& chip, Phase phase, int batch, double every) {
  return std::log(batch / neuron_step_seconds(work, chip, phase, batch, every));
}

// ln(figure / law) of the network's figures on one chip, at this batch.
struct Correction {
  double log_factor = 0;
  RateRegime regime = RateRegime::other_network;
  std::string source;
};

struct Residual {
  int batch = 0;
  double items = 0;  // of a core
  double log_factor = 0;
  std::string words;
};

// By batch; those of one batch as their mean.
std::vector<Residual> residuals_on(std::string_view gpu,
                                   const RateQuery& query,
                                   const GpuSpec& chip,
                                   const GpuWork& work) {
  std::map<int, std::vector<const NeuronFigure*>> by_batch;
  const int sequence = resolved_sequence(query.network, query.sequence);
  for (const auto& figure : neuron_figures()) {
    if (figure.gpu == gpu && figure.network == query.network && figure.gpu != query.excluding_gpu &&
        figure.network != query.excluding_network &&
        has_backward(figure.phase) == has_backward(query.phase) &&
        resolved_sequence(figure.network, figure.sequence) == sequence) {
      by_batch[figure.batch].push_back(&figure);
    }
  }
  std::vector<Residual> found;
  for (const auto& [batch, figures] : by_batch) {
    double sum = 0;
    for (const auto* figure : figures) {
      sum += std::log(figure->items_per_s) - law_log_rate(work, chip, figure->phase, batch, 1);
    }
    found.push_back({batch,
                     items_of_core(work, chip, batch),
                     sum / static_cast<double>(figures.size()),
                     fmt::format("{} of batch {} on {} (AWS Neuron {})",
                                 per_second(figures.front()->items_per_s),
                                 batch,
                                 gpu,
                                 figures.front()->version)});
  }
  return found;
}

// Along the logarithm of a core's items; beyond the outermost figures as they are.
Correction at_batch(const std::vector<Residual>& residuals, int batch, double items) {
  const auto after = std::find_if(
      residuals.begin(), residuals.end(), [&](const Residual& one) { return one.batch >= batch; });
  if (after == residuals.end()) {
    return {residuals.back().log_factor, RateRegime::extrapolated, residuals.back().words};
  }
  if (after->batch == batch) {
    return {after->log_factor, RateRegime::published, after->words};
  }
  if (after == residuals.begin()) {
    return {after->log_factor, RateRegime::extrapolated, after->words};
  }
  const auto& before = *std::prev(after);
  const double share = std::log(items / before.items) / std::log(after->items / before.items);
  return {before.log_factor + share * (after->log_factor - before.log_factor),
          RateRegime::interpolated,
          fmt::format("{} and {}", before.words, after->words)};
}

// The same cores are on both chips, in other machines and read at other versions.
Correction correction_of(const RateQuery& query, const GpuSpec& chip, const GpuWork& work) {
  if (const auto own = residuals_on(chip.name, query, chip, work); !own.empty()) {
    return at_batch(own, query.batch, items_of_core(work, chip, query.batch));
  }
  const std::string_view sister = chip.name == "Trainium" ? "Inferentia2" : "Trainium";
  if (const auto other = residuals_on(sister, query, chip, work); !other.empty()) {
    auto found = at_batch(other, query.batch, items_of_core(work, chip, query.batch));
    found.regime = RateRegime::other_gpu;
    return found;
  }
  return {};
}

double log_sd_of(RateRegime regime, const GpuWork& work, Phase phase) {
  switch (regime) {
    case RateRegime::published:
      return published_log_sd;
    case RateRegime::interpolated:
      return between_log_sd;
    case RateRegime::extrapolated:
    case RateRegime::other_gpu:
      return beyond_log_sd;
    default:
      return has_backward(phase) ? training_log_sd : work.denoises ? pictures_log_sd : infer_log_sd;
  }
}

std::string provenance_of(const Correction& correction, const GpuSpec& chip) {
  if (correction.regime == RateRegime::published) {
    return fmt::format(
        "{}, as AWS published; {:g} NeuronCores divide the batch", correction.source, chip.cores);
  }
  return fmt::format(
      "scaled by a roofline of its {:g} NeuronCores, which divide the batch, {}",
      chip.cores,
      correction.source.empty() ? "from no figure of this network" : "from " + correction.source);
}

}  // namespace

std::vector<NeuronFigure> parse_neuron_figures(std::string_view csv) {
  constexpr std::string_view file = "calibration/neuron_rates.csv";
  std::vector<NeuronFigure> figures;
  for (const auto& row : parse_table(csv, file)) {
    const auto phase = parse_phase(row.text("phase"));
    if (!phase || row.text("precision") != "bf16" || row.number("batch") < 1 ||
        row.number("items_per_s") <= 0) {
      throw ModelError(fmt::format("{}:{}: not a rate in bf16", file, row.line));
    }
    figures.push_back({row.text("part"),
                       row.text("network"),
                       static_cast<int>(row.number("sequence")),
                       *phase,
                       row.text("gpu"),
                       static_cast<int>(row.number("batch")),
                       row.number("items_per_s"),
                       row.text("version"),
                       row.text("source")});
  }
  return figures;
}

const std::vector<NeuronFigure>& neuron_figures() {
  static const auto figures = parse_neuron_figures(embedded::neuron_rates_csv());
  return figures;
}

double neuron_step_seconds(
    const GpuWork& work, const GpuSpec& chip, Phase phase, int batch, double updates_every) {
  const double flops_per_s = chip.fp16_tflops * 1e12 / chip.cores;
  const double bytes_per_s = chip.bandwidth_gbs * 1e9 / chip.cores;
  const double items = items_of_core(work, chip, batch);
  double seconds = call_s;
  for (const auto& kernel : work.kernels) {
    const double times = kernel.bytes_fixed > 0 ? kernel.count / updates_every : kernel.count;
    seconds += times * kernel_seconds(kernel, flops_per_s, bytes_per_s, items);
  }
  return seconds * (has_backward(phase) ? training_time : work.denoises ? pictures_time : 1);
}

std::optional<GpuRate> neuron_rate(const RateQuery& query,
                                   const GpuSpec& chip,
                                   const GpuWork& work) {
  const bool narrow = bytes_per_element(query.precision) <= 2;
  if (chip.arch != "NeuronCore-v2" || !narrow || query.phase == Phase::decode ||
      query.phase == Phase::preprocess || (has_backward(query.phase) && chip.name != "Trainium")) {
    return std::nullopt;
  }
  const auto correction = correction_of(query, chip, work);
  const double law = law_log_rate(
      work, chip, query.phase, query.batch, static_cast<double>(query.accumulate) * query.portions);
  GpuRate rate;
  rate.items_per_s = std::exp(law + correction.log_factor);
  rate.log_sd = log_sd_of(correction.regime, work, query.phase);
  const bool as_published =
      correction.regime == RateRegime::published && query.precision == Precision::bf16;
  rate.source = as_published ? Source::published : Source::scaled;
  rate.precision = query.precision == Precision::fp8 ? Precision::bf16 : query.precision;
  rate.provenance = provenance_of(correction, chip);
  if (query.precision == Precision::fp16) {  // whose peak is the same
    rate.provenance += ", in BF16";
  }
  rate.regime = correction.regime;
  return rate;
}

GpuRate as_measured_on_neuron(GpuRate rate,
                              const RateQuery& query,
                              const GpuSpec& chip,
                              const GpuWork& work,
                              std::span<const PublishedRate* const> measured) {
  return as_measured_on_chip(std::move(rate),
                             query,
                             chip.name,
                             "a roofline of its NeuronCores",
                             measured,
                             [&](int batch, double updates_every) {
                               return law_log_rate(work, chip, query.phase, batch, updates_every);
                             });
}

}  // namespace rightsize
