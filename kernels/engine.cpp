#include "kernels/engine.h"

#include <algorithm>

#include <fmt/format.h>

#include "kernels/cpu/engine.h"
#include "kernels/gpu/parallel_engine.h"
#include "kernels/gpu/plugin_loader.h"
#include "kernels/parallel/engine.h"
#include "kernels/quantized_weights.h"
#include "kernels/recurrence_work.h"
#include "kernels/replay/engine.h"
#include "kernels/runnable.h"
#include "kernels/work.h"

namespace rightsize {

namespace {

constexpr std::string_view no_other_positions =
    "attention to other positions than ask (Hiera, MobileNetV4's hybrids) is predicted, not run: "
    "ask advise, predict or simulate";

bool sees_other_positions(const Network& network) {
  return std::any_of(network.layers.begin(), network.layers.end(), [](const Layer& layer) {
    return layer.keys > 0;
  });
}

void check_gpu_engine(const Network& network) {
  const auto refuse = [&](std::string_view reason) {
    throw EngineError(
        fmt::format("network {}: on engine gpu {}, or use engine cpu", network.name, reason));
  };
  if (takes_given(network)) {
    refuse(no_given_parts);
  }
  if (labels_positions(network)) {
    refuse(no_detectors);
  }
  if (looks_up_tables(network)) {
    refuse(no_recommenders);
  }
  if (shares_layers(network)) {
    refuse(no_shared_layers);
  }
  if (sees_other_positions(network)) {
    refuse(no_other_positions);
  }
}

// What is arithmetic alone: the reason why it is not run, or nothing.
std::string_view unrun_attention(const Network& network) {
  std::string_view why;
  for (const auto& layer : network.layers) {
    why = layer.latent > 0      ? no_latents
          : layer.distances > 0 ? no_distances
          : layer.keys_of >= 0  ? no_shared_caches
                                : why;
  }
  return why;
}

}  // namespace

void check_runnable(EngineKind kind, const Network& network, const EngineOptions& options) {
  if (kind != EngineKind::replay && has_experts(network)) {
    throw EngineError(fmt::format("network {}: {}", network.name, no_experts));
  }
  if (kind == EngineKind::gpu) {
    check_gpu_engine(network);
  }
  if (kind == EngineKind::cpu && options.ranks > 1 && has_row_tables(network)) {
    throw EngineError(fmt::format("network {}: {}", network.name, no_divided_tables));
  }
  if (kind != EngineKind::replay && widens_weights(network)) {
    throw EngineError(fmt::format(
        "network {}: matrices in fewer bits than their products are predicted, not run: leave "
        ":weights= out",
        network.name));
  }
  if (kind != EngineKind::replay && has_recurrence(network)) {
    throw EngineError(fmt::format("network {}: {}", network.name, no_recurrence));
  }
  if (const auto why = unrun_attention(network); kind != EngineKind::replay && !why.empty()) {
    throw EngineError(fmt::format("network {}: {}", network.name, why));
  }
  if (kind != EngineKind::gpu && options.preprocess_on == PreprocessOn::gpu) {
    throw EngineError(fmt::format(
        "engine {} has no GPU to preprocess pictures on; use engine gpu, or preprocess on the cpu",
        to_string(kind)));
  }
  if (kind != EngineKind::gpu && options.device_share > 0) {
    throw EngineError(
        fmt::format("engine {} has no multiprocessors to share; use engine gpu", to_string(kind)));
  }
  if (options.ranks > 1 && kind == EngineKind::replay) {
    throw EngineError(
        fmt::format("{} ranks of engine replay: several ranks run on engines cpu and "
                    "gpu only",
                    options.ranks));
  }
  if (kind == EngineKind::cpu) {
    check_cpu_engine(network, options);
  }
}

std::unique_ptr<Engine> make_engine(EngineKind kind,
                                    const Network& network,
                                    const EngineOptions& options) {
  check_runnable(kind, network, options);
  if (options.ranks > 1) {
    return kind == EngineKind::cpu ? make_parallel_engine(network, options)
                                   : make_parallel_gpu_engine(network, options);
  }
  switch (kind) {
    case EngineKind::cpu:
      return make_cpu_engine(network, options);
    case EngineKind::gpu:
      return make_gpu_engine(network, options);
    case EngineKind::replay:
      return make_replay_engine(network, options);
  }
  throw EngineError("unknown engine kind; use cpu, gpu or replay");
}

}  // namespace rightsize
