#include "advisor/tokens/token_service.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "advisor/judge/mishap.h"
#include "advisor/query/burst_size.h"
#include "advisor/service/service.h"
#include "advisor/tokens/token_order.h"
#include "models/laws/decode_host.h"
#include "models/laws/decode_software.h"

namespace rightsize {
namespace {

// What the laws of waiting may be off, on top of what the times are: `end` is one end of theirs,
// the sign of `deviations` says which.
void widen(const DecodeLatency& middle,
           const DecodeLatencySd& sd,
           double deviations,
           DecodeLatency& end) {
  const auto move = [&](double DecodeLatency::*which, double law_sd) {
    const double times = std::log(end.*which / (middle.*which));
    if (std::isfinite(times)) {
      end.*which = middle.*which *
                   std::exp(std::copysign(std::hypot(times, deviations * law_sd), deviations));
    }
  };
  move(&DecodeLatency::first_token_p50_s, sd.first_token);
  move(&DecodeLatency::first_token_p95_s, sd.first_token);
  move(&DecodeLatency::first_token_p99_s, sd.first_token);
  move(&DecodeLatency::token_p50_s, sd.token);
  move(&DecodeLatency::token_p95_s, sd.token);
  move(&DecodeLatency::token_p99_s, sd.token);
}

// Of the limits that are set, the law that is the least certain.
double law_log_sd(const TokenService& service, const DecodeLatencySd& sd) {
  const double token =
      service.output_tokens > 1 && std::isfinite(service.limits.token_s) ? sd.token : 0;
  return std::isfinite(service.limits.first_token_s) ? std::max(token, sd.first_token) : token;
}

// In the proportion of one full replica's. By the number of the fleet's, with which the law of
// first tokens is up to three times as far off, the chances are no nearer to drawn ones: of 555
// fleets 0.014 off in the root mean square, so 0.011 (mishap_test draws some).
std::array<Mishap, 2> mishaps_of(const TokenService& service,
                                 const TokenServer& server,
                                 double deviations) {
  auto full = server.lengths;
  full.sequences_per_s = serve_decode(server.work, server.gpu, full).most_sequences_per_s;
  const auto sd = decode_latency_log_sd({server.work, server.gpu, 1}, full);
  return mishaps(deviations, server.log_sd, law_log_sd(service, sd));
}

}  // namespace

double confident_factor(const TokenServer& server, double confidence) {
  return std::exp(deviations_at(confidence) * server.log_sd);
}

double each_in_time(const TokenService& service,
                    const TokenServer& server,
                    double deviations,
                    int machines) {
  return most_in(mishaps_of(service, server, deviations), deviations, [&](const Mishap& mishap) {
    return largest_sequences_per_s(server.replicas_of(machines, mishap.time_factor),
                                   server.lengths,
                                   service.limits,
                                   mishap.law_deviations);
  });
}

int token_machines_needed(const TokenService& service, const TokenServer& server, double factor) {
  return decode_machines_needed(
      server.replicas_of(1, factor), service.load(), service.limits, most_machines);
}

int token_machines_enough(const TokenService& service,
                          const TokenServer& server,
                          double deviations) {
  return needed_in(mishaps_of(service, server, deviations), deviations, [&](const Mishap& mishap) {
    return decode_machines_needed(server.replicas_of(1, mishap.time_factor),
                                  service.load(),
                                  service.limits,
                                  most_machines,
                                  mishap.law_deviations);
  });
}

int token_machines_enough(const TokenService& service,
                          const TokenServer& server,
                          double deviations,
                          const DecodeTailOf& tail_of,
                          int most) {
  const auto load = service.load();
  return needed_in(mishaps_of(service, server, deviations), deviations, [&](const Mishap& mishap) {
    const auto machine = server.replicas_of(1, mishap.time_factor);
    if (mishap.law_deviations >= 0 && !may_be_within(machine, load, service.limits)) {
      return 0;
    }
    const auto enough = [&](int machines) {
      return is_within(
          tail_of(mishap.time_factor, machines), service.limits, mishap.law_deviations);
    };
    // Most that are asked for are too dear: one look says so.
    return most < most_machines && !enough(most)
               ? 0
               : decode_machines_needed(machine, load, std::min(most, most_machines), enough);
  });
}

double chance_enough(const TokenService& service, const TokenServer& server, int machines) {
  const auto load = service.load();
  return chance_borne([&](double deviations) {
    return borne(mishaps_of(service, server, deviations), deviations, [&](const Mishap& mishap) {
      return decodes_within(server.replicas_of(machines, mishap.time_factor),
                            load,
                            service.limits,
                            mishap.law_deviations);
    });
  });
}

TokenPoint token_point(const TokenService& service,
                       const TokenServer& server,
                       int machines,
                       double factor) {
  const auto replicas = server.replicas_of(machines, factor);
  const auto load = service.load();
  auto share = load;
  share.sequences_per_s /= replicas.count;
  return {serve_decode(replicas.work, replicas.gpu, share), decode_latency(replicas, load)};
}

TokenFleet size_token_fleet(const TokenService& service,
                            const TokenServer& server,
                            double confidence,
                            double interval_z) {
  const double end = std::exp(interval_z * server.log_sd);
  const double deviations = deviations_at(confidence);
  TokenFleet fleet;
  fleet.server = server;
  fleet.each_per_s = each_in_time(service, server, deviations);
  if (service.machines) {
    fleet.machines = fleet.machines_low = fleet.machines_high = *service.machines;
  } else {
    fleet.machines = token_machines_enough(service, server, deviations);
    fleet.machines_low = token_machines_enough(service, server, -interval_z);
    fleet.machines_high = token_machines_enough(service, server, interval_z);
  }
  if (fleet.machines > 0) {
    fleet.p_enough = chance_enough(service, server, fleet.machines);
    fleet.expected = token_point(service, server, fleet.machines);
    fleet.fast = token_point(service, server, fleet.machines, 1 / end);
    fleet.slow = token_point(service, server, fleet.machines, end);
    const auto sd = decode_latency_log_sd(server.replicas_of(fleet.machines), service.load());
    widen(fleet.expected.latency, sd, -interval_z, fleet.fast.latency);
    widen(fleet.expected.latency, sd, interval_z, fleet.slow.latency);
    fleet.utilisation = service.sequences_per_s / (fleet.machines * server.replicas *
                                                   fleet.expected.point.most_sequences_per_s);
  }
  return fleet;
}

TokenLimit binding_limit(const TokenService& service, const TokenServer& server, int machines) {
  auto load = server.lengths;
  const double most = serve_decode(server.work, server.gpu, load).most_sequences_per_s;
  const auto replicas = server.replicas_of(machines, 1);
  load.sequences_per_s = each_in_time(service, server, 0, machines);
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

std::string form_words(const TokenServer& server) {
  return fmt::format("{}{}{}",
                     to_string(server.precision),
                     server.weights == WeightFormat::own
                         ? ""
                         : fmt::format(", weights in {}", to_string(server.weights)),
                     server.fp8_caches ? ", caches in fp8" : "");
}

std::string token_provenance(const TokenService& service, bool many_sequences) {
  return fmt::format(
      "law of decoding over the data sheet's bandwidth and FLOP/s, its constants fitted to "
      "published rates; {}",
      decode_interval_words(service.software, many_sequences));
}

namespace {

std::string length_words(const TokenService& service) {
  return service.spreads()
             ? "their prompts are spread by a gamma distribution and their outputs by a lognormal "
               "one"
             : "are all of the stated lengths (prompt_tokens_stddev and output_tokens_stddev of "
               "[service] spread them)";
}

std::string cache_words(const TokenService& service) {
  if (service.cached_prompt_tokens == 0) {
    return "no part of a prompt is found in a cache (cached_prompt_tokens of [service])";
  }
  return fmt::format(
      "{} of each prompt's {} tokens are found in the server's cache and not computed again; every "
      "sequence keeps its own copy of them, and the room where they wait for the next is not "
      "counted: without it they are computed",
      service.cached_prompt_tokens,
      service.prompt_tokens);
}

}  // namespace

std::vector<std::string> token_assumptions(const TokenService& service, bool has_experts) {
  std::vector<std::string> all{
      fmt::format("sequences arrive at random (Poisson{}), {}, and go to the replicas in turn; "
                  "batching is by iteration, prompts are computed between iterations, and {}",
                  service.burst > 1
                      ? fmt::format(", in bursts of {:g} in the mean, spread geometrically: one in "
                                    "100 has {:.0f} or more of its own before it",
                                    service.burst,
                                    before_one_in_100(service.burst))
                      : "; burst of [service] has them come together",
                  length_words(service),
                  cache_words(service)),
      "of a GPU's memory 92 % but 1 GiB is for weights and caches, by llama.cpp 92 %, by vLLM on "
      "GPUs from 70 GiB on other than A100 4 GiB less; a sequence is let in when there is room for "
      "all of its tokens",
      fmt::format("expected times are by one law for {}, but for what vLLM and llama.cpp are known "
                  "to do otherwise, which was held against their published rates "
                  "(models/README.md); {}; wider on AMD's GPUs, and of experts in fp4",
                  compared_decode_software(),
                  decode_interval_words(service.software, true)),
      fmt::format(
          "the network between caller and machine{} are not counted; no disk is billed, and "
          "loading the weights takes no time",
          counts_host(service.software) ? " and tokenising"
                                        : ", tokenising and what the host does")};
  if (service.software.empty()) {
    all.emplace_back(
        "the rate of prompts, and so of first tokens, rests on TensorRT-LLM's; llama.cpp's are "
        "less than half of it: software = \"llama.cpp\" counts them");
  }
  if (has_experts) {
    all.emplace_back(
        "tokens take experts by chance and evenly, and an iteration reads those that its tokens "
        "take; GPUs that share the network share every expert evenly, and attention by heads or "
        "by sequences, as serves better; the rate of their products is one constant, set by hand "
        "to published rates of such networks (models/README.md)");
  }
  return all;
}

std::string replicas_text(const TokenServer& server) {
  const auto plural = [](int count, const char* word) {
    return fmt::format("{} {}{}", count, word, count == 1 ? "" : "s");
  };
  return fmt::format(
      "{} of {}{}",
      plural(server.replicas, "replica"),
      plural(server.gpus_each(), "GPU"),
      server.attention == AttentionSharing::by_heads ? "" : " with sequences of their own");
}

}  // namespace rightsize
