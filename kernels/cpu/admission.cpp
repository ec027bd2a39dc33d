#include "kernels/cpu/admission.h"

#include <algorithm>

#include <fmt/format.h>

#include "kernels/networks/encoder_decoder/encoder_decoder.h"
#include "kernels/work.h"

namespace rightsize::cpu {
namespace {

bool acts_on_sequences(LayerKind kind) {
  return (kind >= LayerKind::to_sequence && kind <= LayerKind::lstm) ||
         kind == LayerKind::gated_gelu || kind == LayerKind::join_positions ||
         kind == LayerKind::take_positions;
}

bool has_sequence_layers(const Network& network) {
  return std::any_of(network.layers.begin(), network.layers.end(), [](const Layer& layer) {
    return acts_on_sequences(layer.kind);
  });
}

}  // namespace

dnnl::memory::data_type activation_type(const Network& network, const EngineOptions& options) {
  if (options.precision == Precision::fp32) {
    return dnnl::memory::data_type::f32;
  }
  if (options.precision != Precision::bf16) {
    throw EngineError(fmt::format("cpu engine: {} in {} is unsupported; use precision fp32 or bf16",
                                  to_string(options.precision),
                                  to_string(options.phase)));
  }
  const auto isa = dnnl::get_effective_cpu_isa();
  if (isa == dnnl::cpu_isa::sse41 || isa == dnnl::cpu_isa::avx || isa == dnnl::cpu_isa::avx2 ||
      isa == dnnl::cpu_isa::avx2_vnni) {
    throw EngineError(
        "cpu engine: oneDNN computes in bf16 from AVX-512 on, which this CPU or "
        "ONEDNN_MAX_CPU_ISA does not offer; use precision fp32");
  }
  if (in_training_mode(options.phase) && has_sequence_layers(network)) {
    throw EngineError(
        fmt::format("cpu engine: {} has layers of sequences, which train in fp32 alone; use "
                    "precision fp32",
                    network.name));
  }
  return dnnl::memory::data_type::bf16;
}

void check_passes(const Network& network, Phase phase) {
  const bool repeats = std::any_of(network.layers.begin(), network.layers.end(), [](const auto& l) {
    return l.passes > 1 || l.copies > 1;
  });
  if (repeats && in_training_mode(phase) && writes_text(network)) {
    throw EngineError(fmt::format(
        "cpu engine: {} writes token by token, which runs in phase infer alone; train {}",
        network.name,
        trained_form(network.name)));
  }
  if (repeats && in_training_mode(phase)) {
    throw EngineError(
        fmt::format("cpu engine: {} passes layers several times, which runs in phase infer alone; "
                    "train its denoiser, or with :steps=1:guidance=no",
                    network.name));
  }
}

void check_beams(const Network& network) {
  const bool side_by_side = std::any_of(
      network.layers.begin(), network.layers.end(), [](const auto& l) { return l.copies > 1; });
  if (side_by_side && writes_text(network)) {
    throw EngineError(
        fmt::format("cpu engine: {}: texts side by side are predicted, not run: leave :beams= out",
                    network.name));
  }
}

}  // namespace rightsize::cpu
