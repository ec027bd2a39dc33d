// Tables of a recommender that GPUs divide while each has all other layers (Naumov et al., "Deep
// Learning Recommendation Model", 2019, section 4.1). A GPU looks up what the items of all need of
// its tables, and each is sent the vectors of its own: an all-to-all forward and one of gradients
// back, of as many bytes as a GPU's items have in vectors. They are not hidden (NVIDIA's and
// TorchRec's programs hide a part of the first behind the bottom layers). Ids, some hundreds of
// bytes of an item, are taken to come to each as it needs them, as NVIDIA's loader reads them.
// All wait for the GPU that has the most tables: of Criteo's 26 eight have three or four each,
// sixteen one or two.
#pragma once

#include "kernels/network.h"
#include "models/laws/exchange.h"

namespace rightsize {

// What programs that divide tables differ in beyond all others, of the rate's logarithm: how evenly
// rows are looked up, what they hide. All of 22 trainings over NVLink (models/README.md) lie inside
// less; other links are not among them.
inline constexpr double table_log_sd = 0.15;

// What the fullest of `ranks` has of the tables that they divide, relative to an even share: 1 or
// more. Fewer tables than ranks are cut, and lie evenly.
[[nodiscard]] double fullest_share(const Network& network, int ranks);

// Of one step of `items` on each rank, whose tables give `elements` of one item, times
// fullest_share(); both ways where the step learns.
[[nodiscard]] double table_exchange_seconds(const ExchangeLaw& law,
                                            const Cluster& cluster,
                                            double items,
                                            double elements,
                                            double bytes_per_element,
                                            bool learns);

}  // namespace rightsize
