#include "kernels/gpu/device.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

namespace rightsize::gpu {
namespace {

// NVIDIA's advice for Hopper; older devices need less.
constexpr std::size_t blas_workspace_bytes = std::size_t{32} << 20;

int count_devices() {
  int count = 0;
  const auto status = cudaGetDeviceCount(&count);
  if (status == cudaErrorInsufficientDriver) {
    static_cast<void>(cudaGetLastError());
    int driver = 0;
    static_cast<void>(cudaDriverGetVersion(&driver));
    throw GpuError(abi::Status::no_device,
                   driver == 0
                       ? "no CUDA driver on this machine: install the NVIDIA driver, run where "
                         "there is a GPU, or use engine = \"cpu\""
                       : fmt::format("the CUDA driver of this machine is too old ({}.{}): this "
                                     "plugin needs {}.{}; update the NVIDIA driver",
                                     driver / 1000,
                                     driver % 1000 / 10,
                                     CUDART_VERSION / 1000,
                                     CUDART_VERSION % 1000 / 10));
  }
  if (status == cudaErrorNoDevice || (status == cudaSuccess && count == 0)) {
    static_cast<void>(cudaGetLastError());
    throw GpuError(abi::Status::no_device,
                   "no CUDA device on this machine, though it has a driver: check nvidia-smi and "
                   "CUDA_VISIBLE_DEVICES, or use engine = \"cpu\"");
  }
  check(status);
  return count;
}

abi::Device describe(int index) {
  cudaDeviceProp properties{};
  check(cudaGetDeviceProperties(&properties, index));
  abi::Device device{};
  const std::string_view name = properties.name;
  name.copy(device.name, sizeof(device.name) - 1);
  device.memory_bytes = properties.totalGlobalMem;
  device.compute_major = properties.major;
  device.compute_minor = properties.minor;
  device.multiprocessors = properties.multiProcessorCount;
  check(cudaDriverGetVersion(&device.driver_version));
  return device;
}

ElementType type_of(Precision precision) {
  switch (precision) {
    case Precision::fp16:
      return ElementType::f16;
    case Precision::bf16:
    case Precision::fp8:  // refused by Device
      return ElementType::bf16;
    case Precision::fp32:
    case Precision::tf32:
      break;
  }
  return ElementType::f32;
}

}  // namespace

cudaDataType_t blas_type(ElementType type) {
  switch (type) {
    case ElementType::f16:
      return CUDA_R_16F;
    case ElementType::bf16:
      return CUDA_R_16BF;
    case ElementType::f32:
      break;
  }
  return CUDA_R_32F;
}

std::vector<abi::Device> list_devices() {
  std::vector<abi::Device> devices;
  const int count = count_devices();
  for (int i = 0; i < count; ++i) {
    devices.push_back(describe(i));
  }
  return devices;
}

CurrentDevice::CurrentDevice(int device) : device_(device) {
  const int count = count_devices();
  if (device < 0 || device >= count) {
    throw GpuError(
        abi::Status::invalid,
        fmt::format("device {} was asked for, there are {}; count from 0", device, count));
  }
  select();
  about_ = describe(device);
}

Device::Device(const abi::Options& options, MemoryBudget& budget)
    : current_(options.device),
      precision_(static_cast<Precision>(options.precision)),
      type_(type_of(precision_)),
      part_(options.device, options.device_share, about().multiprocessors),
      stream_(part_.make_stream()),
      blas_workspace_(budget, blas_workspace_bytes) {
  if (precision_ == Precision::fp8) {
    throw GpuError(abi::Status::unsupported,
                   "this engine has no products in 8 bits; use precision bf16");
  }
  if (precision_ != Precision::fp32 && precision_ != Precision::fp16 && about().compute_major < 8) {
    throw GpuError(abi::Status::unsupported,
                   fmt::format("{} (compute capability {}.{}) has no TF32 and no BF16; use "
                               "precision fp32 or fp16",
                               about().name,
                               about().compute_major,
                               about().compute_minor));
  }
  check(cudnnSetStream(cudnn_.get(), stream_.get()));
  check(cublasSetStream(cublas_.get(), stream_.get()));
  check(cublasSetWorkspace(cublas_.get(), blas_workspace_.data(), blas_workspace_.bytes()));
}

cudnnMathType_t Device::math() const {
  switch (precision_) {
    case Precision::fp32:
      return CUDNN_FMA_MATH;
    case Precision::tf32:
      return CUDNN_DEFAULT_MATH;
    case Precision::fp16:
    case Precision::bf16:
    case Precision::fp8:
      break;
  }
  return CUDNN_TENSOR_OP_MATH;
}

cublasComputeType_t Device::blas_compute() const {
  return precision_ == Precision::tf32 ? CUBLAS_COMPUTE_32F_FAST_TF32 : CUBLAS_COMPUTE_32F;
}

}  // namespace rightsize::gpu
