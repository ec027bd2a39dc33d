// One GPU, made ready for one engine: its stream, its library handles, and how it shall calculate.
#pragma once

#include <string>
#include <vector>

#include <cublasLt.h>

#include "kernels/gpu/buffer.h"
#include "kernels/gpu/green_context.h"
#include "kernels/gpu/handles.h"
#include "kernels/gpu/plugin_abi.h"
#include "kernels/gpu/stream.h"
#include "kernels/workload.h"

namespace rightsize::gpu {

// Devices here; throws GpuError (no_device) with the reason when there are none.
[[nodiscard]] std::vector<abi::Device> list_devices();

[[nodiscard]] cudaDataType_t blas_type(ElementType type);

// Makes `device` current and checks that it exists: first of an engine's members, so that all
// others live on it.
class CurrentDevice {
 public:
  explicit CurrentDevice(int device);
  void select() const { check(cudaSetDevice(device_)); }
  [[nodiscard]] const abi::Device& about() const { return about_; }

 private:
  int device_;
  abi::Device about_{};
};

class Device {
 public:
  Device(const abi::Options& options, MemoryBudget& budget);

  void select() const { current_.select(); }
  [[nodiscard]] const abi::Device& about() const { return current_.about(); }
  [[nodiscard]] const Stream& stream() const { return stream_; }
  [[nodiscard]] cudnnHandle_t cudnn() const { return cudnn_.get(); }
  [[nodiscard]] cublasHandle_t cublas() const { return cublas_.get(); }
  // A cuBLAS handle is one of cuBLASLt's too; its products are given stream and workspace each
  // time.
  [[nodiscard]] cublasLtHandle_t blas_lt() const {
    return reinterpret_cast<cublasLtHandle_t>(cublas_.get());
  }
  [[nodiscard]] const DeviceBuffer& blas_workspace() const { return blas_workspace_; }

  [[nodiscard]] int multiprocessors() const { return part_.multiprocessors(); }  // that work here

  [[nodiscard]] Precision precision() const { return precision_; }
  [[nodiscard]] ElementType type() const { return type_; }  // of activations and weights

  // FP32 means FP32: no tensor cores. TF32 lets the libraries round the factors to 10 bits.
  [[nodiscard]] cudnnMathType_t math() const;
  [[nodiscard]] cublasComputeType_t blas_compute() const;

 private:
  CurrentDevice current_;
  Precision precision_;
  ElementType type_;
  GreenContext part_;
  Stream stream_;
  CudnnHandle cudnn_;
  CublasHandle cublas_;
  DeviceBuffer blas_workspace_;  // cuBLAS would allocate its own inside a captured graph
};

}  // namespace rightsize::gpu
