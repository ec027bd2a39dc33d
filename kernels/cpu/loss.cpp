// Softmax with cross-entropy against one label per item: loss = mean of log(sum exp(s)) - s[label],
// and its gradient by the scores, (softmax - one-hot) / n. Also counts top-1 hits.
#include <algorithm>
#include <cmath>

#include "kernels/cpu/operation.h"

namespace rightsize::cpu {
namespace {

struct Scored {
  double loss;
  bool correct;
};

// Leaves softmax(scores) in place of the scores.
Scored softmax(float* scores, std::int64_t classes, std::int32_t label) {
  const float* const best = std::max_element(scores, scores + classes);
  const bool correct = best - scores == label;
  const float largest = *best;
  const double target = static_cast<double>(scores[label]) - static_cast<double>(largest);
  double sum = 0;
  for (std::int64_t c = 0; c < classes; ++c) {
    scores[c] = std::exp(scores[c] - largest);
    sum += static_cast<double>(scores[c]);
  }
  const auto scale = static_cast<float>(1 / sum);
  for (std::int64_t c = 0; c < classes; ++c) {
    scores[c] *= scale;
  }
  return {std::log(sum) - target, correct};
}

void softmax_loss(float* scores, std::int64_t items, std::int64_t classes, RunState& state) {
  double loss = 0;
  int correct = 0;
#pragma omp parallel for schedule(static) reduction(+ : loss, correct)
  for (std::int64_t i = 0; i < items; ++i) {
    const auto scored = softmax(scores + i * classes, classes, state.labels[i]);
    loss += scored.loss;
    correct += scored.correct ? 1 : 0;
  }
  state.loss = loss / static_cast<double>(items);
  state.correct = correct;
}

void loss_gradient(float* probabilities,
                   std::int64_t items,
                   std::int64_t classes,
                   const std::int32_t* labels) {
  const float scale = 1.0F / static_cast<float>(items);
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < items; ++i) {
    float* const row = probabilities + i * classes;
    row[labels[i]] -= 1;
    for (std::int64_t c = 0; c < classes; ++c) {
      row[c] *= scale;
    }
  }
}

class Loss final : public Operation {
 public:
  using Operation::Operation;

  Tensor forward(std::span<const Tensor> inputs) override {
    items_ = inputs[0].desc().dims()[0];
    classes_ = layer().out.c;
    probabilities_ = lowering().buffer(plain(inputs[0].desc().dims()));
    lowering().copy(inputs[0], probabilities_);  // whoever keeps the scores still finds them
    lowering().emit(named(".forward"),
                    [&state = context().state, p = probabilities_, n = items_, c = classes_] {
                      softmax_loss(p.data(), n, c, state);
                    },
                    {probabilities_});
    return probabilities_;
  }

  std::vector<Gradient> backward(const Gradient&) override {
    lowering().emit(named(".backward"),
                    [&state = context().state, p = probabilities_, n = items_, c = classes_] {
                      loss_gradient(p.data(), n, c, state.labels);
                    },
                    {probabilities_});
    return {{probabilities_}};
  }

 private:
  std::int64_t items_ = 0;
  std::int64_t classes_ = 0;
  Tensor probabilities_;
};

}  // namespace

std::unique_ptr<Operation> make_loss(const OperationContext& context) {
  return std::make_unique<Loss>(context);
}

}  // namespace rightsize::cpu
