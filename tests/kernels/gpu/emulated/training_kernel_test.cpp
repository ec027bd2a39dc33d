// loss.cu and sgd.cu: what a step of training ends in.
#include <cmath>
#include <limits>

#include <doctest/doctest.h>

#include "kernels/gpu/emulated/tensor.h"
#include "kernels/gpu/kernels.h"

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
      CHECK(state.values()[0].loss ==
            doctest::Approx(mean_cross_entropy(in, labels)).epsilon(1e-5));
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
  CHECK(state.values()[0].loss ==
        doctest::Approx((std::log(2.0) + std::log(3.0)) / 2).epsilon(1e-6));
}

// Two parameters, one of more than a chunk; at 16 bits with copies and narrow gradients.
struct Parameters {
  explicit Parameters(ElementType element_type, double gradient_scale = 1)
      : type(element_type),
        value{DeviceArray<float>(as_floats(random_values(counts[0], 61))),
              DeviceArray<float>(as_floats(random_values(counts[1], 62)))},
        velocity{DeviceArray<float>(as_floats(random_values(counts[0], 63))),
                 DeviceArray<float>(as_floats(random_values(counts[1], 64)))},
        gradient{
            DeviceTensor(type, scaled(random_values(counts[0], 65), gradient_scale)),
            DeviceTensor(ElementType::f32, scaled(random_values(counts[1], 66), gradient_scale))},
        copy{DeviceTensor(type, counts[0]), DeviceTensor(type, counts[1])},
        entries(std::vector<gpu::SgdEntry>{entry(0, 1), entry(1, 0)}) {}

  static Values scaled(Values values, double by) {
    for (auto& value : values) {
      value *= by;
    }
    return values;
  }

  [[nodiscard]] gpu::SgdEntry entry(std::size_t i, int narrow) const {
    return {value[i].data(),
            velocity[i].data(),
            gradient[i].data(),
            type == ElementType::f32 ? nullptr : copy[i].data(),
            counts[i],
            decays[i],
            type == ElementType::f32 ? 0 : narrow};
  }
  [[nodiscard]] gpu::SgdLaunch launch() const {
    return {entries.data(), chunks.data(), 3, 0.1F, 0.9F, type};
  }

  static constexpr std::int64_t counts[] = {gpu::sgd_chunk + 77, 301};
  static constexpr float decays[] = {0.01F, 0.0F};
  ElementType type;
  DeviceArray<float> value[2];
  DeviceArray<float> velocity[2];
  DeviceTensor gradient[2];
  DeviceTensor copy[2];
  DeviceArray<gpu::SgdEntry> entries;
  DeviceArray<gpu::SgdChunk> chunks{
      std::vector<gpu::SgdChunk>{{0, 0}, {0, gpu::sgd_chunk}, {1, 0}}};
};

TEST_CASE("emulated kernels: SGD with momentum and decay over chunks, masters and copies") {
  for (auto type : all_types) {
    const Parameters p(type, 4);
    const auto state = state_with(4);
    Values values[2];
    Values velocities[2];
    for (std::size_t i = 0; i < 2; ++i) {
      const auto gradient = p.gradient[i].values();
      values[i] = as_doubles(p.value[i].values());
      velocities[i] = as_doubles(p.velocity[i].values());
      for (std::size_t k = 0; k < values[i].size(); ++k) {
        velocities[i][k] = 0.9 * velocities[i][k] + gradient[k] / 4 +
                           static_cast<double>(Parameters::decays[i]) * values[i][k];
        values[i][k] -= 0.1 * velocities[i][k];
      }
    }
    gpu::launch_overflow_check(p.launch(), state.data(), nullptr);
    CHECK(state.values()[0].overflow == 0);
    gpu::launch_sgd(p.launch(), state.data(), nullptr);
    for (std::size_t i = 0; i < 2; ++i) {
      check_near(as_doubles(p.value[i].values()), values[i], ElementType::f32);
      check_near(as_doubles(p.velocity[i].values()), velocities[i], ElementType::f32);
      if (type != ElementType::f32) {
        check_near(p.copy[i].values(), as_doubles(p.value[i].values()), type, 0);
      }
    }
  }
}

TEST_CASE(
    "emulated kernels: a gradient that is not finite is found in any chunk and skips the step") {
  for (auto type : all_types) {
    for (auto at : {0LL, gpu::sgd_chunk + 76}) {
      auto gradients = random_values(Parameters::counts[0], 67);
      gradients[static_cast<std::size_t>(at)] = std::numeric_limits<double>::infinity();
      Parameters p(type);
      const DeviceTensor overflowing(type, gradients);
      p.entries.data()[0].gradient = overflowing.data();
      const auto before = p.value[1].values();
      const auto state = state_with(4);
      gpu::launch_overflow_check(p.launch(), state.data(), nullptr);
      CHECK(state.values()[0].overflow == 1);
      gpu::launch_sgd(p.launch(), state.data(), nullptr);
      CHECK(p.value[1].values() == before);
    }
  }
}

TEST_CASE(
    "emulated kernels: the loss scale halves after an overflow and doubles after 2000 steps") {
  const auto state = state_with(1024);
  state.data()->overflow = 1;
  gpu::launch_finish_step(state.data(), true, nullptr);
  CHECK(state.values()[0].loss_scale == 512);
  CHECK(state.values()[0].last_overflow == 1);
  CHECK(state.values()[0].overflow == 0);
  CHECK(state.values()[0].step == 1);
  for (int i = 0; i < 2000; ++i) {
    gpu::launch_finish_step(state.data(), true, nullptr);
  }
  CHECK(state.values()[0].loss_scale == 1024);
  CHECK(state.values()[0].last_overflow == 0);
  CHECK(state.values()[0].step == 2001);
  state.data()->overflow = 1;
  gpu::launch_finish_step(state.data(), false, nullptr);
  CHECK(state.values()[0].loss_scale == 1024);
}

}  // namespace
}  // namespace rightsize::test
