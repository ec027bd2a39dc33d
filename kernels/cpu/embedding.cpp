// Token ids -> rows of a learned table. The gradient adds each position's to the row it came from.
// Ids are the batch's tokens, or what a step is given beside them (given.cpp).
#include <algorithm>
#include <cstring>

#include "kernels/cpu/element.h"
#include "kernels/cpu/sequence.h"

namespace rightsize::cpu {
namespace {

// Copies of the batch (Layer::copies) read the same tokens again.
void look_up(const std::byte* table,
             const std::int32_t* tokens,
             std::byte* out,
             std::int64_t rows,
             std::int64_t ids,
             std::size_t row_bytes) {
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < rows; ++i) {
    std::memcpy(out + static_cast<std::size_t>(i) * row_bytes,
                table + static_cast<std::size_t>(tokens[i % ids]) * row_bytes,
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

// As others hand them over: whole numbers in floats, whatever they were set to.
void to_ids(const float* values, std::int32_t* ids, std::int64_t count, std::int64_t below) {
  const auto last = static_cast<float>(below - 1);
  for (std::int64_t i = 0; i < count; ++i) {
    ids[i] = static_cast<std::int32_t>(std::clamp(values[i], 0.0F, last));
  }
}

class Embedding final : public Operation {
 public:
  using Operation::Operation;

  Tensor forward(std::span<const Tensor> inputs) override {
    const auto type = lowering().type();
    shape_ = sequence_shape(layer().out, context().items);
    table_ = table(type);
    const auto output = lowering().buffer(sequence_desc(shape_, type));
    const auto row_bytes = output.desc().get_size() / static_cast<std::size_t>(shape_.rows());
    emit_ids(inputs[0]);
    lowering().emit(
        named(".forward"),
        [this, output, row_bytes] {
          look_up(elements<std::byte>(table_.value),
                  ids(),
                  elements<std::byte>(output),
                  shape_.rows(),
                  reads_tokens() ? shape_.rows() / layer().copies : shape_.rows(),
                  row_bytes);
        },
        touching({table_.value, output}));
    return output;
  }

  std::vector<Gradient> backward(const Gradient& gradient) override {
    const auto arriving = as_sequence(lowering(), gradient.tensor, shape_);
    const bool first = context().parameters.starts_gradient(table_.name);
    lowering().emit(
        named(".backward_weights"),
        [this, arriving, target = table_.gradient, first] {
          if (first) {
            std::memset(target.data(), 0, target.desc().get_size());
          }
          scatter_add(arriving.data(), ids(), target.data(), shape_);
        },
        touching({arriving, table_.gradient}));
    return {Gradient{}};
  }

 private:
  [[nodiscard]] Parameter table(dnnl::memory::data_type type) {
    if (layer().tied_to >= 0) {
      const auto& owner = context().network.layers.at(static_cast<std::size_t>(layer().tied_to));
      return context().parameters.find(owner.name + ".weights");
    }
    return context().parameters.add(lowering(),
                                    named(".weights"),
                                    with_type(plain({layer().vocabulary, layer().out.c}), type),
                                    {0, starting_deviation},
                                    true);
  }

  [[nodiscard]] bool reads_tokens() const {
    return layer().inputs[0] == 0 && context().network.reads_tokens();
  }

  [[nodiscard]] const std::int32_t* ids() const {
    return reads_tokens() ? context().state.tokens : elements<std::int32_t>(ids_);
  }

  [[nodiscard]] std::vector<Tensor> touching(std::vector<Tensor> tensors) const {
    if (!reads_tokens()) {
      tensors.push_back(ids_);
    }
    return tensors;
  }

  void emit_ids(const Tensor& values) {
    if (reads_tokens()) {
      return;
    }
    const auto source = lowering().reordered(values, plain(dims_of(values.desc())));
    ids_ = lowering().buffer(plain({shape_.rows()}));  // as large as the floats
    lowering().emit(
        named(".ids"),
        [this, source] {
          to_ids(source.data(), elements<std::int32_t>(ids_), shape_.rows(), layer().vocabulary);
        },
        {source, ids_});
  }

  SequenceShape shape_;
  Parameter table_;
  Tensor ids_;
};

}  // namespace

std::unique_ptr<Operation> make_embedding(const OperationContext& context) {
  return std::make_unique<Embedding>(context);
}

}  // namespace rightsize::cpu
