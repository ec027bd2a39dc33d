#include "kernels/gpu/engine.h"

#include <cstring>

#include <fmt/format.h>

#include "kernels/stopwatch.h"

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
  const auto attention = graph.attention_kernel();
  return fmt::format(
      "gpu={}\ncompute_capability={}.{}\ncuda_driver={}\ncuda_runtime={}\ncudnn={}\n"
      "cublas={}\ncuda_graph={}\nlayout=nhwc\nworkspace_bytes={}\n"
      "multiprocessors={} of {}\npreprocess_on={}\n{}",
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
      options.preprocess != 0 ? "gpu" : "cpu",
      attention.empty() ? "" : "attention=" + attention + "\n");
}

std::size_t ids_bytes(std::int64_t count) {
  return static_cast<std::size_t>(count) * sizeof(std::int32_t);
}

}  // namespace

PluginEngine::PluginEngine(const Network& network, const abi::Options& options)
    : graph_(network, options),
      images_(graph_.input_bytes()),
      tokens_(ids_bytes(graph_.token_count())),
      labels_(ids_bytes(graph_.label_count())),
      pictures_(graph_.picture_table_bytes()),
      state_(sizeof(StepState)),
      description_(describe(graph_, options)) {}

void PluginEngine::Part::stage(const void* values, std::size_t count) const {
  if (count > 0) {
    std::memcpy(pinned.as<std::byte>(), values, count);
  }
}

void PluginEngine::Part::upload(void* target, const Stream& stream, std::size_t count) const {
  if (count > 0) {
    check(cudaMemcpyAsync(
        target, pinned.as<std::byte>(), count, cudaMemcpyHostToDevice, stream.get()));
  }
}

abi::StepResult PluginEngine::step(abi::Run run,
                                   const float* images,
                                   const std::int32_t* tokens,
                                   const std::int32_t* labels) {
  graph_.device().select();
  const auto& stream = graph_.device().stream();
  const Stopwatch staging;
  images_.stage(images);
  tokens_.stage(tokens);
  labels_.stage(labels);
  const double staging_s = staging.seconds();

  start_.record(stream);
  images_.upload(graph_.images(), stream);
  tokens_.upload(graph_.tokens(), stream);
  labels_.upload(graph_.labels(), stream);
  return finish(run, staging_s);
}

abi::StepResult PluginEngine::step(abi::Run run,
                                   const abi::Pictures& batch,
                                   const std::int32_t* labels) {
  const auto most = pictures_.bytes == 0 ? 0 : images_.bytes;
  if (pictures_.bytes == 0 || batch.bytes > most) {
    throw GpuError(
        abi::Status::invalid,
        fmt::format("{} bytes of pictures for an engine that takes at most {}", batch.bytes, most));
  }
  graph_.device().select();
  const auto& stream = graph_.device().stream();
  const Stopwatch staging;
  images_.stage(batch.pixels, batch.bytes);
  pictures_.stage(batch.pictures);
  labels_.stage(labels);
  const double staging_s = staging.seconds();

  start_.record(stream);
  images_.upload(graph_.images(), stream, batch.bytes);
  pictures_.upload(graph_.pictures(), stream);
  labels_.upload(graph_.labels(), stream);
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
