// The kernels of networks by name, worked out once. Safe to share between threads; copies share
// what was worked out.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>

#include "kernels/known_network.h"
#include "kernels/tuning.h"
#include "models/laws/gpu_kernels.h"

namespace rightsize {

class GpuWorkCache {
 public:
  // `sequence` 0: the network's own length. nullptr for a name that make_network() does not know or
  // a sequence it refuses. The pointer lives as long as the cache.
  [[nodiscard]] const GpuWork* find(std::string_view network,
                                    int sequence,
                                    Phase phase,
                                    bool recompute = false,
                                    const Tuning& tuning = {},
                                    int tensor = 1,
                                    int expert_ranks = 1,
                                    int context = 1,
                                    int expert_tensor = 0) const;

  // As known_network(). nullptr: known by no other name. The pointer lives as long as the cache.
  [[nodiscard]] const KnownNetwork* known(std::string_view network,
                                          int sequence,
                                          Phase phase) const;

 private:
  // recompute, tensor, ranks that divide experts, and sequences, and that share each expert
  using Key = std::tuple<std::string, int, Phase, bool, Tuning, int, int, int, int>;
  struct Shelf {
    std::mutex mutex;
    std::map<Key, std::unique_ptr<GpuWork>> works;  // null: known not to exist
    std::map<std::tuple<std::string, int, Phase>, std::optional<KnownNetwork>> names;
  };
  std::shared_ptr<Shelf> shelf_ = std::make_shared<Shelf>();
};

}  // namespace rightsize
