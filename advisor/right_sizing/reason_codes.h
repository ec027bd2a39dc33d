// Why the machine of today is too much, or too little: codes such as CPUOverprovisioned, each found
// by asking the judge again with half, or twice, of the resource.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "advisor/suppose/appraisal.h"

namespace rightsize {

// From today's machine to the chosen one. Borrowed, all of it.
struct MoveToday {
  const Query& query;        // as today's machine is judged
  const Query& as_it_takes;  // the same with as many machines as a service takes
  const Evidence& evidence;
  const Appraisal& now;
  const std::optional<Appraisal>& then;  // empty where nothing satisfies
};

// `under`: what is short; else what is too much. Only codes that the move follows: a machine whose
// CPU is too much is not moved to one with more.
[[nodiscard]] std::vector<std::string> reason_codes(const MoveToday& move, bool under);

}  // namespace rightsize
