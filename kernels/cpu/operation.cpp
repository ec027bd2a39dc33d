#include "kernels/cpu/operation.h"

#include <fmt/format.h>

#include "kernels/engine.h"

namespace rightsize::cpu {

std::unique_ptr<Operation> make_operation(const OperationContext& context) {
  switch (context.layer.kind) {
    case LayerKind::convolution:
      return make_convolution(context);
    case LayerKind::fully_connected:
      return make_inner_product(context);
    case LayerKind::batch_norm:
      return make_batch_norm(context);
    case LayerKind::relu:
      return make_relu(context);
    case LayerKind::max_pool:
    case LayerKind::average_pool:
    case LayerKind::global_average_pool:
      return make_pooling(context);
    case LayerKind::local_response_norm:
      return make_local_response_norm(context);
    case LayerKind::dropout:
      return make_dropout(context);
    case LayerKind::add:
      return make_add(context);
    case LayerKind::concat:
      return make_concat(context);
    case LayerKind::activation:
      return make_activation(context);
    case LayerKind::multiply:
      return make_multiply(context);
    case LayerKind::lstm:
      return make_lstm(context);
    case LayerKind::softmax_loss:
      return make_loss(context);
    case LayerKind::input:
      break;
    default:
      throw EngineError(fmt::format("cpu engine: layer {} is of a kind this engine cannot run yet",
                                    context.layer.name));
  }
  throw EngineError(
      fmt::format("cpu engine: layer {} is an input that is not the first layer; "
                  "a network has one input",
                  context.layer.name));
}

}  // namespace rightsize::cpu
