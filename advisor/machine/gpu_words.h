// GPUs and how many of them, as people write both in one place: "A100:8", "8x A100", "T4 x 4",
// "T4 (4)", "A100 8". One rule for --machine, its files and the rows of a batch file.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace rightsize {

// That a machine is described with; no one has more than largest_gpus (machine_spec.h).
inline constexpr int most_gpus_per_node = 1024;

struct GpuWords {
  std::string gpu;  // as canonical_gpu_name() gives it; "": none
  std::optional<double> memory_gib;
  std::optional<int> count;  // where it is said: of one machine
  std::string expected;      // not empty: the text cannot be read, and this is what was expected
};

// Nothing of `text` is passed over: what is neither a name nor a count spoils it. A GPU that nobody
// knows is no such mistake: who asks for it hears of that with the nearest name.
[[nodiscard]] GpuWords gpu_words(std::string_view text);

}  // namespace rightsize
