// {c, h, w} -> {c, h w, 1} and back: channels last, an image is a sequence already.
#include "kernels/gpu/operation.h"

namespace rightsize::gpu {
namespace {

class Reshaped final : public Operation {
 public:
  using Operation::Operation;

  Tensor forward(std::span<const Tensor> inputs) override {
    source_ = inputs[0];
    return {source_.buffer, output_shape(source_.shape.n), source_.type};
  }

  std::vector<Gradient> backward(const Gradient& gradient) override {
    return {Gradient{{gradient.tensor.buffer, source_.shape, gradient.tensor.type},
                     gradient.exclusive}};
  }

 private:
  Tensor source_;
};

}  // namespace

std::unique_ptr<Operation> make_to_sequence(const OperationContext& context) {
  return std::make_unique<Reshaped>(context);
}

std::unique_ptr<Operation> make_to_image(const OperationContext& context) {
  return std::make_unique<Reshaped>(context);
}

}  // namespace rightsize::gpu
