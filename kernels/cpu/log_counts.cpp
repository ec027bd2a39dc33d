// Counts among the ids of an item, as log(1 + count): what click logs' numbers are made into before
// a layer multiplies them (Naumov et al., 2019, the reference's data_utils).
#include <cmath>

#include "kernels/cpu/element.h"
#include "kernels/cpu/operation.h"

namespace rightsize::cpu {
namespace {

class LogCounts final : public Operation {
 public:
  using Operation::Operation;

  Tensor forward(std::span<const Tensor>) override {
    const auto items = context().items;
    const auto counts = layer().out.c;
    const auto stride = context().network.input.positions();
    const auto output = lowering().buffer(with_type(plain({items, counts}), lowering().type()));
    lowering().emit(named(".forward"),
                    [this, items, counts, stride, output] {
                      const auto* const ids = context().state.tokens;
                      with_element(lowering().type(), [&](auto element) {
                        auto* const to = elements<decltype(element)>(output);
#pragma omp parallel for schedule(static)
                        for (std::int64_t item = 0; item < items; ++item) {
                          for (std::int64_t c = 0; c < counts; ++c) {
                            to[item * counts + c] = static_cast<decltype(element)>(
                                std::log1p(static_cast<float>(ids[item * stride + c])));
                          }
                        }
                      });
                    },
                    {output});
    return output;
  }

  std::vector<Gradient> backward(const Gradient&) override {
    return {Gradient{}};
  }
};

}  // namespace

std::unique_ptr<Operation> make_log_counts(const OperationContext& context) {
  return std::make_unique<LogCounts>(context);
}

}  // namespace rightsize::cpu
