#include "advisor/study/scaling.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "advisor/candidate/constraint.h"
#include "advisor/candidate/training_way.h"
#include "advisor/full_name.h"
#include "advisor/machine/configuration.h"
#include "advisor/query/exchanged_money.h"
#include "models/laws/exchange.h"
#include "models/predict.h"
#include "pricing/monthly.h"

namespace rightsize {
namespace {

// The job on so many GPUs of the kind, its data in memory.
Configuration asked_of(const Query& query, const Offer& chosen, int gpus, int batch_per_gpu) {
  auto asked = configuration_of(query);
  asked.batch = batch_per_gpu;
  asked.data = DataFormat::synthetic;
  asked.epochs.reset();
  asked.machine.gpu = chosen.gpu;
  asked.machine.gpu_memory_gib = chosen.gpu_memory_gib;
  asked.machine.gpus_per_node = gpus;
  return asked;
}

// `first`: the step that has all of it.
Estimate efficiency_of(const Estimate& throughput, int gpus, const ScalingStep* first) {
  const double confidence = throughput.confidence;
  if (first == nullptr) {
    return {1, 1, 1, confidence, "1", Source::fitted};
  }
  const double share = throughput.value / gpus / (first->throughput.value / first->gpus);
  const double spread = std::exp(normal_90 * ExchangeLaw{}.node_log_sd);
  const double most = std::max(1.0, share);
  return {share, share / spread, std::min(most, share * spread), confidence, "1", Source::fitted};
}

// Of GPUs that are sold with two sizes of memory; tables round them, as 22 and 24 GiB.
bool same_gpu(const Offer& offer, const Offer& chosen, const GpuRates& rates) {
  constexpr double rounding = 0.25;
  const auto* spec = rates.find(chosen.gpu);
  const double usual_gib = spec == nullptr ? 0 : spec->memory_gb;
  const double ratio =
      offer.gpu_memory_gib.value_or(usual_gib) / chosen.gpu_memory_gib.value_or(usual_gib);
  return offer.gpu == chosen.gpu && std::abs(ratio - 1) < rounding;
}

// By a run on a machine that is rented by the month, for each hour that it takes.
double hours_paid(const Query& query, const Estimate& throughput) {
  const double used_s = static_cast<double>(query.items) * query.epochs / throughput.value;
  const std::chrono::seconds used(std::max(1LL, std::llround(used_s)));
  const auto paid = months_borne(used, query.runs_per_month);
  return static_cast<double>(paid.count()) / static_cast<double>(used.count());
}

void add_machine(const Query& query,
                 const Catalog& catalog,
                 const std::function<bool(const Offer&)>& same,
                 const std::function<bool(const Offer&)>& can_do,
                 ScalingStep& step) {
  const OfferConstraints constraints(query);
  std::vector<std::pair<Money, const Offer*>> sold;  // by the price in the query's currency
  for (const auto& offer : catalog.offers()) {
    if (same(offer) && offer.gpus == step.gpus && constraints.in_scope(offer) &&
        !constraints.refusal_of(offer)) {
      if (const auto price = exchanged(offer.price_per_hour, query.currency, query)) {
        sold.emplace_back(*price, &offer);
      }
    }
  }
  std::stable_sort(
      sold.begin(), sold.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  const auto cheapest = std::find_if(
      sold.begin(), sold.end(), [&](const auto& priced) { return can_do(*priced.second); });
  if (cheapest != sold.end()) {
    const auto& [price, offer] = *cheapest;
    step.machine = full_name(*offer);
    step.price_per_hour = price.approximate();
    step.currency = query.currency;
    if (is_monthly(*offer)) {
      step.price_per_month = exchanged(month_price(*offer), query.currency, query)->approximate();
      step.hours_paid = hours_paid(query, step.throughput);
    }
  }
}

}  // namespace

std::vector<ScalingStep> scaling_of(Estimator& estimator,
                                    const Query& query,
                                    const Catalog& catalog,
                                    const Offer& chosen,
                                    int batch_per_gpu,
                                    const std::function<bool(const Offer&)>& can_do) {
  const auto same = [&](const Offer& offer) {
    return is_monthly(offer) == is_monthly(chosen) &&
           same_gpu(offer, chosen, estimator.gpu_rates());
  };
  std::vector<ScalingStep> steps;
  for (const int gpus : {1, 2, 4, 8}) {
    const auto answer = estimator.estimate(asked_of(query, chosen, gpus, batch_per_gpu));
    if (answer.verdict != Verdict::ok) {
      continue;
    }
    ScalingStep step;
    step.gpus = gpus;
    step.throughput = answer.throughput;
    step.efficiency =
        efficiency_of(answer.throughput, gpus, steps.empty() ? nullptr : &steps.front());
    step.split = words_of(answer.memory_way);
    add_machine(query, catalog, same, can_do, step);
    steps.push_back(std::move(step));
  }
  return steps;
}

}  // namespace rightsize
