// Tables of a recommender that GPUs divide while each has all other layers (Naumov et al., "Deep
// Learning Recommendation Model", 2019, section 4.1). A GPU looks up what the items of all need of
// its tables, and each is sent the vectors of its own: an all-to-all forward and one of gradients
// back, of as many bytes as a GPU's items have in vectors. They are not hidden (NVIDIA's and
// TorchRec's programs hide a part of the first behind the bottom layers). Ids, some hundreds of
// bytes of an item, are taken to come to each as it needs them, as NVIDIA's loader reads them.
#pragma once

#include "models/laws/exchange.h"

namespace rightsize {

// What programs that divide tables differ in beyond all others, of the rate's logarithm: how evenly
// tables lie, what they hide. Assumed.
inline constexpr double table_log_sd = 0.25;

// Of one step of `items` on each rank, whose tables give `elements` of one item; both ways where
// the step learns.
[[nodiscard]] double table_exchange_seconds(const ExchangeLaw& law,
                                            const Cluster& cluster,
                                            double items,
                                            double elements,
                                            double bytes_per_element,
                                            bool learns);

}  // namespace rightsize
