// Layers that keep a state of one size (builder.h).
#include <fmt/format.h>

#include "kernels/networks/builder.h"

namespace rightsize {

std::int64_t packed_features(const RecurrenceShape& shape) {
  const auto out = shape.heads * shape.head_dim;
  const auto convolved = out + 2 * shape.groups * shape.state_dim;
  switch (shape.rule) {
    case StateRule::mamba:
      return out + convolved;
    case StateRule::mamba2:
      return out + convolved + shape.heads;
    case StateRule::gated_delta:
      return out + convolved + 2 * shape.heads;
    case StateRule::channel_delta:
      return out + convolved + shape.heads * (1 + shape.state_dim);
    case StateRule::lightning:
      return out + convolved;
    case StateRule::gated_convolution:
      return 2 * out + convolved;
  }
  return 0;
}

int NetworkBuilder::linear_recurrence(const std::string& name,
                                      int from,
                                      const RecurrenceShape& recurrence) {
  if (shape(from).c != packed_features(recurrence) ||
      (recurrence.groups > 0 && recurrence.heads % recurrence.groups != 0)) {
    refuse(
        name,
        fmt::format("{} heads of {} features, with {} groups and a state of {}, do not go with an "
                    "input of {}",
                    recurrence.heads,
                    recurrence.head_dim,
                    recurrence.groups,
                    recurrence.state_dim,
                    shape(from).c));
  }
  auto& layer = append(name, LayerKind::linear_recurrence, {from});
  layer.rule = recurrence.rule;
  layer.heads = recurrence.heads;
  layer.head_dim = recurrence.head_dim;
  layer.kv_heads = recurrence.groups;
  layer.state_dim = recurrence.state_dim;
  layer.kernel_h = recurrence.kernel;
  layer.step_rank = recurrence.step_rank;
  layer.bias = recurrence.bias;
  layer.affine = recurrence.norm;
  layer.wide_state = recurrence.wide_state;
  layer.out.c = recurrence.heads * recurrence.head_dim;
  return last();
}

}  // namespace rightsize
