// Adds row t of a learned table to position t, and row 0 of a table of segments to every position:
// a batch here is always one segment. Decoding, t is the position of the one token of the step.
#include "kernels/gpu/operation.h"
#include "kernels/gpu/sequence_kernels.h"

namespace rightsize::gpu {
namespace {

class PositionEmbedding final : public Operation {
 public:
  explicit PositionEmbedding(const OperationContext& context)
      : Operation(context),
        positions_(parameter(".weights")),
        segments_(layer().segments > 0 ? &parameter(".segments") : nullptr) {}

  Tensor forward(std::span<const Tensor> inputs) override {
    const auto source = inputs[0];
    const int segments = segments_ == nullptr ? -1 : segments_->compute;
    const auto output = lowering().tensor(source.shape, type());
    lowering().emit(
        named(".forward"),
        [this, source, segments, output] {
          launch_add_positions(lowering().address(source),
                               lowering().address(positions_.compute),
                               segments < 0 ? nullptr : lowering().address(segments),
                               lowering().address(output),
                               type(),
                               source.shape,
                               state(),
                               stream());
          check_launch();
        },
        {source.buffer, positions_.compute, segments, output.buffer, context().shared.state});
    return output;
  }

  // A sum passes its gradient on.
  std::vector<Gradient> backward(const Gradient& gradient) override {
    const auto arriving = gradient.tensor;
    lowering().emit(named(".backward_weights"),
                    [this, arriving] {
                      clear(positions_);
                      launch_position_gradient(lowering().address(arriving),
                                               lowering().address_as<float>(positions_.gradient),
                                               type(),
                                               arriving.shape,
                                               stream());
                      check_launch();
                    },
                    {arriving.buffer, positions_.gradient});
    if (segments_ != nullptr) {
      emit_segment_gradient(arriving.shape);
    }
    return {gradient};
  }

 private:
  // Rows nobody reads get zeros.
  void clear(const Parameter& table) const {
    const auto bytes = static_cast<std::size_t>(table.shape.elements()) * sizeof(float);
    check(cudaMemsetAsync(lowering().address(table.gradient), 0, bytes, stream()));
  }

  // Row 0 is the sum over all positions.
  void emit_segment_gradient(const TensorShape& shape) {
    const TensorShape sums{1, shape.h, shape.w, shape.c};
    const auto partials = context().shared.partials;
    lowering().grow(partials, static_cast<std::size_t>(partial_floats(sums, 1)) * sizeof(float));
    lowering().emit(named(".backward_segments"),
                    [this, sums, partials] {
                      clear(*segments_);
                      launch_bias_gradient(lowering().address(positions_.gradient),
                                           lowering().address_as<float>(segments_->gradient),
                                           lowering().address_as<float>(partials),
                                           ElementType::f32,
                                           sums,
                                           stream());
                      check_launch();
                    },
                    {positions_.gradient, segments_->gradient, partials});
  }

  const Parameter& positions_;
  const Parameter* segments_;
};

}  // namespace

std::unique_ptr<Operation> make_position_embedding(const OperationContext& context) {
  return std::make_unique<PositionEmbedding>(context);
}

}  // namespace rightsize::gpu
