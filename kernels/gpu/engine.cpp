#include "kernels/gpu/engine.h"

#include <chrono>
#include <cstring>

#include <fmt/format.h>

namespace rightsize::gpu {
namespace {

std::string version(int number, int major, int minor) {
  return fmt::format("{}.{}.{}", number / major, number % major / minor, number % minor);
}

// 13000 -> "13.0", as CUDA counts its drivers and runtimes.
std::string cuda_version(int number) {
  return fmt::format("{}.{}", number / 1000, number % 1000 / 10);
}

std::string describe(const Graph& graph, const abi::Options& options) {
  const auto& about = graph.device().about();
  int blas = 0;
  check(cublasGetVersion(graph.device().cublas(), &blas));
  return fmt::format(
      "gpu={}\ncompute_capability={}.{}\ncuda_driver={}\ncuda_runtime={}\ncudnn={}\n"
      "cublas={}\ncuda_graph={}\nlayout=nhwc\nworkspace_bytes={}\n",
      about.name,
      about.compute_major,
      about.compute_minor,
      cuda_version(about.driver_version),
      cuda_version(CUDART_VERSION),
      version(static_cast<int>(cudnnGetVersion()), 10000, 100),
      version(blas, 10000, 100),
      options.cuda_graph != 0 ? "yes" : "no",
      graph.workspace_bytes());
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

PluginEngine::PluginEngine(const Network& network, const abi::Options& options)
    : graph_(network, options),
      images_(graph_.image_values()),
      tokens_(graph_.token_count()),
      labels_(graph_.label_count()),
      state_(sizeof(StepState)),
      description_(describe(graph_, options)) {}

void PluginEngine::Part::stage(const void* values) const {
  if (bytes > 0) {
    std::memcpy(pinned.as<std::byte>(), values, bytes);
  }
}

void PluginEngine::Part::upload(void* target, const Stream& stream) const {
  if (bytes > 0) {
    check(cudaMemcpyAsync(
        target, pinned.as<std::byte>(), bytes, cudaMemcpyHostToDevice, stream.get()));
  }
}

abi::StepResult PluginEngine::step(abi::Run run,
                                   const float* images,
                                   const std::int32_t* tokens,
                                   const std::int32_t* labels) {
  graph_.device().select();
  const auto& stream = graph_.device().stream();
  const auto staging = std::chrono::steady_clock::now();
  images_.stage(images);
  tokens_.stage(tokens);
  labels_.stage(labels);
  const double staging_s = seconds_since(staging);

  start_.record(stream);
  images_.upload(graph_.images(), stream);
  tokens_.upload(graph_.tokens(), stream);
  labels_.upload(graph_.labels(), stream);
  copied_.record(stream);
  if (run == abi::Run::step) {
    graph_.launch_step();
  } else {
    graph_.launch_evaluation();
  }
  done_.record(stream);
  auto* const state = state_.as<StepState>();
  check(cudaMemcpyAsync(
      state, graph_.state(), sizeof(StepState), cudaMemcpyDeviceToHost, stream.get()));
  stream.wait();
  return {static_cast<double>(state->loss),
          state->correct,
          run == abi::Run::step ? state->last_overflow : 0,
          staging_s + copied_.seconds_since(start_),
          done_.seconds_since(copied_)};
}

}  // namespace rightsize::gpu
