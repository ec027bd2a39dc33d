// Why something cannot do the job: in words, and, where that is why, what it has too little of.
#pragma once

#include <string>

namespace rightsize {

enum class Lacking { nothing, host_memory, gpu_memory };

struct Refusal {
  std::string reason;
  Lacking lacking = Lacking::nothing;
};

}  // namespace rightsize
