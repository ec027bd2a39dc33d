// The product of a matrix of rows with learned weights, y = x W^T + b, and its two gradients: what
// fully connected and position-wise linear layers have in common. x is {rows, in}, W {out, in}.
#pragma once

#include <optional>

#include "kernels/cpu/operation.h"

namespace rightsize::cpu {

struct DenseShape {
  std::int64_t rows = 0;
  std::int64_t in = 0;
  std::int64_t out = 0;
  bool bias = false;
};

// What of another layer a product uses; null: it has its own.
struct SharedDense {
  const Parameter* table = nullptr;    // weights, dense row by row
  const Parameter* weights = nullptr;  // as oneDNN likes them
  const Parameter* bias = nullptr;
};

class Dense {
 public:
  // Adds "<layer>.weights" and, with a bias, "<layer>.bias" in the layouts oneDNN likes, but for
  // what is shared.
  Dense(const OperationContext& context, const DenseShape& shape, const SharedDense& shared = {});

  // Dense {rows, in} -> dense {rows, out}. The layer's ReLU, if it ends in one, is part of it.
  [[nodiscard]] Tensor forward(const Tensor& rows);
  [[nodiscard]] Tensor backward_data(const Tensor& gradient);
  void backward_weights(const Tensor& gradient);

 private:
  [[nodiscard]] dnnl::memory::desc dense(std::int64_t rows, std::int64_t columns) const;
  [[nodiscard]] dnnl::memory::desc weights_desc(dnnl::memory::data_type type) const;
  // Few rows and nothing to learn: our own product, weights row by row.
  [[nodiscard]] bool reads_weights_once() const;
  void emit_matrix_vector(const Tensor& output);
  [[nodiscard]] dnnl::inner_product_forward::primitive_desc forward_description() const;
  [[nodiscard]] std::string named(const char* suffix) const { return context_.layer.name + suffix; }

  OperationContext context_;
  DenseShape shape_;
  bool by_rows_;  // the weights are a table's
  std::optional<dnnl::inner_product_forward::primitive_desc> forward_;
  Parameter weights_, bias_;
  Tensor source_;
};

}  // namespace rightsize::cpu
