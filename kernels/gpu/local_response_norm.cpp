#include "kernels/gpu/operation.h"

namespace rightsize::gpu {
namespace {

class LocalResponseNorm final : public Operation {
 public:
  using Operation::Operation;

  Tensor forward(std::span<const Tensor> inputs) override {
    source_ = inputs[0];
    output_ = lowering().tensor(source_.shape, type());
    scale_ = lowering().buffer(static_cast<std::size_t>(source_.shape.elements()) * sizeof(float));
    lowering().emit(named(".forward"),
                    [this] {
                      launch_local_response_norm(layer(),
                                                 lowering().address(source_),
                                                 lowering().address(output_),
                                                 lowering().address_as<float>(scale_),
                                                 type(),
                                                 source_.shape,
                                                 stream());
                      check_launch();
                    },
                    {source_.buffer, output_.buffer, scale_});
    return output_;
  }

  std::vector<Gradient> backward(const Gradient& gradient) override {
    arriving_ = gradient.tensor;
    result_ = lowering().tensor(source_.shape, type());
    lowering().emit(named(".backward"),
                    [this] {
                      launch_local_response_norm_backward(layer(),
                                                          lowering().address(source_),
                                                          lowering().address(output_),
                                                          lowering().address_as<float>(scale_),
                                                          lowering().address(arriving_),
                                                          lowering().address(result_),
                                                          type(),
                                                          source_.shape,
                                                          stream());
                      check_launch();
                    },
                    {source_.buffer, output_.buffer, scale_, arriving_.buffer, result_.buffer});
    return {{result_}};
  }

 private:
  Tensor source_, output_, arriving_, result_;
  int scale_ = -1;
};

}  // namespace

std::unique_ptr<Operation> make_local_response_norm(const OperationContext& context) {
  return std::make_unique<LocalResponseNorm>(context);
}

}  // namespace rightsize::gpu
