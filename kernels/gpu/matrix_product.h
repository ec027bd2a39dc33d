// One product of matrices as cuBLASLt runs it: described, and its algorithm asked for, once at
// creation. cuBLAS thinks in columns: a dense rows x features matrix of ours is its features x
// rows.
#pragma once

#include <cstddef>

#include <cublasLt.h>

#include "kernels/gpu/device.h"
#include "kernels/gpu/element.h"
#include "kernels/gpu/handles.h"

namespace rightsize::gpu {

// What is done to the product on its way out.
enum class Epilogue {
  none,
  bias,       // adds one value per row of the result, in the type of the result
  bias_relu,  // and cuts it off below zero
};

// By columns: result (m x n) = op(a) (m x k) op(b) (k x n). A transposed factor is stored the other
// way round; all are dense.
struct ProductShape {
  std::int64_t m = 0;
  std::int64_t n = 0;
  std::int64_t k = 0;
  bool a_transposed = false;
  bool b_transposed = false;
  ElementType result = ElementType::f32;  // the factors have the device's type
  Epilogue epilogue = Epilogue::none;
};

struct ProductOperands {
  const void* a = nullptr;
  const void* b = nullptr;
  void* result = nullptr;
  const void* bias = nullptr;  // where the epilogue adds one
  bool accumulate = false;     // adds to the result
};

class MatrixProduct {
 public:
  // Without an algorithm for it `is_supported` is false; then run() must not be called.
  MatrixProduct(const Device& device, const ProductShape& shape);

  [[nodiscard]] bool is_supported() const { return supported_; }
  void run(const ProductOperands& operands) const;

 private:
  template <typename Descriptor, auto destroy>
  struct Destroy {
    void operator()(Descriptor descriptor) const { static_cast<void>(destroy(descriptor)); }
  };
  template <typename Descriptor, auto destroy>
  using Owner = std::unique_ptr<std::remove_pointer_t<Descriptor>, Destroy<Descriptor, destroy>>;
  using Layout = Owner<cublasLtMatrixLayout_t, cublasLtMatrixLayoutDestroy>;

  [[nodiscard]] static Layout layout(ElementType type, std::int64_t rows, std::int64_t columns);
  void describe(const ProductShape& shape);
  void set_bias(const void* bias) const;
  void choose();

  const Device& device_;
  bool has_bias_;
  bool supported_ = false;
  Owner<cublasLtMatmulDesc_t, cublasLtMatmulDescDestroy> product_;
  Layout a_, b_, result_;
  cublasLtMatmulAlgo_t algorithm_{};
};

}  // namespace rightsize::gpu
