// Why something cannot do the job: in words, and, where that is why, what it has too little of. The
// words are for who reads the answer; what the program does next goes by the kind alone.
// Where it is evidence that lacks, the machine may well do it: nobody here can say.
#pragma once

#include <string>
#include <string_view>

namespace rightsize {

// machines: of one's own, there are not so many; speed: it would take too long, however many it is;
// not_asked_for: it is not of the shape, or is on a list, whatever it could do.
enum class Lacking { nothing, host_memory, gpu_memory, machines, speed, evidence, not_asked_for };

// How reasons begin that several files have to tell.
inline constexpr std::string_view gpu_memory_too_small = "GPU memory too small";
inline constexpr std::string_view host_memory_too_small = "host memory too small";

struct Refusal {
  std::string reason;
  Lacking lacking = Lacking::nothing;
};

}  // namespace rightsize
