// A sum or product of an image or sequence with one number for each channel of an item: the gates
// of Hu et al. ("Squeeze-and-Excitation Networks", CVPR 2018), and how a denoiser is told the time
// (Peebles and Xie, ICCV 2023). Such a number's gradient is summed over the positions.
#include "kernels/cpu/channel_blocks.h"
#include "kernels/cpu/element.h"
#include "kernels/cpu/operation.h"

namespace rightsize::cpu {
namespace {

// What chunks have summed up, for each channel of an item: their first sums, or their second.
void add_up(const float* partials, bool second, const ChannelBlocks& shape, float* out) {
#pragma omp parallel for schedule(static)
  for (std::int64_t c = 0; c < shape.items * shape.channels(); ++c) {
    const float* const from = partials + shape.partial_sum(c) + (second ? shape.block : 0);
    double sum = 0;
    for (std::int64_t k = 0; k < shape.chunks(); ++k) {
      sum += static_cast<double>(from[k * 2 * shape.block]);
    }
    out[c] = static_cast<float>(sum);
  }
}

class PerChannel final : public Operation {
 public:
  using Operation::Operation;

  Tensor forward(std::span<const Tensor> inputs) override {
    source_ = in_channel_blocks(lowering(), inputs[0]);
    shape_ = channel_blocks(source_.desc());
    vector_desc_ = inputs[1].desc();
    const auto numbers = with_rank(lowering(), inputs[1], 4);
    vector_ = lowering().reordered(numbers, channel_vectors(source_.desc()));
    const auto output = lowering().buffer(source_.desc());
    emit_line(".forward", source_, output);
    return output;
  }

  std::vector<Gradient> backward(const Gradient& gradient) override {
    const auto arriving = lowering().reordered(gradient.tensor, source_.desc());
    const bool exclusive = gradient.exclusive || arriving.buffer != gradient.tensor.buffer;
    const auto of_vector = sums(arriving);
    if (!scales()) {
      return {Gradient{arriving, exclusive}, {of_vector}};
    }
    const auto result = exclusive ? arriving : lowering().buffer(source_.desc());
    emit_line(".backward_first", arriving, result);
    return {{result}, {of_vector}};
  }

 private:
  [[nodiscard]] bool scales() const { return layer().kind == LayerKind::multiply; }

  void emit_line(const char* suffix, const Tensor& from, const Tensor& to) {
    with_element(lowering().type(), [&](auto zero) {
      using Element = decltype(zero);
      lowering().emit(named(suffix),
                      [from, to, vector = vector_, shape = shape_, scales = scales()] {
                        const auto lines = scales ? ChannelLines{vector.data(), nullptr}
                                                  : ChannelLines{nullptr, vector.data()};
                        apply_lines(elements<Element>(from), lines, shape, elements<Element>(to));
                      },
                      {from, vector_, to});
    });
  }

  // The numbers' gradient, in their own layout and the engine's type.
  Tensor sums(const Tensor& arriving) {
    const auto partials = lowering().buffer(plain({shape_.partial_sums()}));
    const auto result = lowering().buffer(channel_vectors(source_.desc()));
    const auto other = scales() ? source_ : arriving;  // a sum's input need not be kept
    with_element(lowering().type(), [&](auto zero) {
      using Element = decltype(zero);
      lowering().emit(
          named(".backward_second"),
          [=, shape = shape_, scales = scales()] {
            chunk_products(
                elements<Element>(arriving), elements<Element>(other), shape, partials.data());
            add_up(partials.data(), scales, shape, result.data());
          },
          {arriving, other, partials, result});
    });
    const auto dims = dims_of(vector_desc_);
    if (dims.size() != 4) {
      return with_rank(lowering(), result, dims.size());
    }
    return lowering().reordered(result, with_type(vector_desc_, lowering().type()));
  }

  ChannelBlocks shape_;
  dnnl::memory::desc vector_desc_;
  Tensor source_, vector_;
};

}  // namespace

std::unique_ptr<Operation> make_per_channel(const OperationContext& context) {
  return std::make_unique<PerChannel>(context);
}

}  // namespace rightsize::cpu
