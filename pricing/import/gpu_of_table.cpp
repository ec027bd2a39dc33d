#include "pricing/import/gpu_of_table.h"

#include <optional>
#include <string>

#include <fmt/format.h>

namespace rightsize {
namespace {

// The GPU of that name that is known to have so much memory; nullopt where none is.
std::optional<std::string> with_memory(const std::string& name,
                                       double gib,
                                       const ImportOptions& options) {
  const auto stated = fmt::format("{} {:.0f}GB", name, gib);
  const auto known = options.gpu_name(stated);
  return known == stated ? std::nullopt : std::optional(known);
}

}  // namespace

void name_gpus(ImportedTable& table, const ImportOptions& options) {
  for (auto& offer : table.offers) {
    if (offer.gpu.empty()) {
      continue;
    }
    const auto name = options.gpu_name(offer.gpu);
    const auto gib = offer.gpu_memory_gib;
    offer.gpu = gib ? with_memory(name, *gib, options).value_or(name) : name;
    if (offer.gpu != name && offer.gpus > 1 && with_memory(name, *gib / offer.gpus, options)) {
      table.note(offer.line,
                 "AcceleratorMemoryGiB",
                 fmt::format("{:g} GiB is taken to be that of each of {:g} {}; if it is that of "
                             "all together, divide it: then they are {}",
                             *gib,
                             offer.gpus,
                             offer.gpu,
                             name));
    }
  }
}

}  // namespace rightsize
