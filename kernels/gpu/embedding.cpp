// Token ids -> rows of a learned table. The gradient adds each position's to the row it came from.
#include "kernels/gpu/operation.h"
#include "kernels/gpu/sequence_kernels.h"

namespace rightsize::gpu {
namespace {

class Embedding final : public Operation {
 public:
  explicit Embedding(const OperationContext& context)
      : Operation(context), table_(parameter(".weights")) {}

  Tensor forward(std::span<const Tensor>) override {
    output_ = lowering().tensor(output_shape(context().items), type());
    lowering().emit(named(".forward"),
                    [this] {
                      launch_look_up(lowering().address(table_.compute),
                                     tokens(),
                                     lowering().address(output_),
                                     type(),
                                     output_.shape,
                                     stream());
                      check_launch();
                    },
                    {table_.compute, context().shared.tokens, output_.buffer});
    return output_;
  }

  std::vector<Gradient> backward(const Gradient& gradient) override {
    const auto arriving = gradient.tensor;
    const bool first = context().parameters.starts_gradient(table_);
    lowering().emit(named(".backward_weights"),
                    [this, arriving, first] { run_backward(arriving, first); },
                    {arriving.buffer, context().shared.tokens, table_.gradient});
    return {Gradient{}};
  }

 private:
  void run_backward(const Tensor& arriving, bool first) {
    auto* const target = lowering().address_as<float>(table_.gradient);
    if (first) {
      const auto bytes = static_cast<std::size_t>(table_.shape.elements()) * sizeof(float);
      check(cudaMemsetAsync(target, 0, bytes, stream()));
    }
    launch_look_up_gradient(
        lowering().address(arriving), tokens(), target, type(), arriving.shape, stream());
    check_launch();
  }

  const Parameter& table_;
  Tensor output_;
};

}  // namespace

std::unique_ptr<Operation> make_embedding(const OperationContext& context) {
  return std::make_unique<Embedding>(context);
}

}  // namespace rightsize::gpu
