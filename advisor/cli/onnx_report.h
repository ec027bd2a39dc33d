// `networks --onnx FILE`: what a file holds, and what of it cannot be run.
#pragma once

#include <string>

#include "advisor/cli/command.h"
#include "kernels/workload.h"

namespace rightsize::cli {

// What the memory of networks is told for.
struct MemoryAsked {
  int batch = 1;
  Precision precision = Precision::fp32;
};

// exit_ok where the network can run, else exit_failed; the account is printed either way. Throws
// onnx::OnnxError for a file that is no ONNX model. `sequence`: as load_onnx().
[[nodiscard]] int show_onnx(Context& context,
                            const Values& values,
                            const std::string& path,
                            int sequence,
                            const MemoryAsked& asked);

}  // namespace rightsize::cli
