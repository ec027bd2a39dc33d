#include "kernels/gpu/sdpa_plan.h"

#include <algorithm>
#include <array>

namespace rightsize::gpu {
namespace {

enum Id : std::int64_t {
  query = 1,
  key,
  value,
  output,
  statistics,
  scale,
  query_gradient,
  key_gradient,
  value_gradient,
  output_gradient,
};

// What an operation's tensors look like: items x heads x positions x features of packed rows.
class Tensors {
 public:
  Tensors(const Device& device, const AttentionSizes& sizes)
      : type_(cudnn_type(device.type())), sizes_(sizes) {}

  [[nodiscard]] BackendTensor rows(Id id, int heads, std::int64_t width) const {
    return {id,
            type_,
            {sizes_.items, heads, sizes_.positions, sizes_.head_dim},
            {sizes_.positions * width, sizes_.head_dim, width, 1}};
  }
  [[nodiscard]] BackendTensor queries(Id id) const {
    return rows(id, sizes_.heads, sizes_.packed_width());
  }
  [[nodiscard]] BackendTensor keys(Id id) const {
    return rows(id, sizes_.kv_heads, sizes_.packed_width());
  }
  [[nodiscard]] BackendTensor outputs(Id id) const {
    return rows(id, sizes_.heads, sizes_.width());
  }
  [[nodiscard]] BackendTensor row_statistics() const {
    return {statistics,
            CUDNN_DATA_FLOAT,
            {sizes_.items, sizes_.heads, sizes_.positions, 1},
            {sizes_.heads * sizes_.positions, sizes_.positions, 1, 1}};
  }
  [[nodiscard]] static BackendTensor factor() {
    return {scale, CUDNN_DATA_FLOAT, {1, 1, 1, 1}, {1, 1, 1, 1}, true};
  }

 private:
  cudnnDataType_t type_;
  AttentionSizes sizes_;
};

BackendOperation forward_operation(const Device& device,
                                   const AttentionSizes& sizes,
                                   bool has_backward) {
  const Tensors tensors(device, sizes);
  BackendOperation operation(CUDNN_BACKEND_OPERATION_SDPA_FWD_DESCRIPTOR);
  operation.set(CUDNN_ATTR_OPERATION_SDPA_FWD_QDESC, tensors.queries(query));
  operation.set(CUDNN_ATTR_OPERATION_SDPA_FWD_KDESC, tensors.keys(key));
  operation.set(CUDNN_ATTR_OPERATION_SDPA_FWD_VDESC, tensors.keys(value));
  operation.set(CUDNN_ATTR_OPERATION_SDPA_FWD_ODESC, tensors.outputs(output));
  operation.set(CUDNN_ATTR_OPERATION_SDPA_FWD_SCALEDESC, Tensors::factor());
  if (has_backward) {
    operation.set(CUDNN_ATTR_OPERATION_SDPA_FWD_STATSDESC, tensors.row_statistics());
  }
  operation.finalise();
  return operation;
}

BackendOperation backward_operation(const Device& device, const AttentionSizes& sizes) {
  const Tensors tensors(device, sizes);
  BackendOperation operation(CUDNN_BACKEND_OPERATION_SDPA_BWD_DESCRIPTOR);
  operation.set(CUDNN_ATTR_OPERATION_SDPA_BWD_QDESC, tensors.queries(query));
  operation.set(CUDNN_ATTR_OPERATION_SDPA_BWD_KDESC, tensors.keys(key));
  operation.set(CUDNN_ATTR_OPERATION_SDPA_BWD_VDESC, tensors.keys(value));
  operation.set(CUDNN_ATTR_OPERATION_SDPA_BWD_ODESC, tensors.outputs(output));
  operation.set(CUDNN_ATTR_OPERATION_SDPA_BWD_DODDESC, tensors.outputs(output_gradient));
  operation.set(CUDNN_ATTR_OPERATION_SDPA_BWD_STATSDESC, tensors.row_statistics());
  operation.set(CUDNN_ATTR_OPERATION_SDPA_BWD_SCALEDESC, Tensors::factor());
  operation.set(CUDNN_ATTR_OPERATION_SDPA_BWD_DQDESC, tensors.queries(query_gradient));
  operation.set(CUDNN_ATTR_OPERATION_SDPA_BWD_DKDESC, tensors.keys(key_gradient));
  operation.set(CUDNN_ATTR_OPERATION_SDPA_BWD_DVDESC, tensors.keys(value_gradient));
  operation.finalise();
  return operation;
}

}  // namespace

SdpaPlan::SdpaPlan(const Device& device, const AttentionSizes& sizes, bool has_backward)
    : sizes_(sizes),
      element_bytes_(bytes_of(device.type())),
      forward_(device, forward_operation(device, sizes, has_backward)) {
  if (has_backward) {
    backward_.emplace(device, backward_operation(device, sizes));
  }
}

// An older cuDNN does not know the operation, and says so in one way or another: our own kernels
// run what it refuses.
std::unique_ptr<SdpaPlan> SdpaPlan::make(const Device& device,
                                         const AttentionSizes& sizes,
                                         bool has_backward) {
  const std::size_t least = has_backward ? 91700 : 91300;
  if (device.type() == ElementType::f32 || sizes.causal || sizes.window > 0 ||
      sizes.head_dim % 8 != 0 || cudnnGetVersion() < least) {
    return nullptr;
  }
  try {
    return std::unique_ptr<SdpaPlan>(new SdpaPlan(device, sizes, has_backward));
  } catch (const GpuError& refusal) {
    if (refusal.status() == abi::Status::out_of_memory) {
      throw;
    }
    return nullptr;
  }
}

std::size_t SdpaPlan::workspace_bytes() const {
  return std::max(forward_.workspace_bytes(), backward_ ? backward_->workspace_bytes() : 0);
}

void SdpaPlan::forward(const void* packed, void* out, float* lse, void* workspace) const {
  const auto* const row = static_cast<const std::byte*>(packed);
  const auto at = [&](std::int64_t feature) {
    return row + static_cast<std::size_t>(feature) * element_bytes_;
  };
  std::vector<std::pair<std::int64_t, const void*>> tensors{{query, at(sizes_.query(0))},
                                                            {key, at(sizes_.key(0))},
                                                            {value, at(sizes_.value(0))},
                                                            {output, out},
                                                            {scale, &sizes_.scale}};
  if (backward_) {
    tensors.emplace_back(statistics, lse);
  }
  forward_.run(tensors, workspace);
}

void SdpaPlan::backward(const AttentionGradients& given, void* workspace) const {
  const auto at = [&](const void* packed, std::int64_t feature) {
    return static_cast<const std::byte*>(packed) +
           static_cast<std::size_t>(feature) * element_bytes_;
  };
  const std::array<std::pair<std::int64_t, const void*>, 10> tensors{
      {{query, at(given.packed, sizes_.query(0))},
       {key, at(given.packed, sizes_.key(0))},
       {value, at(given.packed, sizes_.value(0))},
       {output, given.out},
       {output_gradient, given.dy},
       {statistics, given.lse},
       {scale, &sizes_.scale},
       {query_gradient, at(given.gradient, sizes_.query(0))},
       {key_gradient, at(given.gradient, sizes_.key(0))},
       {value_gradient, at(given.gradient, sizes_.value(0))}}};
  backward_->run(tensors, workspace);
}

}  // namespace rightsize::gpu
