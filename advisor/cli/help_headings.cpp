// Which heading each flag stands under. A new flag of a command with many gets its word here.
#include <algorithm>
#include <array>
#include <sstream>

#include <fmt/format.h>

#include "advisor/cli/help.h"

namespace rightsize::cli {
namespace {

// Of flags as of every command, or "COMMAND:FLAG" of one whose flag means something else; the first
// that has it.
struct Heading {
  std::string_view title;
  std::string_view flags;
};

constexpr std::array headings{
    Heading{"Job",
            "job jobs supposed instance first second name network onnx phase precision sequence "
            "batch batch-file data items bytes data-path data-at shuffle synthetic prompt "
            "preprocess-on preprocess-output loader loader-threads prefetch-batches steps "
            "items-per-step fields"},
    Heading{"Goals", "deadline budget objective confidence size:utilisation"},
    Heading{"Machine",
            "machine size:gpu gpu-rate cpu cpus cpu-speed memory resident disk disk-read disk-iops "
            "disk-write disk-read-iops disk-write-iops gpu-memory gpu-share isa as"},
    Heading{"Which machines",
            "infra region market book gpu gpus gpus-min gpus-max vcpus-min vcpus-max memory-min "
            "memory-max allow deny retired custom-shapes on-prem prices custom-prices current"},
    Heading{"Money", "currency fx runs-per-month utilisation reserved-discount price"},
    Heading{"Services",
            "serve qps slo ttft tpot p99 max-batch max-delay hours-per-month arrivals replicas "
            "routing"},
    Heading{"Writing tokens (phase decode)",
            "prompt-tokens output-tokens images image-size weights caches"},
    Heading{"Training",
            "adapter optimizer master-weights accumulate global-batch exchange recompute "
            "compression ranks"},
    Heading{"Training in shares",
            "nodes-max net tensor-parallel pipeline-parallel virtual-pipeline context-parallel "
            "expert-parallel expert-tensor-parallel"},
    Heading{"Spot machines",
            "spot hours interruptions checkpoint checkpoint-every restart longest-life"},
    Heading{"Software and evidence", "framework stack engine measured model db"},
    Heading{"Measuring",
            "seconds min-seconds warmup window min-windows min-epochs max-noise noise-limit "
            "timeout repeats replay-items-per-s differential dry-run fresh retry-failed fail-fast "
            "strict no-throttle"},
    Heading{"Output",
            "output out-file sort chart max-results to option html md csv json quick trace "
            "simulated-items seed progress help"}};

bool has_word(std::string_view words, std::string_view word) {
  std::istringstream each{std::string(words)};
  for (std::string one; each >> one;) {
    if (one == word) {
      return true;
    }
  }
  return false;
}

}  // namespace

std::string_view heading_of(std::string_view command, std::string_view flag) {
  const auto of_command = fmt::format("{}:{}", command, flag);
  for (const auto& word : {std::string_view(of_command), flag}) {
    const auto* const found =
        std::find_if(headings.begin(), headings.end(), [&](const Heading& heading) {
          return has_word(heading.flags, word);
        });
    if (found != headings.end()) {
      return found->title;
    }
  }
  return "Other";
}

}  // namespace rightsize::cli
