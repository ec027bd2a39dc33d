// What a detector is trained by, at every position of all levels. With the label of a position 0
// where there is no object, else the number of its class, and below zero where it counts for
// nothing:
//   loss = (sum over counted positions of what its scores cost
//           + sum over those with an object of smooth L1(box - target)) / objects
// Smooth L1 (Girshick, "Fast R-CNN", ICCV 2015, equation 3) is d^2 / 2 up to 1 and |d| - 1/2 from
// there on; scores cost the cross-entropy of their softmax, or the binary one of each (Scoring).
// Which position answers for which object, how positions are weighed, and measures of how boxes
// overlap are not modelled. The boxes wanted are made up, standard normal and drawn once from the
// seed; a caller with some of his own sets "<layer>.target", items x box features x positions.
#include <algorithm>
#include <cmath>

#include "kernels/cpu/element.h"
#include "kernels/cpu/sequence.h"
#include "kernels/cpu/simd.h"

namespace rightsize::cpu {
namespace {

struct Positions {
  std::int64_t rows = 0;
  std::int64_t box = 0;
  std::int64_t scores = 0;
  Scoring scoring = Scoring::softmax;

  [[nodiscard]] std::int64_t features() const { return box + scores; }
};

double smooth_l1(const float* box, const float* target, std::int64_t count) {
  double sum = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    const double distance = std::abs(static_cast<double>(box[i]) - static_cast<double>(target[i]));
    sum += distance < 1 ? distance * distance / 2 : distance - 0.5;
  }
  return sum;
}

// Leaves the probabilities in place of the scores, as the following do.
double softmax_cost(float* scores, std::int64_t count, std::int32_t label) {
  const float largest = largest_of(scores, count);
  const double wanted = label < 0 ? 0 : static_cast<double>(scores[label]) - largest;
  double sum = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    scores[i] = std::exp(scores[i] - largest);
    sum += static_cast<double>(scores[i]);
  }
  for (std::int64_t i = 0; i < count; ++i) {
    scores[i] = static_cast<float>(scores[i] / sum);
  }
  return label < 0 ? 0 : std::log(sum) - wanted;
}

// Of the scores of classes, of which the first is class 1's: each costs log(1 + e^-z) where it is
// wanted, and where it is not log(1 + e^z) = max(z, 0) + log(1 + e^-|z|). The logarithms are one of
// the product, whose factors are at most two.
RIGHTSIZE_SIMD_CLONES double binary_costs(float* scores, std::int64_t count, std::int32_t label) {
  constexpr std::int64_t piece = 512;  // factors of 2 that a double holds
  double sum = label > 0 ? -static_cast<double>(scores[label - 1]) : 0;
  for (std::int64_t begin = 0; begin < count; begin += piece) {
    const auto end = std::min(begin + piece, count);
    double above = 0;
    double product = 1;
#pragma omp simd reduction(+ : above) reduction(* : product)
    for (std::int64_t i = begin; i < end; ++i) {
      const float z = scores[i];
      const float power = fast_exp(z < 0 ? z : -z);
      const float likely = 1.0F / (1.0F + power);
      above += static_cast<double>(z > 0 ? z : 0.0F);
      product *= 1.0 + static_cast<double>(power);
      scores[i] = z < 0 ? power * likely : likely;
    }
    sum += above + std::log(product);
  }
  return sum;
}

double cost_of_scores(float* scores, const Positions& shape, std::int32_t label) {
  switch (shape.scoring) {
    case Scoring::softmax:
      return softmax_cost(scores, shape.scores, label);
    case Scoring::sigmoid: {
      const double cost = binary_costs(scores, shape.scores, label);
      return label < 0 ? 0 : cost;
    }
    case Scoring::objectness: {
      const double any = binary_costs(scores, 1, std::min(label, 1));
      const double of_class = binary_costs(scores + 1, shape.scores - 1, label);
      return label < 0 ? 0 : any + (label > 0 ? of_class : 0);
    }
  }
  return 0;
}

void detection_loss(float* values, const float* target, const Positions& shape, RunState& state) {
  double sum = 0;
  std::int64_t objects = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum, objects)
  for (std::int64_t i = 0; i < shape.rows; ++i) {
    float* const box = values + i * shape.features();
    const auto label = state.labels[i];
    sum += cost_of_scores(box + shape.box, shape, label);
    if (label > 0) {
      sum += smooth_l1(box, target + i * shape.box, shape.box);
      ++objects;
    }
  }
  state.labelled = std::max<std::int64_t>(objects, 1);
  state.loss = sum / static_cast<double>(state.labelled);
}

// By the scores it is probability - 1 where they are wanted, else the probability.
void scores_gradient(const float* values, const Positions& shape, std::int32_t label, float* out) {
  if (shape.scoring == Scoring::objectness && label == 0) {
    out[0] = values[0];
    std::fill(out + 1, out + shape.scores, 0.0F);
    return;
  }
  std::copy_n(values, shape.scores, out);
  if (shape.scoring == Scoring::softmax) {
    out[label] -= 1;
  } else if (shape.scoring == Scoring::sigmoid && label > 0) {
    out[label - 1] -= 1;
  } else if (shape.scoring == Scoring::objectness) {
    out[0] -= 1;
    out[label] -= 1;
  }
}

void loss_gradient(const float* values,
                   const float* target,
                   const Positions& shape,
                   const RunState& state,
                   float* out) {
  const auto scale = static_cast<float>(1.0 / static_cast<double>(state.labelled));
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < shape.rows; ++i) {
    const auto label = state.labels[i];
    const float* const box = values + i * shape.features();
    float* const to = out + i * shape.features();
    std::fill(to, to + shape.features(), 0.0F);
    if (label < 0) {
      continue;
    }
    for (std::int64_t k = 0; label > 0 && k < shape.box; ++k) {
      to[k] = std::clamp(box[k] - target[i * shape.box + k], -1.0F, 1.0F);
    }
    scores_gradient(box + shape.box, shape, label, to + shape.box);
    std::transform(to, to + shape.features(), to, [=](float value) { return scale * value; });
  }
}

class DetectionLoss final : public Operation {
 public:
  using Operation::Operation;

  Tensor forward(std::span<const Tensor> inputs) override {
    const auto& l = layer();
    const auto f32 = dnnl::memory::data_type::f32;
    const auto sequence = sequence_shape(l.out, context().items);
    shape_ = {sequence.rows(), l.box_features, l.out.c - l.box_features, l.scoring};
    const auto boxes = sequence_desc({sequence.items, sequence.positions, l.box_features}, f32);
    target_ = context().parameters.add_state(lowering(), named(".target"), boxes, {0, 1}).value;
    values_ = lowering().buffer(sequence_desc(sequence, f32));
    lowering().copy(inputs[0], values_);  // whoever keeps the scores still finds them
    lowering().emit(named(".forward"),
                    [&state = context().state, v = values_, target = target_, shape = shape_] {
                      detection_loss(v.data(), target.data(), shape, state);
                    },
                    {values_, target_});
    return values_;
  }

  std::vector<Gradient> backward(const Gradient&) override {
    const auto result = lowering().buffer(values_.desc());
    lowering().emit(
        named(".backward"),
        [&state = context().state, v = values_, target = target_, result, shape = shape_] {
          loss_gradient(v.data(), target.data(), shape, state, result.data());
        },
        {values_, target_, result});
    return {{result}};
  }

 private:
  Positions shape_;
  Tensor values_, target_;
};

}  // namespace

std::unique_ptr<Operation> make_detection_loss(const OperationContext& context) {
  return std::make_unique<DetectionLoss>(context);
}

}  // namespace rightsize::cpu
