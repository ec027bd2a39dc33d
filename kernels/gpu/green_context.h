// A part of a GPU's multiprocessors that stands for a smaller GPU: the driver's green context. Its
// kernels run on that part alone; memory, caches and clocks stay the whole GPU's.
#pragma once

#include <memory>
#include <type_traits>

#include <cuda.h>
#include <cuda_runtime_api.h>

namespace rightsize::gpu {

class GreenContext {
 public:
  // On the current device; `share` in (0, 1), or 0 for no green context at all. Throws GpuError
  // (unsupported) where the driver cannot, with what to do.
  GreenContext(int device, double share, int multiprocessors);

  // What was given: the driver rounds up. All of them without a green context.
  [[nodiscard]] int multiprocessors() const { return given_; }
  // A new stream of this part, or an ordinary one; the caller destroys it.
  [[nodiscard]] cudaStream_t make_stream() const;

 private:
  struct Destroy {
    void operator()(CUgreenCtx context) const;

    // Found before there is a context to end.
    CUresult (*destroy)(CUgreenCtx);
    Destroy() : destroy(nullptr) {}
  };
  std::unique_ptr<std::remove_pointer_t<CUgreenCtx>, Destroy> context_;
  double share_;
  int given_;
};

}  // namespace rightsize::gpu
