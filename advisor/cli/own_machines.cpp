#include "advisor/cli/own_machines.h"

#include <algorithm>

#include <fmt/format.h>

#include "advisor/cli/machine_option.h"
#include "advisor/machine/gpu_words.h"
#include "advisor/query/query.h"
#include "models/laws/gpu_name.h"
#include "pricing/on_prem.h"

namespace rightsize::cli {
namespace {

namespace po = boost::program_options;

// Two machines of the same GPUs are two.
std::string unused_name(const std::string& name, const Catalog& catalog) {
  const auto is_used = [&](const std::string& wanted) {
    return std::any_of(catalog.offers().begin(), catalog.offers().end(), [&](const Offer& offer) {
      return is_own(offer) && offer.instance == wanted;
    });
  };
  auto unused = name;
  for (int number = 2; is_used(unused); ++number) {
    unused = fmt::format("{} ({})", name, number);
  }
  return unused;
}

void add_own_machine(const std::string& text, bool always_on, Catalog& catalog) {
  try {
    Offer offer = on_prem_offer(text, always_on);
    if (const auto words = gpu_words(offer.gpu); words.count || !words.expected.empty()) {
      throw UsageError(
          fmt::format("--on-prem gpu={}: expected a GPU and how many after a colon, "
                      "such as gpu=A100:8",
                      offer.gpu));
    }
    check_gpu_name(offer.gpu, "--on-prem gpu");
    offer.gpu = offer.gpu.empty() ? "" : canonical_gpu_name(offer.gpu);
    check_cpu_name(offer.cpu, "--on-prem cpu");
    offer.instance = unused_name(offer.instance, catalog);
    catalog.add(std::move(offer));
  } catch (const PricingError& error) {
    throw UsageError(fmt::format("--on-prem: {}", error.what()));
  }
}

}  // namespace

void add_on_prem_option(Options& options) {
  options.add_options()(
      "on-prem",
      po::value<std::vector<std::string>>(),
      "a machine of yours beside them: gpu=A100:8,price=180000USD,years=4,power=6.5kW,kwh=0.15,"
      "utilisation=60%,vcpus=128,memory=1024GiB,disk=7680GiB,count=4 (how many there are)");
}

void add_own_machines(const Values& values, std::span<const Query> queries, Catalog& catalog) {
  if (values.count("on-prem") == 0) {
    return;
  }
  // Jobs and services are asked apart.
  const bool always_on = !queries.empty() && queries.front().serves();
  for (const auto& text : values["on-prem"].as<std::vector<std::string>>()) {
    add_own_machine(text, always_on, catalog);
  }
}

}  // namespace rightsize::cli
