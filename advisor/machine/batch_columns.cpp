#include "advisor/machine/batch_columns.h"

#include <array>
#include <vector>

#include "advisor/machine/batch_cell.h"
#include "advisor/machine/gpu_words.h"
#include "advisor/query/batch_limit.h"
#include "advisor/query/software_words.h"
#include "advisor/query/words.h"
#include "advisor/query/writing_words.h"
#include "models/laws/decode_software.h"
#include "models/laws/spelling.h"

namespace rightsize {
namespace {

bool read_positive(std::string_view text, std::optional<double>& slot) {
  const auto value = cell_number(text);
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

bool is_no_word(std::string_view text) {
  const auto word = bare(text);
  return word == "no" || word == "false";
}

// What is expected in place of a cell that names none.
std::string which_precision(std::string_view text) {
  const auto word = bare(text);
  return word == "true" || word == "yes" ? "which: fp16 or bf16" : known_precisions(text);
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
                "fp32, tf32, fp16 (mixed, AMP), bf16 or fp8",
                "fp32",
                [](std::string_view text, BatchDraft& draft) {
                  const auto narrow = draft.asked.phase == Phase::decode
                                          ? weights_as_precision(text)
                                          : std::nullopt;
                  if (narrow) {  // the column of weights is read later
                    draft.asked.precision = Precision::bf16;
                    draft.asked.writing.weights = narrow;
                    return true;
                  }
                  // Accelerate's mixed_precision is no by default.
                  const auto meant =
                      is_no_word(text) ? std::optional(Precision::fp32) : precision_meant(text);
                  return store_if(meant, draft.asked.precision);
                },
                which_precision},
    // Not train_batch_size: DeepSpeed's is of all GPUs together.
    BatchColumn{{"batch",
                 "batch_per_gpu",
                 "batch_size",
                 "batch_size_per_gpu",
                 "per_device_train_batch_size",     // Transformers
                 "per_gpu_train_batch_size",        // the same, of before
                 "train_micro_batch_size_per_gpu",  // DeepSpeed
                 "per_gpu_batch_size",
                 "batch_per_device",
                 "bs"},
                batch_grammar,
                "the largest power of two up to 128 that fits in the fastest way; 32 on a CPU",
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
    BatchColumn{{"nodes", "machines", "num_nodes", "number_of_nodes", "nnodes"},
                "a whole number of machines from 1 to 100000",
                "1; of more than 16 GPUs, or more than 8 and a network between nodes, 8 a node",
                [](std::string_view text, BatchDraft& draft) {
                  draft.nodes_said = true;
                  return read_count(
                      text, 1, 100'000, [&](int value) { draft.asked.machine.nodes = value; });
                }},
    BatchColumn{
        {"interconnect", "link", "network_link"},
        "links such as \"NVLink; 25GbE\" or \"PCIe 3.0 x16\"",
        "NVLink or Infinity Fabric where the GPU has it, else PCIe; InfiniBand between nodes",
        [](std::string_view text, BatchDraft& draft) {
          const auto links = says_no_link(text) ? InterconnectWords{} : parse_interconnect(text);
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
};

}  // namespace

std::span<const BatchColumn> batch_columns() {
  static const auto all = [] {
    std::vector<BatchColumn> joined(columns.begin(), columns.end());
    const auto training = training_columns();
    joined.insert(joined.end(), training.begin(), training.end());
    const auto writing = writing_columns();
    joined.insert(joined.end(), writing.begin(), writing.end());
    return joined;
  }();
  return all;
}

}  // namespace rightsize
