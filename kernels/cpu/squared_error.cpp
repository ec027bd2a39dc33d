// Mean squared error, the loss of a denoiser (Ho, Jain and Abbeel, NeurIPS 2020): the mean of
// (y - target)^2 over all values of a batch, with the gradient 2 (y - target) / values. The target
// is made up, standard normal and drawn once from the seed; a caller with one of his own sets
// "<layer>.target" as he would a parameter.
#include <algorithm>

#include "kernels/cpu/element.h"
#include "kernels/cpu/operation.h"

namespace rightsize::cpu {
namespace {

using dnnl::memory;

double squared_error(const float* values, const float* target, std::int64_t count) {
  constexpr std::int64_t piece = 1024;  // that FP32 adds up
  double total = 0;
#pragma omp parallel for schedule(static) reduction(+ : total)
  for (std::int64_t begin = 0; begin < count; begin += piece) {
    const auto end = std::min(begin + piece, count);
    float sum = 0;
#pragma omp simd reduction(+ : sum)
    for (std::int64_t i = begin; i < end; ++i) {
      const float distance = values[i] - target[i];
      sum += distance * distance;
    }
    total += static_cast<double>(sum);
  }
  return total / static_cast<double>(count);
}

template <typename Element>
void error_gradient(const float* values, const float* target, std::int64_t count, Element* out) {
  const float scale = 2.0F / static_cast<float>(count);
#pragma omp parallel for simd schedule(static)
  for (std::int64_t i = 0; i < count; ++i) {
    store(scale * (values[i] - target[i]), out[i]);
  }
}

class SquaredError final : public Operation {
 public:
  using Operation::Operation;

  Tensor forward(std::span<const Tensor> inputs) override {
    const auto desc = plain(dims_of(inputs[0].desc()));
    count_ = static_cast<std::int64_t>(desc.get_size() / sizeof(float));
    target_ = context().parameters.add_state(lowering(), named(".target"), desc, {0, 1}).value;
    values_ = lowering().reordered(inputs[0], desc);
    lowering().emit(named(".forward"),
                    [&state = context().state, values = values_, target = target_, n = count_] {
                      state.loss = squared_error(values.data(), target.data(), n);
                    },
                    {values_, target_});
    return inputs[0];
  }

  std::vector<Gradient> backward(const Gradient&) override {
    const auto result = lowering().buffer(with_type(values_.desc(), lowering().type()));
    with_element(lowering().type(), [&](auto zero) {
      using Element = decltype(zero);
      lowering().emit(named(".backward"),
                      [values = values_, target = target_, result, n = count_] {
                        error_gradient(values.data(), target.data(), n, elements<Element>(result));
                      },
                      {values_, target_, result});
    });
    return {{result}};
  }

 private:
  std::int64_t count_ = 0;
  Tensor values_, target_;
};

}  // namespace

std::unique_ptr<Operation> make_squared_error(const OperationContext& context) {
  return std::make_unique<SquaredError>(context);
}

}  // namespace rightsize::cpu
