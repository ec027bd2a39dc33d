#include "advisor/candidate/shape.h"

#include <functional>
#include <string_view>
#include <unordered_map>

#include "advisor/candidate/constraint.h"

namespace rightsize {
namespace {

struct SameMachine {
  bool operator()(const Offer* a, const Offer* b) const {
    return a->instance == b->instance && a->provider == b->provider && a->book == b->book &&
           a->gpu == b->gpu && a->gpus == b->gpus && a->gpu_memory_gib == b->gpu_memory_gib &&
           a->vcpus == b->vcpus && a->memory_gib == b->memory_gib &&
           a->local_disk_gib == b->local_disk_gib && a->arch == b->arch && a->cpu == b->cpu &&
           a->count == b->count &&
           a->retired_on == b->retired_on &&  // an old price in the same book is of the past
           a->price_per_hour.currency() == b->price_per_hour.currency();
  }
};

// Of the names only: instances of one name hardly ever differ in anything else.
struct NameHash {
  std::size_t operator()(const Offer* offer) const {
    const std::hash<std::string_view> hash;
    return hash(offer->instance) * 31 + hash(offer->provider);
  }
};

}  // namespace

std::vector<Shape> shapes_in_scope(std::span<const Offer> offers,
                                   const OfferConstraints& constraints) {
  std::unordered_map<const Offer*, std::size_t, NameHash, SameMachine> places;
  std::vector<Shape> shapes;
  for (const auto& offer : offers) {
    if (!constraints.in_scope(offer)) {
      continue;
    }
    const auto place = places.try_emplace(&offer, shapes.size()).first->second;
    if (place == shapes.size()) {
      shapes.emplace_back();
    }
    shapes[place].offers.push_back(&offer);
  }
  return shapes;
}

}  // namespace rightsize
