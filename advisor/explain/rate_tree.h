// The throughput of an appraised machine as a tree: what each resource would allow, with the
// formula that predict() used and the numbers it used.
#pragma once

#include "advisor/explain/cause.h"
#include "advisor/suppose/appraisal.h"
#include "models/model.h"

namespace rightsize {

// The binding resource is marked. Of work that has a throughput: not of one that writes tokens
// (token_cost_tree.cpp).
[[nodiscard]] Cause rate_tree(const Query& query, const Model& model, const Appraisal& appraisal);

}  // namespace rightsize
