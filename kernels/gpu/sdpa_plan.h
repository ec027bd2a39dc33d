// Attention by cuDNN's own operation for it, where cuDNN has an engine: 16 bits, heads of 8 n
// features, every position sees all. (Since cuDNN 9.13, its gradient since 9.17; a mask, which
// causal attention needs, came with 9.21.)
#pragma once

#include <memory>
#include <optional>

#include "kernels/gpu/attention_kernels.h"
#include "kernels/gpu/backend.h"

namespace rightsize::gpu {

class SdpaPlan {
 public:
  // None where cuDNN cannot, or its gradient cannot where one is wanted.
  [[nodiscard]] static std::unique_ptr<SdpaPlan> make(const Device& device,
                                                      const AttentionSizes& sizes,
                                                      bool has_backward);

  [[nodiscard]] std::size_t workspace_bytes() const;

  // As launch_attention and launch_attention_backward; `lse` is cuDNN's own and only for its
  // backward pass.
  void forward(const void* packed, void* out, float* lse, void* workspace) const;
  void backward(const AttentionGradients& tensors, void* workspace) const;

 private:
  SdpaPlan(const Device& device, const AttentionSizes& sizes, bool has_backward);

  AttentionSizes sizes_;
  std::size_t element_bytes_;
  BackendPlan forward_;
  std::optional<BackendPlan> backward_;
};

}  // namespace rightsize::gpu
