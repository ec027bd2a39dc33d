// Parameters that few runs determine: what holds beyond the vCPUs of all runs none can, and few try
// a fraction of a vCPU. Their priors, in one place, stand for them in a fit, on CPUs of another
// kind and in models of older versions.
#pragma once

#include <string_view>

namespace rightsize {

struct SeldomMeasured {
  std::string_view name;  // of the parameter
  double value = 0;
  double log_sd = 0;  // standard deviation of ln(value)
};

// Contention beyond the vCPUs measured. Pictures are decoded one by one, by processes that share
// nothing but memory bandwidth: 0.2 to 1.5 % (assumed), 192 vCPUs do the work of 50 to 140.
constexpr SeldomMeasured contention_beyond_prior{"cpu_contention_beyond", 0.005, 0.6};

// Decoding under a quota of half a CPU, which stops it for half the time: 3 % on an Emerald Rapids
// and 4 % on a Granite Rapids of what it stood still, 8 to 12 % on a Zen 4.
constexpr SeldomMeasured quota_loss_prior{"quota_loss", 0.05, 0.6};

}  // namespace rightsize
