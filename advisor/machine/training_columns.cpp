// The columns of a batch file that say how a network is trained.
#include <array>

#include "advisor/machine/batch_cell.h"
#include "advisor/machine/batch_columns.h"
#include "advisor/query/grammars.h"
#include "advisor/query/tuning_words.h"
#include "models/laws/spelling.h"

namespace rightsize {
namespace {

// Megatron's are None or 1 where nothing is shared.
template <int NetworkStep::*ranks>
bool read_ranks(std::string_view text, BatchDraft& draft) {
  if (says_nothing(text) || bare(text) == "no" || bare(text) == "false") {
    draft.asked.*ranks = 1;
    return true;
  }
  return read_count(text, 1, 4096, [&](int value) { draft.asked.*ranks = value; });
}

// MXNet's kvstores: "dist..." are parameter servers, and all add up on the host or on a device.
bool read_exchange(std::string_view word, Configuration& asked) {
  struct Kvstore {
    std::string_view word;
    std::string_view exchange;
  };
  constexpr std::array stores{Kvstore{"dist", "local"},
                              Kvstore{"distsync", "local"},
                              Kvstore{"distasync", "local"},
                              Kvstore{"distdevice", "device"},
                              Kvstore{"distdevicesync", "device"},
                              Kvstore{"distdeviceasync", "device"},
                              Kvstore{"distsyncdevice", "device"},
                              Kvstore{"distasyncdevice", "device"},
                              Kvstore{"localupdatecpu", "local"},
                              Kvstore{"localallreducecpu", "local"},
                              Kvstore{"localallreducedevice", "device"}};
  asked.parameter_server = word.starts_with("dist");
  for (const auto& store : stores) {
    word = store.word == word ? store.exchange : word;
  }
  return store_if(parse_exchange(word), asked.exchange);
}

constexpr std::array columns{
    BatchColumn{{"exchange", "kvstore"},
                "local, device, nccl or sharded (fsdp, zero3); MXNet's dist, dist_sync, "
                "dist_device_sync, ...",
                "the fastest that fits",
                [](std::string_view text, BatchDraft& draft) {
                  return read_exchange(bare(text), draft.asked);
                }},
    BatchColumn{{"recompute", "activation_checkpointing", "gradient_checkpointing"},
                "true or false: transformer blocks run again in the backward pass",
                "where nothing else fits",
                [](std::string_view text, BatchDraft& draft) {
                  const auto word = bare(text);
                  const bool yes = word == "true" || word == "yes" || word == "1";
                  draft.asked.recompute = yes;
                  return yes || word == "false" || word == "no" || word == "0";
                }},
    BatchColumn{{"tensor_parallel",
                 "tp",
                 "tensor_parallel_size",
                 "tensor_model_parallel_size",
                 "tp_size",
                 "tensor_parallel_degree"},
                "a whole number of GPUs that share every layer, from 1",
                "1; of decode as few as hold the batch",
                [](std::string_view text, BatchDraft& draft) {
                  draft.asked.tensor_parallel_said = !says_nothing(text);
                  return read_ranks<&NetworkStep::tensor_parallel>(text, draft);
                }},
    BatchColumn{{"pipeline_parallel",
                 "pp",
                 "pipeline_parallel_size",
                 "pipeline_model_parallel_size",
                 "pp_size",
                 "pipeline_parallel_degree"},
                "a whole number of stages that share the layers, from 1",
                "1",
                read_ranks<&NetworkStep::pipeline_parallel>},
    BatchColumn{
        {"expert_parallel", "ep", "expert_parallel_size", "expert_model_parallel_size", "ep_size"},
        "a whole number of copies (GPUs, where none share layers) that divide a mixture's "
        "experts, from 1",
        "1",
        read_ranks<&NetworkStep::expert_parallel>},
    BatchColumn{{"expert_tensor_parallel", "etp", "expert_tensor_parallel_size", "etp_size"},
                "a whole number of GPUs that share each expert, from 1",
                "as many as share every layer",
                [](std::string_view text, BatchDraft& draft) {
                  return says_nothing(text) ||
                         read_ranks<&NetworkStep::expert_tensor_parallel>(text, draft);
                }},
    BatchColumn{
        {"context_parallel", "cp", "context_parallel_size", "cp_size", "context_parallel_degree"},
        "a whole number of GPUs that share every sequence, from 1",
        "1",
        read_ranks<&NetworkStep::context_parallel>},
    BatchColumn{{"virtual_pipeline", "vp", "vpp", "virtual_pipeline_model_parallel_size"},
                "a whole number of parts of the layers that each stage has, from 1",
                "the fastest",
                read_ranks<&NetworkStep::virtual_pipeline>},
    BatchColumn{{"adapter", "peft", "lora"},
                adapter_grammar,
                "none: all parameters are trained",
                [](std::string_view text, BatchDraft& draft) {
                  const auto adapters =
                      says_no(text) ? std::optional(Adapters{}) : parse_adapters(text);
                  draft.asked.tuning.adapters = adapters.value_or(Adapters{});
                  return adapters.has_value();
                }},
    BatchColumn{{"optimizer", "optim"},
                optimizer_grammar,
                "the network's own",
                [](std::string_view text, BatchDraft& draft) {
                  return store_if(parse_optimizer(text), draft.asked.tuning.state.optimizer);
                }},
    BatchColumn{{"master_weights"},
                master_weights_grammar,
                "fp32",
                [](std::string_view text, BatchDraft& draft) {
                  return store_if(parse_master_weights(text), draft.asked.tuning.state.masters);
                }},
    BatchColumn{{"accumulate", "gradient_accumulation_steps", "grad_accum", "grad_accum_steps"},
                "a whole number of minibatches before an update, from 1 to 65536",
                "1",
                [](std::string_view text, BatchDraft& draft) {
                  return read_count(text, 1, most_accumulated, [&](int value) {
                    draft.asked.accumulate = value;
                  });
                }},
    BatchColumn{{"compression"},
                compression_grammar,
                "none",
                [](std::string_view text, BatchDraft& draft) {
                  return store_if(parse_compression(text), draft.asked.compression);
                }},
};

}  // namespace

std::span<const BatchColumn> training_columns() {
  return columns;
}

}  // namespace rightsize
