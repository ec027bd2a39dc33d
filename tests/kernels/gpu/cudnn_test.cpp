// cuDNN missing and found. A program of its own: what was loaded once stays loaded.
#include <filesystem>
#include <string>

#include <doctest/doctest.h>

#include "environment.h"
#include "kernels/gpu/plugin_loader.h"

using rightsize::probe_gpu;
using rightsize::test::ScopedVariable;

TEST_CASE("gpu loader: a missing cuDNN is named with the variable that finds it") {
  const ScopedVariable plugin("RIGHTSIZE_GPU_PLUGIN", NEEDS_MISSING_CUDNN);
  const auto reason = probe_gpu().reason;
  CAPTURE(reason);
  CHECK(reason.starts_with("libcudnn_missing.so.9 not found: set RIGHTSIZE_CUDNN_LIB_DIR"));
}

TEST_CASE("gpu loader: RIGHTSIZE_CUDNN_LIB_DIR decides which cuDNN the plugin gets") {
  const ScopedVariable plugin("RIGHTSIZE_GPU_PLUGIN", NEEDS_CUDNN);
  const ScopedVariable folder("RIGHTSIZE_CUDNN_LIB_DIR",
                              std::filesystem::path(FAKE_CUDNN).parent_path().string());
  const auto reason = probe_gpu().reason;
  CAPTURE(reason);
  CHECK(reason.find("speaks plugin ABI 909") != std::string::npos);  // what the stand-in returns
}
