// The layout of the store's file: whose it is, which version it has, and how an older one is
// brought up to date.
#pragma once

#include "profiler/store/database.h"

namespace rightsize {

// Files of this version and later hold timelines apart, packed (packed_record.h).
inline constexpr std::int64_t first_packed_version = 3;

// False for a file without an owner, as a new one is. Throws StoreError for another program's file.
[[nodiscard]] bool is_ours(const Database& database);

// Makes the tables of a new file, brings those of an older one up to date; all or nothing. Throws
// StoreError for a file of a later rightsize.
void migrate(const Database& database);

// Throws StoreError when there are no tables that this version can read.
void check_readable(const Database& database);

}  // namespace rightsize
