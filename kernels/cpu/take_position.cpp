// One position of every sequence, such as the class token's or the last; the others get no
// gradient.
#include <cstring>
#include <vector>

#include "kernels/cpu/element.h"
#include "kernels/cpu/sequence.h"

namespace rightsize::cpu {
namespace {

// Features that are taken together from one position, in bytes within a row.
struct Piece {
  std::size_t begin = 0;
  std::size_t bytes = 0;
  std::int64_t position = 0;
};

class TakePosition final : public Operation {
 public:
  using Operation::Operation;

  Tensor forward(std::span<const Tensor> inputs) override {
    const auto& from = context().network.layers.at(static_cast<std::size_t>(layer().inputs[0]));
    in_ = sequence_shape(from.out, context().items);
    const auto type = lowering().type();
    const auto source = as_sequence(lowering(), inputs[0], in_);
    const auto output = lowering().buffer(sequence_desc({in_.items, 1, in_.features}, type));
    lowering().emit(named(".forward"),
                    [source, output, pieces = pieces(), in = in_, row = row_bytes()] {
                      for_each_piece(pieces, in, row, [&](auto whole, auto one, auto bytes) {
                        std::memcpy(elements<std::byte>(output) + one,
                                    elements<std::byte>(source) + whole,
                                    bytes);
                      });
                    },
                    {source, output});
    return output;
  }

  std::vector<Gradient> backward(const Gradient& gradient) override {
    const auto arriving = as_sequence(lowering(), gradient.tensor, {in_.items, 1, in_.features});
    const auto result = lowering().buffer(sequence_desc(in_, lowering().type()));
    lowering().emit(named(".backward"),
                    [arriving, result, pieces = pieces(), in = in_, row = row_bytes()] {
                      std::memset(result.data(), 0, result.desc().get_size());
                      for_each_piece(pieces, in, row, [&](auto whole, auto one, auto bytes) {
                        std::memcpy(elements<std::byte>(result) + whole,
                                    elements<std::byte>(arriving) + one,
                                    bytes);
                      });
                    },
                    {arriving, result});
    return {{result}};
  }

 private:
  // visit(byte in the sequences, byte in the single positions, bytes)
  template <typename Visit>
  static void for_each_piece(const std::vector<Piece>& pieces,
                             const SequenceShape& in,
                             std::size_t row,
                             Visit visit) {
    for (std::int64_t n = 0; n < in.items; ++n) {
      for (const auto& piece : pieces) {
        const auto from = static_cast<std::size_t>(n * in.positions + piece.position);
        visit(
            from * row + piece.begin, static_cast<std::size_t>(n) * row + piece.begin, piece.bytes);
      }
    }
  }

  [[nodiscard]] std::size_t row_bytes() const {
    return static_cast<std::size_t>(in_.features) * dnnl::memory::data_type_size(lowering().type());
  }

  // A bidirectional LSTM ends at the last position in one direction and at the first in the other.
  [[nodiscard]] std::vector<Piece> pieces() const {
    const auto position =
        layer().position < 0 ? layer().position + in_.positions : layer().position;
    if (!layer().bidirectional) {
      return {{0, row_bytes(), position}};
    }
    const auto half = row_bytes() / 2;
    return {{0, half, position}, {half, half, in_.positions - 1 - position}};
  }

  SequenceShape in_;
};

}  // namespace

std::unique_ptr<Operation> make_take_position(const OperationContext& context) {
  return std::make_unique<TakePosition>(context);
}

}  // namespace rightsize::cpu
