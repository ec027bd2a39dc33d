// Options of numbers by hand, so that no change of a law or a price table changes a text.
#pragma once

#include "advisor/recommendation.h"

namespace rightsize::test {

// A machine with one GPU that satisfies; what the job makes of it is the caller's.
inline Option made_option(const char* instance, const char* gpu, double vcpus, double memory_gib) {
  Option option;
  option.provider = "aws";
  option.instance = instance;
  option.region = "us-east-1";
  option.gpu = gpu;
  option.gpus = 1;
  option.vcpus = vcpus;
  option.memory_gib = memory_gib;
  option.precision = Precision::fp16;
  option.satisfies = true;
  return option;
}

}  // namespace rightsize::test
