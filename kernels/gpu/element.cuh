// Device side of element.h: conversion, wide loads, and one generic loop over elements.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include "kernels/gpu/element.h"

namespace rightsize::gpu {

__device__ inline float to_float(float value) {
  return value;
}
__device__ inline float to_float(__half value) {
  return __half2float(value);
}
__device__ inline float to_float(__nv_bfloat16 value) {
  return __bfloat162float(value);
}

template <typename T>
__device__ T from_float(float value);
template <>
__device__ inline float from_float<float>(float value) {
  return value;
}
template <>
__device__ inline __half from_float<__half>(float value) {
  return __float2half_rn(value);
}
template <>
__device__ inline __nv_bfloat16 from_float<__nv_bfloat16>(float value) {
  return __float2bfloat16_rn(value);
}

// Lets NaN through, as a comparison with fmaxf would not.
__device__ inline float positive_part(float value) {
  return value < 0 ? 0 : value;
}

// N neighbours, moved by one instruction where they make 16 bytes.
template <typename T, int N>
struct alignas(sizeof(T) * N) Pack {
  T values[N];
};

template <int N, typename T>
__device__ Pack<T, N> load(const T* at) {
  return *reinterpret_cast<const Pack<T, N>*>(at);
}

template <int N, typename T>
__device__ void store(T* at, const Pack<T, N>& pack) {
  *reinterpret_cast<Pack<T, N>*>(at) = pack;
}

template <typename T>
inline constexpr int lanes = 16 / static_cast<int>(sizeof(T));

// Calls body.run<N>(first) for every element, wide where it can and one by one at the end.
template <typename T, typename Body>
__global__ void for_each_pack(std::int64_t count, Body body) {
  const std::int64_t thread = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::int64_t stride = std::int64_t{gridDim.x} * blockDim.x;
  const std::int64_t packs = count / lanes<T>;
  for (std::int64_t i = thread; i < packs; i += stride) {
    body.template run<lanes<T>>(i * lanes<T>);
  }
  for (std::int64_t i = packs * lanes<T> + thread; i < count; i += stride) {
    body.template run<1>(i);
  }
}

inline constexpr int block_threads = 256;
inline constexpr std::int64_t most_blocks = 2048;  // enough to fill any device of today

inline unsigned blocks_for(std::int64_t work) {
  const std::int64_t blocks = (work + block_threads - 1) / block_threads;
  return static_cast<unsigned>(blocks < 1 ? 1 : (blocks < most_blocks ? blocks : most_blocks));
}

template <typename T, typename Body>
void run_for_each(std::int64_t count, cudaStream_t stream, const Body& body) {
  for_each_pack<T><<<blocks_for(count / lanes<T> + 1), block_threads, 0, stream>>>(count, body);
}

// Calls action with a value of the C++ type behind `type`.
template <typename Action>
void dispatch(ElementType type, Action action) {
  switch (type) {
    case ElementType::f32:
      return action(float{});
    case ElementType::f16:
      return action(__half{});
    case ElementType::bf16:
      return action(__nv_bfloat16{});
  }
}

}  // namespace rightsize::gpu
