#include "pricing/shapes.h"

#include "pricing/catalog.h"

namespace rightsize {
namespace {

std::string family_of(std::string_view instance) {
  return std::string(instance.substr(0, instance.find('.')));
}

}  // namespace

Shapes::Shapes(const Catalog* catalog, std::string_view provider) {
  if (catalog == nullptr) {
    return;
  }
  for (const auto& offer : catalog->offers()) {
    if (offer.provider == provider) {
      by_instance_.emplace(offer.instance, &offer);
      by_family_.emplace(family_of(offer.instance), &offer);
    }
  }
}

const Offer* Shapes::of(std::string_view instance) const {
  const auto found = by_instance_.find(instance);
  return found == by_instance_.end() ? nullptr : found->second;
}

const Offer* Shapes::of_family(std::string_view instance) const {
  const auto found = by_family_.find(family_of(instance));
  return found == by_family_.end() ? nullptr : found->second;
}

std::vector<const Offer*> Shapes::all() const {
  std::vector<const Offer*> offers;
  for (const auto& [instance, offer] : by_instance_) {
    offers.push_back(offer);
  }
  return offers;
}

bool Shapes::describe(Offer& offer) const {
  const Offer* known = of(offer.instance);
  if (known == nullptr) {
    return false;
  }
  offer.vcpus = known->vcpus;
  offer.memory_gib = known->memory_gib;
  offer.gpu = known->gpu;
  offer.gpus = known->gpus;
  offer.gpu_memory_gib = known->gpu_memory_gib;
  offer.local_disk_gib = known->local_disk_gib;
  offer.arch = known->arch;
  offer.cpu = offer.cpu.empty() ? known->cpu : offer.cpu;
  return true;
}

}  // namespace rightsize
