// [service] of a job file: requests that are answered, or sequences that a language model writes.
#pragma once

#include <string>

#include "advisor/query/query.h"
#include "advisor/query/toml_fields.h"

namespace rightsize {

// All throw UsageError naming file, line and key.

// How [job] says the numbers of a language model that writes are held.
void read_form(TomlFields& job, Query& query);

// Tokens of a text that is read or written.
[[nodiscard]] int token_count(TomlFields& fields, const char* key);

void read_service_table(TomlFields& top, const std::string& path, Query& query);

// Of decode: that the network writes, and sequences as long as the query's.
void require_writer(TomlFields& top, const std::string& path, const Query& query);

}  // namespace rightsize
