// Arithmetic of the layers that learn nothing and are limited by memory traffic: functions of each
// element, pools, losses (layer_work.h). They are a few per cent of any built-in network at most;
// counted so that no layer is free.
#pragma once

#include "kernels/layer.h"
#include "kernels/work.h"

namespace rightsize {

// Floating-point operations per element, each elementary function counted as one.
inline constexpr double softmax_flops = 5;  // max, subtract, exp, sum, divide
inline constexpr double sigmoid_flops = 4;  // negate, exp, add, divide

// Of one of them, whose inputs and outputs `work` has already.
void add_elementwise(const Layer& layer, LayerWork& work);

}  // namespace rightsize
