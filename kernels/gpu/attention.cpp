// Multi-head attention (Vaswani et al., NIPS 2017) with grouped key-value heads (Ainslie et al.,
// EMNLP 2023) over packed queries, keys and values, with or without rotary positions (Su et al.,
// 2021). Decoding reads a cache instead.
#include <cmath>

#include <fmt/format.h>

#include "kernels/cpu/rotary.h"
#include "kernels/engine.h"
#include "kernels/gpu/attention_kernels.h"
#include "kernels/gpu/operation.h"
#include "kernels/gpu/sdpa_plan.h"

namespace rightsize::gpu {
namespace {

AttentionSizes sizes_of(const OperationContext& context, std::int64_t positions) {
  const auto& layer = context.layer;
  if (layer.head_dim > largest_head_dim) {
    throw GpuError(abi::Status::unsupported,
                   fmt::format("layer {}: heads of {} features, the GPU plugin takes at most {}; "
                               "use engine cpu",
                               layer.name,
                               layer.head_dim,
                               largest_head_dim));
  }
  return {context.items,
          positions,
          static_cast<int>(layer.heads),
          static_cast<int>(layer.kv_heads),
          static_cast<int>(layer.head_dim),
          layer.causal,
          1.0F / std::sqrt(static_cast<float>(layer.head_dim)),
          layer.window};
}

std::size_t float_bytes(std::int64_t count) {
  return static_cast<std::size_t>(count) * sizeof(float);
}

// Cosines and sines of every position, made once and kept on the device; -1: nothing turns.
class RotaryTable {
 public:
  RotaryTable(Lowering& lowering, const AttentionSizes& sizes, double base)
      : lowering_(lowering), sizes_(sizes), base_(base) {
    if (base_ > 0) {
      buffer_ = lowering_.buffer(float_bytes(sizes_.positions * sizes_.head_dim));
      lowering_.keep(buffer_);
    }
  }

  void upload(const Device& device) const {
    if (buffer_ < 0) {
      return;
    }
    std::vector<float> table(static_cast<std::size_t>(sizes_.positions * sizes_.head_dim));
    cpu::fill_rotary_table(table.data(), 0, sizes_.positions, sizes_.head_dim, base_);
    check(cudaMemcpyAsync(lowering_.address(buffer_),
                          table.data(),
                          table.size() * sizeof(float),
                          cudaMemcpyHostToDevice,
                          device.stream().get()));
    device.stream().wait();
  }

  [[nodiscard]] int buffer() const { return buffer_; }
  [[nodiscard]] const float* data() const {
    return buffer_ < 0 ? nullptr : lowering_.address_as<float>(buffer_);
  }

 private:
  Lowering& lowering_;
  AttentionSizes sizes_;
  double base_;
  int buffer_ = -1;
};

class Attention final : public Operation {
 public:
  explicit Attention(const OperationContext& context)
      : Operation(context),
        sizes_(sizes_of(context, layer().out.positions())),
        table_(lowering(), sizes_, layer().rotary_base) {}

  void tune() override { table_.upload(device()); }

  [[nodiscard]] std::string_view kernel() const override {
    return library_ ? "fused (cuDNN)" : "fused (own)";
  }

  Tensor forward(std::span<const Tensor> inputs) override {
    turned_ = inputs[0];
    if (table_.buffer() >= 0) {
      turned_ = lowering().tensor(inputs[0].shape, type());
      emit_rotate(named(".rotate"), inputs[0], turned_, false);
    }
    lse_ = lowering().buffer(float_bytes(sizes_.items * sizes_.heads * sizes_.positions));
    output_ = lowering().tensor(output_shape(sizes_.items), type());
    library_ = SdpaPlan::make(device(), sizes_, context().has_backward);
    if (library_) {
      lowering().grow(context().shared.workspace, library_->workspace_bytes());
    }
    lowering().emit(named(".forward"),
                    [this] { run_forward(); },
                    {turned_.buffer, lse_, output_.buffer, context().shared.workspace});
    return output_;
  }

  std::vector<Gradient> backward(const Gradient& gradient) override {
    const auto arriving = gradient.tensor;
    const auto result = lowering().tensor(turned_.shape, type());
    const int delta = lowering().buffer(lowering().bytes(lse_));
    lowering().emit(named(".backward"),
                    [this, arriving, result, delta] { run_backward(arriving, result, delta); },
                    {turned_.buffer,
                     output_.buffer,
                     lse_,
                     arriving.buffer,
                     delta,
                     result.buffer,
                     context().shared.workspace});
    if (table_.buffer() >= 0) {
      emit_rotate(named(".rotate_back"), result, result, true);
    }
    return {{result}};
  }

 private:
  [[nodiscard]] void* workspace() const { return lowering().address(context().shared.workspace); }

  void run_forward() const {
    const auto* const packed = lowering().address(turned_);
    auto* const out = lowering().address(output_);
    auto* const lse = lowering().address_as<float>(lse_);
    if (library_) {
      library_->forward(packed, out, lse, workspace());
      return;
    }
    launch_attention(packed, out, lse, type(), sizes_, stream());
    check_launch();
  }

  void run_backward(const Tensor& arriving, const Tensor& result, int delta) const {
    const AttentionGradients tensors{lowering().address(turned_),
                                     lowering().address(output_),
                                     lowering().address_as<float>(lse_),
                                     lowering().address(arriving),
                                     lowering().address_as<float>(delta),
                                     lowering().address(result)};
    if (library_) {
      library_->backward(tensors, workspace());
      return;
    }
    launch_attention_backward(tensors, type(), sizes_, stream());
    check_launch();
  }

  void emit_rotate(std::string name, const Tensor& from, const Tensor& to, bool back) {
    lowering().emit(std::move(name),
                    [this, from, to, back] {
                      launch_rotate(lowering().address(from),
                                    table_.data(),
                                    lowering().address(to),
                                    type(),
                                    sizes_,
                                    back,
                                    stream());
                      check_launch();
                    },
                    {from.buffer, to.buffer, table_.buffer()});
  }

  AttentionSizes sizes_;
  RotaryTable table_;
  std::unique_ptr<SdpaPlan> library_;  // else our own kernels
  Tensor turned_, output_;
  int lse_ = -1;
};

// One token per item against the cache; StepState counts the positions.
class CachedAttention final : public Operation {
 public:
  explicit CachedAttention(const OperationContext& context)
      : Operation(context),
        sizes_(sizes_of(context, layer().most_seen(context.cache_positions))),
        table_(lowering(), sizes_of(context, context.cache_positions), layer().rotary_base),
        keys_(parameter(".keys").compute),
        values_(parameter(".values").compute) {}

  void tune() override { table_.upload(device()); }

  [[nodiscard]] std::string_view kernel() const override { return "cached (own)"; }

  Tensor forward(std::span<const Tensor> inputs) override {
    const auto source = inputs[0];
    const int partials = lowering().buffer(float_bytes(decode_partials(sizes_)));
    const auto output = lowering().tensor(output_shape(sizes_.items), type());
    lowering().emit(named(".forward"),
                    [this, source, partials, output] {
                      launch_decode_attention({lowering().address(source),
                                               table_.data(),
                                               lowering().address(keys_),
                                               lowering().address(values_),
                                               lowering().address_as<float>(partials),
                                               lowering().address(output)},
                                              state(),
                                              type(),
                                              sizes_,
                                              stream());
                      check_launch();
                    },
                    {source.buffer, keys_, values_, table_.buffer(), partials, output.buffer});
    return output;
  }

  std::vector<Gradient> backward(const Gradient&) override { return {Gradient{}}; }

 private:
  AttentionSizes sizes_;
  RotaryTable table_;
  int keys_, values_;
};

}  // namespace

std::unique_ptr<Operation> make_attention(const OperationContext& context) {
  if (context.layer.latent > 0) {
    throw GpuError(abi::Status::unsupported,
                   fmt::format("layer {}: {}", context.layer.name, no_latents));
  }
  if (context.cache_positions > 0) {
    return std::make_unique<CachedAttention>(context);
  }
  return std::make_unique<Attention>(context);
}

}  // namespace rightsize::gpu
