#include "kernels/gpu/matrix_product.h"

namespace rightsize::gpu {
namespace {

cublasLtEpilogue_t epilogue_of(Epilogue epilogue) {
  switch (epilogue) {
    case Epilogue::bias:
      return CUBLASLT_EPILOGUE_BIAS;
    case Epilogue::bias_relu:
      return CUBLASLT_EPILOGUE_RELU_BIAS;
    case Epilogue::none:
      break;
  }
  return CUBLASLT_EPILOGUE_DEFAULT;
}

using Preference = Owned<cublasLtMatmulPreference_t,
                         cublasLtMatmulPreferenceCreate,
                         cublasLtMatmulPreferenceDestroy>;

}  // namespace

MatrixProduct::MatrixProduct(const Device& device, const ProductShape& shape)
    : device_(device), has_bias_(shape.epilogue != Epilogue::none) {
  const auto type = device_.type();
  a_ = shape.a_transposed ? layout(type, shape.k, shape.m) : layout(type, shape.m, shape.k);
  b_ = shape.b_transposed ? layout(type, shape.n, shape.k) : layout(type, shape.k, shape.n);
  result_ = layout(shape.result, shape.m, shape.n);
  describe(shape);
  choose();
}

MatrixProduct::Layout MatrixProduct::layout(ElementType type,
                                            std::int64_t rows,
                                            std::int64_t columns) {
  cublasLtMatrixLayout_t made = nullptr;
  check(cublasLtMatrixLayoutCreate(&made,
                                   blas_type(type),
                                   static_cast<std::uint64_t>(rows),
                                   static_cast<std::uint64_t>(columns),
                                   rows));
  return Layout(made);
}

void MatrixProduct::describe(const ProductShape& shape) {
  cublasLtMatmulDesc_t made = nullptr;
  check(cublasLtMatmulDescCreate(&made, device_.blas_compute(), CUDA_R_32F));
  product_.reset(made);
  const auto set = [&](cublasLtMatmulDescAttributes_t name, const auto& value) {
    check(cublasLtMatmulDescSetAttribute(product_.get(), name, &value, sizeof(value)));
  };
  set(CUBLASLT_MATMUL_DESC_TRANSA, shape.a_transposed ? CUBLAS_OP_T : CUBLAS_OP_N);
  set(CUBLASLT_MATMUL_DESC_TRANSB, shape.b_transposed ? CUBLAS_OP_T : CUBLAS_OP_N);
  set(CUBLASLT_MATMUL_DESC_EPILOGUE, epilogue_of(shape.epilogue));
  if (has_bias_) {
    set(CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE, blas_type(shape.result));
    set_bias(device_.blas_workspace().data());  // any address as aligned as the real one
  }
}

void MatrixProduct::set_bias(const void* bias) const {
  check(cublasLtMatmulDescSetAttribute(
      product_.get(), CUBLASLT_MATMUL_DESC_BIAS_POINTER, &bias, sizeof(bias)));
}

void MatrixProduct::choose() {
  const Preference preference;
  const std::size_t room = device_.blas_workspace().bytes();
  check(cublasLtMatmulPreferenceSetAttribute(
      preference.get(), CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &room, sizeof(room)));
  cublasLtMatmulHeuristicResult_t best{};
  int found = 0;
  const auto status = cublasLtMatmulAlgoGetHeuristic(device_.blas_lt(),
                                                     product_.get(),
                                                     a_.get(),
                                                     b_.get(),
                                                     result_.get(),
                                                     result_.get(),
                                                     preference.get(),
                                                     1,
                                                     &best,
                                                     &found);
  if (status == CUBLAS_STATUS_NOT_SUPPORTED) {
    return;
  }
  check(status);
  supported_ = found > 0 && best.state == CUBLAS_STATUS_SUCCESS;
  algorithm_ = best.algo;
}

void MatrixProduct::run(const ProductOperands& operands) const {
  constexpr float one = 1;
  constexpr float zero = 0;
  if (has_bias_) {
    set_bias(operands.bias);
  }
  check(cublasLtMatmul(device_.blas_lt(),
                       product_.get(),
                       &one,
                       operands.a,
                       a_.get(),
                       operands.b,
                       b_.get(),
                       operands.accumulate ? &one : &zero,
                       operands.result,
                       result_.get(),
                       operands.result,
                       result_.get(),
                       &algorithm_,
                       device_.blas_workspace().data(),
                       device_.blas_workspace().bytes(),
                       device_.stream().get()));
}

}  // namespace rightsize::gpu
