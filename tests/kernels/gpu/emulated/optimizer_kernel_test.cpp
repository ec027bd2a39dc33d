// sgd.cu, adam.cu and finish_step.cu: what a step of training ends in.
#include <cmath>
#include <limits>

#include <doctest/doctest.h>

#include "kernels/gpu/emulated/tensor.h"
#include "kernels/gpu/optimizer_kernels.h"

namespace rightsize::test {
namespace {

using gpu::ElementType;
using DeviceState = DeviceArray<gpu::StepState>;

DeviceState state_with(float loss_scale) {
  gpu::StepState state{};
  state.loss_scale = loss_scale;
  return DeviceState(std::vector<gpu::StepState>{state});
}

// Two parameters, one of more than a chunk; at 16 bits with copies and narrow gradients.
struct Parameters {
  explicit Parameters(ElementType element_type, double gradient_scale = 1)
      : type(element_type),
        value{DeviceArray<float>(as_floats(random_values(counts[0], 61))),
              DeviceArray<float>(as_floats(random_values(counts[1], 62)))},
        moment{DeviceArray<float>(as_floats(random_values(counts[0], 63))),
               DeviceArray<float>(as_floats(random_values(counts[1], 64)))},
        second_moment{DeviceArray<float>(std::vector<float>(counts[0], 0.25F)),
                      DeviceArray<float>(std::vector<float>(counts[1], 0.25F))},
        gradient{
            DeviceTensor(type, scaled(random_values(counts[0], 65), gradient_scale)),
            DeviceTensor(ElementType::f32, scaled(random_values(counts[1], 66), gradient_scale))},
        copy{DeviceTensor(type, counts[0]), DeviceTensor(type, counts[1])},
        entries(std::vector<gpu::UpdateEntry>{entry(0, 1), entry(1, 0)}) {}

  static Values scaled(Values values, double by) {
    for (auto& value : values) {
      value *= by;
    }
    return values;
  }

  [[nodiscard]] gpu::UpdateEntry entry(std::size_t i, int narrow) const {
    return {value[i].data(),
            moment[i].data(),
            second_moment[i].data(),
            gradient[i].data(),
            type == ElementType::f32 ? nullptr : copy[i].data(),
            counts[i],
            decays[i],
            type == ElementType::f32 ? 0 : narrow};
  }
  [[nodiscard]] gpu::UpdateTables tables() const {
    return {entries.data(), chunks.data(), 3, type};
  }

  static constexpr std::int64_t counts[] = {gpu::update_chunk + 77, 301};
  static constexpr float decays[] = {0.01F, 0.0F};
  ElementType type;
  DeviceArray<float> value[2];
  DeviceArray<float> moment[2];
  DeviceArray<float> second_moment[2];
  DeviceTensor gradient[2];
  DeviceTensor copy[2];
  DeviceArray<gpu::UpdateEntry> entries;
  DeviceArray<gpu::UpdateChunk> chunks{
      std::vector<gpu::UpdateChunk>{{0, 0}, {0, gpu::update_chunk}, {1, 0}}};
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
      velocities[i] = as_doubles(p.moment[i].values());
      for (std::size_t k = 0; k < values[i].size(); ++k) {
        velocities[i][k] = 0.9 * velocities[i][k] + gradient[k] / 4 +
                           static_cast<double>(Parameters::decays[i]) * values[i][k];
        values[i][k] -= 0.1 * velocities[i][k];
      }
    }
    gpu::launch_overflow_check(p.tables(), state.data(), nullptr);
    CHECK(state.values()[0].overflow == 0);
    gpu::launch_sgd(p.tables(), {0.1F, 0.9F}, state.data(), nullptr);
    for (std::size_t i = 0; i < 2; ++i) {
      check_near(as_doubles(p.value[i].values()), values[i], ElementType::f32);
      check_near(as_doubles(p.moment[i].values()), velocities[i], ElementType::f32);
      if (type != ElementType::f32) {
        check_near(p.copy[i].values(), as_doubles(p.value[i].values()), type, 0);
      }
    }
  }
}

// One step of AdamW by its paper, in float64.
void adam_step(
    Values& value, Values& mean, Values& square, const Values& gradient, float decay, int t) {
  constexpr double rate = 0.1F;
  constexpr double beta1 = 0.9F;
  constexpr double beta2 = 0.999F;
  for (std::size_t k = 0; k < value.size(); ++k) {
    mean[k] = beta1 * mean[k] + (1 - beta1) * gradient[k];
    square[k] = beta2 * square[k] + (1 - beta2) * gradient[k] * gradient[k];
    const double m = mean[k] / (1 - std::pow(beta1, t));
    const double v = square[k] / (1 - std::pow(beta2, t));
    value[k] -= rate * (m / (std::sqrt(v) + 1e-8) + static_cast<double>(decay) * value[k]);
  }
}

TEST_CASE("emulated kernels: AdamW over chunks, its bias correction counting real updates alone") {
  for (auto type : all_types) {
    const Parameters p(type, 4);
    const auto state = state_with(4);
    Values value[2], mean[2], square[2];
    for (std::size_t i = 0; i < 2; ++i) {
      value[i] = as_doubles(p.value[i].values());
      mean[i] = as_doubles(p.moment[i].values());
      square[i] = as_doubles(p.second_moment[i].values());
    }
    int updates = 0;
    for (int step = 0; step < 4; ++step) {
      state.data()->overflow = step == 1 ? 1 : 0;
      gpu::launch_adam(p.tables(), {0.1F, 0.9F, 0.999F, 1e-8F}, state.data(), nullptr);
      updates += step == 1 ? 0 : 1;
      for (std::size_t i = 0; i < 2 && step != 1; ++i) {
        auto gradient = p.gradient[i].values();
        for (auto& g : gradient) {
          g /= 4;
        }
        adam_step(value[i], mean[i], square[i], gradient, Parameters::decays[i], updates);
      }
      gpu::launch_finish_step(state.data(), false, nullptr);
    }
    CHECK(state.values()[0].step == 4);
    CHECK(state.values()[0].updates == 3);
    for (std::size_t i = 0; i < 2; ++i) {
      check_near(as_doubles(p.value[i].values()), value[i], ElementType::f32);
      check_near(as_doubles(p.moment[i].values()), mean[i], ElementType::f32);
      check_near(as_doubles(p.second_moment[i].values()), square[i], ElementType::f32);
      if (type != ElementType::f32) {
        check_near(p.copy[i].values(), as_doubles(p.value[i].values()), type, 0);
      }
    }
  }
}

TEST_CASE("emulated kernels: Adam's correction keeps its digits from the first step to the last") {
  for (unsigned long long done : {0ULL, 9ULL, 99'999ULL}) {
    const Parameters p(ElementType::f32);
    const auto state = state_with(1);
    state.data()->updates = done;
    auto value = as_doubles(p.value[0].values());
    auto mean = as_doubles(p.moment[0].values());
    auto square = as_doubles(p.second_moment[0].values());
    adam_step(value,
              mean,
              square,
              p.gradient[0].values(),
              Parameters::decays[0],
              static_cast<int>(done) + 1);
    gpu::launch_adam(p.tables(), {0.1F, 0.9F, 0.999F, 1e-8F}, state.data(), nullptr);
    check_near(as_doubles(p.value[0].values()), value, ElementType::f32);
  }
}

TEST_CASE(
    "emulated kernels: a gradient that is not finite is found in any chunk and skips the step") {
  for (auto type : all_types) {
    for (auto at : {0LL, gpu::update_chunk + 76}) {
      auto gradients = random_values(Parameters::counts[0], 67);
      gradients[static_cast<std::size_t>(at)] = std::numeric_limits<double>::infinity();
      Parameters p(type);
      const DeviceTensor overflowing(type, gradients);
      p.entries.data()[0].gradient = overflowing.data();
      const auto before = p.value[1].values();
      const auto state = state_with(4);
      gpu::launch_overflow_check(p.tables(), state.data(), nullptr);
      CHECK(state.values()[0].overflow == 1);
      gpu::launch_sgd(p.tables(), {0.1F, 0.9F}, state.data(), nullptr);
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
