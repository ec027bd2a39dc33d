#include "pricing/import/gpu_of_table.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>

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

bool names_form(std::string_view gpu) {
  for (const std::string_view form : {"PCI", "pci", "NVL", "nvl", "SXM", "sxm"}) {
    if (gpu.find(form) != std::string_view::npos) {
      return true;
    }
  }
  return false;
}

std::string_view model_of(std::string_view gpu) {
  return gpu.substr(0, gpu.find('-'));
}

// The machines of our tables whose card is known by its form, by their types: catalogues name the
// model only, and sell both as "A100-80GB".
std::map<std::string, const Offer*, std::less<>> of_known_form(const Catalog* known) {
  std::map<std::string, const Offer*, std::less<>> machines;
  if (known != nullptr) {
    for (const auto& offer : known->offers()) {
      if (names_form(offer.gpu)) {
        machines.emplace(offer.instance, &offer);
      }
    }
  }
  return machines;
}

// The card that a machine of that type has. Memory that the file states is that card's then: an
// H100 NVL has 94 GiB, not 80.
void take_form(const Offer& machine, ImportedTable& table, Offer& offer) {
  offer.gpu = machine.gpu;
  const auto stated = offer.gpu_memory_gib;
  if (stated && machine.gpu_memory_gib && *stated != *machine.gpu_memory_gib) {
    offer.gpu_memory_gib = machine.gpu_memory_gib;
    table.note(offer.line,
               "AcceleratorMemoryGiB",
               fmt::format("{:g} GiB is not that of the {} in {}: taken as {:g}",
                           *stated,
                           machine.gpu,
                           offer.instance,
                           *machine.gpu_memory_gib));
  }
}

}  // namespace

void name_gpus(ImportedTable& table, const ImportOptions& options) {
  const auto forms = of_known_form(options.known);
  for (auto& offer : table.offers) {
    if (offer.gpu.empty()) {
      continue;
    }
    const auto name = options.gpu_name(offer.gpu);
    const auto form = forms.find(offer.instance);
    if (form != forms.end() && !names_form(offer.gpu) &&
        model_of(name) == model_of(form->second->gpu)) {
      take_form(*form->second, table, offer);
      continue;
    }
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
