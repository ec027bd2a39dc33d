// One position of every sequence, such as the class token's; the others get no gradient.
#include <cstring>

#include "kernels/cpu/element.h"
#include "kernels/cpu/sequence.h"

namespace rightsize::cpu {
namespace {

class TakePosition final : public Operation {
 public:
  using Operation::Operation;

  Tensor forward(std::span<const Tensor> inputs) override {
    const auto& from = context().network.layers.at(static_cast<std::size_t>(layer().inputs[0]));
    in_ = sequence_shape(from.out, context().items);
    const auto type = lowering().type();
    const auto source = as_sequence(lowering(), inputs[0], in_);
    const auto output = lowering().buffer(sequence_desc({in_.items, 1, in_.features}, type));
    const auto bytes = output.desc().get_size() / static_cast<std::size_t>(in_.items);
    lowering().emit(named(".forward"),
                    [source, output, in = in_, position = position(), bytes] {
                      for (std::int64_t n = 0; n < in.items; ++n) {
                        const auto row = static_cast<std::size_t>(n * in.positions + position);
                        std::memcpy(
                            elements<std::byte>(output) + static_cast<std::size_t>(n) * bytes,
                            elements<std::byte>(source) + row * bytes,
                            bytes);
                      }
                    },
                    {source, output});
    return output;
  }

  std::vector<Gradient> backward(const Gradient& gradient) override {
    const auto arriving = as_sequence(lowering(), gradient.tensor, {in_.items, 1, in_.features});
    const auto result = lowering().buffer(sequence_desc(in_, lowering().type()));
    lowering().emit(named(".backward"),
                    [arriving, result, in = in_, position = position()] {
                      const auto row_bytes = static_cast<std::size_t>(in.features) * sizeof(float);
                      std::memset(result.data(), 0, result.desc().get_size());
                      for (std::int64_t n = 0; n < in.items; ++n) {
                        std::memcpy(result.data() + (n * in.positions + position) * in.features,
                                    arriving.data() + n * in.features,
                                    row_bytes);
                      }
                    },
                    {arriving, result});
    return {{result}};
  }

 private:
  [[nodiscard]] std::int64_t position() const {
    return layer().position < 0 ? layer().position + in_.positions : layer().position;
  }

  SequenceShape in_;
};

}  // namespace

std::unique_ptr<Operation> make_take_position(const OperationContext& context) {
  return std::make_unique<TakePosition>(context);
}

}  // namespace rightsize::cpu
