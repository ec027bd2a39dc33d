// The tree of explain() for a language model that writes tokens: every node repeats a formula of
// models/laws/decode.h with the numbers that it used.
#include <algorithm>
#include <cmath>
#include <string>

#include <fmt/format.h>

#include "advisor/explain/cause_values.h"
#include "advisor/explain/market_terms.h"
#include "advisor/tokens/token_explanation.h"
#include "advisor/tokens/token_iteration.h"
#include "kernels/gibibyte.h"
#include "kernels/networks/vision_language/vision_language.h"

namespace rightsize {
namespace {

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
    Cause node{
        "cost",
        option_.cost,
        "machines x hours x price, billed by the provider's rule",
        {{"hours of a month", option_.hours.value, "h", "given"},
         {"a million tokens written", option_.cost_per_1m_tokens, option_.cost.unit, "scaled"}},
        "",
        false,
        {price_cause(option_), machines()}};
    add_market_terms(node, query_, option_);
    return node;
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
      node.parts.push_back(token_iteration(fleet_, option_.cost.confidence));
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
        {room_for(server_, fleet_.expected.point.most_sequences, "sequences")}};
  }

  // What the interval counts of the law beside what it counts of the times.
  [[nodiscard]] std::string law_of_waiting() const {
    const auto law_sd =
        decode_latency_log_sd(server_.replicas_of(fleet_.machines), service_.load());
    return fmt::format(
        "the closed form of models/laws/decode_latency.h: at such a load nine of ten played queues "
        "are within {:.2f} times of its p99, and {:.2f} times of a token's, which the interval "
        "counts; rightsize simulate plays this one",
        std::exp(normal_90 * law_sd.first_token),
        std::exp(normal_90 * law_sd.token));
  }

  [[nodiscard]] Cause first_token() const {
    const auto& latency = fleet_.expected.latency;
    return {"first token, p99",
            waiting_of(
                fleet_, &DecodeLatency::first_token_p99_s, option_.cost.confidence, Source::scaled),
            "the iteration under way and the prompts that came in it, its own prompt, an iteration",
            {{"p50", latency.first_token_p50_s, "s", "scaled"},
             {"p95", latency.first_token_p95_s, "s", "scaled"}},
            law_of_waiting(),
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
        {{"tokens", static_cast<double>(service_.computed_tokens()), "", "given"},
         {"work", (work.prompt_flops + unshared) / 1e12, "TFLOP", "published"},
         {"rate", product_flops_per_s(server_.work, server_.gpu) / 1e12, "TFLOP/s", "scaled"}},
        "",
        false,
        {}};
    if (work.expert_bytes > 0) {
      const double joined = fleet_.expected.latency.joined;
      const double unread = read_weight_bytes(work, joined + service_.computed_tokens()) -
                            read_weight_bytes(work, joined);
      node.formula = "the longer of products and experts that its iteration leaves / bandwidth";
      node.inputs.push_back({"sequences of its iteration", joined, "", "scaled"});
      node.inputs.push_back({"experts left", unread / bytes_per_gib, "GiB", "scaled"});
    }
    if (server_.gpus_each() > 1) {
      node.formula += " + all-reduces";
      node.inputs.push_back({"all-reduces",
                             reduce_seconds(work, server_.gpu, service_.computed_tokens()),
                             "s",
                             "scaled"});
    }
    add_pictures(server_, picture_tokens(query_.network), 1, option_.cost.confidence, node);
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
        {token_iteration(fleet_, option_.cost.confidence)}};
  }

  [[nodiscard]] double replica_per_s() const {
    return service_.sequences_per_s / (fleet_.machines * server_.replicas);
  }

  [[nodiscard]] double prompt_s() const { return fleet_.expected.latency.prompt_s; }

  [[nodiscard]] Estimate uncertain(double seconds) const {
    return token_time(server_, seconds, option_.cost.confidence);
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
