#include "advisor/scaling.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "advisor/constraint.h"
#include "models/laws/exchange.h"
#include "models/predict.h"

namespace rightsize {
namespace {

Configuration configuration_of(const Query& query,
                               const std::string& gpu,
                               int gpus,
                               int batch_per_gpu) {
  Configuration asked;
  asked.network = query.network;
  asked.sequence = query.sequence;
  asked.phase = query.phase;
  asked.precision = query.precision;
  asked.of_job = true;
  asked.stack = query.stack;
  asked.framework = query.framework;
  asked.exchange = query.exchange;
  asked.recompute = query.recompute;
  asked.adapters = query.adapters;
  asked.tensor_parallel = query.tensor_parallel;
  asked.pipeline_parallel = query.pipeline_parallel;
  asked.batch = batch_per_gpu;
  asked.data = DataFormat::synthetic;
  asked.machine.gpu = gpu;
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

std::string split_of(const MemoryWay& way) {
  std::string split = way.parallel.any() ? fmt::format("{} share every layer, {} stages",
                                                       way.parallel.tensor,
                                                       way.parallel.pipeline)
                      : way.shards > 1   ? "parameters sharded"
                                         : "";
  if (way.recompute) {
    split += split.empty() ? "blocks recomputed" : ", blocks recomputed";
  }
  return split;
}

void add_machine(const Query& query,
                 const Catalog& catalog,
                 const std::string& gpu,
                 ScalingStep& step) {
  const OfferConstraints constraints(query);
  const Offer* cheapest = nullptr;
  for (const auto& offer : catalog.offers()) {
    if (offer.gpu == gpu && offer.gpus == step.gpus && constraints.in_scope(offer) &&
        offer.price_per_hour.currency() == query.currency &&
        (cheapest == nullptr || offer.price_per_hour < cheapest->price_per_hour)) {
      cheapest = &offer;
    }
  }
  if (cheapest != nullptr) {
    step.machine = cheapest->provider + "/" + cheapest->instance;
    step.price_per_hour = cheapest->price_per_hour.approximate();
    step.currency = cheapest->price_per_hour.currency();
  }
}

}  // namespace

std::vector<ScalingStep> scaling_of(Estimator& estimator,
                                    const Query& query,
                                    const Catalog& catalog,
                                    const std::string& gpu,
                                    int batch_per_gpu) {
  std::vector<ScalingStep> steps;
  for (const int gpus : {1, 2, 4, 8}) {
    const auto answer = estimator.estimate(configuration_of(query, gpu, gpus, batch_per_gpu));
    if (answer.verdict != Verdict::ok) {
      continue;
    }
    ScalingStep step;
    step.gpus = gpus;
    step.throughput = answer.throughput;
    step.efficiency =
        efficiency_of(answer.throughput, gpus, steps.empty() ? nullptr : &steps.front());
    step.split = split_of(answer.memory_way);
    add_machine(query, catalog, gpu, step);
    steps.push_back(std::move(step));
  }
  return steps;
}

}  // namespace rightsize
