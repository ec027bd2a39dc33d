#include "kernels/gpu/convolution_direction.h"

namespace rightsize::gpu {
namespace {

constexpr float one = 1;
constexpr float zero = 0;

}  // namespace

void ConvolutionShape::set(const Layer& layer,
                           const TensorShape& in,
                           const TensorShape& out,
                           ElementType type) {
  describe(x, in, type);
  describe(y, out, type);
  check(cudnnSetFilter4dDescriptor(w.get(),
                                   cudnn_type(type),
                                   CUDNN_TENSOR_NHWC,
                                   static_cast<int>(out.c),
                                   static_cast<int>(in.c / layer.groups),
                                   static_cast<int>(layer.kernel_h),
                                   static_cast<int>(layer.kernel_w)));
}

cudnnStatus_t Forward::guess(const ConvolutionCall& call, int capacity, int* count, Result* out) {
  const auto& s = call.shape;
  return cudnnGetConvolutionForwardAlgorithm_v7(
      call.handle, s.x.get(), s.w.get(), call.descriptor, s.y.get(), capacity, count, out);
}

cudnnStatus_t Forward::find(const ConvolutionCall& call,
                            const ConvolutionBuffers& buffers,
                            int capacity,
                            int* count,
                            Result* out) {
  const auto& s = call.shape;
  return cudnnFindConvolutionForwardAlgorithmEx(call.handle,
                                                s.x.get(),
                                                buffers.x,
                                                s.w.get(),
                                                buffers.w,
                                                call.descriptor,
                                                s.y.get(),
                                                buffers.y,
                                                capacity,
                                                count,
                                                out,
                                                buffers.workspace,
                                                buffers.workspace_bytes);
}

cudnnStatus_t Forward::run(const ConvolutionCall& call,
                           const ConvolutionBuffers& buffers,
                           const Chosen& chosen) {
  const auto& s = call.shape;
  return cudnnConvolutionForward(call.handle,
                                 &one,
                                 s.x.get(),
                                 buffers.x,
                                 s.w.get(),
                                 buffers.w,
                                 call.descriptor,
                                 chosen.algorithm,
                                 buffers.workspace,
                                 chosen.workspace,
                                 &zero,
                                 s.y.get(),
                                 buffers.y);
}

cudnnStatus_t BackwardData::guess(const ConvolutionCall& call,
                                  int capacity,
                                  int* count,
                                  Result* out) {
  const auto& s = call.shape;
  return cudnnGetConvolutionBackwardDataAlgorithm_v7(
      call.handle, s.w.get(), s.y.get(), call.descriptor, s.x.get(), capacity, count, out);
}

cudnnStatus_t BackwardData::find(const ConvolutionCall& call,
                                 const ConvolutionBuffers& buffers,
                                 int capacity,
                                 int* count,
                                 Result* out) {
  const auto& s = call.shape;
  return cudnnFindConvolutionBackwardDataAlgorithmEx(call.handle,
                                                     s.w.get(),
                                                     buffers.w,
                                                     s.y.get(),
                                                     buffers.y,
                                                     call.descriptor,
                                                     s.x.get(),
                                                     buffers.x,
                                                     capacity,
                                                     count,
                                                     out,
                                                     buffers.workspace,
                                                     buffers.workspace_bytes);
}

cudnnStatus_t BackwardData::run(const ConvolutionCall& call,
                                const ConvolutionBuffers& buffers,
                                const Chosen& chosen) {
  const auto& s = call.shape;
  return cudnnConvolutionBackwardData(call.handle,
                                      &one,
                                      s.w.get(),
                                      buffers.w,
                                      s.y.get(),
                                      buffers.y,
                                      call.descriptor,
                                      chosen.algorithm,
                                      buffers.workspace,
                                      chosen.workspace,
                                      &zero,
                                      s.x.get(),
                                      buffers.x);
}

cudnnStatus_t BackwardFilter::guess(const ConvolutionCall& call,
                                    int capacity,
                                    int* count,
                                    Result* out) {
  const auto& s = call.shape;
  return cudnnGetConvolutionBackwardFilterAlgorithm_v7(
      call.handle, s.x.get(), s.y.get(), call.descriptor, s.w.get(), capacity, count, out);
}

cudnnStatus_t BackwardFilter::find(const ConvolutionCall& call,
                                   const ConvolutionBuffers& buffers,
                                   int capacity,
                                   int* count,
                                   Result* out) {
  const auto& s = call.shape;
  return cudnnFindConvolutionBackwardFilterAlgorithmEx(call.handle,
                                                       s.x.get(),
                                                       buffers.x,
                                                       s.y.get(),
                                                       buffers.y,
                                                       call.descriptor,
                                                       s.w.get(),
                                                       buffers.w,
                                                       capacity,
                                                       count,
                                                       out,
                                                       buffers.workspace,
                                                       buffers.workspace_bytes);
}

cudnnStatus_t BackwardFilter::run(const ConvolutionCall& call,
                                  const ConvolutionBuffers& buffers,
                                  const Chosen& chosen) {
  const auto& s = call.shape;
  return cudnnConvolutionBackwardFilter(call.handle,
                                        &one,
                                        s.x.get(),
                                        buffers.x,
                                        s.y.get(),
                                        buffers.y,
                                        call.descriptor,
                                        chosen.algorithm,
                                        buffers.workspace,
                                        chosen.workspace,
                                        &zero,
                                        s.w.get(),
                                        buffers.w);
}

}  // namespace rightsize::gpu
