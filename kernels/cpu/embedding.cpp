// Token ids -> rows of a learned table. The gradient adds each position's to the row it came from.
#include <algorithm>
#include <cstring>

#include "kernels/cpu/element.h"
#include "kernels/cpu/sequence.h"

namespace rightsize::cpu {
namespace {

void look_up(const std::byte* table,
             const std::int32_t* tokens,
             std::byte* out,
             std::int64_t rows,
             std::size_t row_bytes) {
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < rows; ++i) {
    std::memcpy(out + static_cast<std::size_t>(i) * row_bytes,
                table + static_cast<std::size_t>(tokens[i]) * row_bytes,
                row_bytes);
  }
}

// Threads share out the features, not the tokens: one token may come twice.
void scatter_add(const float* gradient,
                 const std::int32_t* tokens,
                 float* table,
                 const SequenceShape& shape) {
  constexpr std::int64_t slice = 64;
  const auto width = shape.features;
#pragma omp parallel for schedule(static)
  for (std::int64_t begin = 0; begin < width; begin += slice) {
    const auto end = std::min(begin + slice, width);
    for (std::int64_t i = 0; i < shape.rows(); ++i) {
      const float* const from = gradient + i * width;
      float* const to = table + tokens[i] * width;
#pragma omp simd
      for (std::int64_t c = begin; c < end; ++c) {
        to[c] += from[c];
      }
    }
  }
}

class Embedding final : public Operation {
 public:
  using Operation::Operation;

  Tensor forward(std::span<const Tensor>) override {
    const auto type = lowering().type();
    shape_ = sequence_shape(layer().out, context().items);
    table_ = context().parameters.add(lowering(),
                                      named(".weights"),
                                      with_type(plain({layer().vocabulary, layer().out.c}), type),
                                      {0, starting_deviation},
                                      true);
    const auto output = lowering().buffer(sequence_desc(shape_, type));
    const auto row_bytes = output.desc().get_size() / static_cast<std::size_t>(shape_.rows());
    lowering().emit(
        named(".forward"),
        [&state = context().state, table = table_.value, output, rows = shape_.rows(), row_bytes] {
          look_up(elements<std::byte>(table),
                  state.tokens,
                  elements<std::byte>(output),
                  rows,
                  row_bytes);
        },
        {table_.value, output});
    return output;
  }

  std::vector<Gradient> backward(const Gradient& gradient) override {
    const auto arriving = as_sequence(lowering(), gradient.tensor, shape_);
    const bool first = context().parameters.starts_gradient(table_.name);
    lowering().emit(
        named(".backward_weights"),
        [&state = context().state, arriving, target = table_.gradient, shape = shape_, first] {
          if (first) {
            std::memset(target.data(), 0, target.desc().get_size());
          }
          scatter_add(arriving.data(), state.tokens, target.data(), shape);
        },
        {arriving, table_.gradient});
    return {Gradient{}};
  }

 private:
  SequenceShape shape_;
  Parameter table_;
};

}  // namespace

std::unique_ptr<Operation> make_embedding(const OperationContext& context) {
  return std::make_unique<Embedding>(context);
}

}  // namespace rightsize::cpu
