// A question with something supposed of what is computed: the precision, the length of sequences,
// and what stands behind the name of a network that makes pictures or texts.
#pragma once

#include "advisor/query/query.h"
#include "advisor/suppose/supposition.h"

namespace rightsize {

// Throws UsageError for what the network cannot be asked.
[[nodiscard]] Query supposed_work(const Supposition& supposition, Query query);

// Whether what it says of weights is a part of the network's name, and not of a server's.
[[nodiscard]] bool weights_are_of_name(const Query& query);

}  // namespace rightsize
