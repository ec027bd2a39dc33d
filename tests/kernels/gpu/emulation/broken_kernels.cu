#include "kernels/gpu/emulation/broken_kernels.h"

namespace rightsize::emulation {
namespace {

constexpr int size = 256;

__global__ void sum(Sum how, const float* in, float* out) {
  __shared__ float values[size];
  const int i = static_cast<int>(threadIdx.x);
  float total = 0;
  for (int round = 0; round < 2; ++round) {
    values[i] = in[i] * (round == 0 ? 0.25F : 0.75F);
    if (how != Sum::no_barrier_before_reading) {
      __syncthreads();
    }
    for (int k = 0; k < size; ++k) {
      total += values[k];
    }
    if (how != Sum::no_barrier_before_reusing) {
      __syncthreads();
    }
  }
  out[i] = total;
}

__global__ void sum_for_some(Sum how, const float* in, float* out) {
  const int i = static_cast<int>(threadIdx.x);
  if (i < size / 2) {
    __syncthreads();
  } else if (how == Sum::two_barriers) {
    __syncthreads();
  }
  out[i] = in[i];
}

// Dynamic shared memory, whose bounds no compiler knows.
__global__ void sum_beyond(const float* in, float* out) {
  extern __shared__ float values[];
  values[threadIdx.x + 1] = in[threadIdx.x];
  out[threadIdx.x] = in[threadIdx.x];
}

__global__ void sum_by_shuffles(Sum how, const float* in, float* out) {
  __shared__ float of_warp[size / 32];
  float total = in[threadIdx.x];
  if (how == Sum::shuffle_without_some_lanes && threadIdx.x % 32 == 31) {
    return;
  }
  for (int step = 16; step > 0; step /= 2) {
    total += __shfl_down_sync(0xffffffffU, total, step);
  }
  if (threadIdx.x % 32 == 0) {
    of_warp[threadIdx.x / 32] = total;
  }
  __syncthreads();
  total = 0;
  for (float part : of_warp) {
    total += part;
  }
  out[threadIdx.x] = total;
}

__global__ void fill(float* out) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = static_cast<float>(threadIdx.x);
}

struct alignas(16) Four {
  float values[4];
};

__global__ void wide_fill(float* out) {
  *reinterpret_cast<Four*>(out) = {1, 2, 3, 4};
}

}  // namespace

void launch_sum(Sum how, const float* in, float* out) {
  switch (how) {
    case Sum::barrier_for_some:
    case Sum::two_barriers:
      sum_for_some<<<1, size>>>(how, in, out);
      return;
    case Sum::beyond_shared_memory:
      sum_beyond<<<1, size, size * sizeof(float)>>>(in, out);
      return;
    case Sum::by_shuffles:
    case Sum::shuffle_without_some_lanes:
      sum_by_shuffles<<<1, size>>>(how, in, out);
      return;
    default:
      sum<<<1, size>>>(how, in, out);
  }
}

void launch_fill(float* out, int count, int blocks) {
  fill<<<static_cast<unsigned>(blocks), static_cast<unsigned>(count / blocks)>>>(out);
}

void launch_wide_fill(float* out) {
  wide_fill<<<1, 1>>>(out);
}

}  // namespace rightsize::emulation
