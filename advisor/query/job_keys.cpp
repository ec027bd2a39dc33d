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
constexpr std::string_view answering = "phase = \"infer\" in [job]";
constexpr std::string_view preprocessing = "phase = \"preprocess\" in [job]";

constexpr std::array keys{
    JobKey{"", "name"},
    JobKey{"money", "currency"},
    JobKey{"money", "rates_as_of"},
    JobKey{"money", "rates"},
    JobKey{"job", "network"},
    JobKey{"job", "sequence"},
    JobKey{"job", "phase"},
    JobKey{"job", "precision"},
    JobKey{"job", "batch_per_gpu"},
    JobKey{"job", "epochs"},
    JobKey{"job", "stack"},
    JobKey{"job", "framework"},
    JobKey{"job", "exchange"},
    JobKey{"job", "recompute"},
    JobKey{"job", "tensor_parallel"},
    JobKey{"job", "pipeline_parallel"},
    JobKey{"job", "expert_parallel"},
    JobKey{"job", "context_parallel"},
    JobKey{"job", "virtual_pipeline"},
    JobKey{"job", "adapter"},
    JobKey{"job", "optimizer"},
    JobKey{"job", "master_weights"},
    JobKey{"job", "accumulate"},
    JobKey{"job", "weights", writing_or_pictures},
    JobKey{"job", "caches", writing},
    JobKey{"spot", "interruptions_per_hour"},
    JobKey{"spot", "checkpoint"},
    JobKey{"spot", "restart"},
    JobKey{"spot", "longest_life"},
    JobKey{"service", "qps"},
    JobKey{"service", "p99", answering},
    JobKey{"service", "max_delay", answering},
    JobKey{"service", "burst", answering},
    JobKey{"service", "prompt_tokens", writing},
    JobKey{"service", "output_tokens", writing},
    JobKey{"service", "first_token", writing},
    JobKey{"service", "token", writing},
    JobKey{"service", "software", writing},
    JobKey{"service", "gpus_per_replica", writing},
    JobKey{"service", "attention", writing},
    JobKey{"data", "items"},
    JobKey{"data", "format"},
    JobKey{"data", "bytes"},
    JobKey{"data", "writes", preprocessing},
    JobKey{"data", "shuffle"},
    JobKey{"data", "at"},
    JobKey{"data", "preprocess_on"},
    JobKey{"measured", "gpu"},
    JobKey{"measured", "items_per_s"},
    JobKey{"measured", "batch_per_gpu"},
    JobKey{"measured", "precision"},
    JobKey{"constraints", "deadline"},
    JobKey{"constraints", "budget"},
    JobKey{"constraints", "confidence"},
    JobKey{"constraints", "markets"},
    JobKey{"constraints", "objective"},
    JobKey{"constraints", "book"},
    JobKey{"constraints", "infra"},
    JobKey{"constraints", "gpus_min"},
    JobKey{"constraints", "gpus_max"},
    JobKey{"constraints", "vcpus_min"},
    JobKey{"constraints", "vcpus_max"},
    JobKey{"constraints", "memory_gib_min"},
    JobKey{"constraints", "memory_gib_max"},
    JobKey{"constraints", "nodes_max"},
    JobKey{"constraints", "network"},
    JobKey{"constraints", "allow"},
    JobKey{"constraints", "deny"},
};

// What load tests, servers and trainers call keys of ours. One of two keys has two rows.
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
      const auto* ours = &*known_key(other.key);
      anywhere.push_back(ours);
      if (ours->table == in) {
        here.push_back(ours);
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
