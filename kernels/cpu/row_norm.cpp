// Normalisation over the features of each position, always in FP32: layer normalisation (Ba, Kiros,
// Hinton, 2016) with scale and shift, and RMS normalisation (Zhang and Sennrich, NeurIPS 2019),
// which leaves the mean where it is and has a scale only; of RMS also over the features of each
// head of a position, by a scale that heads share.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>

#include <omp.h>

#include "kernels/cpu/element.h"
#include "kernels/cpu/sequence.h"
#include "kernels/cpu/simd.h"

namespace rightsize::cpu {
namespace {

// What the backward pass needs of a row: x^ = (x - mean) * inverse.
struct RowStatistics {
  float mean = 0;
  float inverse = 0;  // 1 / sqrt(variance + epsilon), or of the mean square
};

struct NormOptions {
  std::int64_t width = 0;
  float epsilon = 0;
  bool centred = false;  // layer normalisation
};

template <typename Element>
[[gnu::always_inline]] inline RowStatistics normalise_row(const Element* in,
                                                          const float* scale,  // null: ones
                                                          const float* shift,  // null: zeros
                                                          Element* out,
                                                          const NormOptions& options) {
  const auto count = static_cast<float>(options.width);
  float sum = 0;
  if (options.centred) {
#pragma omp simd reduction(+ : sum)
    for (std::int64_t c = 0; c < options.width; ++c) {
      sum += static_cast<float>(in[c]);
    }
  }
  const float mean = sum / count;
  float squares = 0;
#pragma omp simd reduction(+ : squares)
  for (std::int64_t c = 0; c < options.width; ++c) {
    const float distance = static_cast<float>(in[c]) - mean;
    squares += distance * distance;
  }
  const float inverse = 1.0F / std::sqrt(squares / count + options.epsilon);
#pragma omp simd
  for (std::int64_t c = 0; c < options.width; ++c) {
    const float normalised = (static_cast<float>(in[c]) - mean) * inverse;
    const float scaled = scale == nullptr ? normalised : normalised * scale[c];
    store(shift == nullptr ? scaled : scaled + shift[c], out[c]);
  }
  return {mean, inverse};
}

RIGHTSIZE_SIMD_CLONES RowStatistics normalise(const float* in,
                                              const float* scale,
                                              const float* shift,
                                              float* out,
                                              const NormOptions& options) {
  return normalise_row(in, scale, shift, out, options);
}

RIGHTSIZE_SIMD_CLONES RowStatistics normalise(
    const Bf16* in, const float* scale, const float* shift, Bf16* out, const NormOptions& options) {
  return normalise_row(in, scale, shift, out, options);
}

// dx = inverse (g - mean(g) - x^ mean(g x^)) with g = dy scale; no mean(g) where nothing was
// centred. Adds dy x^ and dy to the sums.
RIGHTSIZE_SIMD_CLONES void normalise_gradient(const float* in,
                                              const float* gradient,
                                              const float* scale,
                                              const RowStatistics& row,
                                              const NormOptions& options,
                                              float* scale_sum,
                                              float* shift_sum,
                                              float* out) {
  float along = 0;  // sum of g x^
  float level = 0;  // sum of g
#pragma omp simd reduction(+ : along, level)
  for (std::int64_t c = 0; c < options.width; ++c) {
    const float normalised = (in[c] - row.mean) * row.inverse;
    const float g = scale == nullptr ? gradient[c] : gradient[c] * scale[c];
    along += g * normalised;
    level += g;
    scale_sum[c] += gradient[c] * normalised;
    shift_sum[c] += gradient[c];
  }
  along /= static_cast<float>(options.width);
  level = options.centred ? level / static_cast<float>(options.width) : 0.0F;
#pragma omp simd
  for (std::int64_t c = 0; c < options.width; ++c) {
    const float normalised = (in[c] - row.mean) * row.inverse;
    const float g = scale == nullptr ? gradient[c] : gradient[c] * scale[c];
    out[c] = row.inverse * (g - level - normalised * along);
  }
}

class RowNorm final : public Operation {
 public:
  using Operation::Operation;

  Tensor forward(std::span<const Tensor> inputs) override {
    const bool centred = layer().kind == LayerKind::layer_norm;
    const auto heads = std::max<std::int64_t>(1, layer().heads);
    const auto width = layer().out.c / heads;
    shape_ = sequence_shape(layer().out, context().items);
    options_ = {width, layer().epsilon, centred};
    rows_ = shape_.rows() * heads;
    source_ = as_sequence(lowering(), inputs[0], shape_);
    if (layer().affine) {
      scale_ = parameter(".scale", 1);
    }
    if (layer().affine && centred) {
      shift_ = parameter(".shift", 0);
    }
    statistics_ = lowering().buffer(plain({rows_, 2}));
    const auto output = lowering().buffer(source_.desc());
    with_element(lowering().type(), [&](auto zero) { emit_forward<decltype(zero)>(output); });
    return output;
  }

  std::vector<Gradient> backward(const Gradient& gradient) override {
    const auto arriving = as_sequence(lowering(), gradient.tensor, shape_);
    const auto result = lowering().buffer(source_.desc());
    const auto sums = lowering().buffer(plain({omp_get_max_threads(), 2, options_.width}));
    begins_ = !scale_ || context().parameters.starts_gradient(scale_->name);
    std::vector<Tensor> touched{source_, statistics_, arriving, result, sums};
    for (const auto& parameter : {scale_, shift_}) {
      if (parameter) {
        touched.insert(touched.end(), {parameter->value, parameter->gradient});
      }
    }
    lowering().emit(
        named(".backward"),
        [this, arriving, result, sums] { run_backward(arriving, result, sums); },
        touched);
    return {{result}};
  }

 private:
  // This layer's, or the one's that it shares all with.
  Parameter parameter(const char* suffix, float start) {
    auto& parameters = context().parameters;
    if (layer().tied_to >= 0) {
      const auto& layers = context().network.layers;
      return parameters.find(layers.at(static_cast<std::size_t>(layer().tied_to)).name + suffix);
    }
    return parameters.add(lowering(), named(suffix), plain({options_.width}), {start, 0}, false);
  }

  template <typename Element>
  void emit_forward(const Tensor& output) {
    std::vector<Tensor> touched{source_, statistics_, output};
    for (const auto& parameter : {scale_, shift_}) {
      if (parameter) {
        touched.push_back(parameter->value);
      }
    }
    lowering().emit(
        named(".forward"),
        [this, output] {
          auto* const statistics = elements<RowStatistics>(statistics_);
#pragma omp parallel for schedule(static)
          for (std::int64_t i = 0; i < rows_; ++i) {
            statistics[i] = normalise(elements<Element>(source_) + i * options_.width,
                                      values_of(scale_),
                                      values_of(shift_),
                                      elements<Element>(output) + i * options_.width,
                                      options_);
          }
        },
        touched);
  }

  [[nodiscard]] static const float* values_of(const std::optional<Parameter>& parameter) {
    return parameter ? parameter->value.data() : nullptr;
  }

  // Each thread sums the parameters' gradients over its own rows; then they are added up.
  void run_backward(const Tensor& arriving, const Tensor& result, const Tensor& sums) const {
    const auto width = options_.width;
    std::memset(sums.data(), 0, sums.desc().get_size());
#pragma omp parallel
    {
      float* const mine = sums.data() + omp_get_thread_num() * 2 * width;
#pragma omp for schedule(static)
      for (std::int64_t i = 0; i < rows_; ++i) {
        normalise_gradient(source_.data() + i * width,
                           arriving.data() + i * width,
                           values_of(scale_),
                           elements<RowStatistics>(statistics_)[i],
                           options_,
                           mine,
                           mine + width,
                           result.data() + i * width);
      }
    }
    if (scale_) {
      add_up(sums, 0, scale_->gradient);
    }
    if (shift_) {
      add_up(sums, width, shift_->gradient);
    }
  }

  void add_up(const Tensor& sums, std::int64_t offset, const Tensor& target) const {
    const auto width = options_.width;
    if (begins_) {
      std::copy_n(sums.data() + offset, width, target.data());
    }
    for (std::int64_t thread = begins_ ? 1 : 0; thread < dims_of(sums.desc())[0]; ++thread) {
      const float* const from = sums.data() + thread * 2 * width + offset;
      for (std::int64_t c = 0; c < width; ++c) {
        target.data()[c] += from[c];
      }
    }
  }

  NormOptions options_;
  SequenceShape shape_;
  std::int64_t rows_ = 0;  // of features that are normalised together
  std::optional<Parameter> scale_, shift_;
  bool begins_ = true;  // the gradients of both, to which others that share them add
  Tensor source_, statistics_;
};

}  // namespace

std::unique_ptr<Operation> make_row_norm(const OperationContext& context) {
  return std::make_unique<RowNorm>(context);
}

}  // namespace rightsize::cpu
