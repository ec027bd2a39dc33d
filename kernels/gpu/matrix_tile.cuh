// A 16 x 16 piece of a product of matrices, added up by one warp from pieces in shared memory: on
// tensor cores in 16 bits, by plain arithmetic in FP32 and where there are none.
#pragma once

#ifdef __CUDACC__
#include <mma.h>
#endif

#include "kernels/gpu/element.cuh"
#include "kernels/gpu/warp.cuh"

namespace rightsize::gpu {

inline constexpr int tile = 16;

// Factors lie row after row of `stride` values, 32-byte aligned, the stride a multiple of 16 bytes;
// turned: the transpose of what lies there is meant.

// Each thread has half a row.
template <typename T>
class PlainTile {
 public:
  __device__ void clear() {
    for (float& value : values_) {
      value = 0;
    }
  }
  template <bool a_turned, bool b_turned>
  __device__ void add(const T* a, int a_stride, const T* b, int b_stride) {
    for (int k = 0; k < tile; ++k) {
      const float factor = to_float(a_turned ? a[k * a_stride + row()] : a[row() * a_stride + k]);
#pragma unroll
      for (int i = 0; i < half; ++i) {
        const int c = column() + i;
        values_[i] += factor * to_float(b_turned ? b[c * b_stride + k] : b[k * b_stride + c]);
      }
    }
  }
  __device__ void store(float* to, int stride) const {
#pragma unroll
    for (int i = 0; i < half; ++i) {
      to[row() * stride + column() + i] = values_[i];
    }
  }

 private:
  static constexpr int half = tile / 2;
  static __device__ int row() {
    return static_cast<int>(threadIdx.x % warp_threads) / 2;
  }
  static __device__ int column() {
    return static_cast<int>(threadIdx.x % 2) * half;
  }

  float values_[half];
};

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
template <typename T>
class TensorCoreTile {
 public:
  __device__ void clear() { nvcuda::wmma::fill_fragment(sum_, 0.0F); }
  template <bool a_turned, bool b_turned>
  __device__ void add(const T* a, int a_stride, const T* b, int b_stride) {
    namespace wmma = nvcuda::wmma;
    using A = std::conditional_t<a_turned, wmma::col_major, wmma::row_major>;
    using B = std::conditional_t<b_turned, wmma::col_major, wmma::row_major>;
    wmma::fragment<wmma::matrix_a, tile, tile, tile, T, A> left;
    wmma::fragment<wmma::matrix_b, tile, tile, tile, T, B> right;
    wmma::load_matrix_sync(left, a, static_cast<unsigned>(a_stride));
    wmma::load_matrix_sync(right, b, static_cast<unsigned>(b_stride));
    wmma::mma_sync(sum_, left, right, sum_);
  }
  __device__ void store(float* to, int stride) const {
    nvcuda::wmma::store_matrix_sync(
        to, sum_, static_cast<unsigned>(stride), nvcuda::wmma::mem_row_major);
  }

 private:
  nvcuda::wmma::fragment<nvcuda::wmma::accumulator, tile, tile, tile, float> sum_;
};

template <typename T>
struct TileOf {
  using Type = TensorCoreTile<T>;
};
template <>
struct TileOf<float> {
  using Type = PlainTile<float>;
};
#else
template <typename T>
struct TileOf {
  using Type = PlainTile<T>;
};
#endif

template <typename T>
using MatrixTile = typename TileOf<T>::Type;

}  // namespace rightsize::gpu
