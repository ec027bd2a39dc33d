// [job] of a job file: the work, and the software that does it.
#pragma once

#include "advisor/query/query.h"
#include "advisor/query/toml_fields.h"

namespace rightsize {

// Throws UsageError naming file, line and key.
void read_job(TomlFields job, Query& query);

}  // namespace rightsize
