// Softmax with cross-entropy against one label per row of scores (an item, or a position of one):
// loss = mean of log(sum exp(s)) - s[label], and its gradient by the scores,
// (softmax - one-hot) / rows. A row of one score is that of two of which the other is zero. Rows
// with a label below zero count for nothing. Also counts top-1 hits.
#include <algorithm>
#include <cmath>

#include "kernels/cpu/operation.h"
#include "kernels/cpu/simd.h"

namespace rightsize::cpu {
namespace {

struct Scored {
  double loss;
  bool correct;
};

// Leaves e^(score - largest) and returns the sum, in double from piece to piece.
[[gnu::always_inline]] inline double exponentiate(float* scores,
                                                  std::int64_t classes,
                                                  float largest) {
  constexpr std::int64_t piece = 1024;
  double total = 0;
  for (std::int64_t begin = 0; begin < classes; begin += piece) {
    const auto end = std::min(begin + piece, classes);
    float sum = 0;
#pragma omp simd reduction(+ : sum)
    for (std::int64_t c = begin; c < end; ++c) {
      scores[c] = fast_exp(scores[c] - largest);
      sum += scores[c];
    }
    total += static_cast<double>(sum);
  }
  return total;
}

// Leaves softmax(scores) in place of the scores. Of equal scores the first is the guess.
RIGHTSIZE_SIMD_CLONES Scored softmax(float* scores, std::int64_t classes, std::int32_t label) {
  const float largest = largest_of(scores, classes);
  const bool labelled = label >= 0;
  const bool correct = labelled && scores[label] == largest &&
                       std::find(scores, scores + label, largest) == scores + label;
  const double target =
      labelled ? static_cast<double>(scores[label]) - static_cast<double>(largest) : 0;
  const double sum = exponentiate(scores, classes, largest);
  const auto scale = static_cast<float>(1 / sum);
#pragma omp simd
  for (std::int64_t c = 0; c < classes; ++c) {
    scores[c] *= scale;
  }
  return {labelled ? std::log(sum) - target : 0, correct};
}

// One score against none: leaves label 1's likelihood, 1 / (1 + e^-s). It costs log(1 + e^-s) where
// that is wanted and log(1 + e^s) where it is not. At zero the guess is label 0.
Scored sigmoid(float* score, std::int32_t label) {
  const double s = static_cast<double>(*score);
  *score = static_cast<float>(1 / (1 + std::exp(-s)));
  const double cost = std::max(s, 0.0) + std::log1p(std::exp(-std::abs(s))) - (label > 0 ? s : 0);
  return {label < 0 ? 0 : cost, label >= 0 && (s > 0) == (label > 0)};
}

void softmax_loss(
    float* scores, std::int64_t rows, std::int64_t classes, bool binary, RunState& state) {
  double loss = 0;
  int correct = 0;
  std::int64_t labelled = 0;
#pragma omp parallel for schedule(static) reduction(+ : loss, correct, labelled)
  for (std::int64_t i = 0; i < rows; ++i) {
    const auto scored = binary ? sigmoid(scores + i, state.labels[i])
                               : softmax(scores + i * classes, classes, state.labels[i]);
    loss += scored.loss;
    correct += scored.correct ? 1 : 0;
    labelled += state.labels[i] >= 0 ? 1 : 0;
  }
  state.loss = labelled > 0 ? loss / static_cast<double>(labelled) : 0;
  state.correct = correct;
  state.labelled = labelled;
}

void loss_gradient(float* probabilities,
                   std::int64_t rows,
                   std::int64_t classes,
                   bool binary,
                   const RunState& state) {
  const auto scale =
      static_cast<float>(1.0 / static_cast<double>(std::max<std::int64_t>(state.labelled, 1)));
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < rows; ++i) {
    float* const row = probabilities + i * classes;
    if (state.labels[i] < 0) {
      std::fill(row, row + classes, 0.0F);
      continue;
    }
    if (!binary) {
      row[state.labels[i]] -= 1;
    } else if (state.labels[i] > 0) {
      row[0] -= 1;
    }
    for (std::int64_t c = 0; c < classes; ++c) {
      row[c] *= scale;
    }
  }
}

class Loss final : public Operation {
 public:
  using Operation::Operation;

  Tensor forward(std::span<const Tensor> inputs) override {
    const auto dims = dims_of(inputs[0].desc());
    rows_ = dims[0] * layer().out.positions();
    probabilities_ = lowering().buffer(rows_of_classes(dims));
    lowering().copy(inputs[0], probabilities_);  // whoever keeps the scores still finds them
    const auto classes = layer().out.c;
    binary_ = classes == 1 && context().network.classes == 2;
    lowering().emit(
        named(".forward"),
        [&state = context().state, p = probabilities_, n = rows_, classes, b = binary_] {
          softmax_loss(p.data(), n, classes, b, state);
        },
        {probabilities_});
    return probabilities_;
  }

  std::vector<Gradient> backward(const Gradient&) override {
    const auto classes = layer().out.c;
    lowering().emit(
        named(".backward"),
        [&state = context().state, p = probabilities_, n = rows_, classes, b = binary_] {
          loss_gradient(p.data(), n, classes, b, state);
        },
        {probabilities_});
    return {{probabilities_}};
  }

 private:
  // FP32 with the classes of one row side by side.
  [[nodiscard]] static dnnl::memory::desc rows_of_classes(const dnnl::memory::dims& dims) {
    return dims.size() == 4
               ? dnnl::memory::desc(
                     dims, dnnl::memory::data_type::f32, dnnl::memory::format_tag::nhwc)
               : plain(dims);
  }

  std::int64_t rows_ = 0;
  bool binary_ = false;  // one score of two classes
  Tensor probabilities_;
};

}  // namespace

std::unique_ptr<Operation> make_loss(const OperationContext& context) {
  return std::make_unique<Loss>(context);
}

}  // namespace rightsize::cpu
