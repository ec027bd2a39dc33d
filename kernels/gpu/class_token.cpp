// Puts one learned position in front of every sequence (Devlin et al., 2019; Dosovitskiy et al.,
// ICLR 2021). A sequence is taken as one long row.
#include "kernels/gpu/operation.h"

namespace rightsize::gpu {
namespace {

class ClassToken final : public Operation {
 public:
  explicit ClassToken(const OperationContext& context)
      : Operation(context), token_(parameter(".weights")) {}

  Tensor forward(std::span<const Tensor> inputs) override {
    source_ = inputs[0];
    output_ = lowering().tensor(output_shape(source_.shape.n), type());
    lowering().emit(named(".forward"),
                    [this] {
                      auto* const y = lowering().address(output_);
                      copy(lowering().address(token_.compute), {0, 0}, y, {0, row()}, width());
                      copy(lowering().address(source_), {0, rest()}, y, {width(), row()}, rest());
                    },
                    {source_.buffer, token_.compute, output_.buffer});
    return output_;
  }

  // The rest goes back to the sequence, the first positions add up to the token's gradient.
  std::vector<Gradient> backward(const Gradient& gradient) override {
    const auto arriving = gradient.tensor;
    const auto firsts = lowering().tensor({source_.shape.n, 1, 1, width()}, type());
    const auto result = lowering().tensor(source_.shape, type());
    lowering().emit(named(".backward"),
                    [this, arriving, firsts, result] {
                      const auto* const dy = lowering().address(arriving);
                      copy(dy, {0, row()}, lowering().address(firsts), {0, width()}, width());
                      copy(dy, {width(), row()}, lowering().address(result), {0, rest()}, rest());
                    },
                    {arriving.buffer, firsts.buffer, result.buffer});
    emit_bias_gradient(context(), token_, firsts);
    return {{result}};
  }

 private:
  [[nodiscard]] std::int64_t width() const { return source_.shape.c; }
  [[nodiscard]] std::int64_t rest() const { return source_.shape.elements() / source_.shape.n; }
  [[nodiscard]] std::int64_t row() const { return width() + rest(); }

  void copy(const void* from,
            const ChannelSlice& source,
            void* to,
            const ChannelSlice& target,
            std::int64_t count) {
    launch_copy_channels(from, source, to, target, type(), source_.shape.n, count, stream());
    check_launch();
  }

  const Parameter& token_;
  Tensor source_, output_;
};

}  // namespace

std::unique_ptr<Operation> make_class_token(const OperationContext& context) {
  return std::make_unique<ClassToken>(context);
}

}  // namespace rightsize::gpu
