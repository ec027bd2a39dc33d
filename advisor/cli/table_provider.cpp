#include "advisor/cli/table_provider.h"

#include <algorithm>

#include <fmt/format.h>

namespace rightsize::cli {

std::string provider_of(const std::filesystem::path& file) {
  const auto stem = file.stem().string();
  const auto folder = file.parent_path().filename().string();
  return stem == "vms" && !folder.empty() ? folder : stem;
}

void doubt_provider(const std::string& taken, const Catalog& known, ImportedTable& table) {
  const auto of_it = [&](const Offer& offer) { return offer.provider == taken; };
  const auto offers = known.offers();
  const auto first = std::find_if(table.offers.begin(), table.offers.end(), of_it);
  if (first == table.offers.end() || std::any_of(offers.begin(), offers.end(), of_it)) {
    return;
  }
  ++table.issue_count;
  table.issues.insert(
      table.issues.begin(),
      {table.file,
       first->line,
       "Provider",
       fmt::format("not said: taken to be \"{}\", after the file's place, of which no table here "
                   "has billing rules or disk prices: both are assumed; name the folder or the "
                   "file after the cloud (aws/vms.csv, aws.csv), or say it with `prices import {} "
                   "--provider aws -o csv --out-file my.csv`",
                   taken,
                   table.file)});
}

}  // namespace rightsize::cli
