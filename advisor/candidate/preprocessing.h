// A job of phase preprocess: pictures are read, decoded, resized and written as a data set to train
// from. The vCPUs and the disk do it alone.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "kernels/workload.h"

namespace rightsize {

struct Configuration;
struct Query;

// Formats that preprocessing writes, which are those it reads; nullopt for others.
[[nodiscard]] std::optional<DataFormat> parse_picture_format(std::string_view text);
constexpr const char* picture_formats = "lmdb, recordio, tfrecord or jpeg";

// What its disk holds at the end: of other phases the data set alone.
[[nodiscard]] std::uint64_t bytes_held(const Query& query);
[[nodiscard]] std::uint64_t bytes_held(const Configuration& asked);

// Throws UsageError naming the file and the field that such a job cannot have.
void check_preprocessing(const Query& query);
// Likewise of what is read, named by its flag.
void check_preprocessing(const Configuration& asked);

}  // namespace rightsize
