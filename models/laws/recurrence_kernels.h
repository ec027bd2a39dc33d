// The kernels of a layer that keeps a state (kernels/layer.h: StateRule), as its authors' programs
// run it: one for the convolution, those that go chunk by chunk as one of products that leave the
// states of chunks behind, one for the norm and the gate. Assumed, not fitted: no training of such
// a network is among the figures that constants were set to.
#pragma once

#include "kernels/work.h"
#include "models/laws/gathered_kernels.h"

namespace rightsize {

// Of one of `tensor` GPUs that share the heads.
void add_recurrence(const Layer& layer,
                    const LayerWork& work,
                    double tensor,
                    GatheredKernels& kernels);

}  // namespace rightsize
