// Which machines can be servers of a language model's tokens, and how.
#include <cmath>

#include <fmt/format.h>

#include "advisor/candidate/accelerator.h"
#include "advisor/query/usage_error.h"
#include "advisor/tokens/token_service.h"
#include "advisor/tokens/weights_taken.h"
#include "kernels/work.h"
#include "models/laws/decode_host.h"
#include "models/laws/decode_software.h"
#include "models/laws/picture_prompts.h"

namespace rightsize {

TokenServers::TokenServers(const Network& network,
                           Precision precision,
                           const TokenService& service,
                           InterconnectWords links)
    : service_(service),
      precision_(precision),
      links_(std::move(links)),
      by_sequences_(shares_by_sequences(service.software, network)) {
  if (!can_generate(network)) {
    throw UsageError(fmt::format(
        "network = \"{}\" cannot write token by token; phase = \"decode\" needs a language model "
        "such as llama-8b or gpt2",
        network.name));
  }
  if (service.attention == AttentionSharing::by_sequences && !has_experts(network)) {
    throw UsageError(fmt::format(
        "attention = \"by_sequences\" is of mixtures of experts; {} is none", network.name));
  }
  if (service.attention == AttentionSharing::by_sequences && !by_sequences_) {
    throw UsageError(fmt::format(
        "attention = \"by_sequences\": {} does not document it for {}; leave it out, or by_heads",
        service.software,
        network.name));
  }
  weights_ = weights_taken(service, network.name);
  wide_ = decode_work(network, form(Precision::fp32), service.lengths());
  narrow_ = decode_work(network, form(Precision::bf16), service.lengths());
}

DecodeForm TokenServers::form(Precision precision) const {
  return decode_form(service_, weights_, precision);
}

const DecodeWork& TokenServers::work(Precision precision) const {
  return bytes_per_element(precision) == 2 ? narrow_ : wide_;
}

std::vector<ReplicaShape> TokenServers::shapes(int gpus) const {
  std::vector<ReplicaShape> shapes;
  const auto add = [&](int share) {
    for (const auto attention : attention_sharings(narrow_, share)) {
      // A GPU alone has all heads of all its sequences: both ways are one.
      const bool asked = share == 1 || attention == service_.attention.value_or(attention);
      if (asked && (attention == AttentionSharing::by_heads || by_sequences_)) {
        shapes.push_back({share, attention});
      }
    }
  };
  if (service_.per_replica) {
    add(*service_.per_replica);
    return shapes;
  }
  for (int share = 1; share <= gpus; share *= 2) {
    if (divides_heads(narrow_, share)) {
      add(share);
    }
  }
  return shapes;
}

std::optional<TokenServer> TokenServers::server(const GpuSpec& gpu,
                                                std::optional<double> memory_bytes,
                                                int gpus,
                                                const ReplicaShape& shape,
                                                Refusal& refusal) const {
  const int per_replica = shape.gpus;
  if (per_replica > gpus) {
    refusal = {fmt::format("fewer GPUs than a replica takes ({})", per_replica)};
    return std::nullopt;
  }
  const GpuSpec sold = gpu_as_sold(gpu, memory_bytes);
  if (auto reason = why_unread(service_.software, weights_, sold); !reason.empty()) {
    refusal = {std::move(reason)};
    return std::nullopt;
  }
  TokenServer server;
  server.precision = available_precision(sold, precision_);
  server.weights = weights_;
  server.fp8_caches = service_.fp8_caches;
  const auto& whole = work(server.precision);
  if (!divides_heads(whole, per_replica)) {
    refusal = {fmt::format(
        "its {} attention heads cannot be shared by {} GPUs", whole.heads, per_replica)};
    return std::nullopt;
  }
  server.work = shared_work(whole, per_replica, shape.attention);
  server.attention = shape.attention;
  // By the law, whatever was measured here: that was our engine, not the service's software.
  server.gpu = served_by(
      decode_gpu(sold, form(server.precision), per_replica, links_), sold, service_.software);
  server.weight_bytes = whole.weight_bytes;
  server.lengths = service_.lengths();
  server.log_sd =
      std::hypot(decode_log_sd(service_.software, true, {sold, whole.expert_bytes > 0, weights_}),
                 whole.tower_flops > 0 ? pictures_log_sd : 0);
  server.replicas = gpus / per_replica;
  if (sequences_that_fit(server.work, server.gpu, server.lengths) == 0) {
    refusal = {
        "the weights and the caches of a sequence do not fit the memory of its GPUs, and "
        "replicas over several machines are not modelled",
        Lacking::gpu_memory};
    return std::nullopt;
  }
  return server;
}

}  // namespace rightsize
