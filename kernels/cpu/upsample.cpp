// Each position kernel_h x kernel_w times: the nearest neighbour. The gradient adds them up again.
#include <algorithm>
#include <cstring>

#include "kernels/cpu/channel_loops.h"
#include "kernels/cpu/element.h"
#include "kernels/cpu/operation.h"

namespace rightsize::cpu {
namespace {

struct Times {
  std::int64_t down = 1;
  std::int64_t right = 1;
};

// One row of a plane, so often to the right and so often below.
template <typename Element, typename Width>
void repeat_row(
    const Element* in, std::int64_t positions, Width block, const Times& times, Element* out) {
  Element* to = out;
  for (std::int64_t x = 0; x < positions; ++x) {
    for (std::int64_t i = 0; i < times.right; ++i, to += block) {
      std::copy_n(in + x * block, static_cast<std::int64_t>(block), to);
    }
  }
  const auto row = to - out;
  for (std::int64_t i = 1; i < times.down; ++i) {
    std::memcpy(out + i * row, out, static_cast<std::size_t>(row) * sizeof(Element));
  }
}

template <typename Element, typename Width>
void sum_row(
    const Element* in, std::int64_t positions, Width block, const Times& times, Element* out) {
  const auto row = positions * times.right * block;
  for (std::int64_t x = 0; x < positions; ++x) {
    for (std::int64_t c = 0; c < block; ++c) {
      float sum = 0;
      for (std::int64_t i = 0; i < times.down * times.right; ++i) {
        const auto at = i / times.right * row + (x * times.right + i % times.right) * block;
        sum += static_cast<float>(in[at + c]);
      }
      store(sum, out[x * block + c]);
    }
  }
}

class Upsample final : public Operation {
 public:
  using Operation::Operation;

  Tensor forward(std::span<const Tensor> inputs) override {
    const auto source = in_channel_blocks(lowering(), inputs[0]);
    small_ = source.desc();
    shape_ = channel_blocks(small_);
    times_ = {layer().kernel_h, layer().kernel_w};
    large_ = larger(small_);
    const auto output = lowering().buffer(large_);
    with_element(lowering().type(), [&](auto zero) {
      using Element = decltype(zero);
      lowering().emit(named(".forward"),
                      [source, output, shape = shape_, times = times_] {
                        for_each_row(shape, times, [&](auto small, auto large) {
                          with_width(shape.block, [&](auto block) {
                            repeat_row(elements<Element>(source) + small,
                                       shape.width,
                                       block,
                                       times,
                                       elements<Element>(output) + large);
                          });
                        });
                      },
                      {source, output});
    });
    return output;
  }

  std::vector<Gradient> backward(const Gradient& gradient) override {
    const auto arriving = lowering().reordered(gradient.tensor, large_);
    const auto result = lowering().buffer(small_);
    with_element(lowering().type(), [&](auto zero) {
      using Element = decltype(zero);
      lowering().emit(named(".backward"),
                      [arriving, result, shape = shape_, times = times_] {
                        for_each_row(shape, times, [&](auto small, auto large) {
                          with_width(shape.block, [&](auto block) {
                            sum_row(elements<Element>(arriving) + large,
                                    shape.width,
                                    block,
                                    times,
                                    elements<Element>(result) + small);
                          });
                        });
                      },
                      {arriving, result});
    });
    return {{result}};
  }

 private:
  // The same layout of the larger image.
  [[nodiscard]] dnnl::memory::desc larger(const dnnl::memory::desc& small) const {
    const auto dims = dims_of(small);
    return laid_out_like(small, {dims[0], dims[1], dims[2] * times_.down, dims[3] * times_.right});
  }

  // visit(where a row of the small image begins, and the first of those it stands for)
  template <typename Visit>
  static void for_each_row(const ChannelBlocks& shape, const Times& times, Visit visit) {
    const auto row = shape.width * shape.block;
#pragma omp parallel for schedule(static)
    for (std::int64_t i = 0; i < shape.planes() * shape.height; ++i) {
      visit(i * row, i * times.down * times.right * row);
    }
  }

  Times times_;
  ChannelBlocks shape_;
  dnnl::memory::desc small_, large_;
};

}  // namespace

std::unique_ptr<Operation> make_upsample(const OperationContext& context) {
  if (context.layer.interpolates) {
    return make_interpolation(context);
  }
  return std::make_unique<Upsample>(context);
}

}  // namespace rightsize::cpu
