// What servers are told on their command lines of the replica that they are to be
// (server_command.h says where their flags are documented).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "advisor/recommendation.h"

namespace rightsize {

// Of $MODEL and $PORT; what belongs together is one.
using ServerLine = std::vector<std::string>;

// What a replica was sized for.
struct ServedReplica {
  int gpus = 1;
  bool by_sequences = false;
  int prompt_tokens = 0;
  int tokens = 0;     // of a sequence, all of them
  int sequences = 0;  // that the replica may hold at once
  Precision precision = Precision::bf16;
  WeightFormat weights = WeightFormat::own;
  bool fp8_caches = false;
  bool beside_others = false;  // of the same machine
  bool as_published = false;   // the checkpoint says itself how its weights lie

  // Sequences lie on one of the GPUs each, as many on every one.
  [[nodiscard]] int sequences_of_rank() const {
    return by_sequences ? std::max(1, sequences / gpus) : sequences;
  }
};

[[nodiscard]] ServedReplica served_replica(const TokenService& service,
                                           const TokenFleet& fleet,
                                           std::string_view network);

[[nodiscard]] ServerLine vllm_line(const ServedReplica& replica);
[[nodiscard]] ServerLine sglang_line(const ServedReplica& replica);
[[nodiscard]] ServerLine trtllm_line(const ServedReplica& replica);
[[nodiscard]] ServerLine llama_cpp_line(const ServedReplica& replica);
[[nodiscard]] ServerLine tgi_line(const ServedReplica& replica);

// By what a program is told that so many GPUs share a copy's experts, each with sequences of its
// own: "vLLM --tensor-parallel-size 1 ..."; of several programs where none is named.
[[nodiscard]] std::string own_sequences_flags(std::string_view software, int gpus);

// A line of bash that writes what trtllm-serve has no flag for; mostly empty.
[[nodiscard]] std::string before_trtllm(const ServedReplica& replica);

}  // namespace rightsize
