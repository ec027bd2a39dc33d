// Something supposed of some candidates of a field, as sensitivity.cpp asks it.
#pragma once

#include <functional>

#include "advisor/candidate/candidate.h"

namespace rightsize {

struct Supposal {
  std::function<bool(const Candidate&)> meant;  // of which; empty: of none
  std::function<void(Candidate&)> change;       // of each of those
  // How many times as fast one may become by it, at most; 0: no speed changes. A part that is
  // twice as fast makes nothing more than twice as fast.
  double speedup = 0;
};

}  // namespace rightsize
