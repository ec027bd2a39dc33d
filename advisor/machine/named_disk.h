// A disk as people name it, resolved to what it delivers: "80MB/s", "nvme", "ssd:500GiB",
// "gp3:1TiB", "cloud_efficiency:300GiB", "hdd". Classes and their formulas are the price tables'
// (pricing/volume.h); words that name no class of a provider get a usual figure, labelled assumed.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "advisor/candidate/candidate.h"
#include "pricing/catalog.h"

namespace rightsize {

// A class without a size is as large as the data set. Of a class that two price books have, `book`
// says whose formula. Throws UsageError listing the classes.
[[nodiscard]] DiskChoice disk_named(const std::string& text,
                                    const Catalog& catalog,
                                    std::uint64_t dataset_bytes,
                                    const std::string& place,
                                    std::string_view book = "current");

// Why the data do not fit on it, as no command takes a disk that advise would not offer; "" where
// they do, or its size was not stated.
[[nodiscard]] std::string too_small(const DiskChoice& disk, std::uint64_t dataset_bytes);

}  // namespace rightsize
