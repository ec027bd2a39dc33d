#include "pricing/gpu_check.h"

#include <utility>

#include <fmt/format.h>

#include "pricing/gpu_share.h"

namespace rightsize {
namespace {

constexpr double absurd_gpus = 72;       // of one machine: a rack of GB200
constexpr double largest_gpu_gib = 288;  // of one GPU on sale

void add(const Offer& offer, const char* field, std::string text, std::vector<PriceIssue>& issues) {
  issues.push_back({offer.table, offer.line, field, std::move(text)});
}

}  // namespace

GpuCheck::GpuCheck(std::span<const Offer> known, GpuDoubt doubt) : doubt_(std::move(doubt)) {
  for (const auto& offer : known) {
    if (!offer.gpu.empty() && offer.gpu_memory_gib) {
      auto& sizes = sizes_.emplace(offer.gpu, Sizes{&offer, &offer}).first->second;
      sizes.least = offer.gpu_memory_gib < sizes.least->gpu_memory_gib ? &offer : sizes.least;
      sizes.most = offer.gpu_memory_gib > sizes.most->gpu_memory_gib ? &offer : sizes.most;
    }
  }
}

void GpuCheck::check(const Offer& offer,
                     const Offer* same_machine,
                     std::vector<PriceIssue>& issues) {
  if (offer.gpu.empty()) {
    return;
  }
  check_name(offer, issues);
  Offer named = offer;  // as the same machine is known
  name_share(named);
  check_count(named, same_machine, issues);
  if (named.gpu_memory_gib) {
    check_memory(named, same_machine, issues);
  }
}

void GpuCheck::check_name(const Offer& offer, std::vector<PriceIssue>& issues) {
  if (!named_.insert(offer.gpu).second) {
    return;
  }
  if (auto words = doubt_(offer.gpu); !words.empty()) {
    add(offer, "AcceleratorName", std::move(words), issues);
  }
}

void GpuCheck::check_count(const Offer& offer,
                           const Offer* same_machine,
                           std::vector<PriceIssue>& issues) const {
  if (offer.gpus <= 0) {
    add(offer, "AcceleratorCount", fmt::format("how many {} is not said", offer.gpu), issues);
  }
  if (offer.gpus > absurd_gpus) {
    add(offer, "AcceleratorCount", fmt::format("{:g}: of how many machines?", offer.gpus), issues);
  }
  if (same_machine != nullptr && same_machine->gpus > 0 && offer.gpus > 0 &&
      same_machine->gpus != offer.gpus) {
    add(offer,
        "AcceleratorCount",
        fmt::format("{:g}, but {} says {:g}", offer.gpus, same_machine->table, same_machine->gpus),
        issues);
  }
}

// Against the same machine where a table has it, else against all machines with that GPU: an A100
// is sold with 40 GiB or, by another name, with 80.
void GpuCheck::check_memory(const Offer& offer,
                            const Offer* same_machine,
                            std::vector<PriceIssue>& issues) const {
  const double gib = *offer.gpu_memory_gib;
  Sizes sizes{nullptr, nullptr};
  if (same_machine != nullptr && same_machine->gpu_memory_gib) {
    sizes = {same_machine, same_machine};
  } else if (const auto found = sizes_.find(offer.gpu); found != sizes_.end()) {
    sizes = found->second;
  }
  const auto [least, most] = sizes;
  const double most_gib = most == nullptr ? largest_gpu_gib : *most->gpu_memory_gib;
  const bool too_much = gib > (most == nullptr ? 1.0 : 1.5) * most_gib;
  std::string words;
  if (too_much && offer.gpus > 1) {
    words = fmt::format("{:g} GiB for one {}: this looks like that of all {:g} together; divide it",
                        gib,
                        offer.gpu,
                        offer.gpus);
  } else if (too_much) {
    words = fmt::format(
        "{:g} GiB for one {}, but {} {:g}: is this MiB, or the machine's memory?",
        gib,
        offer.gpu,
        most == nullptr ? "no GPU has more than" : fmt::format("the most in {} is", most->table),
        most_gib);
  } else if (least != nullptr && gib < 0.6 * *least->gpu_memory_gib) {
    words = fmt::format("{:g} GiB for one {}, but {} says {:g}",
                        gib,
                        offer.gpu,
                        least->table,
                        *least->gpu_memory_gib);
  }
  if (!words.empty()) {
    add(offer, "AcceleratorMemoryGiB", std::move(words), issues);
  }
}

}  // namespace rightsize
