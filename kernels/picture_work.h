// What seeing the pictures of a prompt takes of a language model that sees
// (networks/vision_language), as a pure function of the network.
#pragma once

#include "kernels/network.h"

namespace rightsize {

struct PictureWork {
  double tower_parameters = 0;  // held, whether or not a prompt has pictures
  double flops = 0;             // of all pictures of a prompt
};

// By what the network's name says; none of another kind.
[[nodiscard]] PictureWork picture_work(const Network& network);

}  // namespace rightsize
