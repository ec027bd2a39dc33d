// The loader on a machine that lacks something: every failure is a sentence with a way out.
#include <chrono>
#include <string>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "environment.h"
#include "kernels/engine.h"
#include "kernels/gpu/multiprocessors.h"
#include "kernels/gpu/plugin_abi.h"
#include "kernels/gpu/plugin_loader.h"
#include "kernels/networks/builder.h"

using namespace rightsize;
using rightsize::test::ScopedVariable;

namespace {

Network tiny() {
  NetworkBuilder net("tiny", "Tiny", {3, 8, 8}, 4);
  return net.finish(net.fully_connected("fc", net.input(), 4));
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

void check_reason(const std::string& reason, std::initializer_list<std::string> parts) {
  CAPTURE(reason);
  for (const auto& part : parts) {
    CHECK_MESSAGE(contains(reason, part), "lacks \"" << part << "\"");
  }
}

}  // namespace

TEST_CASE("gpu loader: this machine has devices, or one sentence says why not") {
  const auto probe = probe_gpu();  // the first one reads CUDA's libraries from the disk
  const auto start = std::chrono::steady_clock::now();
  CHECK(probe_gpu().reason == probe.reason);
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  if (probe.devices.empty()) {
    MESSAGE("no GPU here: " << probe.reason);
    CHECK(elapsed.count() < 1.0);
    const bool plugin_says = contains(probe.reason, "no CUDA driver on this machine") ||
                             contains(probe.reason, "no CUDA device");
    const bool loader_says = contains(probe.reason, "librightsize_gpu.so") ||
                             contains(probe.reason, "libcudnn.so.9") ||
                             contains(probe.reason, "CUDA library");
    CHECK((probe.plugin.empty() ? loader_says : plugin_says));
    CHECK(!contains(probe.reason, "undefined symbol"));  // a plugin that lacks part of itself
  } else {
    CHECK(probe.reason.empty());
    CHECK(!probe.devices[0].name.empty());
    CHECK(probe.devices[0].memory_bytes > 0);
    CHECK(probe.devices[0].compute_major >= 7);
  }
}

TEST_CASE("gpu loader: without a device the factory throws the probe's own sentence") {
  const auto probe = probe_gpu();
  if (!probe.devices.empty()) {
    MESSAGE("skipped: there is a GPU");
    return;
  }
  CHECK_THROWS_WITH_AS(static_cast<void>(make_engine(EngineKind::gpu, tiny(), {})),
                       doctest::Contains(probe.reason.c_str()),
                       EngineError);
}

TEST_CASE("gpu loader: a configured plugin that does not exist is named, with the variable") {
  const ScopedVariable variable("RIGHTSIZE_GPU_PLUGIN", "/nowhere/librightsize_gpu.so");
  const auto probe = probe_gpu();
  CHECK(probe.devices.empty());
  CHECK(probe.plugin.empty());
  check_reason(probe.reason,
               {"RIGHTSIZE_GPU_PLUGIN names /nowhere/librightsize_gpu.so", "does not exist"});
}

TEST_CASE("gpu loader: a plugin of another ABI is refused with both versions") {
  const ScopedVariable variable("RIGHTSIZE_GPU_PLUGIN", FAKE_PLUGIN);
  const auto probe = probe_gpu();
  CHECK(probe.devices.empty());
  check_reason(probe.reason,
               {fmt::format("speaks plugin ABI {}", gpu::abi::version + 1),
                fmt::format("this program speaks {}", gpu::abi::version),
                "rebuild both"});
}

TEST_CASE("gpu loader: a layer of another number is another ABI") {
  // Raise gpu::abi::version with the last of these: they go over the border as they are.
  CHECK(gpu::abi::version == 11);
  CHECK(static_cast<int>(LayerKind::softmax_loss) == 44);
  CHECK(static_cast<int>(LayerKind::embedding_bags) == 40);
}

TEST_CASE("gpu loader: the run's device, limits, phase and batch reach the plugin") {
  const ScopedVariable variable("RIGHTSIZE_GPU_PLUGIN", ECHO_PLUGIN);
  EngineOptions options;
  options.device = 3;
  options.device_memory_limit_bytes = 5'000'000'000;
  options.device_share = 0.25;
  options.preprocess_on = PreprocessOn::gpu;
  options.phase = Phase::forward_backward;
  options.batch = 7;
  const auto expected = fmt::format(
      "device 3, limit 5000000000, share 0.25, preprocess 1, phase {}, batch 7, 3 layers",
      static_cast<int>(Phase::forward_backward));
  CHECK_THROWS_WITH_AS(static_cast<void>(make_engine(EngineKind::gpu, tiny(), options)),
                       doctest::Contains(expected.c_str()),
                       EngineError);
}

TEST_CASE("gpu loader: several ranks are connected first, one GPU each") {
  const ScopedVariable variable("RIGHTSIZE_GPU_PLUGIN", ECHO_PLUGIN);
  EngineOptions options;
  options.device = 1;
  options.ranks = 4;
  CHECK_THROWS_WITH_AS(static_cast<void>(make_engine(EngineKind::gpu, tiny(), options)),
                       doctest::Contains("gpu engine, 4 ranks: 4 GPUs from 1 on"),
                       EngineError);
  options.preprocess_on = PreprocessOn::gpu;
  CHECK_THROWS_WITH_AS(static_cast<void>(make_engine(EngineKind::gpu, tiny(), options)),
                       doctest::Contains("pictures are preprocessed on one GPU only"),
                       EngineError);
}

TEST_CASE("gpu loader: other engines refuse a share of the GPU, and to preprocess on it") {
  EngineOptions options;
  options.preprocess_on = PreprocessOn::gpu;
  CHECK_THROWS_WITH_AS(static_cast<void>(make_engine(EngineKind::cpu, tiny(), options)),
                       doctest::Contains("engine cpu has no GPU to preprocess pictures on"),
                       EngineError);
  options.preprocess_on = PreprocessOn::cpu;
  options.device_share = 0.5;
  CHECK_THROWS_WITH_AS(static_cast<void>(make_engine(EngineKind::replay, tiny(), options)),
                       doctest::Contains("engine replay has no multiprocessors to share"),
                       EngineError);
}

TEST_CASE("gpu loader: a share is the nearest number of multiprocessors, at least one") {
  CHECK(gpu::multiprocessors_for(0.5, 132) == 66);
  CHECK(gpu::multiprocessors_for(0.25, 58) == 15);
  CHECK(gpu::multiprocessors_for(0.001, 132) == 1);
  CHECK(gpu::multiprocessors_for(1, 132) == 132);
}

TEST_CASE("gpu loader: a library that is no plugin is refused") {
  const ScopedVariable variable("RIGHTSIZE_GPU_PLUGIN", NOT_A_PLUGIN);
  check_reason(probe_gpu().reason, {"is not a rightsize plugin", "RIGHTSIZE_GPU_PLUGIN"});
}

TEST_CASE("gpu loader: a file that is no library at all is refused with the loader's words") {
  const ScopedVariable variable("RIGHTSIZE_GPU_PLUGIN",
                                RIGHTSIZE_SOURCE_DIR "/kernels/gpu/plugin_abi.h");
  check_reason(probe_gpu().reason, {"cannot open the GPU plugin", "engine = \"cpu\""});
}

TEST_CASE("gpu loader: a configured cuDNN folder without cuDNN is an error of its own") {
  const ScopedVariable folder("RIGHTSIZE_CUDNN_LIB_DIR", "/nowhere");
  check_reason(probe_gpu().reason,
               {"cannot open /nowhere/libcudnn.so.9", "RIGHTSIZE_CUDNN_LIB_DIR"});
}
