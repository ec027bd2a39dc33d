#include "advisor/query/gpu_choice.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include <boost/algorithm/string.hpp>
#include <fmt/format.h>

#include "advisor/query/usage_error.h"
#include "models/laws/gpu_name.h"

namespace rightsize {
namespace {

// A table has 44.7 GiB of what is sold as 48 GB.
bool is_so_large(double wanted_gib, double gib) {
  constexpr double apart = 0.15;
  return std::abs(gib / wanted_gib - 1) < apart;
}

bool is_one_of(const GpuWords& wanted, const Offer& offer, std::string_view gpu) {
  if (wanted.gpu.empty()) {
    return gpu.empty();
  }
  const bool named = gpu == wanted.gpu || gpu.starts_with(wanted.gpu + "-");
  const bool counted = !wanted.count || offer.gpus == *wanted.count;
  const bool large = !wanted.memory_gib || !offer.gpu_memory_gib ||
                     is_so_large(*wanted.memory_gib, *offer.gpu_memory_gib);
  return named && counted && large;
}

}  // namespace

std::vector<std::string> checked_gpus(const std::vector<std::string>& names,
                                      const std::string& what) {
  std::vector<std::string> all;
  for (const auto& several : names) {
    std::vector<std::string> each;
    boost::split(each, several, boost::is_any_of(","));
    for (auto& name : each) {
      boost::trim(name);
      const auto expected = name.empty()
                                ? std::string("a GPU such as H100, or none of machines without one")
                                : gpu_words(name).expected;
      if (!expected.empty()) {
        throw UsageError(fmt::format("{} = \"{}\": expected {}", what, several, expected));
      }
      all.push_back(std::move(name));
    }
  }
  return all;
}

GpuChoice::GpuChoice(std::span<const std::string> names) {
  std::transform(names.begin(), names.end(), std::back_inserter(wanted_), gpu_words);
}

bool GpuChoice::holds(const Offer& offer) const {
  if (wanted_.empty()) {
    return true;
  }
  const auto gpu = offer.gpu.empty() ? std::string() : canonical_gpu_name(offer.gpu);
  return std::any_of(wanted_.begin(), wanted_.end(), [&](const GpuWords& one) {
    return is_one_of(one, offer, gpu);
  });
}

}  // namespace rightsize
