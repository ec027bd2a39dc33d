// Where a result goes.
#pragma once

#include <string>

#include "advisor/cli/command.h"

namespace rightsize::cli {

// Whether emit() writes to context.out: without --out-file, and with "-".
[[nodiscard]] bool to_stdout(const Values& values);

// Before anything is computed or said. Throws UsageError where a file that is to be written is one
// the command reads, as `advise job.toml --out-file job.toml`, or where none can be written.
void check_written_files(const Values& values);

// Throws UsageError where `path`, which `said_by` ("--out-file") is to write, is a file that one of
// the options reads.
void refuse_input(const Values& values, const std::string& said_by, const std::string& path);

// Throws UsageError where write_file() would find no place for a file, or one that is not the
// user's to write to.
void check_writable(const std::string& path);

}  // namespace rightsize::cli
