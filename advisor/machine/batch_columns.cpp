#include "advisor/machine/batch_columns.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "advisor/machine/gpu_words.h"
#include "advisor/query/batch_limit.h"
#include "advisor/query/software_words.h"
#include "advisor/query/tuning_words.h"
#include "advisor/query/words.h"
#include "models/laws/decode_software.h"
#include "models/laws/spelling.h"

namespace rightsize {
namespace {

std::optional<double> number(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = error == std::errc{} && end == text.data() + text.size();
  return whole && std::isfinite(value) ? std::optional(value) : std::nullopt;
}

// A whole number in low..high, "4" or "4.0"; false when it is none.
template <typename Store>
bool read_count(std::string_view text, double low, double high, Store store) {
  const auto value = number(text);
  if (!value || *value < low || *value > high || *value != std::floor(*value)) {
    return false;
  }
  store(static_cast<int>(*value));
  return true;
}

template <int NetworkStep::*ranks>
bool read_ranks(std::string_view text, BatchDraft& draft) {
  return read_count(text, 1, 4096, [&](int value) { draft.asked.*ranks = value; });
}

template <typename Value, typename Slot>
bool store_if(const std::optional<Value>& value, Slot& slot) {
  if (value) {
    slot = *value;
  }
  return value.has_value();
}

bool read_positive(std::string_view text, std::optional<double>& slot) {
  const auto value = number(text);
  return value && *value > 0 && *value <= 1e6 && store_if(value, slot);
}

// What tables say of links that says nothing about their kind ("consolidated" is Gavel's word for
// GPUs of one machine): then the usual ones are meant.
bool says_no_link(std::string_view text) {
  const auto word = bare(text);
  return word == "none" || word == "na" || word == "usual" || word == "default" ||
         word == "consolidated" || word == "unconsolidated" || word == "singlegpu" ||
         word == "1gpupernodeunconsolidated" || word.empty();
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
    BatchColumn{{"network", "workload", "model", "net"},
                "a network such as ResNet-50",
                "resnet50",
                [](std::string_view text, BatchDraft& draft) {
                  draft.asked.network = network_meant(text);
                  return true;
                }},
    BatchColumn{{"phase", "mode"},
                "train or infer",
                "train",
                [](std::string_view text, BatchDraft& draft) {
                  return store_if(phase_meant(text), draft.asked.phase);
                },
                known_phases},
    BatchColumn{{"precision", "dtype", "mixed_precision"},
                "fp32, tf32, fp16 (mixed, AMP) or bf16",
                "fp32",
                [](std::string_view text, BatchDraft& draft) {
                  return store_if(precision_meant(text), draft.asked.precision);
                },
                known_precisions},
    BatchColumn{{"batch", "batch_per_gpu", "batch_size", "batch_size_per_gpu"},
                batch_grammar,
                "the largest power of two up to 128 that fits; 32 on a CPU",
                [](std::string_view text, BatchDraft& draft) {
                  return read_count(
                      text, 1, most_items_in_batch, [&](int value) { draft.asked.batch = value; });
                }},
    BatchColumn{{"gpu", "accelerator"},
                "a GPU, or none; with how many a node has, as A100:8 or \"8x A100\"",
                "none: the CPU computes",
                [](std::string_view text, BatchDraft& draft) {
                  const auto words = gpu_words(text);
                  draft.asked.machine.gpu = words.gpu;
                  draft.asked.machine.gpu_memory_gib = words.memory_gib;
                  draft.gpus_of_node = words.count;
                  return words.expected.empty();
                },
                [](std::string_view text) { return gpu_words(text).expected; }},
    BatchColumn{{"gpus", "gpu_count", "num_gpus", "number_of_gpus", "n_gpus"},
                "the number of GPUs of all nodes together",
                "as many as the gpu column says, else one a node",
                [](std::string_view text, BatchDraft& draft) {
                  return read_count(text, 0, 1'000'000, [&](int value) { draft.gpus = value; });
                }},
    BatchColumn{{"nodes", "machines", "num_nodes", "number_of_nodes"},
                "a whole number of machines from 1 to 100000",
                "1; of more than 16 GPUs, or more than 8 and a network between nodes, 8 a node",
                [](std::string_view text, BatchDraft& draft) {
                  draft.nodes_said = true;
                  return read_count(
                      text, 1, 100'000, [&](int value) { draft.asked.machine.nodes = value; });
                }},
    BatchColumn{{"interconnect", "link", "network_link"},
                "links such as \"NVLink; 25GbE\" or \"PCIe 3.0 x16\"",
                "NVLink where the GPU has it, else PCIe; InfiniBand between nodes",
                [](std::string_view text, BatchDraft& draft) {
                  const auto links =
                      says_no_link(text) ? InterconnectWords{} : parse_interconnect(text);
                  draft.asked.machine.unread_interconnect =
                      says_no_link(text) ? "" : unread_interconnect(text);
                  return store_if(links, draft.asked.machine.interconnect);
                }},
    BatchColumn{{"vcpus", "cpus", "vcpu"},
                "vCPUs of one node, above 0 and at most 1000000",
                "enough not to limit a GPU; a CPU machine needs them",
                [](std::string_view text, BatchDraft& draft) {
                  return read_positive(text, draft.asked.machine.vcpus);
                }},
    BatchColumn{{"memory_gib", "mem_gib", "memory", "mem_gb"},
                "GiB of one node's memory, above 0 and at most 1000000",
                "enough to run, none to cache",
                [](std::string_view text, BatchDraft& draft) {
                  return read_positive(text, draft.asked.machine.memory_gib);
                }},
    BatchColumn{{"disk", "storage"},
                "a rate or a class, such as 80MB/s, nvme or gp3:500GiB",
                "fast enough",
                [](std::string_view text, BatchDraft& draft) {
                  draft.asked.machine.disk = std::string(text);
                  return true;
                }},
    BatchColumn{{"data", "data_format"},
                "synthetic, real, jpeg, recordio, lmdb or tfrecord",
                "synthetic",
                [](std::string_view text, BatchDraft& draft) {
                  return store_if(data_meant(text), draft.asked.data);
                },
                known_data},
    BatchColumn{{"stack", "software"},
                "era (2015-2018) or current, or a year; PyTorch, TensorFlow, MXNet, ...",
                "the best evidence there is",
                [](std::string_view text, BatchDraft& draft) {
                  const auto software = software_meant(text);
                  if (software) {
                    draft.asked.stack = software->stack;
                    draft.asked.framework = software->framework;
                  }
                  return software.has_value();
                }},
    BatchColumn{{"framework"},
                "PyTorch, TensorFlow, MXNet, ...",
                "any framework's",
                [](std::string_view text, BatchDraft& draft) {
                  if (draft.asked.phase == Phase::decode) {  // whose column is read before
                    return store_if(decode_software(text), draft.asked.framework);
                  }
                  const auto software = software_meant(text);
                  if (!software || software->framework.empty()) {
                    return false;
                  }
                  draft.asked.framework = software->framework;
                  draft.asked.stack = draft.asked.stack ? draft.asked.stack : software->stack;
                  return true;
                },
                [](std::string_view text) {
                  return known_frameworks(text) + "; with phase decode one of " +
                         known_decode_software() + " instead";
                }},
    BatchColumn{{"cpu", "cpu_model", "instance"},
                "a CPU's name or an EC2 type",
                "the usual host",
                [](std::string_view text, BatchDraft& draft) {
                  draft.asked.machine.cpu = std::string(text);
                  return true;
                }},
    BatchColumn{{"sequence",
                 "seq_len",
                 "sequence_length",
                 "seq_length",
                 "context_length",
                 "max_seq_length"},
                "tokens per item; 0 as blank",
                "the network's own",
                [](std::string_view text, BatchDraft& draft) {
                  return read_count(
                      text, 0, 1 << 24, [&](int value) { draft.asked.sequence = value; });
                }},
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
    BatchColumn{{"tensor_parallel", "tp"},
                "a whole number of GPUs that share every layer, from 1",
                "1; of decode as few as hold the batch",
                read_ranks<&NetworkStep::tensor_parallel>},
    BatchColumn{{"pipeline_parallel", "pp"},
                "a whole number of stages that share the layers, from 1",
                "1",
                read_ranks<&NetworkStep::pipeline_parallel>},
    BatchColumn{{"expert_parallel", "ep"},
                "a whole number of GPUs that divide a mixture's experts, from 1",
                "1",
                read_ranks<&NetworkStep::expert_parallel>},
    BatchColumn{{"adapter", "peft", "lora"},
                adapter_grammar,
                "none: all parameters are trained",
                [](std::string_view text, BatchDraft& draft) {
                  const auto adapters = parse_adapters(text);
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
    BatchColumn{{"accumulate", "gradient_accumulation_steps", "grad_accum"},
                "a whole number of minibatches before an update, from 1 to 65536",
                "1",
                [](std::string_view text, BatchDraft& draft) {
                  return read_count(text, 1, most_accumulated, [&](int value) {
                    draft.asked.accumulate = value;
                  });
                }},
    BatchColumn{{"compression"},
                "none or 2bit",
                "none",
                [](std::string_view text, BatchDraft& draft) {
                  return store_if(parse_compression(text), draft.asked.compression);
                }},
};

}  // namespace

std::span<const BatchColumn> batch_columns() {
  return columns;
}

}  // namespace rightsize
