// Which of cuDNN's algorithms runs a convolution: its own guess first (cudnnGet..._v7), to know how
// much workspace is worth planning; later a trial on the real buffers (cudnnFind...Ex).
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

#include <cudnn.h>

#include "kernels/workload.h"

namespace rightsize::gpu {

inline constexpr std::size_t most_workspace = std::size_t{512} << 20;  // bytes
inline constexpr int asked_algorithms = 8;  // as many as any direction has

template <typename Algorithm>
struct Choice {
  Algorithm algorithm{};
  std::size_t workspace = 0;
  cudnnMathType_t math = CUDNN_DEFAULT_MATH;
};

// FP32 means FP32: an algorithm on tensor cores rounds the factors and is not eligible.
template <typename Result>
[[nodiscard]] bool is_eligible(const Result& result, std::size_t limit, Precision precision) {
  return result.status == CUDNN_STATUS_SUCCESS && result.memory <= limit &&
         (precision != Precision::fp32 || result.mathType != CUDNN_TENSOR_OP_MATH);
}

// Results come fastest first.
template <typename Result>
[[nodiscard]] std::optional<Choice<decltype(Result::algo)>> fastest(
    const std::vector<Result>& results, std::size_t limit, Precision precision) {
  const auto found = std::find_if(results.begin(), results.end(), [&](const Result& result) {
    return is_eligible(result, limit, precision);
  });
  if (found == results.end()) {
    return std::nullopt;
  }
  // FP32 stays at FMA whatever the result calls it.
  const auto math = precision == Precision::fp32 ? CUDNN_FMA_MATH : found->mathType;
  return Choice<decltype(Result::algo)>{found->algo, found->memory, math};
}

// The room that lets any of the eligible candidates be tried.
template <typename Result>
[[nodiscard]] std::size_t largest_workspace(const std::vector<Result>& results,
                                            Precision precision) {
  std::size_t bytes = 0;
  for (const auto& result : results) {
    if (is_eligible(result, most_workspace, precision)) {
      bytes = std::max(bytes, result.memory);
    }
  }
  return bytes;
}

// Calls query(capacity, &count, results) and keeps what came.
template <typename Result, typename Query>
[[nodiscard]] std::vector<Result> ask(Query query, cudnnStatus_t& status) {
  std::vector<Result> results(asked_algorithms);
  int count = 0;
  status = query(asked_algorithms, &count, results.data());
  results.resize(status == CUDNN_STATUS_SUCCESS ? static_cast<std::size_t>(count) : 0);
  return results;
}

}  // namespace rightsize::gpu
