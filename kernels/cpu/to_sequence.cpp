// {c, h, w} -> {c, h w, 1} and back: an image in NHWC order is a sequence already, so these are
// views. Only where an image has other channels than the sequence had features are values moved
// (unpatch.cpp).
#include "kernels/cpu/sequence.h"

namespace rightsize::cpu {
namespace {

class ToSequence final : public Operation {
 public:
  using Operation::Operation;

  Tensor forward(std::span<const Tensor> inputs) override {
    const auto dims = dims_of(inputs[0].desc());
    const auto type = lowering().type();
    image_ = {dims, type, dnnl::memory::format_tag::nhwc};
    auto source = lowering().reordered(inputs[0], image_);
    if (source.buffer < 0) {  // the caller's images have no planned buffer to take a view of
      source = lowering().buffer(image_);
      lowering().copy(inputs[0], source);
    }
    shape_ = sequence_shape(layer().out, context().items);
    return lowering().view(source, sequence_desc(shape_, type));
  }

  std::vector<Gradient> backward(const Gradient& gradient) override {
    if (!context().input_gradient) {
      return {Gradient{}};
    }
    const auto arriving = as_sequence(lowering(), gradient.tensor, shape_);
    return {Gradient{lowering().view(arriving, image_),
                     gradient.exclusive || arriving.buffer != gradient.tensor.buffer}};
  }

 private:
  dnnl::memory::desc image_;
  SequenceShape shape_;
};

class ToImage final : public Operation {
 public:
  using Operation::Operation;

  Tensor forward(std::span<const Tensor> inputs) override {
    const auto& out = layer().out;
    shape_ = sequence_shape(out, context().items);
    image_ = {
        {shape_.items, out.c, out.h, out.w}, lowering().type(), dnnl::memory::format_tag::nhwc};
    return lowering().view(as_sequence(lowering(), inputs[0], shape_), image_);
  }

  std::vector<Gradient> backward(const Gradient& gradient) override {
    const auto arriving = lowering().reordered(gradient.tensor, image_);
    return {Gradient{lowering().view(arriving, sequence_desc(shape_, lowering().type())),
                     gradient.exclusive || arriving.buffer != gradient.tensor.buffer}};
  }

 private:
  dnnl::memory::desc image_;
  SequenceShape shape_;
};

}  // namespace

std::unique_ptr<Operation> make_to_image(const OperationContext& context) {
  const auto& from = context.network.layers.at(static_cast<std::size_t>(context.layer.inputs[0]));
  if (from.out.c != context.layer.out.c) {
    return make_unpatch(context);
  }
  return std::make_unique<ToImage>(context);
}

std::unique_ptr<Operation> make_to_sequence(const OperationContext& context) {
  return std::make_unique<ToSequence>(context);
}

}  // namespace rightsize::cpu
