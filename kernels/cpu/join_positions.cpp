// Sequences of as many features, one behind the other.
#include "kernels/cpu/positions.h"

namespace rightsize::cpu {
namespace {

class JoinPositions final : public Operation {
 public:
  using Operation::Operation;

  Tensor forward(std::span<const Tensor> inputs) override {
    out_ = sequence_shape(layer().out, context().items);
    const auto output = lowering().buffer(sequence_desc(out_, lowering().type()));
    std::int64_t first = 0;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const auto shape = shape_of(i);
      const auto source = as_sequence(lowering(), inputs[i], shape);
      emit_copy(
          lowering(), named(".forward"), {source, shape}, {output, out_, first}, shape.positions);
      first += shape.positions;
    }
    return output;
  }

  std::vector<Gradient> backward(const Gradient& gradient) override {
    const auto arriving = as_sequence(lowering(), gradient.tensor, out_);
    std::vector<Gradient> parts;
    std::int64_t first = 0;
    for (std::size_t i = 0; i < layer().inputs.size(); ++i) {
      const auto shape = shape_of(i);
      const auto part = lowering().buffer(sequence_desc(shape, lowering().type()));
      emit_copy(
          lowering(), named(".backward"), {arriving, out_, first}, {part, shape}, shape.positions);
      parts.push_back({part});
      first += shape.positions;
    }
    return parts;
  }

 private:
  [[nodiscard]] SequenceShape shape_of(std::size_t input) const {
    const auto from = static_cast<std::size_t>(layer().inputs[input]);
    return sequence_shape(context().network.layers[from].out, context().items);
  }

  SequenceShape out_;
};

}  // namespace

std::unique_ptr<Operation> make_join_positions(const OperationContext& context) {
  return std::make_unique<JoinPositions>(context);
}

}  // namespace rightsize::cpu
