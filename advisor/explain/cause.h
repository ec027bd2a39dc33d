// A number of an answer with what it follows from: the nodes of the trees of explain.
#pragma once

#include <string>
#include <vector>

#include "models/estimate.h"

namespace rightsize {

// One number a node is computed from. `tag` is measured, fitted, scaled, published, assumed,
// "given" for what the job file says, "chosen" for what it leaves to the advisor, or "derived" for
// what follows from its network's layers.
struct Input {
  std::string name;
  double value = 0;
  std::string unit;
  std::string tag;
  std::string decimal = "";  // exact, of a price; a double may hold no more than is near it
};

// One node: a value, how it follows from its inputs and parts, and where it comes from.
struct Cause {
  std::string name;
  Estimate value;       // low = high = value where it is exact; infinite: not used
  std::string formula;  // in words
  std::vector<Input> inputs;
  std::string provenance;
  bool binding = false;  // the slowest of its siblings
  std::vector<Cause> parts;
  std::string decimal = "";  // exact, of a price and of a line of the bill
  std::string tag = "";      // "given", where the user said it and no source did
};

}  // namespace rightsize
