// Pictures of different sizes to the network's input: bilinear resize, crop, flip, normalise. The
// arithmetic of kernels/data/resize.cpp and augment.cpp, positions in FP64 as there; the device may
// fuse a product and a sum, which moves a value by one of 255 levels where it lies between two.
#include "kernels/data/augment.h"
#include "kernels/gpu/element.cuh"
#include "kernels/gpu/picture_kernels.h"

namespace rightsize::gpu {
namespace {

constexpr int most_channels = 3;

struct Lines {  // normalised = scale x level + offset
  float scale[most_channels];
  float offset[most_channels];
};

Lines lines_for(std::int64_t channels) {
  Lines lines{};
  for (std::size_t c = 0; c < most_channels; ++c) {
    const float mean = channels == 1 ? mnist_mean : imagenet_mean[c];
    const float deviation = channels == 1 ? mnist_deviation : imagenet_deviation[c];
    lines.scale[c] = 1.0F / (255.0F * deviation);
    lines.offset[c] = -mean / deviation;
  }
  return lines;
}

// Where a target coordinate lies in the source: the pixel before it and the weight of the next.
struct Tap {
  int first;
  int next;
  float next_weight;
};

__device__ Tap tap(int at, int source, int target) {
  const double last = source - 1;
  double position = (at + 0.5) * (static_cast<double>(source) / target) - 0.5;
  position = position < 0 ? 0 : (position > last ? last : position);
  const int first = min(static_cast<int>(position), max(0, source - 2));
  return source == 1 ? Tap{0, 0, 0.0F}
                     : Tap{first, first + 1, static_cast<float>(position - first)};
}

__device__ float blend(float a, float b, float weight) {
  return a + (b - a) * weight;
}

// One thread per output pixel: it reads four pixels of the piece and writes its channels together.
template <typename T>
__global__ void preprocess(const Picture* pictures,
                           const std::uint8_t* pixels,
                           T* out,
                           TensorShape shape,
                           std::int64_t rows,
                           Lines lines) {
  const std::int64_t area = shape.h * shape.w;
  const std::int64_t stride = std::int64_t{gridDim.x} * blockDim.x;
  for (std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < rows;
       i += stride) {
    const auto& picture = pictures[i / area];
    const auto at = static_cast<int>(i % area);
    const int row = at / static_cast<int>(shape.w);
    const int column = at - row * static_cast<int>(shape.w);
    const int shown = picture.flip != 0 ? static_cast<int>(shape.w) - 1 - column : column;
    const Tap y = tap(picture.window_y + row, picture.whole_height, picture.target_height);
    const Tap x = tap(picture.window_x + shown, picture.whole_width, picture.target_width);
    const std::uint8_t* const piece = pixels + picture.first;
    const auto row_stride = std::int64_t{picture.row_stride};  // a large scan passes 2 GiB
    const std::int64_t above = (y.first - picture.region_y) * row_stride;
    const std::int64_t below = (y.next - picture.region_y) * row_stride;
    const int left = (x.first - picture.region_x) * picture.pixel_stride;
    const int right = (x.next - picture.region_x) * picture.pixel_stride;
    for (int c = 0; c < static_cast<int>(shape.c); ++c) {
      const std::uint8_t* const channel =
          piece + static_cast<std::int64_t>(c) * picture.channel_stride;
      const float before = blend(channel[above + left], channel[below + left], y.next_weight);
      const float after = blend(channel[above + right], channel[below + right], y.next_weight);
      const int level = static_cast<int>(blend(before, after, x.next_weight) + 0.5F);
      out[i * shape.c + c] =
          from_float<T>(static_cast<float>(level) * lines.scale[c] + lines.offset[c]);
    }
  }
}

}  // namespace

void launch_pictures(const Picture* pictures,
                     const std::uint8_t* pixels,
                     void* out,
                     ElementType type,
                     const TensorShape& shape,
                     cudaStream_t stream) {
  dispatch(type, [&](auto element) {
    using T = decltype(element);
    preprocess<<<blocks_for(shape.rows()), block_threads, 0, stream>>>(
        pictures, pixels, static_cast<T*>(out), shape, shape.rows(), lines_for(shape.c));
  });
}

}  // namespace rightsize::gpu
