// A network that lies in a file, by the name it is known by: where one of that name computes the
// same, what was published and measured of the name is of the file's network too.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "kernels/network.h"
#include "kernels/workload.h"

namespace rightsize {

struct KnownNetwork {
  std::string name;
  std::string title;
  int sequence = 0;  // as make_network() takes it: the file's own length, where none is asked for

  bool operator==(const KnownNetwork&) const = default;
};

// Whether both have the same layers with the same shapes on the same input. What changes numbers
// and no work is left out: names, what a norm adds to a variance, how much is dropped, by which
// angles positions turn.
[[nodiscard]] bool computes_the_same(const Network& one, const Network& other);

// Of the path of a config.json, with the form behind it ("mine/config.json:tokens=200"); the first
// one in the order of network_titles(). nullopt: of a name, of a network that none is known to
// equal, and of a file or a length that make_network() refuses.
[[nodiscard]] std::optional<KnownNetwork> known_network(std::string_view network,
                                                        int sequence,
                                                        Phase phase);

}  // namespace rightsize
