#include "advisor/tokens/token_answer.h"

#include <algorithm>
#include <span>

#include <fmt/format.h>

#include "advisor/candidate/host_cpus.h"
#include "advisor/candidate/host_memory.h"
#include "advisor/lacking_precision.h"
#include "advisor/query/job_defaults.h"
#include "advisor/query/latency_words.h"
#include "advisor/tokens/token_order.h"
#include "advisor/tokens/weights_taken.h"
#include "kernels/gibibyte.h"
#include "kernels/network.h"
#include "kernels/work.h"
#include "models/predict.h"

namespace rightsize {
namespace {

// Every way to share the machine's GPUs that has room for the network.
std::vector<TokenFleet> fleets_of(const TokenServers& servers,
                                  const GpuSpec& gpu,
                                  const Configuration& asked,
                                  Refusal& refusal) {
  const auto& machine = asked.machine;
  const auto memory = machine.gpu_memory_gib
                          ? std::optional(*machine.gpu_memory_gib * bytes_per_gib)
                          : std::nullopt;
  std::vector<TokenFleet> fleets;
  for (const auto& shape : servers.shapes(machine.gpus_per_node)) {
    if (const auto server = servers.server(gpu, memory, machine.gpus_per_node, shape, refusal)) {
      fleets.push_back(size_token_fleet(*asked.tokens, *server, asked.confidence, normal_90));
    }
  }
  return fleets;
}

// Of a number of GPUs that is said, and a way to share the network that they do not have.
std::string no_such_sharing(const TokenService& service) {
  return fmt::format(
      "{} GPUs cannot share the network{}",
      service.per_replica.value_or(1),
      service.attention ? fmt::format(" with attention {}", to_string(*service.attention)) : "");
}

Estimate each_of(const TokenService& service, const TokenServer& server) {
  return {each_in_time(service, server, 0),
          each_in_time(service, server, normal_90),
          each_in_time(service, server, -normal_90),
          0.9,
          "sequences/s",
          Source::scaled};
}

bool was_written_here(const GpuRates& rates, const Configuration& asked) {
  return rates
      .rate({.network = asked.network,
             .phase = Phase::decode,
             .precision = asked.precision,
             .gpu = asked.machine.gpu,
             .batch = 1})
      .has_value();
}

DecodeLatency latency_alone(TokenService service, const TokenServer& server) {
  service.sequences_per_s = 1e-6;
  return token_point(service, server, 1).latency;
}

// Of a sequence alone, by how much it is beyond the limit that it misses most.
double miss_of(const TokenService& service, const TokenFleet& fleet) {
  const auto latency = latency_alone(service, fleet.server);
  const double first = latency.first_token_p50_s / service.limits.first_token_s;
  const double token = latency.token_p50_s / service.limits.token_s;
  return service.output_tokens == 1 ? first : std::max(first, token);
}

// Whether some number of them answers something in time.
bool some_are_in_time(std::span<const TokenFleet> fleets) {
  return std::any_of(fleets.begin(), fleets.end(), [](const TokenFleet& fleet) {
    return any_number_writes(fleet) || fleet.each_per_s > 0;
  });
}

// `ways`: in which the machine's GPUs could share the network.
std::vector<std::string> notes_of(const GpuRates& rates,
                                  const Configuration& asked,
                                  const TokenServer& server,
                                  std::span<const TokenFleet> ways) {
  auto notes = token_assumptions(*asked.tokens, server.work.expert_bytes > 0);
  if (was_written_here(rates, asked)) {
    notes.emplace_back(own_tokens_words);
  }
  const auto& gpu = *rates.find(asked.machine.gpu);
  const bool of_floats = server.weights == WeightFormat::fp8 || is_fp4(server.weights);
  if (of_floats && widens({server.precision, server.weights}, gpu)) {
    notes.insert(notes.begin(),
                 fmt::format("the {} does not multiply {}: the weights are held so and widened to "
                             "{} on the way into the products",
                             gpu.name,
                             to_string(server.weights),
                             to_string(server.precision)));
  }
  if (const auto lacks = lacking_precision(asked.precision, server.precision, gpu.name);
      !lacks.empty()) {
    notes.insert(notes.begin(), lacks);
  }
  if (ways.size() > 1) {
    notes.push_back(
        fmt::format("{} a machine: of the ways to share its GPUs {}",
                    replicas_text(server),
                    some_are_in_time(ways)
                        ? fmt::format("the best by objective = \"{}\"", to_string(asked.objective))
                        : "the nearest to the limits, as none is in time"));
  }
  return notes;
}

std::string no_gpu_words(const Configuration& asked) {
  return asked.machine.gpu.empty()
             ? fmt::format(
                   "services of tokens are modelled on GPUs; name one, as gpu=L40S (predict "
                   "--network {} --phase decode tells how fast CPUs write)",
                   asked.network)
             : fmt::format("no figures for the GPU \"{}\"; rightsize gpus lists those there are",
                           asked.machine.gpu);
}

// Of the CPUs and the memory beside the GPUs, with a process for each of these, as advise counts
// them, and nothing that is loaded; "" where they are enough.
std::string host_shortage(const Configuration& asked, const Network& network) {
  const auto& machine = asked.machine;
  if (auto few = host_cpus_shortage(machine.vcpus, machine.gpus_per_node); !few.empty()) {
    return few;
  }
  Setting idle;
  idle.workload.data = DataFormat::synthetic;
  const double needed = host_memory_bytes(idle, 0, machine.gpus_per_node, 0) +
                        weights_on_their_way(2.0 * static_cast<double>(parameter_count(network)));
  return host_memory_shortage(needed, machine.memory_gib);
}

// Where none is in time, the one that is nearest to it.
const TokenFleet& best_of(std::span<const TokenFleet> fleets,
                          const TokenService& service,
                          const Objective& objective) {
  if (!some_are_in_time(fleets)) {
    return *std::min_element(
        fleets.begin(), fleets.end(), [&](const TokenFleet& a, const TokenFleet& b) {
          return miss_of(service, a) < miss_of(service, b);
        });
  }
  const TokenFleet* best = &fleets.front();
  for (const auto& fleet : fleets) {
    if (writes_better(fleet, *best, objective)) {
      best = &fleet;
    }
  }
  return *best;
}

}  // namespace

TokenAnswer answer_tokens(const GpuRates& rates, const Configuration& asked) {
  TokenAnswer answer;
  const auto& service = *asked.tokens;
  const auto network = make_network(asked.network, asked.sequence);
  const TokenServers servers(
      network, asked.precision, service, network_of_job(asked.machine.interconnect));
  const auto* gpu = asked.machine.gpu.empty() ? nullptr : rates.find(asked.machine.gpu);
  if (gpu == nullptr) {
    answer.reason = no_gpu_words(asked);
    return answer;
  }
  if (auto published = published_words(service, network.name); !published.empty()) {
    answer.notes.push_back(std::move(published));
  }
  answer.reason = host_shortage(asked, network);
  if (!answer.reason.empty()) {
    return answer;
  }
  Refusal refusal;
  const auto fleets = fleets_of(servers, *gpu, asked, refusal);
  if (fleets.empty()) {
    answer.reason = refusal.reason.empty() ? no_such_sharing(service) : refusal.reason;
    return answer;
  }
  answer.fleet = best_of(fleets, service, asked.objective);
  const auto& server = answer.fleet.server;
  answer.each = each_of(service, server);
  if (answer.fleet.each_per_s > 0) {
    TokenService one = service;
    one.sequences_per_s = answer.fleet.each_per_s;
    answer.full = token_point(one, server, 1);
  }
  const auto notes = notes_of(rates, asked, server, fleets);
  answer.notes.insert(answer.notes.end(), notes.begin(), notes.end());
  answer.notes.insert(answer.notes.end(), network.notes.begin(), network.notes.end());
  return answer;
}

std::string too_slow(const TokenService& service, const TokenAnswer& answer) {
  if (any_number_writes(answer.fleet)) {
    return "";
  }
  const auto& fleet = answer.fleet;
  if (takes_too_many(service, fleet)) {
    return fmt::format(
        "with the wanted confidence it {} (with it one answers {:.3g} sequences/s in time)",
        why_none_writes(service, fleet),
        fleet.each_per_s);
  }
  const auto latency = latency_alone(service, fleet.server);
  const bool paced = service.output_tokens > 1;
  if (service.spreads()) {
    return fmt::format(
        "no number of them is in time with the wanted confidence: alone 99 of 100 sequences have "
        "their first token within {}{}",
        latency_text(latency.first_token_p99_s),
        paced ? fmt::format(" and one every {}", latency_text(latency.token_p99_s)) : "");
  }
  return fmt::format(
      "no number of them is in time with the wanted confidence: alone a sequence has its first "
      "token after {}{}",
      latency_text(latency.first_token_p50_s),
      paced ? fmt::format(" and one every {}", latency_text(latency.token_p50_s)) : "");
}

}  // namespace rightsize
