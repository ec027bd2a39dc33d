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

// What load tests and servers of language models call keys of ours.
struct OtherName {
  std::string_view name;
  std::string_view key;
};

constexpr std::array other_names{
    OtherName{"ttft", "first_token"},
    OtherName{"tpot", "token"},
    OtherName{"itl", "token"},
    OtherName{"isl", "prompt_tokens"},
    OtherName{"input_tokens", "prompt_tokens"},
    OtherName{"osl", "output_tokens"},
    OtherName{"rps", "qps"},
};

// ", did you mean "token"?", and where that stands where it is not this table; "" of other words.
std::string meant_by_name(std::string_view name, std::string_view in) {
  const auto other = std::find_if(other_names.begin(), other_names.end(), [&](const auto& known) {
    return known.name == name;
  });
  return other == other_names.end() ? ""
         : in == "service"          ? fmt::format(", did you mean \"{}\"?", other->key)
                           : fmt::format(", did you mean \"{}\" under [service]?", other->key);
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
