// Srivastava et al., JMLR 2014, scaled while training. The mask is a function of seed, step and
// position, so the backward pass makes it again instead of reading it from memory.
#include "kernels/cpu/element.h"
#include "kernels/cpu/operation.h"
#include "kernels/cpu/random.h"

namespace rightsize::cpu {
namespace {

template <typename Element>
void drop(const Element* from, Element* to, std::int64_t count, float rate, std::uint64_t key) {
  const float scale = 1.0F / (1.0F - rate);
#pragma omp parallel for simd schedule(static)
  for (std::int64_t i = 0; i < count; ++i) {
    const bool kept = uniform(key, static_cast<std::uint64_t>(i)) >= rate;
    to[i] = static_cast<Element>(kept ? static_cast<float>(from[i]) * scale : 0.0F);
  }
}

class Dropout final : public Operation {
 public:
  using Operation::Operation;

  Tensor forward(std::span<const Tensor> inputs) override {
    const auto output = lowering().buffer(inputs[0].desc());
    desc_ = inputs[0].desc();
    emit(named(".forward"), inputs[0], output);
    return output;
  }

  std::vector<Gradient> backward(const Gradient& gradient) override {
    const auto arriving = lowering().reordered(gradient.tensor, desc_);
    const bool in_place = gradient.exclusive || arriving.buffer != gradient.tensor.buffer;
    const auto result = in_place ? arriving : lowering().buffer(desc_);
    emit(named(".backward"), arriving, result);
    return {{result}};
  }

 private:
  void emit(const std::string& name, const Tensor& from, const Tensor& to) {
    with_element(type_of(desc_), [&](auto zero) { emit_as<decltype(zero)>(name, from, to); });
  }

  template <typename Element>
  void emit_as(std::string name, const Tensor& from, const Tensor& to) {
    const auto count = static_cast<std::int64_t>(desc_.get_size() / sizeof(Element));
    lowering().emit(std::move(name),
                    [&state = context().state,
                     seed = context().seed,
                     rate = layer().dropout_rate,
                     count,
                     from,
                     to] {
                      drop<Element>(elements<Element>(from),
                                    elements<Element>(to),
                                    count,
                                    rate,
                                    stream_key(seed, state.step));
                    },
                    {from, to});
  }

  dnnl::memory::desc desc_;
};

}  // namespace

std::unique_ptr<Operation> make_dropout(const OperationContext& context) {
  return std::make_unique<Dropout>(context);
}

}  // namespace rightsize::cpu
