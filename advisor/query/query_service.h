// [service] of a job file: requests that are answered, or sequences that a language model writes.
#pragma once

#include <string>

#include "advisor/query/query.h"
#include "advisor/query/toml_fields.h"

namespace rightsize {

// How [job] says the numbers of a language model that writes are held; kept for [service].
void read_form(TomlFields& job, Query& query);

// The table, or what must not be said without it. Throws UsageError naming file, line and key; so
// does read_form.
void read_service_table(TomlFields& top, const std::string& path, Query& query);

}  // namespace rightsize
