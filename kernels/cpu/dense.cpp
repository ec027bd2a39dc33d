#include "kernels/cpu/dense.h"

#include <cmath>

#include "kernels/cpu/element.h"
#include "kernels/cpu/matrix_vector.h"
#include "kernels/pooled_growth.h"

namespace rightsize::cpu {

using dnnl::memory;
using dnnl::prop_kind;

Dense::Dense(const OperationContext& context, const DenseShape& shape, const SharedDense& shared)
    : context_(context), shape_(shape), by_rows_(shared.table != nullptr) {
  const auto* const tied = by_rows_ ? shared.table : shared.weights;
  if (tied != nullptr) {
    weights_ = *tied;
  }
  forward_ = forward_description();
  auto& lowering = context_.lowering;
  if (tied == nullptr) {
    // As in a convolution; a classifier has no ReLU to make up for (LeCun et al., 1998).
    const double relu_gain = context_.relu ? 2 : 1;
    const auto gain =
        static_cast<float>(relu_gain / pooled_growth(context_.network, context_.layer));
    const float deviation = std::sqrt(gain / static_cast<float>(shape_.in));
    weights_ = context_.parameters.add(
        lowering, named(".weights"), forward_->weights_desc(), {0, deviation}, true);
  }
  if (shared.bias != nullptr) {
    bias_ = *shared.bias;
  } else if (shape_.bias) {
    bias_ = context_.parameters.add(lowering, named(".bias"), plain({shape_.out}), {}, false);
  }
}

memory::desc Dense::dense(std::int64_t rows, std::int64_t columns) const {
  return with_type(plain({rows, columns}), context_.lowering.type());
}

memory::desc Dense::weights_desc(memory::data_type type) const {
  return by_rows_ || reads_weights_once() ? with_type(plain({shape_.out, shape_.in}), type)
                                          : any_layout({shape_.out, shape_.in}, type);
}

bool Dense::reads_weights_once() const {
  return !context_.lowering.training() && shape_.rows <= matrix_vector_rows && !context_.relu6;
}

void Dense::emit_matrix_vector(const Tensor& output) {
  const MatrixVectorShape shape{shape_.rows, shape_.in, shape_.out, context_.relu};
  const auto source = context_.lowering.reordered(source_, plain({shape_.rows, shape_.in}));
  std::vector<Tensor> touched{source, weights_.value, output};
  if (shape_.bias) {
    touched.push_back(bias_.value);
  }
  with_element(context_.lowering.type(), [&](auto zero) {
    using Element = decltype(zero);
    context_.lowering.emit(
        named(".forward"),
        [shape, source, weights = weights_.value, bias = bias_.value, output] {
          matrix_vector(source.data(),
                        elements<Element>(weights),
                        bias ? bias.data() : nullptr,
                        elements<Element>(output),
                        shape);
        },
        touched);
  });
}

dnnl::inner_product_forward::primitive_desc Dense::forward_description() const {
  const auto& lowering = context_.lowering;
  const auto kind =
      lowering.training() ? prop_kind::forward_training : prop_kind::forward_inference;
  const auto attributes =
      context_.relu ? lowering.attributes_with_relu(context_.relu6) : lowering.attributes();
  const auto from = dense(shape_.rows, shape_.in);
  const auto to = dense(shape_.rows, shape_.out);
  const auto weights = weights_desc(lowering.type());
  const Running running{attributes, lowering.engine()};
  return shape_.bias ? implemented<dnnl::inner_product_forward>(
                           running, kind, from, weights, plain({shape_.out}), to)
                     : implemented<dnnl::inner_product_forward>(running, kind, from, weights, to);
}

Tensor Dense::forward(const Tensor& rows) {
  auto& lowering = context_.lowering;
  source_ = rows;
  const auto output = lowering.buffer(forward_->dst_desc());
  if (reads_weights_once()) {
    emit_matrix_vector(output);
    return output;
  }
  Arguments arguments{
      {DNNL_ARG_SRC, source_},
      {DNNL_ARG_WEIGHTS, lowering.reordered(weights_.value, forward_->weights_desc())},
      {DNNL_ARG_DST, output}};
  if (shape_.bias) {
    arguments.emplace_back(DNNL_ARG_BIAS, bias_.value);
  }
  lowering.emit(named(".forward"),
                dnnl::inner_product_forward(*forward_),
                forward_->scratchpad_desc(),
                std::move(arguments));
  return output;
}

Tensor Dense::backward_data(const Tensor& gradient) {
  auto& lowering = context_.lowering;
  const auto pd =
      implemented_backward<dnnl::inner_product_backward_data>(lowering.running(),
                                                              *forward_,
                                                              dense(shape_.rows, shape_.in),
                                                              weights_desc(lowering.type()),
                                                              dense(shape_.rows, shape_.out));
  const auto weights = lowering.reordered(weights_.value, pd.weights_desc());
  const auto result = lowering.buffer(pd.diff_src_desc());
  lowering.emit(
      named(".backward_data"),
      dnnl::inner_product_backward_data(pd),
      pd.scratchpad_desc(),
      {{DNNL_ARG_DIFF_DST, gradient}, {DNNL_ARG_WEIGHTS, weights}, {DNNL_ARG_DIFF_SRC, result}});
  return result;
}

void Dense::backward_weights(const Tensor& gradient) {
  auto& lowering = context_.lowering;
  const auto from = dense(shape_.rows, shape_.in);
  const auto to = dense(shape_.rows, shape_.out);
  const auto weights = weights_desc(memory::data_type::f32);  // gradients are FP32 always
  using Backward = dnnl::inner_product_backward_weights;
  const auto running = lowering.running();
  const auto pd = shape_.bias
                      ? implemented_backward<Backward>(
                            running, *forward_, from, weights, plain({shape_.out}), to)
                      : implemented_backward<Backward>(running, *forward_, from, weights, to);
  const bool first = context_.parameters.starts_gradient(weights_.name);
  const bool direct = first && pd.diff_weights_desc() == weights_.gradient.desc();
  const bool first_bias = !shape_.bias || context_.parameters.starts_gradient(bias_.name);
  const auto bias_target = first_bias ? bias_.gradient : lowering.buffer(bias_.gradient.desc());
  const auto target = direct ? weights_.gradient : lowering.buffer(pd.diff_weights_desc());
  Arguments arguments{
      {DNNL_ARG_SRC, source_}, {DNNL_ARG_DIFF_DST, gradient}, {DNNL_ARG_DIFF_WEIGHTS, target}};
  if (shape_.bias) {
    arguments.emplace_back(DNNL_ARG_DIFF_BIAS, bias_target);
  }
  lowering.emit(
      named(".backward_weights"), Backward(pd), pd.scratchpad_desc(), std::move(arguments));
  if (!first) {
    static_cast<void>(add_gradients(lowering, {target, false}, {weights_.gradient, true}));
  } else if (!direct) {
    lowering.copy(target, weights_.gradient);
  }
  if (!first_bias) {
    static_cast<void>(add_gradients(lowering, {bias_target, false}, {bias_.gradient, true}));
  }
}

}  // namespace rightsize::cpu
