// Descriptors of cuDNN's graph interface, each with one owner, and a plan made of one operation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <cudnn.h>

#include "kernels/gpu/device.h"
#include "kernels/gpu/handles.h"

namespace rightsize::gpu {

class BackendDescriptor {
 public:
  explicit BackendDescriptor(cudnnBackendDescriptorType_t type);

  void set(cudnnBackendAttributeName_t name,
           cudnnBackendAttributeType_t type,
           std::int64_t count,
           const void* values);
  void set(cudnnBackendAttributeName_t name, const BackendDescriptor& other);
  void finalise();  // throws GpuError (unsupported) where cuDNN has nothing like it

  [[nodiscard]] cudnnBackendDescriptor_t get() const { return descriptor_.get(); }

 private:
  struct Destroy {
    void operator()(cudnnBackendDescriptor_t descriptor) const {
      static_cast<void>(cudnnBackendDestroyDescriptor(descriptor));
    }
  };
  std::unique_ptr<std::remove_pointer_t<cudnnBackendDescriptor_t>, Destroy> descriptor_;
};

// A tensor of an operation: its number among the operation's tensors, sizes, and the way in
// elements from one to the next along each.
struct BackendTensor {
  std::int64_t id;
  cudnnDataType_t type;
  std::int64_t sizes[4];
  std::int64_t strides[4];
  bool by_value = false;  // one value on the host
};

// An operation with its tensors, which live as long as it does.
class BackendOperation {
 public:
  explicit BackendOperation(cudnnBackendDescriptorType_t type) : descriptor_(type) {}

  void set(cudnnBackendAttributeName_t name, const BackendTensor& tensor);
  void finalise() { descriptor_.finalise(); }
  [[nodiscard]] const BackendDescriptor& descriptor() const { return descriptor_; }

 private:
  std::vector<BackendDescriptor> tensors_;
  BackendDescriptor descriptor_;
};

// One operation, finalised, as cuDNN's heuristics would run it.
class BackendPlan {
 public:
  // Throws GpuError (unsupported) where cuDNN has no engine for it.
  BackendPlan(const Device& device, BackendOperation operation);

  [[nodiscard]] std::size_t workspace_bytes() const { return workspace_bytes_; }
  // The tensors' addresses by their ids.
  void run(std::span<const std::pair<std::int64_t, const void*>> tensors, void* workspace) const;

 private:
  void choose_engine();

  const Device& device_;
  BackendOperation operation_;
  BackendDescriptor graph_;
  std::vector<BackendDescriptor> engines_;  // most promising first
  BackendDescriptor plan_;
  std::size_t workspace_bytes_ = 0;
};

}  // namespace rightsize::gpu
