// {c, h, w} -> {c, h w, 1}: channels last, an image is a sequence already.
#include "kernels/gpu/operation.h"

namespace rightsize::gpu {
namespace {

class ToSequence final : public Operation {
 public:
  using Operation::Operation;

  Tensor forward(std::span<const Tensor> inputs) override {
    image_ = inputs[0];
    return {image_.buffer, output_shape(image_.shape.n), image_.type};
  }

  std::vector<Gradient> backward(const Gradient& gradient) override {
    return {
        Gradient{{gradient.tensor.buffer, image_.shape, gradient.tensor.type}, gradient.exclusive}};
  }

 private:
  Tensor image_;
};

}  // namespace

std::unique_ptr<Operation> make_to_sequence(const OperationContext& context) {
  return std::make_unique<ToSequence>(context);
}

}  // namespace rightsize::gpu
