// The tree of explain() for a language model that writes tokens: every node repeats a formula of
// models/laws/decode.h with the numbers that it used.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "advisor/explain/cause_values.h"
#include "advisor/tokens/token_explanation.h"

namespace rightsize {
namespace {

constexpr double gib = 0x1p30;

constexpr auto queueing =
    "the closed form of models/laws/decode_latency.h. Up to 0.7 of what it can write it is within "
    "15 % of the played queue, a first token's median within 20 %; rightsize simulate plays it";

class TokenTree {
 public:
  TokenTree(const Query& query, const Option& option)
      : service_(*query.tokens),
        query_(query),
        option_(option),
        fleet_(*option.tokens),
        server_(fleet_.server),
        limit_(binding_limit(service_, server_, fleet_.machines)) {}

  [[nodiscard]] Cause cost() const {
    return {"cost",
            option_.cost,
            "machines x hours x price, billed by the provider's rule",
            {{"hours of a month", option_.hours.value, "h", "given"},
             {"a million tokens written", option_.cost_per_1m_tokens, option_.cost.unit, "scaled"}},
            "",
            false,
            {price_cause(option_), machines()}};
  }

 private:
  [[nodiscard]] Cause machines() const {
    const bool open = fleet_.machines_high == 0;
    Cause node{
        "machines",
        {static_cast<double>(fleet_.machines),
         static_cast<double>(std::min(fleet_.machines_low, fleet_.machines)),
         open ? HUGE_VAL : static_cast<double>(std::max(fleet_.machines_high, fleet_.machines)),
         option_.cost.confidence,
         "machines",
         Source::scaled},
        service_.machines ? "as given" : "the fewest in time with the confidence",
        {},
        "",
        false,
        {load(), most(), first_token()}};
    const auto add_limit = [&](const char* name, double seconds) {
      if (std::isfinite(seconds)) {
        node.inputs.push_back({name, seconds, "s", "given"});
      }
    };
    add_limit("first token within", service_.limits.first_token_s);
    if (service_.output_tokens > 1) {
      add_limit("a token within", service_.limits.token_s);
      node.parts.push_back(token());
    } else {
      node.parts.push_back(iteration());
    }
    node.inputs.push_back({"confidence", query_.confidence, "", "given"});
    node.inputs.push_back({"chance of being in time", fleet_.p_enough, "", "scaled"});
    return node;
  }

  [[nodiscard]] Cause load() const {
    return {"load of a replica",
            exact(replica_per_s(), "sequences/s", Source::scaled),
            "sequences / (machines x replicas of one)",
            {{"sequences", service_.sequences_per_s, "sequences/s", "given"},
             {"machines", static_cast<double>(fleet_.machines), "", "scaled"},
             {"replicas of one", static_cast<double>(server_.replicas), "", "scaled"},
             {"GPUs of a replica",
              static_cast<double>(server_.gpus_each()),
              "",
              service_.per_replica ? "given" : "scaled"}},
            "",
            false,
            {}};
  }

  [[nodiscard]] Cause most() const {
    const auto of_replica = [&](double deviations) {
      return each_in_time(service_, server_, deviations, fleet_.machines) /
             (fleet_.machines * server_.replicas);
    };
    return {
        "most of a replica in time",
        {of_replica(0),
         of_replica(normal_90),
         of_replica(-normal_90),
         0.9,
         "sequences/s",
         Source::scaled},
        fmt::format("the largest load within the limits, at most {:.0f} % of all it can write",
                    100 * fullest_load),
        {{"all it can write", fleet_.expected.point.most_sequences_per_s, "sequences/s", "scaled"}},
        "",
        limit_ == TokenLimit::fullness,
        {room()}};
  }

  [[nodiscard]] Cause room() const {
    const auto& work = server_.work;
    const double tokens = server_.lengths.tokens();
    return {"sequences at once",
            exact(fleet_.expected.point.most_sequences, "sequences", Source::scaled),
            fmt::format(
                "(memory for them - weights) / (tokens of a sequence x caches of a token), at most "
                "2,048{}",
                work.engines > 1 ? " of each GPU's own" : ""),
            {{"memory of a GPU for them", server_.gpu.memory_bytes / gib, "GiB", "assumed"},
             {"weights on it", work.weight_bytes / gib, "GiB", "published"},
             {"tokens of a sequence", tokens, "", "given"},
             {"caches of a token", mean_cache_bytes(work, tokens), "B", "published"}},
            "92 % of the GPU's memory but what kernels work in is for weights and caches",
            false,
            {}};
  }

  [[nodiscard]] Cause first_token() const {
    const auto& latency = fleet_.expected.latency;
    return {"first token, p99",
            waiting_of(
                fleet_, &DecodeLatency::first_token_p99_s, option_.cost.confidence, Source::scaled),
            "the iteration under way and the prompts that came in it, its own prompt, an iteration",
            {{"p50", latency.first_token_p50_s, "s", "scaled"},
             {"p95", latency.first_token_p95_s, "s", "scaled"}},
            queueing,
            limit_ == TokenLimit::first_token,
            {prompt()}};
  }

  [[nodiscard]] Cause prompt() const {
    const auto& work = server_.work;
    // An engine with sequences of its own computes their attention alone.
    const double unshared =
        work.engines > 1 ? work.prompt_attention_flops * (1 - 1.0 / work.engines) : 0;
    Cause node{
        "prompt",
        uncertain(prompt_s()),
        "FLOPs of a GPU's part / its rate",
        {{"tokens", static_cast<double>(service_.prompt_tokens), "", "given"},
         {"work", (work.prompt_flops + unshared) / 1e12, "TFLOP", "published"},
         {"rate", product_flops_per_s(server_.work, server_.gpu) / 1e12, "TFLOP/s", "scaled"}},
        "",
        false,
        {}};
    if (work.expert_bytes > 0) {
      const double joined = fleet_.expected.latency.joined;
      const double unread = read_weight_bytes(work, joined + service_.prompt_tokens) -
                            read_weight_bytes(work, joined);
      node.formula = "the longer of products and experts that its iteration leaves / bandwidth";
      node.inputs.push_back({"sequences of its iteration", joined, "", "scaled"});
      node.inputs.push_back({"experts left", unread / gib, "GiB", "scaled"});
    }
    if (server_.gpus_each() > 1) {
      node.formula += " + all-reduces";
      node.inputs.push_back({"all-reduces",
                             reduce_seconds(work, server_.gpu, service_.prompt_tokens),
                             "s",
                             "scaled"});
    }
    return node;
  }

  [[nodiscard]] Cause token() const {
    const auto& latency = fleet_.expected.latency;
    return {
        "token, p99",
        waiting_of(fleet_, &DecodeLatency::token_p99_s, option_.cost.confidence, Source::scaled),
        "iteration / (1 - share of prompts), and what a crowd and more prompts add",
        {{"share of prompts", replica_per_s() * prompt_s(), "", "scaled"},
         {"p50", latency.token_p50_s, "s", "scaled"},
         {"p95", latency.token_p95_s, "s", "scaled"}},
        "",
        limit_ == TokenLimit::token,
        {iteration()}};
  }

  // With as many in flight as there are in the mean.
  [[nodiscard]] Cause iteration() const {
    const double together = std::max(1.0, fleet_.expected.point.sequences);
    const double context = mean_context(server_.lengths);
    const auto step = decode_step(server_.work, server_.gpu, together, context);
    Cause node{
        "iteration",
        uncertain(step.seconds()),
        "overhead + the longer of weights and products + caches",
        {{"sequences in flight", together, "", "scaled"}, {"tokens of each", context, "", "given"}},
        "",
        false,
        {weights(step, together), products(step, together), caches(step, together, context)}};
    if (server_.gpus_each() > 1) {
      node.formula += " + all-reduces";
      node.parts.push_back(reduces(step, together));
    }
    node.parts.push_back(overhead(step));
    std::max_element(node.parts.begin(), node.parts.end(), [](const Cause& a, const Cause& b) {
      return a.value.value < b.value.value;
    })->binding = true;
    return node;
  }

  [[nodiscard]] Cause overhead(const DecodeStep& step) const {
    const double each_s = server_.gpu.sequence_s;
    return {"overhead",
            uncertain(step.overhead_s),
            each_s > 0 ? "launches and sampling, and what the host does for each sequence"
                       : "launches and sampling, whatever is in flight",
            each_s > 0 ? std::vector<Input>{{"of each sequence", each_s, "s", "scaled"}}
                       : std::vector<Input>(),
            "",
            false,
            {}};
  }

  [[nodiscard]] Cause weights(const DecodeStep& step, double together) const {
    const auto& gpu = server_.gpu;
    Cause node{"weights",
               uncertain(step.weights_s),
               server_.work.expert_bytes > 0
                   ? "bytes read once for all, experts those that are taken / bandwidth reached"
                   : "bytes read once for all / bandwidth reached",
               {{"bytes", read_weight_bytes(server_.work, together) / gib, "GiB", "published"},
                {"bandwidth", gpu.bytes_per_s, "B/s", "scaled"}},
               "",
               false,
               {}};
    if (gpu.most_weight_bytes_per_s < gpu.bytes_per_s) {
      node.formula += "; narrow ones no faster than the cores widen them";
      node.inputs.push_back(
          {"of these never narrow", server_.work.wide_bytes / gib, "GiB", "published"});
      node.inputs.push_back({"narrow ones widened", gpu.most_weight_bytes_per_s, "B/s", "scaled"});
    }
    return node;
  }

  [[nodiscard]] Cause products(const DecodeStep& step, double together) const {
    return {"products",
            uncertain(step.products_s),
            "sequences x FLOPs of a token / rate reached",
            {{"sequences", together, "", "scaled"},
             {"a token", server_.work.flops_per_token / 1e9, "GFLOP", "published"},
             {"rate", product_flops_per_s(server_.work, server_.gpu) / 1e12, "TFLOP/s", "scaled"}},
            "",
            false,
            {}};
  }

  [[nodiscard]] Cause caches(const DecodeStep& step, double together, double context) const {
    const auto& work = server_.work;
    // The fullest engine's count, where there are fewer sequences than engines.
    const double counted = std::max<double>(together, work.engines);
    std::vector<Input> inputs{
        {"sequences", counted, "", "scaled"},
        {"bytes", counted * sequence_cache_bytes(work, context) / gib, "GiB", "scaled"}};
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

  [[nodiscard]] Cause reduces(const DecodeStep& step, double together) const {
    const auto& links = server_.gpu.cluster.interconnect;
    return {"all-reduces",
            uncertain(step.reduces_s),
            "number x the shorter of a ring and a tree",
            {{"number", static_cast<double>(server_.work.reduces), "", "published"},
             {"of each", together * server_.work.reduce_bytes_per_token, "B", "scaled"}},
            links.text,
            false,
            {}};
  }

  [[nodiscard]] double replica_per_s() const {
    return service_.sequences_per_s / (fleet_.machines * server_.replicas);
  }

  [[nodiscard]] double prompt_s() const { return fleet_.expected.latency.prompt_s; }

  // A time of the law, with its interval.
  [[nodiscard]] Estimate uncertain(double seconds) const {
    const double spread = std::exp(normal_90 * server_.log_sd);
    return {
        seconds, seconds / spread, seconds * spread, option_.cost.confidence, "s", Source::scaled};
  }

  const TokenService& service_;
  const Query& query_;
  const Option& option_;
  const TokenFleet& fleet_;
  const TokenServer& server_;
  TokenLimit limit_;
};

}  // namespace

Cause token_cost_tree(const Query& query, const Option& option) {
  return TokenTree(query, option).cost();
}

}  // namespace rightsize
