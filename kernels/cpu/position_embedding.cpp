// Adds row t of a learned table to position t, and row 0 of a table of segments to every position:
// a batch here is always one segment. Decoding, t is the position of the one token of the step.
#include <cstring>
#include <optional>

#include "kernels/cpu/element.h"
#include "kernels/cpu/sequence.h"

namespace rightsize::cpu {
namespace {

template <typename Element>
void add_rows(const Element* in,
              const Element* positions,
              const Element* segment,  // may be null
              Element* out,
              const SequenceShape& shape) {
  const auto width = shape.features;
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < shape.rows(); ++i) {
    const Element* const row = positions + i % shape.positions * width;
#pragma omp simd
    for (std::int64_t c = 0; c < width; ++c) {
      const float more = segment == nullptr ? 0.0F : float(segment[c]);
      out[i * width + c] = Element(float(in[i * width + c]) + float(row[c]) + more);
    }
  }
}

// Sums over the items, and for the segment over all rows; rows nobody reads get zeros.
void sum_rows(const float* gradient, float* positions, float* segment, const SequenceShape& shape) {
  const auto width = shape.features;
#pragma omp parallel for schedule(static)
  for (std::int64_t t = 0; t < shape.positions; ++t) {
    float* const row = positions + t * width;
    std::memcpy(row, gradient + t * width, static_cast<std::size_t>(width) * sizeof(float));
    for (std::int64_t n = 1; n < shape.items; ++n) {
      const float* const from = gradient + (n * shape.positions + t) * width;
#pragma omp simd
      for (std::int64_t c = 0; c < width; ++c) {
        row[c] += from[c];
      }
    }
  }
  if (segment == nullptr) {
    return;
  }
  for (std::int64_t t = 0; t < shape.positions; ++t) {
#pragma omp simd
    for (std::int64_t c = 0; c < width; ++c) {
      segment[c] += positions[t * width + c];
    }
  }
}

class PositionEmbedding final : public Operation {
 public:
  using Operation::Operation;

  Tensor forward(std::span<const Tensor> inputs) override {
    shape_ = sequence_shape(layer().out, context().items);
    const auto source = as_sequence(lowering(), inputs[0], shape_);
    positions_ = add_table(".weights", layer().vocabulary);
    if (layer().segments > 0) {
      segments_ = add_table(".segments", layer().segments);
    }
    const auto output = lowering().buffer(source.desc());
    with_element(lowering().type(), [&](auto zero) { emit<decltype(zero)>(source, output); });
    return output;
  }

  std::vector<Gradient> backward(const Gradient& gradient) override {
    const auto arriving = as_sequence(lowering(), gradient.tensor, shape_);
    std::vector<Tensor> touched{arriving, positions_.gradient};
    if (segments_) {
      touched.push_back(segments_->gradient);
    }
    lowering().emit(
        named(".backward_weights"),
        [arriving, positions = positions_, segments = segments_, shape = shape_] {
          std::memset(positions.gradient.data(), 0, positions.gradient.desc().get_size());
          if (segments) {
            std::memset(segments->gradient.data(), 0, segments->gradient.desc().get_size());
          }
          sum_rows(arriving.data(),
                   positions.gradient.data(),
                   segments ? segments->gradient.data() : nullptr,
                   shape);
        },
        touched);
    return {Gradient{arriving, gradient.exclusive}};  // a sum passes its gradient on
  }

 private:
  Parameter add_table(const char* suffix, std::int64_t rows) {
    return context().parameters.add(lowering(),
                                    named(suffix),
                                    with_type(plain({rows, layer().out.c}), lowering().type()),
                                    {0, starting_deviation},
                                    true);
  }

  template <typename Element>
  void emit(const Tensor& source, const Tensor& output) {
    std::vector<Tensor> touched{source, positions_.value, output};
    if (segments_) {
      touched.push_back(segments_->value);
    }
    lowering().emit(
        named(".forward"),
        [&state = context().state,
         source,
         output,
         positions = positions_,
         segments = segments_,
         shape = shape_] {
          add_rows(elements<Element>(source),
                   elements<Element>(positions.value) + state.position * shape.features,
                   segments ? elements<Element>(segments->value) : nullptr,
                   elements<Element>(output),
                   shape);
        },
        touched);
  }

  SequenceShape shape_;
  Parameter positions_;
  std::optional<Parameter> segments_;
};

}  // namespace

std::unique_ptr<Operation> make_position_embedding(const OperationContext& context) {
  return std::make_unique<PositionEmbedding>(context);
}

}  // namespace rightsize::cpu
