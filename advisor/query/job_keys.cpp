#include "advisor/query/job_keys.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace rightsize {
namespace {

constexpr std::string_view writing = "phase = \"decode\" in [job]";
constexpr std::string_view writing_or_pictures =
    "phase = \"decode\" in [job], or \"infer\" of a model that makes pictures or writes what it is "
    "asked for, as Whisper does";
constexpr std::string_view texts = "phase = \"decode\" in [job] and no [service]";
constexpr std::string_view answering = "phase = \"infer\" in [job]";
constexpr std::string_view sharing = "tensor_parallel in [job]";
constexpr std::string_view staged = "pipeline_parallel in [job]";
constexpr std::string_view narrow = "precision = \"bf16\" or \"fp16\" in [job]";
constexpr std::string_view preprocessing = "phase = \"preprocess\" in [job]";

constexpr std::array keys{
    JobKey{"", "name", "of the job, as answers say it", "\"ViT on our photos\""},
    JobKey{"money", "currency", "that bills are told and compared in", "\"EUR\"; USD unless said"},
    JobKey{"money", "rates_as_of", "the day of the rates below", "\"2026-11-02\""},
    JobKey{"money", "rates", "what one unit of another currency is in it", "{USD = \"0.92\"}"},
    JobKey{"job",
           "network",
           "what is computed: of rightsize networks, an ONNX file, a config.json, or "
           "program:train.py, "
           "your own that was profiled here",
           "\"resnet50\""},
    JobKey{"job", "sequence", "tokens per item", "1024; the network's own unless said"},
    JobKey{"job",
           "phase",
           "what is done with it",
           "\"train\" (unless said), \"infer\", \"decode\", \"preprocess\""},
    JobKey{"job",
           "precision",
           "of the arithmetic; with phase \"decode\" int4, int8, fp8 ... are the weights'",
           "\"fp16\" (unless said; of stack \"era\" fp32), \"bf16\", \"fp32\", \"tf32\", \"fp8\""},
    JobKey{"job",
           "batch_per_gpu",
           "items a GPU takes at once; the best of several is taken",
           "64 or [64, 128]; unless said what fits in the fastest way, up to 128 or 65536 tokens"},
    JobKey{"job", "epochs", "passes over the data", "90; 1 unless said"},
    JobKey{"job", "stack", "whose libraries compute", "\"current\" or \"era\" (2015-2018)"},
    JobKey{"job",
           "framework",
           "whose speed is asked for",
           "\"pytorch\"; each GPU's usual unless said"},
    JobKey{"job",
           "exchange",
           "how GPUs average gradients",
           "\"nccl\", \"device\", \"local\", \"sharded\"; the fastest unless said"},
    JobKey{"job",
           "recompute",
           "run blocks again instead of keeping what they gave",
           "true or false; where needed unless said"},
    JobKey{"job", "tensor_parallel", "GPUs that share every layer", "8"},
    JobKey{"job", "pipeline_parallel", "stages that share the layers", "4"},
    JobKey{"job", "expert_parallel", "GPUs that divide the experts", "8"},
    JobKey{"job",
           "expert_tensor_parallel",
           "GPUs that share each expert",
           "1; as many as every layer unless said",
           sharing},
    JobKey{"job", "context_parallel", "GPUs that share every sequence", "2"},
    JobKey{"job", "virtual_pipeline", "parts of the layers in each stage", "2", staged},
    JobKey{"job", "adapter", "train adapters and freeze the rest", "\"lora:16\" or \"qlora:16\""},
    JobKey{
        "job", "optimizer", "whose state is kept", "\"adamw-8bit\"; the network's own unless said"},
    JobKey{"job", "master_weights", "whether weights are kept in FP32 too", "\"none\"", narrow},
    JobKey{"job", "accumulate", "minibatches before each update", "4"},
    JobKey{"job",
           "global_batch",
           "items of an update of all GPUs together, whatever the machine",
           "1024; as many as the GPUs' batches come to unless said"},
    JobKey{"job",
           "weights",
           "how weights are held",
           "\"fp8\", \"int8\", \"int4\", \"nvfp4\", \"mxfp4\"; else as published",
           writing_or_pictures},
    JobKey{"job", "caches", "how keys and values are held", "\"fp8\"", writing},
    JobKey{
        "job", "runs_per_month", "how often it is run", "30; for costs and savings by the month"},
    JobKey{"job",
           "current",
           "the machine it runs on today: whether to move from it",
           "\"p4d.24xlarge\"; of a service with its number, as 4 x g5.xlarge"},
    JobKey{"spot", "interruptions_per_hour", "how often a machine is taken away", "0.05"},
    JobKey{"spot", "checkpoint", "what writing one takes", "\"2m\"; by its size unless said"},
    JobKey{"spot", "restart", "until work goes on after it", "\"10m\""},
    JobKey{"spot", "longest_life", "after which the machine is taken for certain", "\"24h\""},
    JobKey{"service", "qps", "requests, or sequences written, a second", "300; required"},
    JobKey{"service", "p99", "99 of 100 answers come within it", "\"50ms\"; required", answering},
    JobKey{"service", "max_delay", "how long a request waits for others", "\"5ms\"", answering},
    JobKey{"service", "burst", "requests, or sequences, that arrive together on average", "8"},
    JobKey{"service",
           "hours_per_month",
           "that it runs; what is rented by the hour is given back for the others",
           "176; all unless said"},
    JobKey{"service", "prompt_tokens", "of a sequence, read", "512; required", writing},
    JobKey{"service",
           "cached_prompt_tokens",
           "of them, in the mean, that the server has from before (prefix caching)",
           "448; 0 unless said",
           writing},
    JobKey{"service",
           "prompt_tokens_stddev",
           "over sequences, standard deviation",
           "490; 0 unless said: all are as long",
           writing},
    JobKey{"service", "output_tokens", "of a sequence, written", "128; required", writing},
    JobKey{"service",
           "output_tokens_stddev",
           "over sequences, standard deviation",
           "100; 0 unless said: all are as long",
           writing},
    JobKey{"service", "images", "pictures of each prompt, beside its tokens", "1", writing},
    JobKey{"service", "image_size", "their pixels", "\"1280x720\"; 1024x1024 unless said", writing},
    JobKey{"service", "first_token", "99 of 100 sequences have it within", "\"1s\"", writing},
    JobKey{"service", "token", "99 of 100 sequences are written at this pace", "\"50ms\"", writing},
    JobKey{
        "service", "software", "that serves", "\"vLLM\"; the interval of all unless said", writing},
    JobKey{"service",
           "gpus_per_replica",
           "that share the network",
           "4; as many as serve best unless said",
           writing},
    JobKey{
        "service", "attention", "how these share it", "\"by_heads\" or \"by_sequences\"", writing},
    JobKey{"data",
           "items",
           "in the data set: pictures, sequences",
           "1281167; required, but of a service"},
    JobKey{"data", "prompt_tokens", "of each item, read", "512; items are tokens without", texts},
    JobKey{"data", "output_tokens", "of each item, written", "128; with prompt_tokens", texts},
    JobKey{"data", "images", "pictures of each item, beside its prompt", "1", texts},
    JobKey{"data", "image_size", "their pixels", "\"1280x720\"; 1024x1024 unless said", texts},
    JobKey{"data",
           "format",
           "it lies in",
           "\"jpeg\", \"recordio\", \"lmdb\", \"tfrecord\", \"tokens\", \"synthetic\""},
    JobKey{"data", "bytes", "on disk", "\"140GB\"; required, but of tokens and what is made up"},
    JobKey{"data", "writes", "what comes out", "\"lmdb\"", preprocessing},
    JobKey{"data", "shuffle", "a new order each epoch", "true unless said"},
    JobKey{"data", "at", "where it lies today, to count its move", "\"aws/us-east-1\""},
    JobKey{"data",
           "preprocess_on",
           "where pictures are resized",
           "\"cpu\" (unless said), \"gpu\" or \"either\""},
    JobKey{"data",
           "loader",
           "your own program that loads, profiled here by itself",
           "\"load.py\"; or \"rightsize\" for its own; a framework's unless said"},
    JobKey{"measured", "gpu", "on which your own program ran", "\"A10G\""},
    JobKey{"measured", "items_per_s", "what it did there", "412"},
    JobKey{"measured", "batch_per_gpu", "at this batch", "64"},
    JobKey{"measured", "precision", "in this precision", "\"fp16\"; the job's unless said"},
    JobKey{"constraints", "deadline", "the job is done within", "\"48h\""},
    JobKey{"constraints", "budget", "what it may cost", "\"250.00\""},
    JobKey{"constraints", "confidence", "with which limits are to be met", "0.9 (unless said)"},
    JobKey{"constraints",
           "markets",
           "how machines may be rented",
           "[\"on-demand\", \"spot\", \"reserved-1y\", \"reserved-3y\"]; on-demand unless said"},
    JobKey{"constraints",
           "objective",
           "what is best",
           "\"cost\" (unless said), \"time\" or \"cost*0.7+time*0.3\""},
    JobKey{"constraints", "book", "price books, by comma", "\"current\" (unless said)"},
    JobKey{"constraints",
           "infra",
           "providers and regions",
           "[\"aws/us-*\", \"gcp\"]; all unless said"},
    JobKey{"constraints",
           "gpu",
           "machines with one of these GPUs alone; A100 is A100-80GB too",
           "[\"H100\", \"A100-80GB\"], \"H100:8\", or \"none\" of those without one"},
    JobKey{"constraints", "gpus_min", "of a machine", "1"},
    JobKey{"constraints", "gpus_max", "of a machine", "8"},
    JobKey{"constraints", "vcpus_min", "of a machine", "16"},
    JobKey{"constraints", "vcpus_max", "of a machine", "96"},
    JobKey{"constraints", "memory_gib_min", "of a machine", "64"},
    JobKey{"constraints", "memory_gib_max", "of a machine", "512"},
    JobKey{"constraints", "nodes_max", "machines that may train together", "8; 1 unless said"},
    JobKey{"constraints", "network", "between them", "\"ib:400\" or \"ethernet:100\" (Gb/s)"},
    JobKey{"constraints", "allow", "only instances whose name this expression finds", "\"^p[45]\""},
    JobKey{"constraints", "deny", "no instances whose name it finds", "\"^t[23]\""},
};

// What load tests, servers and trainers call keys of ours. One of two keys has two rows; a key of
// two tables has one.
struct OtherName {
  std::string_view name;
  std::string_view key;
};

constexpr std::array other_names{
    OtherName{"ttft", "first_token"},
    OtherName{"time_to_first_token", "first_token"},
    OtherName{"tpot", "token"},
    OtherName{"itl", "token"},
    OtherName{"time_per_output_token", "token"},
    OtherName{"inter_token_latency", "token"},
    OtherName{"isl", "prompt_tokens"},
    OtherName{"input_tokens", "prompt_tokens"},
    OtherName{"input_length", "prompt_tokens"},
    OtherName{"cached_tokens", "cached_prompt_tokens"},
    OtherName{"prefix_tokens", "cached_prompt_tokens"},
    OtherName{"prompt_tokens_stdev", "prompt_tokens_stddev"},
    OtherName{"prompt_tokens_std", "prompt_tokens_stddev"},
    OtherName{"input_tokens_stddev", "prompt_tokens_stddev"},
    OtherName{"isl_stddev", "prompt_tokens_stddev"},
    OtherName{"output_tokens_stdev", "output_tokens_stddev"},
    OtherName{"output_tokens_std", "output_tokens_stddev"},
    OtherName{"osl_stddev", "output_tokens_stddev"},
    OtherName{"osl", "output_tokens"},
    OtherName{"output_length", "output_tokens"},
    OtherName{"max_tokens", "output_tokens"},
    OtherName{"max_new_tokens", "output_tokens"},
    OtherName{"rps", "qps"},
    OtherName{"rate", "qps"},
    OtherName{"request_rate", "qps"},
    OtherName{"requests_per_s", "qps"},
    OtherName{"requests_per_second", "qps"},
    OtherName{"queries_per_second", "qps"},
    OtherName{"throughput", "qps"},
    OtherName{"rate", "items_per_s"},
    OtherName{"throughput", "items_per_s"},
    OtherName{"latency", "p99"},
    OtherName{"latency", "token"},
    OtherName{"latency_ms", "p99"},
    OtherName{"latency_ms", "token"},
    OtherName{"slo", "p99"},
    OtherName{"slo", "token"},
    OtherName{"p99_ms", "p99"},
    OtherName{"p99_latency", "p99"},
    OtherName{"latency_p99", "p99"},
    OtherName{"batch_timeout", "max_delay"},
    OtherName{"max_queue_delay", "max_delay"},
    OtherName{"batch", "batch_per_gpu"},
    OtherName{"batch_size", "batch_per_gpu"},
    OtherName{"dtype", "precision"},
    OtherName{"model", "network"},
    OtherName{"quantization", "weights"},
    OtherName{"kv_cache_dtype", "caches"},
};

constexpr auto known_key(std::string_view key) {
  return std::find_if(
      keys.begin(), keys.end(), [&](const JobKey& known) { return known.key == key; });
}
static_assert(std::all_of(other_names.begin(), other_names.end(), [](const OtherName& other) {
  return known_key(other.key) != keys.end();
}));

// The keys that others call so: those of this table, where it has any.
std::vector<const JobKey*> keys_called(std::string_view name, std::string_view in) {
  std::vector<const JobKey*> here;
  std::vector<const JobKey*> anywhere;
  for (const auto& other : other_names) {
    if (other.name == name) {
      anywhere.push_back(&*known_key(other.key));
      const auto ours = std::find_if(keys.begin(), keys.end(), [&](const JobKey& key) {
        return key.key == other.key && key.table == in;
      });
      if (ours != keys.end()) {
        here.push_back(&*ours);
      }
    }
  }
  return here.empty() ? anywhere : here;
}

// ", did you mean "token"?", and where that stands where it is not this table; "" of other words.
std::string meant_by_name(std::string_view name, std::string_view in) {
  const auto called = keys_called(name, in);
  std::vector<std::string> meant;
  for (const auto* ours : called) {
    meant.push_back(
        fmt::format("\"{}\"", ours->key) +
        (ours->table == in ? "" : fmt::format(" under [{}]", ours->table)) +
        (called.size() > 1 && !ours->with.empty() ? fmt::format(", with {}", ours->with) : ""));
  }
  return meant.empty() ? "" : fmt::format(", did you mean {}?", fmt::join(meant, " or "));
}

}  // namespace

std::span<const JobKey> job_keys() {
  return keys;
}

std::string where_key_belongs(std::string_view key, std::string_view in) {
  std::vector<std::string> places;
  for (const auto& known : keys) {
    if (known.key != key) {
      continue;
    }
    if (known.table == in) {
      return fmt::format(", which goes with {}", known.with);
    }
    places.push_back((known.table.empty()         ? "at the top, before any table"
                      : known.table == "measured" ? "under [[measured]]"  // one for each
                                                  : fmt::format("under [{}]", known.table)) +
                     (known.with.empty() ? "" : fmt::format(", with {}", known.with)));
  }
  return places.empty() ? meant_by_name(key, in)
                        : fmt::format(", which belongs {}", fmt::join(places, " or "));
}

}  // namespace rightsize
