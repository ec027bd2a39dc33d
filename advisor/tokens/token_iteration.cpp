// The part of the tree of explain() that is one iteration of a replica, with as many sequences in
// flight as there are in the mean: decode_step() of models/laws/decode.h, term by term.
#include "advisor/tokens/token_iteration.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "advisor/explain/cause_values.h"
#include "kernels/gibibyte.h"
#include "models/laws/picture_prompts.h"
#include "models/predict.h"

namespace rightsize {
namespace {

// Where GPUs reach one another through the host, its memory is what limits sums of long prompts
// (reduce_seconds() of models/laws/decode.h).
std::string host_copies_of(const Interconnect& links) {
  return links.link == NodeLink::host
             ? fmt::format(", whose memory passes on {:.0f} GB/s for all GPUs together",
                           ExchangeLaw{}.host_copy_bytes_per_s * links.host_speed / 1e9)
             : "";
}

class IterationTree {
 public:
  IterationTree(const TokenServer& server, double sequences, double confidence)
      : server_(server), together_(std::max(1.0, sequences)), confidence_(confidence) {}

  [[nodiscard]] Cause iteration() const {
    const double context = mean_context(server_.lengths);
    const auto step = decode_step(server_.work, server_.gpu, together_, context);
    Cause node{"iteration",
               uncertain(step.seconds()),
               "overhead + the longer of weights and products + caches",
               {{"sequences in flight", together_, "", "scaled"},
                {"tokens of each", context, "", "given"}},
               "",
               false,
               {weights(step), products(step), caches(step, context)}};
    if (server_.gpus_each() > 1) {
      node.formula += " + all-reduces";
      node.parts.push_back(reduces(step));
    }
    node.parts.push_back(overhead(step));
    if (step.host_s > step.gpu_seconds()) {
      node.formula += ", and no sooner than the host is done";
      node.parts.push_back(host(step));
    }
    std::max_element(node.parts.begin(), node.parts.end(), [](const Cause& a, const Cause& b) {
      return a.value.value < b.value.value;
    })->binding = true;
    return node;
  }

 private:
  [[nodiscard]] Cause host(const DecodeStep& step) const {
    const auto& gpu = server_.gpu;
    const double of_sequences_s = together_ / server_.work.engines * gpu.host_sequence_s;
    Cause node{"host",
               uncertain(step.host_s),
               "sequences of an engine x what scheduling and sampling take of each, beside the GPU",
               {{"of each sequence", gpu.host_sequence_s, "s", "published"}},
               "no faster than the fastest that was published of such a program",
               false,
               {}};
    if (of_sequences_s < step.host_s) {
      node.formula = "what scheduling and launches take, whatever is in flight, beside the GPU";
      node.inputs = {{"of an iteration", gpu.host_step_s, "s", "published"}};
    }
    if (of_sequences_s < step.host_s && gpu.host_block_s > 0) {
      node.inputs = {{"of each block", gpu.host_block_s, "s", "published"},
                     {"of each mixture beside", gpu.host_mixture_s, "s", "published"}};
      node.provenance = "kernels are launched one by one from Python";
    }
    return node;
  }

  [[nodiscard]] Cause overhead(const DecodeStep& step) const {
    const auto& gpu = server_.gpu;
    Cause node{"overhead",
               uncertain(step.overhead_s),
               "launches and sampling, whatever is in flight",
               {{"of an iteration", gpu.overhead_s, "s", "scaled"},
                {"of each block", gpu.block_s, "s", "scaled"}},
               "",
               false,
               {}};
    if (server_.work.mixtures > 0) {
      node.inputs.push_back({"of each expert that a token takes", gpu.expert_s, "s", "scaled"});
    }
    if (gpu.sequence_s > 0) {
      node.formula = "launches and sampling, and what the host does for each sequence";
      node.inputs.push_back({"of each sequence", gpu.sequence_s, "s", "scaled"});
    }
    return node;
  }

  [[nodiscard]] Cause weights(const DecodeStep& step) const {
    const auto& gpu = server_.gpu;
    Cause node{
        "weights",
        uncertain(step.weights_s),
        server_.work.expert_bytes > 0
            ? "bytes read once for all, experts those that are taken / bandwidth reached"
            : "bytes read once for all / bandwidth reached",
        {{"bytes", read_weight_bytes(server_.work, together_) / bytes_per_gib, "GiB", "published"},
         {"bandwidth", gpu.bytes_per_s, "B/s", "scaled"}},
        "",
        false,
        {}};
    if (gpu.most_weight_bytes_per_s < gpu.bytes_per_s) {
      node.formula += "; narrow ones no faster than the cores widen them";
      node.inputs.push_back(
          {"of these never narrow", server_.work.wide_bytes / bytes_per_gib, "GiB", "published"});
      node.inputs.push_back({"narrow ones widened", gpu.most_weight_bytes_per_s, "B/s", "scaled"});
    }
    return node;
  }

  [[nodiscard]] Cause products(const DecodeStep& step) const {
    return {"products",
            uncertain(step.products_s),
            "sequences x FLOPs of a token / rate reached",
            {{"sequences", together_, "", "scaled"},
             {"a token", server_.work.flops_per_token / 1e9, "GFLOP", "published"},
             {"rate", product_flops_per_s(server_.work, server_.gpu) / 1e12, "TFLOP/s", "scaled"}},
            "",
            false,
            {}};
  }

  [[nodiscard]] Cause caches(const DecodeStep& step, double context) const {
    const auto& work = server_.work;
    // The fullest engine's count, where there are fewer sequences than engines.
    const double counted = std::max<double>(together_, work.engines);
    std::vector<Input> inputs{
        {"sequences", counted, "", "scaled"},
        {"bytes", counted * sequence_cache_bytes(work, context) / bytes_per_gib, "GiB", "scaled"}};
    if (work.flops_per_cached_token > 0) {
      inputs.push_back({"products with them",
                        counted * context * work.flops_per_cached_token / 1e12,
                        "TFLOP",
                        "scaled"});
    }
    return {"caches",
            uncertain(step.caches_s),
            work.flops_per_cached_token > 0
                ? "sequences x tokens x caches of a token / bandwidth reached, or the products of "
                  "all heads with them, whichever takes longer"
                : "sequences x tokens x caches of a token / bandwidth reached",
            std::move(inputs),
            "",
            false,
            {}};
  }

  [[nodiscard]] Cause reduces(const DecodeStep& step) const {
    const auto& links = server_.gpu.cluster.interconnect;
    return {"all-reduces",
            uncertain(step.reduces_s),
            "number x the shorter of a ring and a tree",
            {{"number", static_cast<double>(server_.work.reduces), "", "published"},
             {"of each", together_ * server_.work.reduce_bytes_per_token, "B", "scaled"}},
            links.text + host_copies_of(links),
            false,
            {}};
  }

  [[nodiscard]] Estimate uncertain(double seconds) const {
    return token_time(server_, seconds, confidence_);
  }

  const TokenServer& server_;
  double together_;
  double confidence_;
};

}  // namespace

Estimate token_time(const TokenServer& server, double seconds, double confidence) {
  const double spread = std::exp(normal_90 * server.log_sd);
  return {seconds, seconds / spread, seconds * spread, confidence, "s", Source::scaled};
}

Cause token_iteration(const TokenFleet& fleet, double confidence) {
  return token_iteration(fleet.server, fleet.expected.point.sequences, confidence);
}

Cause token_iteration(const TokenServer& server, double sequences, double confidence) {
  return IterationTree(server, sequences, confidence).iteration();
}

void add_pictures(
    const TokenServer& server, int tokens, double prompts, double confidence, Cause& node) {
  const auto& work = server.work;
  if (!(work.tower_flops > 0)) {
    return;
  }
  node.formula += ", + pictures seen before";
  node.inputs.push_back({"of them pictures'", static_cast<double>(tokens), "tokens", "published"});
  node.parts.push_back(
      {"pictures seen",
       token_time(server, prompts * tower_seconds(work, server.gpu), confidence),
       "FLOPs of a GPU's part of the tower, all pictures of a prompt / rate of 16 bits",
       {{"work", work.tower_flops / 1e12, "TFLOP", "published"},
        {"rate", server.gpu.attention_flops_per_s / 1e12, "TFLOP/s", "scaled"},
        {"share of it",
         prompts * tower_seconds(work, server.gpu) / node.value.value,
         "",
         "scaled"}},
       "what hosts take to decode and resize pictures is not in it",
       false,
       {}});
}

Cause room_for(const TokenServer& server, int most, const std::string& items) {
  const auto& work = server.work;
  const double tokens = server.lengths.tokens();
  return {
      items + " at once",
      exact(most, items, Source::scaled),
      fmt::format("(memory for them - weights) / (tokens of a sequence x caches of a token), at "
                  "most 2,048{}",
                  work.engines > 1 ? " of each GPU's own" : ""),
      {{"memory of a GPU for them", server.gpu.memory_bytes / bytes_per_gib, "GiB", "assumed"},
       {"weights on it", work.weight_bytes / bytes_per_gib, "GiB", "published"},
       {"tokens of a sequence", tokens, "", "given"},
       {"caches of a token", mean_cache_bytes(work, tokens), "B", "published"}},
      "92 % of the GPU's memory but what kernels work in is for weights and caches",
      false,
      {}};
}

}  // namespace rightsize
