// Leave-one-GPU-out over the shipped published figures: how far a scaled rate is from the truth.
// Prints Markdown; models/VALIDATION.md holds its output.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <vector>

#include <fmt/format.h>

#include "advisor/calibration.h"

using namespace rightsize;

namespace {

struct Errors {
  std::vector<double> sizes;
  int inside = 0;
};

double quantile(std::vector<double> values, double q) {
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(q * static_cast<double>(values.size() - 1))];
}

void print(const std::string& name, const Errors& errors) {
  fmt::print("| {} | {} | {:.0f}% | {:.0f}% | {:.0f}% |\n",
             name,
             errors.sizes.size(),
             100 * quantile(errors.sizes, 0.5),
             100 * quantile(errors.sizes, 0.9),
             100.0 * errors.inside / static_cast<double>(errors.sizes.size()));
}

}  // namespace

int main() {
  constexpr int least_batch = 32;     // smaller ones are launch overhead, not hardware
  constexpr double two_sided_90 = 1.645;
  const auto rates = shipped_gpu_rates();
  std::map<std::string, Errors> by_gpu;
  Errors all;
  for (const auto& figure : rates.published()) {
    if (figure.batch < least_batch) {
      continue;
    }
    const auto scaled = rates.rate(
        figure.network, figure.phase, figure.precision, figure.gpu, figure.batch, figure.gpu);
    if (!scaled || scaled->precision != figure.precision) {
      continue;
    }
    const double error = std::log(scaled->items_per_s / figure.items_per_s);
    for (auto* errors : {&by_gpu[figure.gpu], &all}) {
      errors->sizes.push_back(std::abs(std::expm1(error)));
      errors->inside += std::abs(error) < two_sided_90 * scaled->log_sd ? 1 : 0;
    }
  }
  fmt::print("| GPU left out | figures | median error | P90 error | inside 90% interval |\n");
  fmt::print("|---|--:|--:|--:|--:|\n");
  for (const auto& [gpu, errors] : by_gpu) {
    print(gpu, errors);
  }
  print("**all**", all);
}
