#include "kernels/cpu/lstm_product.h"

#include <oneapi/dnnl/dnnl.hpp>

namespace rightsize::cpu {

void multiply(std::int64_t m,
              std::int64_t n,
              std::int64_t k,
              const Matrix& a,
              const Matrix& b,
              float beta,
              float* c,
              std::int64_t c_stride) {
  dnnl::error::wrap_c_api(dnnl_sgemm(a.transposed,
                                     b.transposed,
                                     m,
                                     n,
                                     k,
                                     1.0F,
                                     a.data,
                                     a.stride,
                                     b.data,
                                     b.stride,
                                     beta,
                                     c,
                                     c_stride),
                          "could not multiply the matrices of an LSTM");
}

}  // namespace rightsize::cpu
