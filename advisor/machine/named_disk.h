// A disk as people name it, resolved to what it delivers: "80MB/s", "nvme", "ssd:500GiB",
// "gp3:1TiB", "cloud_efficiency:300GiB", "hdd". Classes and their formulas are the price tables'
// (pricing/volume.h); words that name no class of a provider get a usual figure, labelled assumed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "advisor/candidate/candidate.h"
#include "models/laws/gpu_step.h"
#include "pricing/catalog.h"

namespace rightsize {

// What lies on a disk, bytes.
struct DiskContents {
  std::uint64_t data = 0;
  double model = 0;  // weights and state (ModelFiles)

  [[nodiscard]] double bytes() const { return static_cast<double>(data) + model; }
};

// The price book of the years that a question is of.
[[nodiscard]] std::string_view book_of(std::optional<Stack> stack);

// A class without a size is as large as what it holds. Of a class that two price books have, `book`
// says whose formula. Throws UsageError listing the classes.
[[nodiscard]] DiskChoice disk_named(const std::string& text,
                                    const Catalog& catalog,
                                    const DiskContents& held,
                                    const std::string& place,
                                    std::string_view book = "current");

// Why a machine of `provider` has no such disk, which another provider's class names or which the
// machine, where it is named, does not attach; "" of one that it has, and of one without a provider
// ("nvme", "80MB/s").
[[nodiscard]] std::string sold_elsewhere(const std::string& text,
                                         const Catalog& catalog,
                                         std::string_view provider,
                                         std::string_view instance = "");

// Why that does not fit on it, as no command takes a disk that advise would not offer; "" where
// it does, or its size was not stated.
[[nodiscard]] std::string too_small(const DiskChoice& disk, const DiskContents& held);

}  // namespace rightsize
