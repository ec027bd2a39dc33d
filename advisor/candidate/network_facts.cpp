#include "advisor/candidate/network_facts.h"

#include <algorithm>

#include <fmt/format.h>

#include "advisor/tokens/weights_taken.h"
#include "kernels/adapter_work.h"
#include "kernels/known_network.h"
#include "kernels/longer_sequence.h"
#include "kernels/network_blocks.h"
#include "kernels/network_error.h"
#include "kernels/networks/encoder_decoder/encoder_decoder.h"
#include "kernels/networks/program.h"
#include "kernels/work.h"
#include "models/laws/decode_software.h"
#include "models/laws/decode_work.h"
#include "models/laws/spot.h"

namespace rightsize {
namespace {

Network tuned_network(const std::string& name, int sequence, const Tuning& tuning, Phase phase) {
  if (program_named(name)) {
    return make_network(name, sequence);  // which has no layers to tune
  }
  auto network = tuned(make_network(name, sequence, phase), tuning);
  const auto& adapters = tuning.adapters;
  using enum Projection;
  const bool of_experts = has(adapters.projections, gate_proj | up_proj | down_proj);
  if (adapters.any() && has_experts(network) && (of_experts || adapters.narrow)) {
    throw NetworkError(fmt::format(
        "adapter {}: {} has experts, and neither adapters of those nor experts in 4 bits are "
        "modelled: name attention's alone, as lora:{}:q_proj+k_proj+v_proj+o_proj",
        to_string(adapters),
        name,
        adapters.rank));
  }
  if (adapters.any() && has_latents(network)) {
    throw NetworkError(fmt::format(
        "adapter {}: {} attends to latent vectors (MLA), and adapters of the matrices that make "
        "them are not modelled: leave adapter out",
        to_string(adapters),
        name));
  }
  const auto trained = trained_parameters(network);
  if (std::all_of(trained.begin(), trained.end(), [](auto count) { return count == 0; })) {
    throw NetworkError(
        fmt::format("adapter {}: {} has no such layers; they go with the linear layers of "
                    "transformers: leave adapter out, or name others of their projections",
                    to_string(adapters),
                    name));
  }
  return network;
}

}  // namespace

NetworkFacts::NetworkFacts(const std::string& name, int sequence, const Tuning& tuning, Phase phase)
    : network(tuned_network(name, sequence, tuning, phase)),
      input_bytes(static_cast<double>(network.input.elements()) * 4),
      buckets_fp32(gradient_buckets(network, 4, ExchangeLaw{}.bucket_bytes)),
      buckets_16bit(gradient_buckets(network, 2, ExchangeLaw{}.bucket_bytes)),
      blocks_fp32(sharded_blocks(network, Precision::fp32)),
      blocks_16bit(sharded_blocks(network, Precision::bf16)),
      table_elements(static_cast<double>(row_table_elements(network))),
      shape(model_shape(network)),
      transformer(is_transformer(network)),
      looks_up(looks_up_tables(network)),
      published(published_format(name)) {}

std::string known_words(const NetworkStep& step) {
  const bool of_figures = step.phase != Phase::decode && step.phase != Phase::preprocess;
  const auto known =
      of_figures ? known_network(step.network, step.sequence, step.phase) : std::nullopt;
  return known ? fmt::format("its layers are those of {}: what was published of {} answers for it",
                             known->title,
                             known->name)
               : "";
}

bool can_generate(const Network& network) {
  bool remembers = false;
  for (const auto& layer : network.layers) {
    if (layer.kind == LayerKind::attention && !layer.causal) {
      return false;
    }
    remembers = remembers || layer.kind == LayerKind::attention ||
                layer.kind == LayerKind::linear_recurrence;
  }
  return remembers && network.reads_tokens() &&
         network.labels_per_item() == network.input.positions();
}

std::string why_not_in_phase(const Network& network, Phase phase) {
  if (network.hears() && phase == Phase::preprocess) {
    return fmt::format("{} is handed the spectra of sounds, and preprocess is of pictures",
                       network.name);
  }
  if (writes_text(network) && phase != Phase::infer && phase != Phase::preprocess) {
    return fmt::format("{} writes token by token, which is infer; as it is trained it is {}",
                       network.name,
                       trained_form(network.name));
  }
  if (phase == Phase::decode && !can_generate(network)) {
    return fmt::format(
        "{} cannot generate token by token: decode needs a language model with causal attention, "
        "such as gpt2; ask for infer",
        network.name);
  }
  if (makes_pictures(network) && phase != Phase::infer && phase != Phase::preprocess) {
    const auto denoiser = fmt::format("{}-denoiser", without_form(network.name));
    return fmt::format(
        "{} makes pictures of prompts, which is infer; what is trained of such a model is its "
        "denoiser, such as {}",
        network.name,
        is_network(denoiser) ? denoiser : "sdxl-denoiser");
  }
  return "";
}

ModelFiles model_files(const NetworkFacts& facts, const NetworkStep& step) {
  if (!facts.transformer) {
    return {};
  }
  const auto software = decode_software(step.framework).value_or("");
  const auto form = decode_form(step.writing, facts.published, Precision::bf16, software);
  if (step.phase == Phase::decode && form.weights != WeightFormat::own) {
    return {decode_work(facts.network, form, {}).weight_bytes, 0};
  }
  return {2.0 * static_cast<double>(parameter_count(facts.network)),
          step.phase == Phase::train ? checkpoint_bytes(facts.network) : 0};
}

double ModelFiles::moving_s(const DiskSpeed& disk, int nodes) const {
  return disk.bytes_per_s > 0 ? (weights_bytes + checkpoint_bytes / nodes) / disk.bytes_per_s : 0;
}

}  // namespace rightsize
