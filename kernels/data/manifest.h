// What a finished data set of generate.h promises of itself, and whether it is still there.
#pragma once

#include <optional>
#include <string>

#include "kernels/data/generate.h"

namespace rightsize {

// Whether the manifest in `directory` is ours, of whatever options.
[[nodiscard]] bool has_manifest(const std::string& directory);

// What was promised of a data set made with the same options; nullopt: there is none, or it was
// not finished.
[[nodiscard]] std::optional<GenerateSummary> read_manifest(const GenerateOptions& options);

// `options` with the formats alone of which something was deleted or cut since.
[[nodiscard]] GenerateOptions missing_of(const GenerateOptions& options,
                                         const GenerateSummary& promised);

// Comes last: a manifest that is there says that all was written. Throws DataError.
void write_manifest(const GenerateOptions& options, const GenerateSummary& summary);

}  // namespace rightsize
