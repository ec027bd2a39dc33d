// The mean of 0 .. bins - 1 under the softmax of a group of features: how far a side of a box is
// away, told as a distribution (Li et al., "Generalized Focal Loss", NeurIPS 2020, equation 4). By
// a feature its gradient is p (its number - the mean). The features behind the groups are handed
// on.
#include <algorithm>
#include <cmath>

#include "kernels/cpu/element.h"
#include "kernels/cpu/sequence.h"

namespace rightsize::cpu {
namespace {

struct Bins {
  std::int64_t rows = 0;
  std::int64_t groups = 0;
  std::int64_t bins = 0;
  std::int64_t rest = 0;  // features behind the groups

  [[nodiscard]] std::int64_t in() const { return groups * bins + rest; }
  [[nodiscard]] std::int64_t out() const { return groups + rest; }
};

struct Distribution {
  float largest = 0;
  float sum = 0;  // of e^(x - largest)
  float mean = 0;

  template <typename Element>
  [[nodiscard]] float of(Element feature) const {
    return std::exp(static_cast<float>(feature) - largest) / sum;
  }
};

template <typename Element>
Distribution distribution(const Element* features, std::int64_t bins) {
  Distribution result;
  result.largest = static_cast<float>(features[0]);
  for (std::int64_t b = 1; b < bins; ++b) {
    result.largest = std::max(result.largest, static_cast<float>(features[b]));
  }
  float moment = 0;
  for (std::int64_t b = 0; b < bins; ++b) {
    const float power = std::exp(static_cast<float>(features[b]) - result.largest);
    result.sum += power;
    moment += power * static_cast<float>(b);
  }
  result.mean = moment / result.sum;
  return result;
}

template <typename Element>
void expect(const Element* in, const Bins& shape, Element* out) {
#pragma omp parallel for schedule(static)
  for (std::int64_t row = 0; row < shape.rows; ++row) {
    const Element* const from = in + row * shape.in();
    Element* const to = out + row * shape.out();
    for (std::int64_t g = 0; g < shape.groups; ++g) {
      store(distribution(from + g * shape.bins, shape.bins).mean, to[g]);
    }
    std::copy_n(from + shape.groups * shape.bins, shape.rest, to + shape.groups);
  }
}

template <typename Element>
void expect_backward(const Element* in,
                     const Element* gradient,
                     const Bins& shape,
                     Element* result) {
#pragma omp parallel for schedule(static)
  for (std::int64_t row = 0; row < shape.rows; ++row) {
    const Element* const from = in + row * shape.in();
    const Element* const arriving = gradient + row * shape.out();
    Element* const to = result + row * shape.in();
    for (std::int64_t g = 0; g < shape.groups; ++g) {
      const auto first = g * shape.bins;
      const auto d = distribution(from + first, shape.bins);
      for (std::int64_t b = 0; b < shape.bins; ++b) {
        const float slope = d.of(from[first + b]) * (static_cast<float>(b) - d.mean);
        store(static_cast<float>(arriving[g]) * slope, to[first + b]);
      }
    }
    std::copy_n(arriving + shape.groups, shape.rest, to + shape.groups * shape.bins);
  }
}

class ExpectedBin final : public Operation {
 public:
  using Operation::Operation;

  Tensor forward(std::span<const Tensor> inputs) override {
    const auto& from = context().network.layers.at(static_cast<std::size_t>(layer().inputs[0]));
    in_ = sequence_shape(from.out, context().items);
    out_ = sequence_shape(layer().out, context().items);
    shape_ = {in_.rows(), layer().groups, layer().bins, out_.features - layer().groups};
    source_ = as_sequence(lowering(), inputs[0], in_);
    const auto output = lowering().buffer(sequence_desc(out_, lowering().type()));
    with_element(lowering().type(), [&](auto zero) {
      using Element = decltype(zero);
      lowering().emit(named(".forward"),
                      [source = source_, output, shape = shape_] {
                        expect(elements<Element>(source), shape, elements<Element>(output));
                      },
                      {source_, output});
    });
    return output;
  }

  std::vector<Gradient> backward(const Gradient& gradient) override {
    const auto arriving = as_sequence(lowering(), gradient.tensor, out_);
    const auto result = lowering().buffer(sequence_desc(in_, lowering().type()));
    with_element(lowering().type(), [&](auto zero) {
      using Element = decltype(zero);
      lowering().emit(named(".backward"),
                      [source = source_, arriving, result, shape = shape_] {
                        expect_backward(elements<Element>(source),
                                        elements<Element>(arriving),
                                        shape,
                                        elements<Element>(result));
                      },
                      {source_, arriving, result});
    });
    return {{result}};
  }

 private:
  SequenceShape in_, out_;
  Bins shape_;
  Tensor source_;
};

}  // namespace

std::unique_ptr<Operation> make_expected_bin(const OperationContext& context) {
  return std::make_unique<ExpectedBin>(context);
}

}  // namespace rightsize::cpu
