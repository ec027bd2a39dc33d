// Convolutions on cuDNN: forward with bias and ReLU in one call where cuDNN can, else in two.
#include <fmt/format.h>

#include "kernels/gpu/algorithm.h"
#include "kernels/gpu/handles.h"
#include "kernels/gpu/operation.h"

namespace rightsize::gpu {
namespace {

constexpr float one = 1;
constexpr float zero = 0;

// A pass of the convolution: its own descriptor, since passes may differ in math type.
template <typename Result>
struct Pass {
  ConvolutionDescriptor descriptor;
  Choice<decltype(Result::algo)> choice;

  void use(const Choice<decltype(Result::algo)>& chosen) {
    choice = chosen;
    check(cudnnSetConvolutionMathType(descriptor.get(), chosen.math));
  }
};

class Convolution final : public Operation {
 public:
  explicit Convolution(const OperationContext& context)
      : Operation(context), weights_(parameter(".weights")), fused_(layer().bias && context.relu) {}

  Tensor forward(std::span<const Tensor> inputs) override {
    source_ = inputs[0];
    output_ = lowering().tensor(output_shape(source_.shape.n), type());
    describe_all();
    guess_forward();
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
      emit_bias_gradient();
    }
    guess_backward_filter();
    lowering().emit(
        named(".backward_weights"),
        [this] { run_backward_filter(); },
        {source_.buffer, arriving_.buffer, weights_.gradient, context().shared.workspace});
    if (!context().input_gradient) {
      return {Gradient{}};
    }
    result_ = lowering().tensor(source_.shape, type());
    guess_backward_data();
    lowering().emit(
        named(".backward_data"),
        [this] { run_backward_data(); },
        {arriving_.buffer, weights_.compute, result_.buffer, context().shared.workspace});
    return {{result_}};
  }

  void tune() override {
    tune_forward();
    if (arriving_) {
      tune_backward_filter();
    }
    if (result_) {
      tune_backward_data();
    }
  }

 private:
  using ForwardResult = cudnnConvolutionFwdAlgoPerf_t;
  using DataResult = cudnnConvolutionBwdDataAlgoPerf_t;
  using FilterResult = cudnnConvolutionBwdFilterAlgoPerf_t;

  void describe_all() {
    const auto& l = layer();
    describe(x_, source_.shape, type());
    describe(y_, output_.shape, type());
    describe(bias_, {1, 1, 1, l.out.c}, type());
    check(cudnnSetFilter4dDescriptor(w_.get(),
                                     cudnn_type(type()),
                                     CUDNN_TENSOR_NHWC,
                                     static_cast<int>(l.out.c),
                                     static_cast<int>(source_.shape.c / l.groups),
                                     static_cast<int>(l.kernel_h),
                                     static_cast<int>(l.kernel_w)));
    check(cudnnSetActivationDescriptor(
        relu_.get(), CUDNN_ACTIVATION_RELU, CUDNN_NOT_PROPAGATE_NAN, 0.0));
    for (const auto* descriptor : {&forward_.descriptor, &data_.descriptor, &filter_.descriptor}) {
      check(cudnnSetConvolution2dDescriptor(descriptor->get(),
                                            static_cast<int>(l.pad_h),
                                            static_cast<int>(l.pad_w),
                                            static_cast<int>(l.stride_h),
                                            static_cast<int>(l.stride_w),
                                            1,
                                            1,
                                            CUDNN_CROSS_CORRELATION,
                                            CUDNN_DATA_FLOAT));
      check(cudnnSetConvolutionGroupCount(descriptor->get(), static_cast<int>(l.groups)));
      check(cudnnSetConvolutionMathType(descriptor->get(), device().math()));
    }
  }

  // Takes the best of `results` and plans room for all that could be tried later.
  template <typename Result>
  void adopt(const std::vector<Result>& results,
             cudnnStatus_t status,
             Pass<Result>& pass,
             const char* what) {
    const auto choice = fastest(results, most_workspace, device().precision());
    if (!choice) {
      throw GpuError(
          abi::Status::unsupported,
          fmt::format("cuDNN has no {} algorithm for layer {} in NHWC at this precision ({}); try "
                      "another precision",
                      what,
                      layer().name,
                      cudnnGetErrorString(status)));
    }
    pass.use(*choice);
    lowering().grow(context().shared.workspace, largest_workspace(results, device().precision()));
  }

  void guess_forward() {
    cudnnStatus_t status{};
    const auto results = ask<ForwardResult>(
        [&](int capacity, int* count, ForwardResult* out) {
          return cudnnGetConvolutionForwardAlgorithm_v7(device().cudnn(),
                                                        x_.get(),
                                                        w_.get(),
                                                        forward_.descriptor.get(),
                                                        y_.get(),
                                                        capacity,
                                                        count,
                                                        out);
        },
        status);
    adopt(results, status, forward_, "forward");
  }

  void guess_backward_data() {
    cudnnStatus_t status{};
    const auto results = ask<DataResult>(
        [&](int capacity, int* count, DataResult* out) {
          return cudnnGetConvolutionBackwardDataAlgorithm_v7(device().cudnn(),
                                                             w_.get(),
                                                             y_.get(),
                                                             data_.descriptor.get(),
                                                             x_.get(),
                                                             capacity,
                                                             count,
                                                             out);
        },
        status);
    adopt(results, status, data_, "backward-data");
  }

  void guess_backward_filter() {
    cudnnStatus_t status{};
    const auto results = ask<FilterResult>(
        [&](int capacity, int* count, FilterResult* out) {
          return cudnnGetConvolutionBackwardFilterAlgorithm_v7(device().cudnn(),
                                                               x_.get(),
                                                               y_.get(),
                                                               filter_.descriptor.get(),
                                                               w_.get(),
                                                               capacity,
                                                               count,
                                                               out);
        },
        status);
    adopt(results, status, filter_, "backward-filter");
  }

  // A trial that fails leaves the guess in place.
  template <typename Result>
  void improve(const std::vector<Result>& results, Pass<Result>& pass) {
    if (const auto choice = fastest(results, workspace_bytes(), device().precision())) {
      pass.use(*choice);
    }
  }

  void tune_forward() {
    cudnnStatus_t status{};
    improve(ask<ForwardResult>(
                [&](int capacity, int* count, ForwardResult* out) {
                  return cudnnFindConvolutionForwardAlgorithmEx(device().cudnn(),
                                                                x_.get(),
                                                                source(),
                                                                w_.get(),
                                                                weights(),
                                                                forward_.descriptor.get(),
                                                                y_.get(),
                                                                output(),
                                                                capacity,
                                                                count,
                                                                out,
                                                                workspace(),
                                                                workspace_bytes());
                },
                status),
            forward_);
  }

  void tune_backward_data() {
    cudnnStatus_t status{};
    improve(ask<DataResult>(
                [&](int capacity, int* count, DataResult* out) {
                  return cudnnFindConvolutionBackwardDataAlgorithmEx(device().cudnn(),
                                                                     w_.get(),
                                                                     weights(),
                                                                     y_.get(),
                                                                     arriving(),
                                                                     data_.descriptor.get(),
                                                                     x_.get(),
                                                                     lowering().address(result_),
                                                                     capacity,
                                                                     count,
                                                                     out,
                                                                     workspace(),
                                                                     workspace_bytes());
                },
                status),
            data_);
  }

  void tune_backward_filter() {
    cudnnStatus_t status{};
    improve(ask<FilterResult>(
                [&](int capacity, int* count, FilterResult* out) {
                  return cudnnFindConvolutionBackwardFilterAlgorithmEx(device().cudnn(),
                                                                       x_.get(),
                                                                       source(),
                                                                       y_.get(),
                                                                       arriving(),
                                                                       filter_.descriptor.get(),
                                                                       w_.get(),
                                                                       gradient(),
                                                                       capacity,
                                                                       count,
                                                                       out,
                                                                       workspace(),
                                                                       workspace_bytes());
                },
                status),
            filter_);
  }

  void run_forward() {
    if (fused_ && run_forward_fused()) {
      return;
    }
    check(cudnnConvolutionForward(device().cudnn(),
                                  &one,
                                  x_.get(),
                                  source(),
                                  w_.get(),
                                  weights(),
                                  forward_.descriptor.get(),
                                  forward_.choice.algorithm,
                                  workspace(),
                                  forward_.choice.workspace,
                                  &zero,
                                  y_.get(),
                                  output()));
    if (layer().bias) {
      launch_bias(lowering().address_as<float>(parameter(".bias").master),
                  output(),
                  type(),
                  output_.shape,
                  context().relu,
                  stream());
      check_launch();
    } else if (context().relu) {
      launch_relu(output(), output(), type(), output_.shape.elements(), stream());
      check_launch();
    }
  }

  // False, for good, when cuDNN has no fused kernel for this case. The first run is never captured.
  bool run_forward_fused() {
    const auto status =
        cudnnConvolutionBiasActivationForward(device().cudnn(),
                                              &one,
                                              x_.get(),
                                              source(),
                                              w_.get(),
                                              weights(),
                                              forward_.descriptor.get(),
                                              forward_.choice.algorithm,
                                              workspace(),
                                              forward_.choice.workspace,
                                              &zero,
                                              y_.get(),
                                              output(),
                                              bias_.get(),
                                              lowering().address(parameter(".bias").compute),
                                              relu_.get(),
                                              y_.get(),
                                              output());
    if (is_unsupported(status) || status == CUDNN_STATUS_BAD_PARAM) {
      fused_ = false;
      return false;
    }
    check(status);
    return true;
  }

  void run_backward_data() {
    check(cudnnConvolutionBackwardData(device().cudnn(),
                                       &one,
                                       w_.get(),
                                       weights(),
                                       y_.get(),
                                       arriving(),
                                       data_.descriptor.get(),
                                       data_.choice.algorithm,
                                       workspace(),
                                       data_.choice.workspace,
                                       &zero,
                                       x_.get(),
                                       lowering().address(result_)));
  }

  void run_backward_filter() {
    check(cudnnConvolutionBackwardFilter(device().cudnn(),
                                         &one,
                                         x_.get(),
                                         source(),
                                         y_.get(),
                                         arriving(),
                                         filter_.descriptor.get(),
                                         filter_.choice.algorithm,
                                         workspace(),
                                         filter_.choice.workspace,
                                         &zero,
                                         w_.get(),
                                         gradient()));
  }

  void emit_bias_gradient() {
    const auto& bias = parameter(".bias");
    const auto partials = context().shared.partials;
    lowering().grow(partials,
                    static_cast<std::size_t>(partial_floats(output_.shape, 1)) * sizeof(float));
    lowering().emit(named(".backward_bias"),
                    [this, &bias, partials] {
                      launch_bias_gradient(arriving(),
                                           lowering().address_as<float>(bias.gradient),
                                           lowering().address_as<float>(partials),
                                           type(),
                                           output_.shape,
                                           stream());
                      check_launch();
                    },
                    {arriving_.buffer, bias.gradient, partials});
  }

  [[nodiscard]] void* source() const { return lowering().address(source_); }
  [[nodiscard]] void* output() const { return lowering().address(output_); }
  [[nodiscard]] void* arriving() const { return lowering().address(arriving_); }
  [[nodiscard]] void* weights() const { return lowering().address(weights_.compute); }
  [[nodiscard]] void* gradient() const { return lowering().address(weights_.gradient); }
  [[nodiscard]] void* workspace() const { return lowering().address(context().shared.workspace); }
  [[nodiscard]] std::size_t workspace_bytes() const {
    return lowering().bytes(context().shared.workspace);
  }

  const Parameter& weights_;
  bool fused_;
  TensorDescriptor x_, y_, bias_;
  FilterDescriptor w_;
  ActivationDescriptor relu_;
  Pass<ForwardResult> forward_;
  Pass<DataResult> data_;
  Pass<FilterResult> filter_;
  Tensor source_, output_, arriving_, result_;
};

}  // namespace

std::unique_ptr<Operation> make_convolution(const OperationContext& context) {
  return std::make_unique<Convolution>(context);
}

}  // namespace rightsize::gpu
