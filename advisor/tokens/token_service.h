// A language model that answers: sequences per second, each a prompt and the tokens written after
// it, and how soon tokens must come. How many machines that takes and how sure that is, for as long
// as they are rented. A replica is one GPU, or several of a machine (laws/decode.h).
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "advisor/candidate/refusal.h"
#include "advisor/query/network_step.h"
#include "kernels/network.h"
#include "models/estimate.h"
#include "models/laws/decode_latency.h"

namespace rightsize {

struct TokenService {
  double sequences_per_s = 0;
  int prompt_tokens = 0;
  int output_tokens = 0;
  int cached_prompt_tokens = 0;  // of a prompt, that the server has from others
  double prompt_stddev = 0;      // over sequences, of tokens; 0: all are as long
  double output_stddev = 0;
  double burst = 1;                       // sequences that come together, in the mean
  DecodeLimits limits;                    // for 99 of 100 sequences; at least one is finite
  std::optional<WeightFormat> weights{};  // as Writing's
  bool fp8_caches = false;
  std::string software;              // that serves (laws/decode_software.h); empty: any
  std::optional<int> per_replica{};  // GPUs; empty: as many as serve best
  // Of a mixture of experts that GPUs share; empty: as serves better.
  std::optional<AttentionSharing> attention{};
  std::optional<int> machines{};  // so many, enough or not; empty: as it takes

  [[nodiscard]] DecodeLoad lengths() const {
    return {
        0, prompt_tokens, output_tokens, cached_prompt_tokens, prompt_stddev, output_stddev, burst};
  }
  // With the sequences that come, of all machines together.
  [[nodiscard]] DecodeLoad load() const {
    auto load = lengths();
    load.sequences_per_s = sequences_per_s;
    return load;
  }
  [[nodiscard]] bool spreads() const { return prompt_stddev > 0 || output_stddev > 0; }
  [[nodiscard]] int computed_tokens() const { return lengths().computed_tokens(); }  // of a prompt
};

// GPUs that share a copy of the network, and how.
struct ReplicaShape {
  int gpus = 1;
  AttentionSharing attention = AttentionSharing::by_heads;
};

// One machine as a server of sequences.
struct TokenServer {
  DecodeWork work;  // one GPU's part
  DecodeGpu gpu;
  DecodeLoad lengths;
  Precision precision = Precision::bf16;  // that the GPU has
  WeightFormat weights = WeightFormat::own;
  bool fp8_caches = false;
  double weight_bytes = 0;                                  // of the whole network, once
  double log_sd = 0;                                        // of ln(time)
  int replicas = 1;                                         // on the machine
  AttentionSharing attention = AttentionSharing::by_heads;  // among a replica's GPUs

  [[nodiscard]] int gpus_each() const { return gpu.cluster.gpus_per_node; }
  // Those of so many machines, everything `factor` times as slow.
  [[nodiscard]] DecodeReplicas replicas_of(int machines, double factor = 1) const {
    return {work, slowed(gpu, factor), machines * replicas};
  }
};

// One replica of those that share the load.
struct TokenPoint {
  DecodePoint point;
  DecodeLatency latency;
};

struct TokenFleet {
  int machines = 0;        // enough with the wanted confidence; 0: no number is
  int machines_low = 0;    // at the optimistic end of the interval of its times and its queue
  int machines_high = 0;   // at the pessimistic end; 0: no number is enough
  double p_enough = 0;     // P(that many answer in time)
  double each_per_s = 0;   // sequences/s that one machine alone answers so
  double utilisation = 0;  // of what all could write, limits aside, the share that comes
  TokenPoint expected;     // of each replica of the fleet
  TokenPoint fast;         // at the ends of the interval, of its times and of the laws of waiting
  TokenPoint slow;
  TokenServer server;
};

// What the sequences ask of a network, prepared once; the one rule by which every command makes a
// server of a machine.
class TokenServers {
 public:
  // Throws UsageError where the network cannot write token by token.
  TokenServers(const Network& network,
               Precision precision,
               const TokenService& service,
               InterconnectWords links);

  // How many GPUs of a machine's `gpus` may share the network: 1, 2, 4 ... that divide its heads,
  // or what the service says; and in which ways.
  [[nodiscard]] std::vector<ReplicaShape> shapes(int gpus) const;

  // `gpus` of a machine in replicas of that shape; nullopt, refused, where the weights and one
  // sequence do not fit.
  [[nodiscard]] std::optional<TokenServer> server(const GpuSpec& gpu,
                                                  std::optional<double> memory_bytes,
                                                  int gpus,
                                                  const ReplicaShape& shape,
                                                  Refusal& refusal) const;

  [[nodiscard]] const DecodeWork& work(Precision precision) const;

 private:
  [[nodiscard]] DecodeForm form(Precision precision) const;

  TokenService service_;
  WeightFormat weights_ = WeightFormat::own;  // that are taken of it
  Precision precision_;
  InterconnectWords links_;
  bool by_sequences_;  // whether the software shares this network's attention so
  DecodeWork narrow_;  // at 16 bits
  DecodeWork wide_;    // at 32, of GPUs that have no 16
};

// `interval_z`: half-width of the interval in standard deviations.
[[nodiscard]] TokenFleet size_token_fleet(const TokenService& service,
                                          const TokenServer& server,
                                          double confidence,
                                          double interval_z);

// How much slower than expected such a server is at most, with this probability.
[[nodiscard]] double confident_factor(const TokenServer& server, double confidence);

// How many answer in time when everything takes `factor` times as long as expected; 0: none.
[[nodiscard]] int token_machines_needed(const TokenService& service,
                                        const TokenServer& server,
                                        double factor);

// How many answer in time with so many standard deviations of bad luck (mishap.h), of their times
// and of the laws of waiting; 0: none.
[[nodiscard]] int token_machines_enough(const TokenService& service,
                                        const TokenServer& server,
                                        double deviations);
// The same for who remembers the tails of so many machines that take `time_factor` times as long,
// and pays for no more than `most`; 0: they are not enough. Of bad luck, not of good.
using DecodeTailOf = std::function<const DecodeTail&(double time_factor, int machines)>;
[[nodiscard]] int token_machines_enough(const TokenService& service,
                                        const TokenServer& server,
                                        double deviations,
                                        const DecodeTailOf& tail_of,
                                        int most);

// P(so many answer in time), by the uncertainty of both.
[[nodiscard]] double chance_enough(const TokenService& service,
                                   const TokenServer& server,
                                   int machines);

// One replica of `machines` that share the load, everything `factor` times as slow.
[[nodiscard]] TokenPoint token_point(const TokenService& service,
                                     const TokenServer& server,
                                     int machines,
                                     double factor = 1);

// Sequences/s that so many machines answer in time with so much bad luck; 0: none.
[[nodiscard]] double each_in_time(const TokenService& service,
                                  const TokenServer& server,
                                  double deviations,
                                  int machines = 1);

// A quantile of the fleet's waiting with its interval, in seconds. Infinite: saturated.
[[nodiscard]] Estimate waiting_of(const TokenFleet& fleet,
                                  double DecodeLatency::*which,
                                  double confidence,
                                  Source source);

// What keeps a machine from answering more in time: a limit, or all that it can write.
enum class TokenLimit { first_token, token, fullness };
// At the expected times.
[[nodiscard]] TokenLimit binding_limit(const TokenService& service,
                                       const TokenServer& server,
                                       int machines);

// Whether more sequences come than so many machines can write at the expected times.
[[nodiscard]] bool is_saturated(const TokenFleet& fleet);

// Whether some number of machines is enough with the confidence and at the slow end.
[[nodiscard]] bool any_number_writes(const TokenFleet& fleet);

// "bf16, weights in fp8, caches in fp8".
[[nodiscard]] std::string form_words(const TokenServer& server);

// What the rates rest on, in words.
[[nodiscard]] std::string token_provenance(const TokenService& service, bool many_sequences);

// What is taken for granted, a sentence each. `has_experts`: of a mixture of them.
[[nodiscard]] std::vector<std::string> token_assumptions(const TokenService& service,
                                                         bool has_experts);

// Of a network whose tokens were written on this machine: what those rates are not used for. The
// other half is in decode_rate.cpp.
inline constexpr auto own_tokens_words =
    "rates at which rightsize's own engine wrote its tokens here are not in these times, which are "
    "of programs that serve; phase = \"decode\" without [service] answers with them";

// "2 replicas of 4 GPUs": of one machine.
[[nodiscard]] std::string replicas_text(const TokenServer& server);

}  // namespace rightsize
