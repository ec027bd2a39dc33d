// loss.cu: softmax and cross-entropy, also where some rows have no label.
#include <algorithm>
#include <cmath>

#include <doctest/doctest.h>

#include "kernels/gpu/emulated/tensor.h"
#include "kernels/gpu/kernels.h"
#include "support/approx.h"

namespace rightsize::test {
namespace {

using gpu::ElementType;

using DeviceState = DeviceArray<gpu::StepState>;

DeviceState state_with(float loss_scale) {
  gpu::StepState state{};
  state.loss_scale = loss_scale;
  return DeviceState(std::vector<gpu::StepState>{state});
}

double mean_cross_entropy(const Values& scores, const std::vector<int>& labels) {
  const auto classes = scores.size() / labels.size();
  double loss = 0;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    double sum = 0;
    for (std::size_t c = 0; c < classes; ++c) {
      sum += std::exp(scores[i * classes + c]);
    }
    loss += std::log(sum) - scores[i * classes + static_cast<std::size_t>(labels[i])];
  }
  return loss / static_cast<double>(labels.size());
}

struct LossCase {
  std::int64_t items, classes;
};

TEST_CASE("emulated kernels: cross-entropy, hits and, by differences, the scaled gradient") {
  for (auto type : all_types) {
    for (const auto& [items, classes] : {LossCase{1, 2}, {5, 10}, {3, 300}, {300, 3}}) {
      auto values = random_values(items * classes, 51);
      for (auto& value : values) {
        value *= 5;
      }
      const DeviceTensor scores(type, values);
      std::vector<int> labels;
      int hits = 0;
      const auto in = scores.values();
      for (std::int64_t i = 0; i < items; ++i) {
        labels.push_back(static_cast<int>((i * 7 + 1) % classes));
        const auto row = in.begin() + i * classes;
        hits += std::max_element(row, row + classes) - row == labels.back() ? 1 : 0;
      }
      const DeviceArray<int> on_device(labels);
      const DeviceTensor gradient(type, items * classes);
      const DeviceArray<float> partials(static_cast<std::size_t>(2 * items));
      const auto state = state_with(8);
      gpu::launch_softmax_loss(scores.data(),
                               on_device.data(),
                               gradient.data(),
                               partials.data(),
                               state.data(),
                               type,
                               items,
                               classes,
                               nullptr);
      CHECK(state.values()[0].loss == test::approx(mean_cross_entropy(in, labels)).epsilon(1e-5));
      CHECK(state.values()[0].correct == hits);
      partials.check();
      const auto loss = [&](const Values& at) { return Values{mean_cross_entropy(at, labels)}; };
      check_near(gradient.values(), finite_differences(loss, in, {8.0}), type);
    }
  }
}

TEST_CASE(
    "emulated kernels: of equal scores the first is the answer, and large ones do not overflow") {
  const DeviceTensor scores(ElementType::f32, {1000, 1000, -1000, 3, 3, 3});
  const DeviceArray<int> labels(std::vector<int>{0, 1});
  const DeviceArray<float> partials(4);
  const auto state = state_with(1);
  gpu::launch_softmax_loss(scores.data(),
                           labels.data(),
                           nullptr,
                           partials.data(),
                           state.data(),
                           ElementType::f32,
                           2,
                           3,
                           nullptr);
  CHECK(state.values()[0].correct == 1);
  CHECK(state.values()[0].loss == test::approx((std::log(2.0) + std::log(3.0)) / 2).epsilon(1e-6));
}

TEST_CASE("emulated kernels: rows without a label count for nothing in loss, hits and gradient") {
  constexpr std::int64_t classes = 11;
  for (auto type : all_types) {
    const std::vector<int> labels{3, -1, 0, -100, 10, -1};
    const DeviceArray<int> on_device(labels);
    const DeviceTensor scores(type, random_values(6 * classes, 77));
    const DeviceTensor gradient(type, 6 * classes);
    const DeviceArray<float> partials(12);
    const auto state = state_with(4);
    gpu::launch_softmax_loss(scores.data(),
                             on_device.data(),
                             gradient.data(),
                             partials.data(),
                             state.data(),
                             type,
                             6,
                             classes,
                             nullptr);
    const auto loss = [&](const Values& at) {
      double sum = 0;
      for (std::size_t i = 0; i < labels.size(); ++i) {
        double total = 0;
        for (std::size_t c = 0; c < classes; ++c) {
          total += std::exp(at[i * classes + c]);
        }
        sum += labels[i] < 0
                   ? 0
                   : std::log(total) - at[i * classes + static_cast<std::size_t>(labels[i])];
      }
      return Values{sum / 3};
    };
    const auto in = scores.values();
    CHECK(state.values()[0].labelled == 3);
    CHECK(static_cast<double>(state.values()[0].loss) == test::approx(loss(in)[0]));
    check_near(gradient.values(), finite_differences(loss, in, {4.0}), type);
  }
}

TEST_CASE("emulated kernels: a batch without any label has no loss and no gradient") {
  const DeviceArray<int> labels(std::vector<int>{-1, -1});
  const DeviceTensor scores(ElementType::f32, random_values(10, 78));
  const DeviceTensor gradient(ElementType::f32, 10);
  const DeviceArray<float> partials(4);
  const auto state = state_with(4);
  gpu::launch_softmax_loss(scores.data(),
                           labels.data(),
                           gradient.data(),
                           partials.data(),
                           state.data(),
                           ElementType::f32,
                           2,
                           5,
                           nullptr);
  CHECK(state.values()[0].loss == 0);
  CHECK(state.values()[0].correct == 0);
  CHECK(gradient.values() == Values(10, 0));
}

}  // namespace
}  // namespace rightsize::test
