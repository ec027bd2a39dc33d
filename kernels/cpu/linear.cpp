// One matrix at every position: rows of a sequence times learned weights, which may be the table of
// an embedding (Press and Wolf, EACL 2017) or another such layer's (Lan et al., "ALBERT", 2020).
#include <optional>

#include "kernels/cpu/dense.h"
#include "kernels/cpu/sequence.h"

namespace rightsize::cpu {
namespace {

class Linear final : public Operation {
 public:
  using Operation::Operation;

  Tensor forward(std::span<const Tensor> inputs) override {
    const auto dims = dims_of(inputs[0].desc());
    in_rank_ = dims.size();
    in_ = {dims[0], layer().out.positions(), dims[1]};
    out_ = sequence_shape(layer().out, dims[0]);
    const DenseShape shape{in_.rows(), in_.features, out_.features, layer().bias};
    dense_.emplace(context(), shape, shared());
    const auto rows =
        lowering().view(as_sequence(lowering(), with_rank(lowering(), inputs[0], 4), in_),
                        rows_desc(in_, lowering().type()));
    return lowering().view(dense_->forward(rows), sequence_desc(out_, lowering().type()));
  }

  std::vector<Gradient> backward(const Gradient& gradient) override {
    const auto type = lowering().type();
    const auto arriving =
        lowering().view(as_sequence(lowering(), gradient.tensor, out_), rows_desc(out_, type));
    dense_->backward_weights(arriving);
    if (!context().input_gradient) {
      return {Gradient{}};
    }
    const auto by_input =
        lowering().view(dense_->backward_data(arriving), sequence_desc(in_, type));
    return {{with_rank(lowering(), by_input, in_rank_)}};
  }

 private:
  [[nodiscard]] SharedDense shared() const {
    if (layer().tied_to < 0) {
      return {};
    }
    const auto& owner = context().network.layers.at(static_cast<std::size_t>(layer().tied_to));
    const auto& parameters = context().parameters;
    const auto* const weights = &parameters.find(owner.name + ".weights");
    if (owner.kind != LayerKind::linear) {
      return {.table = weights};
    }
    return {.weights = weights,
            .bias = layer().bias ? &parameters.find(owner.name + ".bias") : nullptr};
  }

  SequenceShape in_, out_;
  std::size_t in_rank_ = 4;
  std::optional<Dense> dense_;
};

}  // namespace

std::unique_ptr<Operation> make_linear(const OperationContext& context) {
  return std::make_unique<Linear>(context);
}

}  // namespace rightsize::cpu
