// How alike each two of an item's n + 1 vectors are, the first given apart from the others (Naumov
// et al., 2019): out = first, then x_i . x_j for i = 1 .. n and j < i, then zeros. By each vector
// the gradient is the sum over all others of theirs times what arrives at their product; the first
// one has its own beside.
#include <algorithm>
#include <array>

#include "kernels/cpu/element.h"
#include "kernels/cpu/operation.h"

namespace rightsize::cpu {
namespace {

struct DotsShape {
  std::int64_t items = 0;
  std::int64_t width = 0;
  std::int64_t others = 0;  // vectors beside the first
  std::int64_t features = 0;
};

// Of one item; vector 0 is the first one.
template <typename Element>
Element* vector(Element* first, Element* others, const DotsShape& shape, std::int64_t i) {
  return i == 0 ? first : others + (i - 1) * shape.width;
}

template <typename Element>
void forward_item(const Element* first,
                  const Element* others,
                  Element* out,
                  const DotsShape& shape) {
  Element* to = std::copy_n(first, shape.width, out);
  for (std::int64_t i = 1; i <= shape.others; ++i) {
    const Element* const a = vector(first, others, shape, i);
    for (std::int64_t j = 0; j < i; ++j) {
      const Element* const b = vector(first, others, shape, j);
      float sum = 0;
#pragma omp simd reduction(+ : sum)
      for (std::int64_t c = 0; c < shape.width; ++c) {
        sum += static_cast<float>(a[c]) * static_cast<float>(b[c]);
      }
      *to++ = static_cast<Element>(sum);
    }
  }
  std::fill(to, out + shape.features, static_cast<Element>(0.0F));
}

// All in FP32.
void backward_item(const float* first,
                   const float* others,
                   const float* arriving,
                   float* by_first,
                   float* by_others,
                   const DotsShape& shape) {
  std::copy_n(arriving, shape.width, by_first);
  std::fill_n(by_others, shape.others * shape.width, 0.0F);
  const float* scale = arriving + shape.width;
  for (std::int64_t i = 1; i <= shape.others; ++i) {
    const float* const a = vector(first, others, shape, i);
    float* const by_a = vector(by_first, by_others, shape, i);
    for (std::int64_t j = 0; j < i; ++j, ++scale) {
      const float* const b = vector(first, others, shape, j);
      float* const by_b = vector(by_first, by_others, shape, j);
#pragma omp simd
      for (std::int64_t c = 0; c < shape.width; ++c) {
        by_a[c] += *scale * b[c];
        by_b[c] += *scale * a[c];
      }
    }
  }
}

class PairwiseDots final : public Operation {
 public:
  using Operation::Operation;

  Tensor forward(std::span<const Tensor> inputs) override {
    const auto& layers = context().network.layers;
    const auto elements_of = [&](std::size_t input) {
      return layers[static_cast<std::size_t>(layer().inputs[input])].out.elements();
    };
    const auto width = elements_of(0);
    shape_ = {context().items, width, elements_of(1) / width, layer().out.c};
    for (std::size_t i = 0; i < ranks_.size(); ++i) {
      ranks_[i] = dims_of(inputs[i].desc()).size();
    }
    first_ = rows(inputs[0], width, lowering().type());
    others_ = rows(inputs[1], width * shape_.others, lowering().type());
    const auto output =
        lowering().buffer(with_type(plain({shape_.items, shape_.features}), lowering().type()));
    lowering().emit(
        named(".forward"), [this, output] { run_forward(output); }, {first_, others_, output});
    return output;
  }

  std::vector<Gradient> backward(const Gradient& gradient) override {
    const auto f32 = dnnl::memory::data_type::f32;
    const auto arriving = rows(gradient.tensor, shape_.features, f32);
    const auto first = lowering().reordered(first_, with_type(first_.desc(), f32));
    const auto others = lowering().reordered(others_, with_type(others_.desc(), f32));
    const auto by_first = lowering().buffer(first.desc());
    const auto by_others = lowering().buffer(others.desc());
    lowering().emit(named(".backward"),
                    [=, shape = shape_] {
#pragma omp parallel for schedule(static)
                      for (std::int64_t item = 0; item < shape.items; ++item) {
                        backward_item(first.data() + item * shape.width,
                                      others.data() + item * shape.others * shape.width,
                                      arriving.data() + item * shape.features,
                                      by_first.data() + item * shape.width,
                                      by_others.data() + item * shape.others * shape.width,
                                      shape);
                      }
                    },
                    {first, others, arriving, by_first, by_others});
    return {{handed_back(by_first, ranks_[0])}, {handed_back(by_others, ranks_[1])}};
  }

 private:
  [[nodiscard]] Tensor rows(const Tensor& tensor,
                            std::int64_t features,
                            dnnl::memory::data_type type) {
    return lowering().reordered(with_rank(lowering(), tensor, 2),
                                with_type(plain({shape_.items, features}), type));
  }

  [[nodiscard]] Tensor handed_back(const Tensor& gradient, std::size_t rank) {
    return with_rank(lowering(),
                     lowering().reordered(gradient, with_type(gradient.desc(), lowering().type())),
                     rank);
  }

  void run_forward(const Tensor& output) const {
    with_element(lowering().type(), [&](auto element) {
      using Element = decltype(element);
      const auto* const first = elements<Element>(first_);
      const auto* const others = elements<Element>(others_);
      auto* const out = elements<Element>(output);
#pragma omp parallel for schedule(static)
      for (std::int64_t item = 0; item < shape_.items; ++item) {
        forward_item(first + item * shape_.width,
                     others + item * shape_.others * shape_.width,
                     out + item * shape_.features,
                     shape_);
      }
    });
  }

  DotsShape shape_;
  std::array<std::size_t, 2> ranks_{};
  Tensor first_, others_;
};

}  // namespace

std::unique_ptr<Operation> make_pairwise_dots(const OperationContext& context) {
  return std::make_unique<PairwiseDots>(context);
}

}  // namespace rightsize::cpu
