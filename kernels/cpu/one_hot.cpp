// Token ids -> a one among zeros at every position. Nothing is learned, so nothing flows back.
#include <algorithm>

#include "kernels/cpu/element.h"
#include "kernels/cpu/sequence.h"

namespace rightsize::cpu {
namespace {

template <typename Element>
void one_hot(const std::int32_t* tokens, Element* out, const SequenceShape& shape) {
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < shape.rows(); ++i) {
    Element* const row = out + i * shape.features;
    std::fill(row, row + shape.features, Element(0.0F));
    row[tokens[i]] = Element(1.0F);
  }
}

class OneHot final : public Operation {
 public:
  using Operation::Operation;

  Tensor forward(std::span<const Tensor>) override {
    const auto shape = sequence_shape(layer().out, context().items);
    const auto output = lowering().buffer(sequence_desc(shape, lowering().type()));
    with_element(lowering().type(), [&](auto zero) {
      using Element = decltype(zero);
      lowering().emit(named(".forward"),
                      [&state = context().state, output, shape] {
                        one_hot(state.tokens, elements<Element>(output), shape);
                      },
                      {output});
    });
    return output;
  }

  std::vector<Gradient> backward(const Gradient&) override { return {Gradient{}}; }
};

}  // namespace

std::unique_ptr<Operation> make_one_hot(const OperationContext& context) {
  return std::make_unique<OneHot>(context);
}

}  // namespace rightsize::cpu
