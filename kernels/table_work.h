// Arithmetic of tables that ids look up, and of the dots of their vectors (layer_work.h).
#pragma once

#include "kernels/layer.h"
#include "kernels/work.h"

namespace rightsize {

// Rows that are looked up are added up where a table has several of an item; back, the gradient
// goes to each of them, and where rows alone are updated that is done here too.
void add_bags(const Layer& layer, LayerWork& work);

// `in`: the first of the vectors, which is handed on.
void add_pairwise_dots(const FeatureShape& in, LayerWork& work);

}  // namespace rightsize
