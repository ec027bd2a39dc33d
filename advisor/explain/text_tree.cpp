#include "advisor/explain/text_tree.h"

#include <algorithm>
#include <tuple>

#include "advisor/explain/cause_values.h"
#include "advisor/tokens/token_iteration.h"
#include "kernels/gibibyte.h"
#include "kernels/networks/vision_language/vision_language.h"

namespace rightsize {
namespace {

class TextTree {
 public:
  TextTree(const Query& query, const Option& option, const TokenServer& server)
      : query_(query), option_(option), server_(server), together_(option.batch_per_gpu) {}

  [[nodiscard]] Cause texts(const Estimate& rate) const {
    const auto& lengths = server_.lengths;
    const double copies = static_cast<double>(server_.replicas) * option_.nodes;
    const double full = copies * together_ / (lengths.output_tokens * period_s());
    Cause node{"gpu",
               rate,
               "copies x texts in flight / (tokens written of each x period)",
               {{"copies", copies, "", "chosen"},
                {"GPUs of each",
                 static_cast<double>(server_.gpus_each()),
                 option_.gpu,
                 query_.tensor_parallel_said ? "given" : "chosen"},
                {"texts in flight", together_, "per copy", batch_tag(query_)},
                {"tokens written of each", static_cast<double>(lengths.output_tokens), "", "given"},
                {"written", rate.value * lengths.output_tokens, "tokens/s", "scaled"},
                {"read", rate.value * lengths.computed_tokens(), "tokens/s", "scaled"}},
               option_.rate_provenance,
               false,
               {period(), room()}};
    if (rate.value < 0.999 * full) {
      node.formula += ", less what the list's last texts leave idle";
      node.inputs.push_back({"before these", full, "texts/s", "scaled"});
    }
    return node;
  }

 private:
  [[nodiscard]] double period_s() const {
    return decode_period_seconds(server_.work, server_.gpu, server_.lengths, together_);
  }

  [[nodiscard]] double prompts_s() const {
    return prompts_seconds(
        server_.work, server_.gpu, server_.lengths, together_, together_ / output_tokens());
  }

  [[nodiscard]] int output_tokens() const { return server_.lengths.output_tokens; }

  [[nodiscard]] Cause period() const {
    Cause node{"period",
               token_time(server_, period_s(), option_.throughput.confidence),
               "from one token of a text to its next: prompts of the texts that join + iteration",
               {},
               "",
               false,
               {prompts(), token_iteration(server_, together_, option_.throughput.confidence)}};
    const auto step =
        decode_step(server_.work, server_.gpu, together_, mean_context(server_.lengths));
    if (period_s() > step.gpu_seconds() + prompts_s()) {
      node.formula += ", or what the host takes meanwhile, if that is longer";
      node.inputs.push_back({"the host", step.host_s, "s", "published"});
    }
    const bool longer = node.parts[0].value.value > node.parts[1].value.value;
    node.parts[longer ? 0 : 1].binding = true;
    return node;
  }

  // prompts_seconds() of models/laws/decode.h, term by term.
  [[nodiscard]] Cause prompts() const {
    const auto& [work, gpu] = std::tie(server_.work, server_.gpu);
    const double joining = together_ / output_tokens();
    const double at_once = std::max(1.0, joining);
    const double unshared =
        work.prompt_attention_flops * std::max(0.0, 1 - at_once / work.engines) / at_once;
    const double tokens = server_.lengths.computed_tokens();
    Cause node{"prompts",
               token_time(server_, prompts_s(), option_.throughput.confidence),
               "texts that join an iteration x FLOPs of a prompt / rate reached",
               {{"texts that join", joining, "", "scaled"},
                {"tokens of a prompt", tokens, "", "given"},
                {"a prompt", (work.prompt_flops + unshared) / 1e12, "TFLOP", "published"},
                {"rate", product_flops_per_s(work, gpu) / 1e12, "TFLOP/s", "scaled"}},
               "",
               false,
               {}};
    if (work.expert_bytes > 0) {
      const double unread = read_weight_bytes(work, together_ + at_once * tokens) -
                            read_weight_bytes(work, together_);
      node.formula += ", or the experts that the iteration leaves / bandwidth, if that is longer";
      node.inputs.push_back({"experts left", unread / bytes_per_gib, "GiB", "scaled"});
    }
    if (server_.gpus_each() > 1) {
      node.formula += ", + all-reduces";
      node.inputs.push_back(
          {"all-reduces of a prompt", reduce_seconds(work, gpu, tokens), "s", "scaled"});
    }
    add_pictures(
        server_, picture_tokens(query_.network), joining, option_.throughput.confidence, node);
    return node;
  }

  [[nodiscard]] Cause room() const {
    return room_for(
        server_, sequences_that_fit(server_.work, server_.gpu, server_.lengths), "texts");
  }

  const Query& query_;
  const Option& option_;
  const TokenServer& server_;
  double together_;
};

}  // namespace

Cause texts_cause(const Query& query,
                  const Option& option,
                  const TokenServer& server,
                  const Estimate& rate) {
  return TextTree(query, option, server).texts(rate);
}

}  // namespace rightsize
