// Ioffe and Szegedy, ICML 2015: batch statistics while training, running ones at inference.
#include <functional>
#include <numeric>
#include <optional>

#include "kernels/cpu/norm_parameters.h"
#include "kernels/cpu/operation.h"

namespace rightsize::cpu {
namespace {

using dnnl::normalization_flags;
using dnnl::prop_kind;

constexpr float running_share = 0.1F;  // of the newest batch, as in torch.nn.BatchNorm2d

// The running variance is the unbiased one: `samples` / (samples - 1) times the batch's.
void update_running(const Tensor& running, const Tensor& batch, float correction) {
  float* const target = running.data();
  const float* const source = batch.data();
  const auto channels = dims_of(running.desc())[0];
  for (std::int64_t c = 0; c < channels; ++c) {
    target[c] += running_share * (correction * source[c] - target[c]);
  }
}

class BatchNorm final : public Operation {
 public:
  using Operation::Operation;

  Tensor forward(std::span<const Tensor> inputs) override {
    source_ = inputs[0];
    learned_ = add_norm_parameters(context().parameters, lowering(), layer());
    forward_ = batch_normalization(
        lowering().running(),
        lowering().training() ? prop_kind::forward_training : prop_kind::forward_inference,
        source_.desc(),
        layer().epsilon,
        flags());
    const auto output = lowering().buffer(forward_->dst_desc());
    mean_ = lowering().training() ? lowering().buffer(channels()) : learned_.mean;
    variance_ = lowering().training() ? lowering().buffer(channels()) : learned_.variance;
    Arguments arguments{{DNNL_ARG_SRC, source_},
                        {DNNL_ARG_DST, output},
                        {DNNL_ARG_SCALE, learned_.scale.value},
                        {DNNL_ARG_SHIFT, learned_.shift.value},
                        {DNNL_ARG_MEAN, mean_},
                        {DNNL_ARG_VARIANCE, variance_}};
    if (forward_->workspace_desc().get_size() > 0) {
      workspace_ = lowering().buffer(forward_->workspace_desc());
      arguments.emplace_back(DNNL_ARG_WORKSPACE, workspace_);
    }
    lowering().emit(named(".forward"),
                    dnnl::batch_normalization_forward(*forward_),
                    forward_->scratchpad_desc(),
                    std::move(arguments));
    if (lowering().training()) {
      emit_running_update();
    }
    return output;
  }

  std::vector<Gradient> backward(const Gradient& gradient) override {
    const auto pd = batch_normalization_backward(
        lowering().running(), *forward_, source_.desc(), layer().epsilon, flags());
    const auto arriving = lowering().reordered(gradient.tensor, pd.diff_dst_desc());
    const auto result = lowering().buffer(pd.diff_src_desc());
    Arguments arguments{{DNNL_ARG_SRC, source_},
                        {DNNL_ARG_DIFF_DST, arriving},
                        {DNNL_ARG_MEAN, mean_},
                        {DNNL_ARG_VARIANCE, variance_},
                        {DNNL_ARG_SCALE, learned_.scale.value},
                        {DNNL_ARG_DIFF_SRC, result},
                        {DNNL_ARG_DIFF_SCALE, learned_.scale.gradient},
                        {DNNL_ARG_DIFF_SHIFT, learned_.shift.gradient}};
    if (DNNL_VERSION_MAJOR < 3) {  // unread, but 2.6 insists on it, and 3 refuses it
      arguments.emplace_back(DNNL_ARG_SHIFT, learned_.shift.value);
    }
    if (workspace_) {
      arguments.emplace_back(DNNL_ARG_WORKSPACE, workspace_);
    }
    lowering().emit(named(".backward"),
                    dnnl::batch_normalization_backward(pd),
                    pd.scratchpad_desc(),
                    std::move(arguments));
    return {{result}};
  }

 private:
  [[nodiscard]] dnnl::memory::desc channels() const { return plain({layer().out.c}); }

  [[nodiscard]] normalization_flags flags() const {
    auto result = normalization_flags::use_scale | normalization_flags::use_shift;
    if (!lowering().training()) {
      result = result | normalization_flags::use_global_stats;
    }
    return context().relu ? result | normalization_flags::fuse_norm_relu : result;
  }

  void emit_running_update() {
    const auto dims = dims_of(source_.desc());
    const auto elements = std::accumulate(  // n x c behind a linear layer, else n x c x h x w
        dims.begin(),
        dims.end(),
        dnnl::memory::dim{1},
        std::multiplies<>());
    const auto samples = static_cast<float>(elements / dims[1]);
    const float correction = samples > 1 ? samples / (samples - 1) : 1;
    lowering().emit(
        named(".running"),
        [mean = learned_.mean, variance = learned_.variance, m = mean_, v = variance_, correction] {
          update_running(mean, m, 1);
          update_running(variance, v, correction);
        },
        {learned_.mean, learned_.variance, mean_, variance_});
  }

  std::optional<dnnl::batch_normalization_forward::primitive_desc> forward_;
  NormParameters learned_;
  Tensor source_, mean_, variance_, workspace_;
};

}  // namespace

NormParameters add_norm_parameters(Parameters& parameters, Lowering& lowering, const Layer& layer) {
  const auto channels = plain({layer.out.c});
  const auto named = [&](const char* suffix) { return layer.name + suffix; };
  NormParameters result;
  result.scale = parameters.add(lowering, named(".scale"), channels, {1, 0}, false);
  result.shift = parameters.add(lowering, named(".shift"), channels, {}, false);
  const auto c = layer.out.c;
  result.mean = parameters.add_statistic(lowering, named(".mean"), c, 0).value;
  result.variance = parameters.add_statistic(lowering, named(".variance"), c, 1).value;
  return result;
}

std::unique_ptr<Operation> make_batch_norm(const OperationContext& context) {
  return std::make_unique<BatchNorm>(context);
}

}  // namespace rightsize::cpu
