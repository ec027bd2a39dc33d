// What the plugin asks of cuBLAS and cuBLASLt, on the host: dense products by columns, added up in
// double precision, with a bias and a ReLU behind them.
#include <algorithm>
#include <cstring>

#include <cublasLt.h>
#include <cublas_v2.h>

#include "kernels/gpu/emulated_plugin/values.h"

namespace {

using rightsize::emulation::set_value;
using rightsize::emulation::value_at;
using rightsize::emulation::Width;

Width width_of(cudaDataType_t type) {
  return type == CUDA_R_16F ? Width::f16 : (type == CUDA_R_16BF ? Width::bf16 : Width::f32);
}

struct Layout {
  Width type;
  std::int64_t rows, columns, leading;
};

struct Product {
  cublasOperation_t a = CUBLAS_OP_N;
  cublasOperation_t b = CUBLAS_OP_N;
  cublasLtEpilogue_t epilogue = CUBLASLT_EPILOGUE_DEFAULT;
  cudaDataType_t bias_type = CUDA_R_32F;
  const void* bias = nullptr;
};

const Layout& layout(cublasLtMatrixLayout_t handle) {
  return *reinterpret_cast<const Layout*>(handle);
}

// op(matrix)(i, j), stored by columns.
float element(const void* data,
              const Layout& matrix,
              cublasOperation_t operation,
              std::int64_t i,
              std::int64_t j) {
  return operation == CUBLAS_OP_N ? value_at(data, matrix.type, j * matrix.leading + i)
                                  : value_at(data, matrix.type, i * matrix.leading + j);
}

bool fits(const Product& product, const Layout& a, const Layout& b, const Layout& c) {
  const bool a_plain = product.a == CUBLAS_OP_N;
  const bool b_plain = product.b == CUBLAS_OP_N;
  return (a_plain ? a.rows : a.columns) == c.rows && (b_plain ? b.columns : b.rows) == c.columns &&
         (a_plain ? a.columns : a.rows) == (b_plain ? b.rows : b.columns);
}

}  // namespace

extern "C" {

cublasStatus_t cublasCreate_v2(cublasHandle_t* handle) {
  *handle = reinterpret_cast<cublasHandle_t>(new int);
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasDestroy_v2(cublasHandle_t handle) {
  delete reinterpret_cast<int*>(handle);
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasGetVersion_v2(cublasHandle_t, int* version) {
  *version = CUBLAS_VERSION;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasSetStream_v2(cublasHandle_t, cudaStream_t) {
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasSetWorkspace_v2(cublasHandle_t, void*, std::size_t) {
  return CUBLAS_STATUS_SUCCESS;
}
const char* cublasGetStatusString(cublasStatus_t) {
  return "not emulated";
}

cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t* made,
                                          cudaDataType type,
                                          std::uint64_t rows,
                                          std::uint64_t columns,
                                          std::int64_t leading) {
  *made = reinterpret_cast<cublasLtMatrixLayout_t>(new Layout{width_of(type),
                                                              static_cast<std::int64_t>(rows),
                                                              static_cast<std::int64_t>(columns),
                                                              leading});
  return leading < static_cast<std::int64_t>(rows) ? CUBLAS_STATUS_INVALID_VALUE
                                                   : CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t made) {
  delete reinterpret_cast<Layout*>(made);
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t* made,
                                        cublasComputeType_t,
                                        cudaDataType_t) {
  *made = reinterpret_cast<cublasLtMatmulDesc_t>(new Product);
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t made) {
  delete reinterpret_cast<Product*>(made);
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t made,
                                              cublasLtMatmulDescAttributes_t name,
                                              const void* value,
                                              std::size_t bytes) {
  auto& product = *reinterpret_cast<Product*>(made);
  const auto set = [&](auto& target) {
    if (bytes != sizeof target) {
      return CUBLAS_STATUS_INVALID_VALUE;
    }
    std::memcpy(&target, value, bytes);
    return CUBLAS_STATUS_SUCCESS;
  };
  switch (name) {
    case CUBLASLT_MATMUL_DESC_TRANSA:
      return set(product.a);
    case CUBLASLT_MATMUL_DESC_TRANSB:
      return set(product.b);
    case CUBLASLT_MATMUL_DESC_EPILOGUE:
      return set(product.epilogue);
    case CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE:
      return set(product.bias_type);
    case CUBLASLT_MATMUL_DESC_BIAS_POINTER:
      return set(product.bias);
    default:
      return CUBLAS_STATUS_NOT_SUPPORTED;
  }
}

cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t* made) {
  *made = reinterpret_cast<cublasLtMatmulPreference_t>(new int);
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulPreferenceDestroy(cublasLtMatmulPreference_t made) {
  delete reinterpret_cast<int*>(made);
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulPreferenceSetAttribute(cublasLtMatmulPreference_t,
                                                    cublasLtMatmulPreferenceAttributes_t,
                                                    const void*,
                                                    std::size_t) {
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t,
                                              cublasLtMatmulDesc_t made,
                                              cublasLtMatrixLayout_t a,
                                              cublasLtMatrixLayout_t b,
                                              cublasLtMatrixLayout_t c,
                                              cublasLtMatrixLayout_t,
                                              cublasLtMatmulPreference_t,
                                              int,
                                              cublasLtMatmulHeuristicResult_t* results,
                                              int* found) {
  *found = 0;
  if (!fits(*reinterpret_cast<const Product*>(made), layout(a), layout(b), layout(c))) {
    return CUBLAS_STATUS_INVALID_VALUE;
  }
  *found = 1;
  results[0] = {};
  results[0].state = CUBLAS_STATUS_SUCCESS;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmul(cublasLtHandle_t,
                              cublasLtMatmulDesc_t made,
                              const void*,
                              const void* a,
                              cublasLtMatrixLayout_t a_layout,
                              const void* b,
                              cublasLtMatrixLayout_t b_layout,
                              const void* beta,
                              const void*,
                              cublasLtMatrixLayout_t,
                              void* d,
                              cublasLtMatrixLayout_t d_layout,
                              const cublasLtMatmulAlgo_t*,
                              void*,
                              std::size_t,
                              cudaStream_t) {
  const auto& product = *reinterpret_cast<const Product*>(made);
  const auto& left = layout(a_layout);
  const auto& right = layout(b_layout);
  const auto& result = layout(d_layout);
  const auto inner = product.a == CUBLAS_OP_N ? left.columns : left.rows;
  const bool accumulates = *static_cast<const float*>(beta) != 0;
  for (std::int64_t j = 0; j < result.columns; ++j) {
    for (std::int64_t i = 0; i < result.rows; ++i) {
      double sum = 0;
      for (std::int64_t k = 0; k < inner; ++k) {
        sum += static_cast<double>(element(a, left, product.a, i, k)) *
               static_cast<double>(element(b, right, product.b, k, j));
      }
      const auto at = j * result.leading + i;
      sum += accumulates ? static_cast<double>(value_at(d, result.type, at)) : 0;
      if (product.epilogue != CUBLASLT_EPILOGUE_DEFAULT) {
        sum += static_cast<double>(value_at(product.bias, width_of(product.bias_type), i));
      }
      if (product.epilogue == CUBLASLT_EPILOGUE_RELU_BIAS) {
        sum = std::max(sum, 0.0);
      }
      set_value(d, result.type, at, sum);
    }
  }
  return CUBLAS_STATUS_SUCCESS;
}
}
