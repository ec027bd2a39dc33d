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
      "cublas={}\ncuda_graph={}\nlayout=nhwc\nworkspace_bytes={}\n"
      "multiprocessors={} of {}\npreprocess_on={}\n",
      about.name,
      about.compute_major,
      about.compute_minor,
      cuda_version(about.driver_version),
      cuda_version(CUDART_VERSION),
      version(static_cast<int>(cudnnGetVersion()), 10000, 100),
      version(blas, 10000, 100),
      options.cuda_graph != 0 ? "yes" : "no",
      graph.workspace_bytes(),
      graph.device().multiprocessors(),
      about.multiprocessors,
      options.preprocess != 0 ? "gpu" : "cpu");
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

PluginEngine::PluginEngine(const Network& network, const abi::Options& options)
    : graph_(network, options),
      image_bytes_(graph_.input_bytes()),
      label_bytes_(static_cast<std::size_t>(options.batch) * sizeof(std::int32_t)),
      images_(image_bytes_),
      labels_(label_bytes_),
      pictures_(graph_.picture_table_bytes()),
      state_(sizeof(StepState)),
      description_(describe(graph_, options)) {}

void PluginEngine::stage(const float* images, const std::int32_t* labels) {
  std::memcpy(images_.as<float>(), images, image_bytes_);
  std::memcpy(labels_.as<std::int32_t>(), labels, label_bytes_);
}

abi::StepResult PluginEngine::step(abi::Run run, const float* images, const std::int32_t* labels) {
  graph_.device().select();
  const auto& stream = graph_.device().stream();
  const auto staging = std::chrono::steady_clock::now();
  stage(images, labels);
  const double staging_s = seconds_since(staging);

  start_.record(stream);
  check(cudaMemcpyAsync(
      graph_.images(), images_.as<float>(), image_bytes_, cudaMemcpyHostToDevice, stream.get()));
  check(cudaMemcpyAsync(graph_.labels(),
                        labels_.as<std::int32_t>(),
                        label_bytes_,
                        cudaMemcpyHostToDevice,
                        stream.get()));
  return finish(run, staging_s);
}

abi::StepResult PluginEngine::step(abi::Run run,
                                   const abi::Pictures& batch,
                                   const std::int32_t* labels) {
  if (graph_.picture_table_bytes() == 0 || batch.bytes > image_bytes_) {
    throw GpuError(abi::Status::invalid,
                   fmt::format("{} bytes of pictures for an engine that takes at most {}",
                               batch.bytes,
                               graph_.picture_table_bytes() == 0 ? 0 : image_bytes_));
  }
  graph_.device().select();
  const auto stream = graph_.device().stream().get();
  const auto staging = std::chrono::steady_clock::now();
  std::memcpy(images_.as<std::uint8_t>(), batch.pixels, batch.bytes);
  std::memcpy(pictures_.as<Picture>(), batch.pictures, graph_.picture_table_bytes());
  std::memcpy(labels_.as<std::int32_t>(), labels, label_bytes_);
  const double staging_s = seconds_since(staging);

  start_.record(graph_.device().stream());
  const auto upload = [&](void* to, const void* from, std::size_t bytes) {
    check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, stream));
  };
  upload(graph_.images(), images_.as<std::uint8_t>(), batch.bytes);
  upload(graph_.pictures(), pictures_.as<Picture>(), graph_.picture_table_bytes());
  upload(graph_.labels(), labels_.as<std::int32_t>(), label_bytes_);
  return finish(run, staging_s);
}

abi::StepResult PluginEngine::finish(abi::Run run, double staging_s) {
  const auto& stream = graph_.device().stream();
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
