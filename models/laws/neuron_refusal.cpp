// What no published figure of AWS's accelerators bears out is not told of them.
#include <algorithm>

#include <fmt/format.h>

#include "kernels/work.h"
#include "models/laws/neuron.h"

namespace rightsize {
namespace {

bool has_layer(const Network& network, LayerKind kind) {
  return std::any_of(network.layers.begin(), network.layers.end(), [&](const Layer& layer) {
    return layer.kind == kind;
  });
}

// Depthwise convolutions and those in groups: products too narrow for the array.
bool has_groups(const Network& network) {
  return std::any_of(network.layers.begin(), network.layers.end(), [](const Layer& layer) {
    return layer.kind == LayerKind::convolution && layer.groups > 1;
  });
}

bool reads_text_alone(const Network& network) {
  return network.reads_tokens() && has_layer(network, LayerKind::attention) &&
         !writes_text(network) && !takes_given(network) && !looks_up_tables(network) &&
         !has_experts(network);
}

// ResNet, VGG, ViT.
bool classifies_pictures(const Network& network) {
  return reads_pictures(network) && !finds_objects(network) && !labels_positions(network) &&
         !is_denoiser(network) && !has_groups(network) &&
         !has_layer(network, LayerKind::local_response_norm);
}

// Stable Diffusion's U-Nets, and no transformer that makes pictures.
bool is_unet_of_pictures(const Network& network) {
  return is_denoiser(network) && has_layer(network, LayerKind::upsample) &&
         !has_layer(network, LayerKind::join_positions);
}

std::string why_not_trained(const GpuSpec& chip,
                            const Network& network,
                            const CompiledQuestion& asked) {
  if (chip.name == "Inferentia2") {
    return "Inferentia2 is for inference, and no training on it is published: ask of Trainium";
  }
  const bool picture_encoder =
      classifies_pictures(network) && has_layer(network, LayerKind::attention);
  if (asked.writes || !(reads_text_alone(network) || picture_encoder)) {
    return fmt::format(
        "of training on {} figures are here of BERT and ViT, on chips that have the whole network, "
        "and none that are like {}",
        chip.name,
        network.name);
  }
  return asked.adapters || asked.shared || asked.sharded
             ? fmt::format(
                   "of training on {} no figure is here with adapters, or with layers or "
                   "parameters "
                   "divided among chips: ask for the whole network with its gradients averaged",
                   chip.name)
             : "";
}

std::string why_not_run(const GpuSpec& chip,
                        const Network& network,
                        const CompiledQuestion& asked) {
  const bool known = !asked.writes && (reads_text_alone(network) || classifies_pictures(network) ||
                                       is_unet_of_pictures(network));
  if (!known) {
    return fmt::format(
        "of {} figures are here of encoders of text (BERT), of classifiers of pictures without "
        "grouped convolutions (ResNet, VGG, ViT) and of Stable Diffusion's U-Nets, none of what is "
        "like {}",
        chip.name,
        network.name);
  }
  return asked.shared ? fmt::format("layers divided among chips of {} are not modelled", chip.name)
                      : "";
}

}  // namespace

std::string why_not_on_neuron(const GpuSpec& chip,
                              const Network& network,
                              const CompiledQuestion& asked) {
  if (chip.arch != "NeuronCore-v2") {
    return fmt::format(
        "of {} its maker's data sheet is here, and no rate that it was measured at on one pass "
        "through a network: Inferentia2 and Trainium have some",
        chip.name);
  }
  if (asked.phase == Phase::decode) {
    return fmt::format(
        "writing text on {} is not modelled: what is published is of 12 or 16 chips that share "
        "each "
        "layer, and of 8 sequences at most",
        chip.name);
  }
  if (!asked.framework.empty() && framework_family(asked.framework) != "PyTorch") {
    return fmt::format(
        "the figures of {} are of PyTorch, compiled by AWS Neuron, and {} is not known there: "
        "leave "
        "the framework out, or say PyTorch",
        chip.name,
        asked.framework);
  }
  if (bytes_per_element(asked.precision) > 2) {
    return fmt::format(
        "the figures of {} are of products in BF16, to which AWS Neuron casts an FP32 model: ask "
        "for --precision bf16",
        chip.name);
  }
  if (asked.precision == Precision::fp8) {
    return fmt::format("of {} in fp8 no figure is here: ask for --precision bf16", chip.name);
  }
  return has_backward(asked.phase) ? why_not_trained(chip, network, asked)
                                   : why_not_run(chip, network, asked);
}

}  // namespace rightsize
