#include "advisor/token_service.h"

#include <algorithm>
#include <cmath>

#include <boost/math/distributions/normal.hpp>
#include <fmt/format.h>

#include "advisor/accelerator.h"
#include "advisor/query.h"
#include "advisor/token_order.h"
#include "kernels/work.h"
#include "models/laws/decode_software.h"

namespace rightsize {
namespace {

DecodeLoad load_of(const TokenService& service) {
  auto load = service.lengths();
  load.sequences_per_s = service.sequences_per_s;
  return load;
}

// P(so many answer in time): how much slower than expected they may be.
double chance_of(const TokenService& service, const TokenServer& server, int machines) {
  const auto load = load_of(service);
  const auto enough = [&](double ln_factor) {
    return decodes_within(server.replicas_of(machines, std::exp(ln_factor)), load, service.limits);
  };
  double low = -6 * server.log_sd;
  double high = 6 * server.log_sd;
  if (!enough(low)) {
    return 0;
  }
  constexpr int halvings = 20;
  for (int i = 0; i < halvings; ++i) {
    const double middle = (low + high) / 2;
    (enough(middle) ? low : high) = middle;
  }
  return boost::math::cdf(boost::math::normal(), low / server.log_sd);
}

}  // namespace

TokenServers::TokenServers(const Network& network,
                           Precision precision,
                           const TokenService& service,
                           InterconnectWords links)
    : service_(service), precision_(precision), links_(std::move(links)) {
  if (!can_generate(network)) {
    throw UsageError(fmt::format(
        "network = \"{}\" cannot write token by token; phase = \"decode\" needs a language model "
        "such as llama-8b or gpt2",
        network.name));
  }
  wide_ = decode_work(network, service.form(Precision::fp32), service.lengths());
  narrow_ = decode_work(network, service.form(Precision::bf16), service.lengths());
}

const DecodeWork& TokenServers::work(Precision precision) const {
  return bytes_per_element(precision) == 2 ? narrow_ : wide_;
}

std::vector<int> TokenServers::shares(int gpus) const {
  if (service_.per_replica) {
    return {*service_.per_replica};
  }
  std::vector<int> shares;
  for (int share = 1; share <= gpus; share *= 2) {
    if (divides_heads(narrow_, share)) {
      shares.push_back(share);
    }
  }
  return shares;
}

std::optional<TokenServer> TokenServers::server(const GpuSpec& gpu,
                                                std::optional<double> memory_bytes,
                                                int gpus,
                                                int per_replica,
                                                std::string& reason) const {
  if (per_replica > gpus) {
    reason = fmt::format("fewer GPUs than a replica takes ({})", per_replica);
    return std::nullopt;
  }
  const GpuSpec sold = gpu_as_sold(gpu, memory_bytes);
  TokenServer server;
  server.precision = available_precision(sold, precision_);
  server.weights = service_.weights;
  server.fp8_caches = service_.fp8_caches;
  const auto& whole = work(server.precision);
  if (!divides_heads(whole, per_replica)) {
    reason =
        fmt::format("its {} attention heads cannot be shared by {} GPUs", whole.heads, per_replica);
    return std::nullopt;
  }
  server.work = tensor_parallel(whole, per_replica);
  server.gpu = decode_gpu(sold, service_.form(server.precision), per_replica, links_);
  server.lengths = service_.lengths();
  server.log_sd = decode_log_sd(service_.software);
  server.replicas = gpus / per_replica;
  if (sequences_that_fit(
          server.work, server.gpu, service_.prompt_tokens + service_.output_tokens) == 0) {
    reason = "the weights and the caches of a sequence do not fit the memory of its GPUs";
    return std::nullopt;
  }
  return server;
}

double confident_factor(const TokenServer& server, double confidence) {
  return std::exp(boost::math::quantile(boost::math::normal(), confidence) * server.log_sd);
}

double each_in_time(const TokenService& service,
                    const TokenServer& server,
                    double factor,
                    int machines) {
  return largest_sequences_per_s(
      server.replicas_of(machines, factor), server.lengths, service.limits);
}

int token_machines_needed(const TokenService& service, const TokenServer& server, double factor) {
  return decode_machines_needed(
      server.replicas_of(1, factor), load_of(service), service.limits, most_machines);
}

TokenPoint token_point(const TokenService& service,
                       const TokenServer& server,
                       int machines,
                       double factor) {
  const auto replicas = server.replicas_of(machines, factor);
  const auto load = load_of(service);
  auto share = load;
  share.sequences_per_s /= replicas.count;
  return {serve_decode(replicas.work, replicas.gpu, share), decode_latency(replicas, load)};
}

TokenFleet size_token_fleet(const TokenService& service,
                            const TokenServer& server,
                            double confidence,
                            double interval_z) {
  const double end = std::exp(interval_z * server.log_sd);
  const double confident = confident_factor(server, confidence);
  TokenFleet fleet;
  fleet.server = server;
  fleet.each_per_s = each_in_time(service, server, confident);
  if (service.machines) {
    fleet.machines = fleet.machines_low = fleet.machines_high = *service.machines;
  } else {
    fleet.machines = token_machines_needed(service, server, confident);
    fleet.machines_low = token_machines_needed(service, server, 1 / end);
    fleet.machines_high = token_machines_needed(service, server, end);
  }
  if (fleet.machines > 0) {
    fleet.p_enough = chance_of(service, server, fleet.machines);
    fleet.expected = token_point(service, server, fleet.machines);
    fleet.fast = token_point(service, server, fleet.machines, 1 / end);
    fleet.slow = token_point(service, server, fleet.machines, end);
    fleet.utilisation = service.sequences_per_s / (fleet.machines * server.replicas *
                                                   fleet.expected.point.most_sequences_per_s);
  }
  return fleet;
}

TokenLimit binding_limit(const TokenService& service, const TokenServer& server, int machines) {
  auto load = server.lengths;
  const double most = serve_decode(server.work, server.gpu, load).most_sequences_per_s;
  const auto replicas = server.replicas_of(machines, 1);
  load.sequences_per_s = each_in_time(service, server, 1, machines);
  if (load.sequences_per_s >= (1 - 1e-6) * fullest_load * replicas.count * most) {
    return TokenLimit::fullness;
  }
  const auto latency = decode_latency(replicas, load);
  const auto& limits = service.limits;
  const double token = load.output_tokens == 1 ? 0 : latency.token_p99_s / limits.token_s;
  return latency.first_token_p99_s / limits.first_token_s > token ? TokenLimit::first_token
                                                                  : TokenLimit::token;
}

bool is_saturated(const TokenFleet& fleet) {
  return fleet.utilisation >= 1;
}

Estimate waiting_of(const TokenFleet& fleet,
                    double DecodeLatency::*which,
                    double confidence,
                    Source source) {
  return {fleet.expected.latency.*which,
          fleet.fast.latency.*which,
          fleet.slow.latency.*which,
          confidence,
          "s",
          source};
}

bool any_number_writes(const TokenFleet& fleet) {
  return fleet.machines > 0 && fleet.machines_high > 0;
}

std::string lacking_precision(Precision asked, const TokenServer& server, const std::string& gpu) {
  return server.precision == asked ? ""
                                   : fmt::format("the {} has no {}: it computes in {}",
                                                 gpu,
                                                 to_string(asked),
                                                 to_string(server.precision));
}

std::string form_words(const TokenServer& server) {
  return fmt::format("{}{}{}",
                     to_string(server.precision),
                     server.weights == WeightFormat::own
                         ? ""
                         : fmt::format(", weights in {}", to_string(server.weights)),
                     server.fp8_caches ? ", caches in fp8" : "");
}

std::string token_provenance(const TokenService& service) {
  return fmt::format(
      "law of decoding over the data sheet's bandwidth and FLOP/s, its constants fitted to "
      "published rates; interval of {}",
      service.software.empty() ? "four programs together" : service.software);
}

std::vector<std::string> token_assumptions(const TokenService& service) {
  std::vector<std::string> all{
      "sequences arrive at random (Poisson), are of the stated lengths, and go to the "
      "replicas in turn; batching is by iteration, prompts are computed between iterations, and "
      "no part of a prompt is found in a cache",
      "of a GPU's memory 92 % is for weights and caches; a sequence is let in when there is room "
      "for all of its tokens",
      fmt::format(
          "the times are those of {}, by a law that was held against their published rates "
          "of one sequence alone and of the largest load, in between against two "
          "(models/README.md)",
          service.software.empty() ? known_decode_software() + " together" : service.software),
      "the network between caller and machine, tokenising and what the host does are not counted; "
      "no disk is billed, and loading the weights takes no time"};
  if (service.software.empty() || service.software == "llama.cpp") {
    all.emplace_back(
        "the rate of prompts, and so of first tokens, rests on TensorRT-LLM's; llama.cpp's, as "
        "published, are less than half of it in the median (models/README.md)");
  }
  return all;
}

std::string replicas_text(const TokenServer& server) {
  const auto plural = [](int count, const char* word) {
    return fmt::format("{} {}{}", count, word, count == 1 ? "" : "s");
  };
  return fmt::format(
      "{} of {}", plural(server.replicas, "replica"), plural(server.gpus_each(), "GPU"));
}

}  // namespace rightsize
