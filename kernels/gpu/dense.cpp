#include "kernels/gpu/dense.h"

#include <fmt/format.h>

#include "kernels/gpu/sequence_kernels.h"

namespace rightsize::gpu {

Dense::Dense(const OperationContext& context,
             const DenseShape& shape,
             const Parameter& weights,
             const Parameter* bias)
    : context_(context), shape_(shape), weights_(weights), bias_(bias) {}

// Few rows are bound by reading the weights, which needs no tensor cores.
bool Dense::reads_weights_once() const {
  return !context_.training && shape_.rows <= matrix_vector_rows;
}

MatrixProduct Dense::product(const ProductShape& shape) const {
  MatrixProduct result(context_.device, shape);
  if (!result.is_supported()) {
    throw GpuError(abi::Status::unsupported,
                   fmt::format("layer {}: cuBLASLt has no algorithm for a product of {} x {} x {}; "
                               "use another precision, or engine cpu",
                               context_.layer.name,
                               shape.m,
                               shape.n,
                               shape.k));
  }
  return result;
}

void Dense::forward(const Tensor& source, const Tensor& output) {
  source_ = source;
  if (reads_weights_once()) {
    emit_matrix_vector(output);
  } else {
    emit_product(output);
  }
}

void Dense::emit_matrix_vector(const Tensor& output) {
  const int bias = bias_ == nullptr ? -1 : bias_->master;
  lowering().emit(context_.layer.name + ".forward",
                  [this, output, bias] {
                    launch_matrix_vector({lowering().address(weights_.compute),
                                          lowering().address(source_),
                                          bias < 0 ? nullptr : lowering().address_as<float>(bias),
                                          lowering().address(output)},
                                         output.type,
                                         {shape_.rows, shape_.in, shape_.out, context_.relu},
                                         stream());
                    check_launch();
                  },
                  {source_.buffer, weights_.compute, bias, output.buffer});
}

// y = x W^T: by columns, y (out x rows) = W^T x, with W stored in x out. Where the library cannot
// add the bias, our own kernel does.
void Dense::emit_product(const Tensor& output) {
  ProductShape shape{shape_.out, shape_.rows, shape_.in, true, false, output.type};
  if (bias_ != nullptr) {
    shape.epilogue = context_.relu ? Epilogue::bias_relu : Epilogue::bias;
    forward_.emplace(context_.device, shape);
    fused_ = forward_->is_supported();
  }
  if (!fused_) {
    shape.epilogue = Epilogue::none;
    forward_.emplace(product(shape));
  }
  const int bias = bias_ == nullptr ? -1 : bias_->compute;
  const int wide_bias = bias_ == nullptr ? -1 : bias_->master;
  lowering().emit(context_.layer.name + ".forward",
                  [this, output, bias, wide_bias] {
                    auto* const y = lowering().address(output);
                    forward_->run({lowering().address(weights_.compute),
                                   lowering().address(source_),
                                   y,
                                   fused_ ? lowering().address(bias) : nullptr});
                    if (wide_bias >= 0 && !fused_) {
                      launch_bias(lowering().address_as<float>(wide_bias),
                                  y,
                                  output.type,
                                  {shape_.rows, 1, 1, shape_.out},
                                  context_.relu,
                                  stream());
                      check_launch();
                    }
                  },
                  {source_.buffer, weights_.compute, bias, wide_bias, output.buffer});
}

// dW = dy^T x: by columns, dW (in x out) = x dy^T.
void Dense::backward_weights(const Tensor& arriving) {
  const bool first = context_.parameters.starts_gradient(weights_);
  backward_weights_.emplace(
      product({shape_.in, shape_.out, shape_.rows, false, true, weights_.gradient_type}));
  lowering().emit(context_.layer.name + ".backward_weights",
                  [this, arriving, first] {
                    backward_weights_->run({lowering().address(source_),
                                            lowering().address(arriving),
                                            lowering().address(weights_.gradient),
                                            nullptr,
                                            !first});
                  },
                  {source_.buffer, arriving.buffer, weights_.gradient});
  if (bias_ != nullptr) {
    emit_bias_gradient(
        context_, *bias_, {arriving.buffer, {shape_.rows, 1, 1, shape_.out}, arriving.type});
  }
}

// dx = dy W: by columns, dx (in x rows) = W dy.
void Dense::backward_data(const Tensor& arriving, const Tensor& result) {
  backward_data_.emplace(product({shape_.in, shape_.rows, shape_.out, false, false, result.type}));
  lowering().emit(context_.layer.name + ".backward_data",
                  [this, arriving, result] {
                    backward_data_->run({lowering().address(weights_.compute),
                                         lowering().address(arriving),
                                         lowering().address(result)});
                  },
                  {arriving.buffer, weights_.compute, result.buffer});
}

}  // namespace rightsize::gpu
