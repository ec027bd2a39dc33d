#include "pricing/custom_shape.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "pricing/import/figures.h"
#include "pricing/mebibyte.h"

namespace rightsize {
namespace {

constexpr std::int64_t memory_step_mib = 256;

// The vCPUs a machine with so many GPUs may have; 0 where it is not sold with them.
std::int64_t most_vcpus(const CustomFamily& family, std::int64_t gpus) {
  if (family.gpu.empty()) {
    return gpus == 0 ? family.max_vcpus : 0;
  }
  for (const auto& count : family.gpu_counts) {
    if (count.gpus == gpus) {
      return std::min(count.max_vcpus, family.max_vcpus);
    }
  }
  return 0;
}

}  // namespace

std::optional<Offer> custom_offer(const CustomFamily& family,
                                  std::int64_t vcpus,
                                  std::int64_t memory_mib,
                                  std::int64_t gpus) {
  const double gib = static_cast<double>(memory_mib) / mib_per_gib;
  const double ratio = gib / static_cast<double>(std::max<std::int64_t>(1, vcpus));
  const bool sold = memory_mib > 0 && vcpus >= 1 && vcpus <= most_vcpus(family, gpus) &&
                    (vcpus == 1 || vcpus % 2 == 0) && memory_mib % memory_step_mib == 0 &&
                    ratio >= family.min_gib_per_vcpu && ratio <= family.max_gib_per_vcpu;
  if (!sold) {
    return std::nullopt;
  }
  Offer offer;
  offer.provider = family.provider;
  offer.instance = fmt::format("{}-{}-{}", family.name, vcpus, memory_mib);
  offer.region = family.region;
  offer.market = family.market;
  offer.vcpus = static_cast<double>(vcpus);
  offer.memory_gib = gib;
  offer.cpu = family.cpu;
  offer.arch = is_arm_cpu(family.cpu) ? "arm64" : "x86_64";
  offer.parts = {{fmt::format("{} vCPU", vcpus), family.per_vcpu.times(vcpus)},
                 {fmt::format("{:g} GiB", gib), family.per_gib.times(memory_mib, mib_per_gib)}};
  offer.price_per_hour = offer.parts[0].per_hour + offer.parts[1].per_hour;
  if (gpus > 0) {
    offer.instance += fmt::format("+{}x{}", gpus, family.gpu);
    offer.gpu = family.gpu;
    offer.gpus = static_cast<double>(gpus);
    offer.gpu_memory_gib = family.gpu_memory_gib;
    offer.parts.push_back({fmt::format("{} {}", gpus, family.gpu), family.per_gpu.times(gpus)});
    offer.price_per_hour += offer.parts.back().per_hour;
  }
  offer.book = family.book;
  offer.as_of = family.as_of;
  offer.source = family.source;
  offer.table = family.table;
  offer.line = family.line;
  return offer;
}

std::optional<Offer> smallest_holding(const CustomFamily& family,
                                      std::int64_t vcpus,
                                      std::int64_t memory_mib,
                                      std::int64_t gpus) {
  const auto in_steps = [](std::int64_t mib) {
    return (mib + memory_step_mib - 1) / memory_step_mib * memory_step_mib;
  };
  std::set<std::int64_t> counts;  // in rising order: as few GPUs as the vCPUs leave
  for (const auto& sold : family.gpu_counts) {
    counts.insert(sold.gpus);
  }
  if (family.gpu.empty()) {
    counts.insert(0);
  }
  for (auto count = counts.lower_bound(gpus); count != counts.end(); ++count) {
    // More memory than a machine of so few vCPUs may have asks for more of them.
    for (auto n = vcpus == 1 ? 1 : vcpus + vcpus % 2; n <= most_vcpus(family, *count);
         n += n == 1 ? 1 : 2) {
      const auto least = static_cast<std::int64_t>(
          std::ceil(family.min_gib_per_vcpu * static_cast<double>(n * mib_per_gib)));
      if (auto offer = custom_offer(family, n, in_steps(std::max(memory_mib, least)), *count)) {
        return offer;
      }
    }
  }
  return std::nullopt;
}

Offer smallest_custom_offer(const CustomFamily& family) {
  const auto gpus = family.gpu_counts.empty() ? 0 : family.gpu_counts.front().gpus;
  const auto steps = std::ceil(family.min_gib_per_vcpu * mib_per_gib / memory_step_mib);
  for (const std::int64_t vcpus : {1, 2}) {
    const auto mib =
        vcpus * std::max<std::int64_t>(1, static_cast<std::int64_t>(steps)) * memory_step_mib;
    if (auto offer = custom_offer(family, vcpus, mib, gpus)) {
      return std::move(*offer);
    }
  }
  throw PricingError(fmt::format(
      "{}:{}: MinGiBPerVcpu to MaxGiBPerVcpu: no multiple of 0.25 GiB lies between {:g} and {:g}",
      family.table,
      family.line,
      family.min_gib_per_vcpu,
      family.max_gib_per_vcpu));
}

std::vector<Offer> custom_offers(const CustomFamily& family) {
  std::vector<Offer> offers;
  std::vector<std::int64_t> gpu_counts;
  for (const auto& count : family.gpu_counts) {
    gpu_counts.push_back(count.gpus);
  }
  if (family.gpu.empty()) {
    gpu_counts.push_back(0);
  }
  std::set<std::int64_t> sizes{1, 2, 4, 8, 16, 32, 48, 64, 80, 96, family.max_vcpus};
  for (std::int64_t vcpus = 128; vcpus < family.max_vcpus; vcpus *= 2) {
    sizes.insert(vcpus);
  }
  for (const auto& count : family.gpu_counts) {
    sizes.insert(count.max_vcpus);
  }
  for (const auto vcpus : sizes) {
    for (const double ratio :
         std::set<double>{family.min_gib_per_vcpu, 2.0, 4.0, family.max_gib_per_vcpu}) {
      const double exact = ratio * static_cast<double>(vcpus * mib_per_gib) / memory_step_mib;
      const bool least = ratio == family.min_gib_per_vcpu;  // less of it is not sold
      const auto mib =
          static_cast<std::int64_t>(least ? std::ceil(exact) : std::floor(exact)) * memory_step_mib;
      for (const auto gpus : gpu_counts) {
        if (auto offer = custom_offer(family, vcpus, mib, gpus)) {
          offers.push_back(std::move(*offer));
        }
      }
    }
  }
  return offers;
}

}  // namespace rightsize
