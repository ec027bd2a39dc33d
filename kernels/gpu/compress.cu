// Gradients in two bits each, with what they leave over carried to the next step (Seide et al.,
// Interspeech 2014). A warp makes two words of its 32 values: loads and stores of neighbours.
#include "kernels/gpu/element.cuh"
#include "kernels/gpu/exchange_kernels.h"
#include "kernels/gpu/warp.cuh"

namespace rightsize::gpu {
namespace {

constexpr unsigned plus = 1;
constexpr unsigned minus = 2;

// Bit i of the lower half to bit 2 i.
__device__ unsigned spread(unsigned bits) {
  bits &= 0xffffU;
  bits = (bits | bits << 8) & 0x00ff00ffU;
  bits = (bits | bits << 4) & 0x0f0f0f0fU;
  bits = (bits | bits << 2) & 0x33333333U;
  return (bits | bits << 1) & 0x55555555U;
}

// All lanes of a warp go the same number of turns, beyond the end with nothing to send.
template <typename T>
__global__ void compress(
    const T* gradient, float* residual, std::uint32_t* codes, std::int64_t count, float threshold) {
  const std::int64_t stride = std::int64_t{gridDim.x} * blockDim.x;
  const std::int64_t end = (count + 31) / 32 * 32;
  for (std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < end; i += stride) {
    const float value = i < count ? residual[i] + to_float(gradient[i]) : 0.0F;
    const bool up = value >= threshold;
    const bool down = value <= -threshold;
    if (i < count) {
      residual[i] = value - (up ? threshold : down ? -threshold : 0.0F);
    }
    const unsigned ups = __ballot_sync(whole_warp, up ? 1 : 0);
    const unsigned downs = __ballot_sync(whole_warp, down ? 1 : 0);
    const std::int64_t word = i / 16;
    if (i % 16 == 0 && i < count) {
      const unsigned shift = static_cast<unsigned>(i % 32);
      codes[word] = spread(ups >> shift) * plus | spread(downs >> shift) * minus;
    }
  }
}

template <typename T>
__global__ void decompress_mean(const std::uint32_t* codes,
                                int ranks,
                                std::int64_t words,
                                T* gradient,
                                std::int64_t count,
                                float threshold) {
  const std::int64_t stride = std::int64_t{gridDim.x} * blockDim.x;
  for (std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count;
       i += stride) {
    float sum = 0;
    for (int rank = 0; rank < ranks; ++rank) {
      const unsigned code = codes[rank * words + i / 16] >> (2 * (i % 16)) & 3U;
      sum += code == plus ? threshold : code == minus ? -threshold : 0.0F;
    }
    gradient[i] = from_float<T>(sum / static_cast<float>(ranks));
  }
}

}  // namespace

void launch_compress(const void* gradient,
                     float* residual,
                     std::uint32_t* codes,
                     ElementType type,
                     std::int64_t count,
                     float threshold,
                     cudaStream_t stream) {
  dispatch(type, [&](auto element) {
    using T = decltype(element);
    compress<<<blocks_for(count), block_threads, 0, stream>>>(
        static_cast<const T*>(gradient), residual, codes, count, threshold);
  });
}

void launch_decompress_mean(const std::uint32_t* codes,
                            int ranks,
                            void* gradient,
                            ElementType type,
                            std::int64_t count,
                            float threshold,
                            cudaStream_t stream) {
  dispatch(type, [&](auto element) {
    using T = decltype(element);
    decompress_mean<<<blocks_for(count), block_threads, 0, stream>>>(
        codes, ranks, code_words(count), static_cast<T*>(gradient), count, threshold);
  });
}

}  // namespace rightsize::gpu
