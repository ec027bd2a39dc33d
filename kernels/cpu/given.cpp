// What a step is handed beside the input, made up here: standard normal values, drawn once from the
// seed, that stay as they are from step to step. What an embedding reads are ids, drawn evenly. A
// caller with values of his own sets "<layer>.values" as he would a parameter.
#include <algorithm>

#include "kernels/cpu/sequence.h"

namespace rightsize::cpu {
namespace {

class Given final : public Operation {
 public:
  using Operation::Operation;

  Tensor forward(std::span<const Tensor>) override {
    const auto& out = layer().out;
    const auto below = ids_below();
    const auto type = below > 0 ? dnnl::memory::data_type::f32 : lowering().type();
    const dnnl::memory::desc desc(
        {context().items, out.c, out.h, out.w}, type, dnnl::memory::format_tag::nhwc);
    return context().parameters.add_state(lowering(), named(".values"), desc, {0, 1, below}).value;
  }

  std::vector<Gradient> backward(const Gradient&) override { return {Gradient{}}; }

 private:
  // Rows of the table that an embedding looks these up in; 0: none does.
  [[nodiscard]] std::int64_t ids_below() const {
    const auto& layers = context().network.layers;
    const auto reader = std::find_if(layers.begin(), layers.end(), [&](const Layer& other) {
      return other.kind == LayerKind::embedding &&
             &layers[static_cast<std::size_t>(other.inputs[0])] == &layer();
    });
    return reader == layers.end() ? 0 : reader->vocabulary;
  }
};

}  // namespace

std::unique_ptr<Operation> make_given(const OperationContext& context) {
  return std::make_unique<Given>(context);
}

}  // namespace rightsize::cpu
