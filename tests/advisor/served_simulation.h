// What `simulate --serve` says of ResNet-50 on a T4.
#pragma once

#include <string>
#include <vector>

#include "support/program.h"

namespace rightsize::test {

inline Result served(const std::vector<std::string>& more) {
  std::vector<std::string> arguments{"simulate",
                                     "--network",
                                     "resnet50",
                                     "--precision",
                                     "fp16",
                                     "--machine",
                                     "gpu=T4:1",
                                     "--serve"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return run_without_model(arguments);
}

}  // namespace rightsize::test
