// Neighbouring positions of every sequence; the others get no gradient.
#include "kernels/cpu/positions.h"

namespace rightsize::cpu {
namespace {

class TakePositions final : public Operation {
 public:
  using Operation::Operation;

  Tensor forward(std::span<const Tensor> inputs) override {
    const auto& from = context().network.layers.at(static_cast<std::size_t>(layer().inputs[0]));
    in_ = sequence_shape(from.out, context().items);
    out_ = sequence_shape(layer().out, context().items);
    const auto source = as_sequence(lowering(), inputs[0], in_);
    const auto output = lowering().buffer(sequence_desc(out_, lowering().type()));
    emit_copy(lowering(),
              named(".forward"),
              {source, in_, layer().position},
              {output, out_},
              out_.positions);
    return output;
  }

  std::vector<Gradient> backward(const Gradient& gradient) override {
    const auto arriving = as_sequence(lowering(), gradient.tensor, out_);
    const auto result = lowering().buffer(sequence_desc(in_, lowering().type()));
    lowering().emit(named(".backward_zero"),
                    [result] { std::memset(result.data(), 0, result.desc().get_size()); },
                    {result});
    emit_copy(lowering(),
              named(".backward"),
              {arriving, out_},
              {result, in_, layer().position},
              out_.positions);
    return {{result}};
  }

 private:
  SequenceShape in_, out_;
};

}  // namespace

std::unique_ptr<Operation> make_take_positions(const OperationContext& context) {
  return std::make_unique<TakePositions>(context);
}

}  // namespace rightsize::cpu
