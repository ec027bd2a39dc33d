// Convolutions on cuDNN: forward with bias and ReLU in one call where cuDNN can, else in two.
// cuDNN pads both sides of an image alike; where a layer does not, the input is copied into a frame
// of zeros first and its gradient is cut out of one.
#include <algorithm>

#include "kernels/gpu/convolution_pass.h"
#include "kernels/gpu/operation.h"

namespace rightsize::gpu {
namespace {

constexpr float one = 1;
constexpr float zero = 0;

// Rows or columns that go in front and behind, for what is left to pad both sides alike.
struct Frame {
  std::int64_t before = 0;
  std::int64_t after = 0;
  std::int64_t both = 0;
};

Frame frame(std::int64_t pad, std::int64_t more) {
  const auto both = std::min(pad, pad + more);
  return {pad - both, pad + more - both, both};
}

class Convolution final : public Operation {
 public:
  explicit Convolution(const OperationContext& context)
      : Operation(context), weights_(parameter(".weights")), fused_(layer().bias && context.relu) {}

  Tensor forward(std::span<const Tensor> inputs) override {
    given_ = inputs[0];
    source_ = framed(given_);
    output_ = lowering().tensor(output_shape(source_.shape.n), type());
    describe_all();
    plan_workspace(forward_.guess(layer().name));
    lowering().emit(named(".forward"),
                    [this] { run_forward(); },
                    {source_.buffer,
                     weights_.compute,
                     layer().bias ? parameter(".bias").compute : -1,
                     layer().bias ? parameter(".bias").master : -1,
                     output_.buffer,
                     context().shared.workspace});
    return output_;
  }

  std::vector<Gradient> backward(const Gradient& gradient) override {
    const auto inner = context().relu ? relu_backward(context(), output_, gradient) : gradient;
    arriving_ = inner.tensor;
    if (layer().bias) {
      emit_bias_gradient(context(), parameter(".bias"), arriving_);
    }
    plan_workspace(filter_.guess(layer().name));
    lowering().emit(
        named(".backward_weights"),
        [this] { filter_.run(filter_buffers()); },
        {source_.buffer, arriving_.buffer, weights_.gradient, context().shared.workspace});
    if (!context().input_gradient) {
      return {Gradient{}};
    }
    result_ = lowering().tensor(source_.shape, type());
    plan_workspace(data_.guess(layer().name));
    lowering().emit(
        named(".backward_data"),
        [this] { data_.run(data_buffers()); },
        {arriving_.buffer, weights_.compute, result_.buffer, context().shared.workspace});
    return {{unframed(result_)}};
  }

  void tune() override {
    forward_.tune(forward_buffers());
    if (arriving_) {
      filter_.tune(filter_buffers());
    }
    if (result_) {
      data_.tune(data_buffers());
    }
  }

 private:
  [[nodiscard]] Frame rows() const { return frame(layer().pad_h, layer().more_pad_h); }
  [[nodiscard]] Frame columns() const { return frame(layer().pad_w, layer().more_pad_w); }
  [[nodiscard]] bool needs_frame() const {
    return layer().more_pad_h != 0 || layer().more_pad_w != 0;
  }

  void describe_all() {
    shape_.set(layer(), source_.shape, output_.shape, type());
    describe(bias_, {1, 1, 1, layer().out.c}, type());
    check(cudnnSetActivationDescriptor(
        relu_.get(), CUDNN_ACTIVATION_RELU, CUDNN_NOT_PROPAGATE_NAN, 0.0));
    const SymmetricPadding padding{rows().both, columns().both};
    forward_.describe(layer(), padding);
    data_.describe(layer(), padding);
    filter_.describe(layer(), padding);
  }

  void plan_workspace(std::size_t bytes) { lowering().grow(context().shared.workspace, bytes); }

  Tensor framed(const Tensor& image) {
    if (!needs_frame()) {
      return image;
    }
    auto shape = image.shape;
    shape.h += rows().before + rows().after;
    shape.w += columns().before + columns().after;
    const auto result = lowering().tensor(shape, type());
    emit_copy(named(".pad"), image, result, -rows().before, -columns().before);
    return result;
  }

  Tensor unframed(const Tensor& wide) {
    if (!needs_frame()) {
      return wide;
    }
    const auto result = lowering().tensor(given_.shape, type());
    emit_copy(named(".crop"), wide, result, rows().before, columns().before);
    return result;
  }

  void emit_copy(
      std::string name, const Tensor& from, const Tensor& to, std::int64_t top, std::int64_t left) {
    lowering().emit(std::move(name),
                    [this, from, to, top, left] {
                      launch_copy_frame(lowering().address(from),
                                        from.shape,
                                        lowering().address(to),
                                        to.shape,
                                        top,
                                        left,
                                        type(),
                                        stream());
                      check_launch();
                    },
                    {from.buffer, to.buffer});
  }

  void run_forward() {
    if (fused_ && run_forward_fused()) {
      return;
    }
    forward_.run(forward_buffers());
    auto* const y = lowering().address(output_);
    if (layer().bias) {
      launch_bias(lowering().address_as<float>(parameter(".bias").master),
                  y,
                  type(),
                  output_.shape,
                  context().relu,
                  stream());
      check_launch();
    } else if (context().relu) {
      launch_relu(y, y, type(), output_.shape.elements(), stream());
      check_launch();
    }
  }

  // False, for good, when cuDNN has no fused kernel for this case. The first run is never captured.
  bool run_forward_fused() {
    const auto buffers = forward_buffers();
    const auto status =
        cudnnConvolutionBiasActivationForward(device().cudnn(),
                                              &one,
                                              shape_.x.get(),
                                              buffers.x,
                                              shape_.w.get(),
                                              buffers.w,
                                              forward_.descriptor(),
                                              forward_.choice().algorithm,
                                              buffers.workspace,
                                              forward_.choice().workspace,
                                              &zero,
                                              shape_.y.get(),
                                              buffers.y,
                                              bias_.get(),
                                              lowering().address(parameter(".bias").compute),
                                              relu_.get(),
                                              shape_.y.get(),
                                              buffers.y);
    if (is_unsupported(status) || status == CUDNN_STATUS_BAD_PARAM) {
      fused_ = false;
      return false;
    }
    check(status);
    return true;
  }

  [[nodiscard]] ConvolutionBuffers buffers(const Tensor& x, int w, const Tensor& y) const {
    const int workspace = context().shared.workspace;
    return {lowering().address(x),
            lowering().address(w),
            lowering().address(y),
            lowering().address(workspace),
            lowering().bytes(workspace)};
  }
  [[nodiscard]] ConvolutionBuffers forward_buffers() const {
    return buffers(source_, weights_.compute, output_);
  }
  [[nodiscard]] ConvolutionBuffers data_buffers() const {
    return buffers(result_, weights_.compute, arriving_);
  }
  [[nodiscard]] ConvolutionBuffers filter_buffers() const {
    return buffers(source_, weights_.gradient, arriving_);
  }

  const Parameter& weights_;
  bool fused_;
  ConvolutionShape shape_;
  TensorDescriptor bias_;
  ActivationDescriptor relu_;
  Pass<Forward> forward_{device(), shape_};
  Pass<BackwardData> data_{device(), shape_};
  Pass<BackwardFilter> filter_{device(), shape_};
  Tensor given_, source_, output_, arriving_, result_;
};

}  // namespace

std::unique_ptr<Operation> make_convolution(const OperationContext& context) {
  const auto& layer = context.layer;
  const auto& filters = context.parameters.find(layer.name + ".weights").shape;
  if (layer.groups > 1 && layer.groups == layer.out.c && filters.c == 1) {
    return make_depthwise(context);
  }
  return std::make_unique<Convolution>(context);
}

}  // namespace rightsize::gpu
