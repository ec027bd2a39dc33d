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
    case LayerKind::take_channels:
      return make_take_channels(context);
    case LayerKind::shuffle_channels:
      return make_shuffle_channels(context);
    case LayerKind::activation:
      return make_activation(context);
    case LayerKind::multiply:
      return make_multiply(context);
    case LayerKind::to_sequence:
      return make_to_sequence(context);
    case LayerKind::to_image:
      return make_to_image(context);
    case LayerKind::take_position:
      return make_take_position(context);
    case LayerKind::class_token:
      return make_class_token(context);
    case LayerKind::embedding:
      return make_embedding(context);
    case LayerKind::one_hot:
      return make_one_hot(context);
    case LayerKind::position_embedding:
      return make_position_embedding(context);
    case LayerKind::linear:
      return make_linear(context);
    case LayerKind::layer_norm:
    case LayerKind::rms_norm:
      return make_row_norm(context);
    case LayerKind::attention:
      return make_attention(context);
    case LayerKind::gated_silu:
      return make_gated_silu(context);
    case LayerKind::lstm:
      return make_lstm(context);
    case LayerKind::softmax_loss:
      return make_loss(context);
    case LayerKind::experts:
      throw EngineError(fmt::format("cpu engine: layer {}: {}", context.layer.name, no_experts));
    case LayerKind::linear_recurrence:
      throw EngineError(fmt::format("cpu engine: layer {}: {}", context.layer.name, no_recurrence));
    case LayerKind::given:
      return make_given(context);
    case LayerKind::group_norm:
      return make_group_norm(context);
    case LayerKind::upsample:
      return make_upsample(context);
    case LayerKind::gated_gelu:
      return make_gated_gelu(context);
    case LayerKind::join_positions:
      return make_join_positions(context);
    case LayerKind::take_positions:
      return make_take_positions(context);
    case LayerKind::squared_error:
      return make_squared_error(context);
    case LayerKind::transposed_convolution:
      return make_transposed_convolution(context);
    case LayerKind::expected_bin:
      return make_expected_bin(context);
    case LayerKind::detection_loss:
      return make_detection_loss(context);
    case LayerKind::log_counts:
      return make_log_counts(context);
    case LayerKind::embedding_bags:
      return make_embedding_bags(context);
    case LayerKind::pairwise_dots:
      return make_pairwise_dots(context);
    case LayerKind::input:
      break;
  }
  throw EngineError(
      fmt::format("cpu engine: layer {} is an input that is not the first layer; "
                  "a network has one input",
                  context.layer.name));
}

Tensor with_rank(Lowering& lowering, const Tensor& tensor, std::size_t rank) {
  const auto dims = dims_of(tensor.desc());
  if (dims.size() == rank) {
    return tensor;
  }
  const auto dense = [&](const dnnl::memory::dims& shape) {
    return with_type(plain(shape), lowering.type());
  };
  auto source = lowering.reordered(tensor, dense(dims));
  if (source.buffer < 0) {  // the caller's images have no planned buffer to take a view of
    source = lowering.buffer(dense(dims));
    lowering.copy(tensor, source);
  }
  return lowering.view(source,
                       rank == 4 ? dense({dims[0], dims[1], 1, 1}) : dense({dims[0], dims[1]}));
}

}  // namespace rightsize::cpu
