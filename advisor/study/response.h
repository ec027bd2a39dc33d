// How the throughput of an option answers to one resource while everything else of it stays: the
// curve, and its knee, from which on more of the resource is hardly felt.
#pragma once

#include <string>
#include <vector>

#include "advisor/suppose/appraisal.h"
#include "models/estimate.h"

namespace rightsize {

struct ResponsePoint {
  double amount = 0;
  Estimate throughput;  // items/s
};

struct Response {
  std::string resource;               // "vCPUs", "memory", "disk"
  std::string unit;                   // "vCPU", "GiB", "MB/s"
  double now = 0;                     // what the option has
  std::vector<ResponsePoint> points;  // rising amounts
  // The least amount that reaches 95 % of what any amount on the curve does, and where it lies when
  // everything but the resource is slower or faster by what its 90 % interval allows. The ends of
  // the curve where it lies beyond them.
  double knee = 0;
  double knee_low = 0;
  double knee_high = 0;
};

constexpr double knee_share = 0.95;

// By vCPUs, memory and disk bandwidth; none for what a job without a data path does not use.
// `appraisal` is of the model that is given. By memory only where there are later epochs than the
// first, which find some of the data in it.
[[nodiscard]] std::vector<Response> responses(const Model& model,
                                              const Appraisal& appraisal,
                                              double epochs);

}  // namespace rightsize
