// From lowered programs to the first step: memory, trials, what everything starts from, and the
// step as one CUDA graph; and running it.
#include <fmt/format.h>

#include "kernels/gpu/graph.h"

namespace rightsize::gpu {
namespace {

// FP16 gradients below 6e-8 would vanish; this many times larger they do not (see StepState).
constexpr float first_loss_scale = 1024;

}  // namespace

void Graph::allocate() {
  const auto bytes = lowering_.plan();
  arena_ = DeviceBuffer(budget_, bytes);
  lowering_.bind(arena_.data());
  check(cudaMemsetAsync(arena_.data(), 0, bytes, device_.stream().get()));
  parameters_.bind(device_, budget_, update_options());
  initialise();  // numbers to try kernels on: zeros would draw less power and run faster
}

// Loads every kernel, lets cuDNN choose, and finds out what it refuses, before anything is
// captured.
void Graph::warm_up() {
  for (const auto& operation : operations_) {
    if (operation) {
      operation->tune();
    }
  }
  run(forward_);  // on what the trials left behind; the parameters start anew afterwards
  run(backward_);
  run(update_);
  device_.stream().wait();
}

void Graph::initialise() {
  parameters_.initialise(device_, options_.seed);
  for (const auto& operation : operations_) {
    if (operation) {
      operation->start();
    }
  }
  exchange_.start();
  if (options_.preprocess != 0) {  // something to read before the first batch: one pixel each
    Picture one;
    one.whole_width = one.whole_height = one.target_width = one.target_height = 1;
    const std::vector<Picture> table(static_cast<std::size_t>(options_.batch), one);
    check(cudaMemcpyAsync(pictures(),
                          table.data(),
                          picture_table_bytes(),
                          cudaMemcpyHostToDevice,
                          device_.stream().get()));
    device_.stream().wait();
  }
  StepState state{};
  state.loss_scale = device_.type() == ElementType::f16 ? first_loss_scale : 1.0F;
  state.position = options_.prompt;
  check(cudaMemcpyAsync(
      this->state(), &state, sizeof(state), cudaMemcpyHostToDevice, device_.stream().get()));
  device_.stream().wait();
}

void Graph::capture() {
  if (options_.cuda_graph != 0) {
    step_ = CapturedGraph::capture(device_.stream(), [this] {
      run(forward_);
      run(backward_);
      run(update_);
    });
    step_.upload(device_.stream());
  }
  device_.stream().wait();
}

void Graph::run(const Program& program) const {
  for (const auto& step : program) {
    try {
      step.run();
    } catch (const GpuError& error) {
      throw GpuError(error.status(), fmt::format("{}: {}", step.name, error.what()));
    }
  }
}

void Graph::launch_step() {
  if (step_) {
    step_.launch(device_.stream());
    return;
  }
  run(forward_);
  run(backward_);
  run(update_);
}

void Graph::launch_evaluation() {
  run(forward_);
  run(backward_);
}

}  // namespace rightsize::gpu
