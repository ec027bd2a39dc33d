// Multi-head attention (Vaswani et al., NIPS 2017) with grouped key-value heads (Ainslie et al.,
// EMNLP 2023) over packed queries, keys and values; the arithmetic is in attention_block.h.
// Decoding reads a cache instead (attention_decode.h).
#include <fmt/format.h>
#include <omp.h>

#include "kernels/cpu/attention_block.h"
#include "kernels/cpu/attention_decode.h"
#include "kernels/cpu/element.h"
#include "kernels/cpu/rotary.h"
#include "kernels/cpu/sequence.h"
#include "kernels/engine.h"

namespace rightsize::cpu {
namespace {

AttentionSizes sizes_of(const OperationContext& context) {
  const auto& layer = context.layer;
  return {context.items,
          layer.out.positions(),
          layer.heads,
          layer.kv_heads,
          layer.head_dim,
          layer.causal,
          layer.window,
          layer.keys};
}

class Attention final : public Operation {
 public:
  explicit Attention(const OperationContext& context)
      : Operation(context), sizes_(sizes_of(context)) {}

  [[nodiscard]] std::string_view kernel() const override { return "fused (own)"; }

  Tensor forward(std::span<const Tensor> inputs) override {
    source_ =
        as_sequence(lowering(), inputs[0], {sizes_.items, sizes_.positions, sizes_.packed_width()});
    pairs_ =
        sizes_.other > 0
            ? as_sequence(lowering(), inputs[1], {sizes_.items, sizes_.other, sizes_.keys_width()})
            : source_;
    const auto heads = sizes_.items * sizes_.kv_heads;
    rotary_ = floats(layer().rotary_base > 0 ? turned() * sizes_.head_dim : 0);
    keys_ = floats(heads * sizes_.packed_keys());
    values_ = floats(heads * sizes_.packed_values());
    scratch_ = floats(omp_get_max_threads() * sizes_.forward_scratch());
    lse_ = floats(sizes_.items * sizes_.heads * sizes_.positions);
    output_ = lowering().buffer(
        sequence_desc({sizes_.items, sizes_.positions, sizes_.width()}, lowering().type()));
    emit_rotary();
    with_element(lowering().type(), [&](auto zero) {
      using Element = decltype(zero);
      lowering().emit(
          named(".pack"), [this] { pack<Element>(); }, {pairs_, rotary_, keys_, values_, scratch_});
      lowering().emit(named(".forward"),
                      [this] { run_forward<Element>(); },
                      {source_, rotary_, keys_, values_, scratch_, output_, lse_});
    });
    return output_;
  }

  std::vector<Gradient> backward(const Gradient& gradient) override {
    const auto arriving =
        as_sequence(lowering(), gradient.tensor, {sizes_.items, sizes_.positions, sizes_.width()});
    const auto result = lowering().buffer(source_.desc());
    const auto of_pairs = sizes_.other > 0 ? lowering().buffer(pairs_.desc()) : result;
    const auto scratch = floats(omp_get_max_threads() * sizes_.backward_scratch());
    lowering().emit(named(".backward"),
                    [=, this] { run_backward(arriving, result, of_pairs, scratch); },
                    {source_, pairs_, rotary_, lse_, output_, arriving, result, of_pairs, scratch});
    return sizes_.other > 0 ? std::vector<Gradient>{{result}, {of_pairs}}
                            : std::vector<Gradient>{{result}};
  }

 private:
  [[nodiscard]] Tensor floats(std::int64_t count) { return lowering().buffer(plain({count})); }

  // Positions that queries or keys are turned by.
  [[nodiscard]] std::int64_t turned() const { return std::max(sizes_.positions, sizes_.keys()); }

  void emit_rotary() {
    if (layer().rotary_base > 0) {
      lowering().emit(named(".rotary"),
                      [this] {
                        fill_rotary_table(
                            rotary_.data(), 0, turned(), sizes_.head_dim, layer().rotary_base);
                      },
                      {rotary_});
    }
  }

  [[nodiscard]] const float* rotary() const {
    return layer().rotary_base > 0 ? rotary_.data() : nullptr;
  }

  [[nodiscard]] float* scratch_of_thread() const {
    return scratch_.data() + omp_get_thread_num() * sizes_.forward_scratch();
  }

  template <typename Element>
  [[nodiscard]] const Element* item(std::int64_t n) const {
    return elements<Element>(source_) + n * sizes_.positions * sizes_.packed_width();
  }

  template <typename Element>
  void pack() const {
#pragma omp parallel for collapse(2) schedule(static)
    for (std::int64_t n = 0; n < sizes_.items; ++n) {
      for (std::int64_t h = 0; h < sizes_.kv_heads; ++h) {
        const auto head = n * sizes_.kv_heads + h;
        pack_head(sizes_,
                  elements<Element>(pairs_) + n * sizes_.keys() * sizes_.keys_width(),
                  h,
                  rotary(),
                  scratch_of_thread(),
                  keys_.data() + head * sizes_.packed_keys(),
                  values_.data() + head * sizes_.packed_values());
      }
    }
  }

  // Causal blocks differ in size, so threads take them as they come.
  template <typename Element>
  void run_forward() const {
#pragma omp parallel for collapse(3) schedule(dynamic)
    for (std::int64_t n = 0; n < sizes_.items; ++n) {
      for (std::int64_t h = 0; h < sizes_.heads; ++h) {
        for (std::int64_t i = 0; i < sizes_.blocks(); ++i) {
          const auto head = n * sizes_.kv_heads + h / sizes_.group();
          const AttentionTensors<Element> tensors{
              item<Element>(n),
              rotary(),
              keys_.data() + head * sizes_.packed_keys(),
              values_.data() + head * sizes_.packed_values(),
              scratch_of_thread(),
              elements<Element>(output_) + n * sizes_.positions * sizes_.width(),
              lse_.data() + (n * sizes_.heads + h) * sizes_.positions};
          attend(sizes_, tensors, h, QueryBlock(sizes_, i));
        }
      }
    }
  }

  void run_backward(const Tensor& arriving,
                    const Tensor& result,
                    const Tensor& of_pairs,
                    const Tensor& scratch) const {
#pragma omp parallel for collapse(2) schedule(dynamic)
    for (std::int64_t n = 0; n < sizes_.items; ++n) {
      for (std::int64_t h = 0; h < sizes_.kv_heads; ++h) {
        const auto out = n * sizes_.positions * sizes_.width();
        const auto pairs = n * sizes_.keys() * sizes_.keys_width();
        const AttentionGradients tensors{
            item<float>(n),
            pairs_.data() + pairs,
            output_.data() + out,
            arriving.data() + out,
            lse_.data() + n * sizes_.heads * sizes_.positions,
            rotary(),
            result.data() + n * sizes_.positions * sizes_.packed_width(),
            of_pairs.data() + pairs};
        attend_backward(
            sizes_, tensors, h, scratch.data() + omp_get_thread_num() * sizes_.backward_scratch());
      }
    }
  }

  AttentionSizes sizes_;
  // Queries, and what is beside them or another sequence's: keys and values.
  Tensor source_, pairs_, rotary_, keys_, values_, scratch_, lse_, output_;
};

// One token per item against the cache; the graph counts the positions.
class CachedAttention final : public Operation {
 public:
  explicit CachedAttention(const OperationContext& context)
      : Operation(context), sizes_(sizes_of(context)) {
    sizes_.positions = layer().most_seen(context.cache_positions);
  }

  [[nodiscard]] std::string_view kernel() const override { return "cached (own)"; }

  Tensor forward(std::span<const Tensor> inputs) override {
    const auto type = lowering().type();
    const auto source =
        as_sequence(lowering(), inputs[0], {sizes_.items, 1, sizes_.packed_width()});
    const auto cache =
        with_type(plain({sizes_.items, sizes_.kv_heads, sizes_.positions, sizes_.head_dim}), type);
    auto& parameters = context().parameters;
    // A prompt is already in the cache: noise, as large as what a normalised layer makes.
    const auto keys = parameters.add_state(lowering(), named(".keys"), cache, {0, 1}).value;
    const auto values = parameters.add_state(lowering(), named(".values"), cache, {0, 1}).value;
    const auto rotary = lowering().buffer(plain({sizes_.head_dim}));
    const auto scratch =
        lowering().buffer(plain({sizes_.items, sizes_.heads, decode_scratch(sizes_)}));
    const auto output = lowering().buffer(sequence_desc({sizes_.items, 1, sizes_.width()}, type));
    with_element(type, [&](auto zero) {
      using Element = decltype(zero);
      lowering().emit(named(".forward"),
                      [=, this] {
                        decode_attend<Element>(sizes_,
                                               {elements<Element>(source),
                                                turned_to(rotary),
                                                elements<Element>(keys),
                                                elements<Element>(values),
                                                scratch.data(),
                                                elements<Element>(output)},
                                               context().state.position);
                      },
                      {source, keys, values, rotary, scratch, output});
    });
    return output;
  }

  std::vector<Gradient> backward(const Gradient&) override { return {Gradient{}}; }

 private:
  [[nodiscard]] const float* turned_to(const Tensor& table) const {
    if (layer().rotary_base <= 0) {
      return nullptr;
    }
    fill_rotary_table(
        table.data(), context().state.position, 1, sizes_.head_dim, layer().rotary_base);
    return table.data();
  }

  AttentionSizes sizes_;
};

}  // namespace

std::unique_ptr<Operation> make_attention(const OperationContext& context) {
  if (context.layer.latent > 0) {
    throw EngineError(fmt::format("cpu engine: layer {}: {}", context.layer.name, no_latents));
  }
  if (context.lowering.phase() == Phase::decode) {
    return std::make_unique<CachedAttention>(context);
  }
  return std::make_unique<Attention>(context);
}

}  // namespace rightsize::cpu
