// One position of every sequence, such as the class token's or the last; the others get no
// gradient.
#include "kernels/gpu/operation.h"

namespace rightsize::gpu {
namespace {

// Features that are taken together, and where: in a whole sequence, and in the single position.
struct Piece {
  std::int64_t in_sequence = 0;
  std::int64_t in_position = 0;
  std::int64_t features = 0;
};

class TakePosition final : public Operation {
 public:
  using Operation::Operation;

  Tensor forward(std::span<const Tensor> inputs) override {
    source_ = inputs[0];
    const auto output = lowering().tensor(output_shape(source_.shape.n), type());
    lowering().emit(named(".forward"),
                    [this, output] {
                      for (const auto& piece : pieces()) {
                        copy(piece, source_, output, true);
                      }
                    },
                    {source_.buffer, output.buffer});
    return output;
  }

  std::vector<Gradient> backward(const Gradient& gradient) override {
    const auto arriving = gradient.tensor;
    const auto result = lowering().tensor(source_.shape, type());
    lowering().emit(
        named(".backward"),
        [this, arriving, result] {
          check(cudaMemsetAsync(lowering().address(result), 0, result.bytes(), stream()));
          for (const auto& piece : pieces()) {
            copy(piece, arriving, result, false);
          }
        },
        {arriving.buffer, result.buffer});
    return {{result}};
  }

 private:
  void copy(const Piece& piece, const Tensor& from, const Tensor& to, bool out_of_sequence) {
    const ChannelSlice whole{piece.in_sequence, source_.shape.elements() / source_.shape.n};
    const ChannelSlice single{piece.in_position, source_.shape.c};
    launch_copy_channels(lowering().address(from),
                         out_of_sequence ? whole : single,
                         lowering().address(to),
                         out_of_sequence ? single : whole,
                         type(),
                         source_.shape.n,
                         piece.features,
                         stream());
    check_launch();
  }

  // A bidirectional LSTM ends at the last position in one direction and at the first in the other.
  [[nodiscard]] std::vector<Piece> pieces() const {
    const auto positions = source_.shape.h * source_.shape.w;
    const auto width = source_.shape.c;
    const auto position = layer().position < 0 ? layer().position + positions : layer().position;
    if (!layer().bidirectional) {
      return {{position * width, 0, width}};
    }
    const auto half = width / 2;
    return {{position * width, 0, half}, {(positions - 1 - position) * width + half, half, half}};
  }

  Tensor source_;
};

}  // namespace

std::unique_ptr<Operation> make_take_position(const OperationContext& context) {
  return std::make_unique<TakePosition>(context);
}

}  // namespace rightsize::gpu
