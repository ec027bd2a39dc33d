// Whose prices a file is taken to hold that does not say so itself: SkyPilot's catalogues are told
// apart by their folders alone.
#pragma once

#include <filesystem>
#include <string>

#include "pricing/import/import.h"

namespace rightsize::cli {

// "aws" of catalogs/v8/aws/vms.csv and of aws.csv.
[[nodiscard]] std::string provider_of(const std::filesystem::path& file);

// Notes, before all else, when offers went to a provider taken from the file's place that `known`
// has nothing of: a downloaded vms.csv is no cloud called "vms", and would be billed by assumption.
void doubt_provider(const std::string& taken, const Catalog& known, ImportedTable& table);

}  // namespace rightsize::cli
