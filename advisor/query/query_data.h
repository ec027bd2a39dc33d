// [data] of a job file: the data set, and where it lies.
#pragma once

#include <cstdint>
#include <string>

#include "advisor/query/query.h"
#include "advisor/query/toml_fields.h"
#include "kernels/network.h"

namespace rightsize {

// After [job], whose network has to read such data. Throws UsageError naming file, line and key.
void read_data(TomlFields data, Query& query);

// Why a network, called `name`, cannot read such data; empty where it can.
[[nodiscard]] std::string why_unread(const Network& network,
                                     const std::string& name,
                                     DataFormat format);

// Of an item of ids of tokens, 4 bytes each.
[[nodiscard]] std::uint64_t token_bytes(const Network& network);

// Throws UsageError for so small a part of an epoch that it has no item of the data set.
void refuse_no_item(TomlFields job, const Query& query);

}  // namespace rightsize
