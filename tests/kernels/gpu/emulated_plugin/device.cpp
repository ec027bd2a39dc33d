// The rest of the CUDA runtime for the plugin on the host: one device, whose memory starts as NaN.
// Everything runs when it is called; capturing a graph is refused, as nothing could run it later.
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <new>

#include <cuda_runtime_api.h>

namespace {

constexpr std::size_t device_bytes = std::size_t{2} << 30;
constexpr std::size_t alignment = 256;

cudaError_t allocate(void** at, std::size_t bytes) {
  *at = ::operator new(bytes, std::align_val_t(alignment), std::nothrow);
  if (*at == nullptr) {
    return cudaErrorMemoryAllocation;
  }
  std::memset(*at, 0xff, bytes);
  return cudaSuccess;
}

void release(void* at) {
  ::operator delete(at, std::align_val_t(alignment));
}

using Clock = std::chrono::steady_clock;

}  // namespace

struct CUevent_st {
  Clock::time_point at;
};

extern "C" {

cudaError_t cudaGetDeviceCount(int* count) {
  *count = 1;
  return cudaSuccess;
}
cudaError_t cudaSetDevice(int) {
  return cudaSuccess;
}
cudaError_t cudaDriverGetVersion(int* version) {
  *version = CUDART_VERSION;
  return cudaSuccess;
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int) {
  *properties = {};
  std::strcpy(properties->name, "the host, emulating");
  properties->totalGlobalMem = device_bytes;
  properties->major = 9;
  properties->multiProcessorCount = 1;
  return cudaSuccess;
}
cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total) {
  *free = device_bytes;
  *total = device_bytes;
  return cudaSuccess;
}
cudaError_t cudaMalloc(void** at, std::size_t bytes) {
  return allocate(at, bytes);
}
cudaError_t cudaMallocHost(void** at, std::size_t bytes) {
  return allocate(at, bytes);
}
cudaError_t cudaFree(void* at) {
  release(at);
  return cudaSuccess;
}
cudaError_t cudaFreeHost(void* at) {
  release(at);
  return cudaSuccess;
}
const char* cudaGetErrorString(cudaError_t status) {
  return status == cudaErrorMemoryAllocation ? "out of memory" : "not emulated";
}

cudaError_t cudaGetDriverEntryPointByVersion(
    const char*, void**, unsigned, unsigned long long, cudaDriverEntryPointQueryResult*) {
  return cudaErrorNotSupported;  // there is no driver
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned) {
  *stream = reinterpret_cast<cudaStream_t>(new int);
  return cudaSuccess;
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  delete reinterpret_cast<int*>(stream);
  return cudaSuccess;
}
cudaError_t cudaStreamSynchronize(cudaStream_t) {
  return cudaSuccess;
}
cudaError_t cudaEventCreate(cudaEvent_t* event) {
  *event = new CUevent_st;
  return cudaSuccess;
}
cudaError_t cudaEventDestroy(cudaEvent_t event) {
  delete event;
  return cudaSuccess;
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t) {
  event->at = Clock::now();
  return cudaSuccess;
}
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
  *milliseconds = std::chrono::duration<float, std::milli>(end->at - start->at).count();
  return cudaSuccess;
}

cudaError_t cudaStreamBeginCapture(cudaStream_t, cudaStreamCaptureMode) {
  return cudaErrorNotSupported;
}
cudaError_t cudaStreamEndCapture(cudaStream_t, cudaGraph_t*) {
  return cudaErrorNotSupported;
}
cudaError_t cudaGraphInstantiate(cudaGraphExec_t*, cudaGraph_t, unsigned long long) {
  return cudaErrorNotSupported;
}
cudaError_t cudaGraphUpload(cudaGraphExec_t, cudaStream_t) {
  return cudaErrorNotSupported;
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t, cudaStream_t) {
  return cudaErrorNotSupported;
}
cudaError_t cudaGraphDestroy(cudaGraph_t) {
  return cudaSuccess;
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t) {
  return cudaSuccess;
}
}
