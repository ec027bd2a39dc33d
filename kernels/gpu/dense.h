// Rows of features times one matrix, with bias and ReLU: what a fully connected layer does to an
// item and a linear one to every position.
#pragma once

#include <optional>

#include "kernels/gpu/matrix_product.h"
#include "kernels/gpu/operation.h"

namespace rightsize::gpu {

struct DenseShape {
  std::int64_t rows = 0;
  std::int64_t in = 0;
  std::int64_t out = 0;
};

class Dense {
 public:
  // `bias` may be null. `weights` are out x in, and may serve other layers too.
  Dense(const OperationContext& context,
        const DenseShape& shape,
        const Parameter& weights,
        const Parameter* bias);

  // Each emits its steps; tensors have shape.rows rows, whatever else their shape says.
  void forward(const Tensor& source, const Tensor& output);
  void backward_weights(const Tensor& arriving);
  void backward_data(const Tensor& arriving, const Tensor& result);

 private:
  [[nodiscard]] bool reads_weights_once() const;
  [[nodiscard]] MatrixProduct product(const ProductShape& shape) const;
  void emit_matrix_vector(const Tensor& output);
  void emit_product(const Tensor& output);
  [[nodiscard]] Lowering& lowering() const { return context_.lowering; }
  [[nodiscard]] cudaStream_t stream() const { return context_.device.stream().get(); }

  OperationContext context_;
  DenseShape shape_;
  const Parameter& weights_;
  const Parameter* bias_;
  Tensor source_;
  bool fused_ = false;  // the product adds the bias and cuts off below zero
  std::optional<MatrixProduct> forward_, backward_weights_, backward_data_;
};

}  // namespace rightsize::gpu
