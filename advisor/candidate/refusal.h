// Why something cannot do the job: in words, and, where that is why, what it has too little of.
// Where it is evidence that lacks, the machine may well do it: nobody here can say.
#pragma once

#include <string>
#include <string_view>

namespace rightsize {

// not_asked_for: it is not of the shape, or is on a list, whatever it could do.
enum class Lacking { nothing, host_memory, gpu_memory, evidence, not_asked_for };

inline constexpr std::string_view host_not_measured =
    "the data path of a CPU machine was not measured here";

struct Refusal {
  std::string reason;
  Lacking lacking = Lacking::nothing;
};

}  // namespace rightsize
