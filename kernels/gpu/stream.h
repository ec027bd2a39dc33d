// A stream, an event and a captured graph, each with one owner.
#pragma once

#include <memory>
#include <type_traits>

#include <cuda_runtime_api.h>

#include "kernels/gpu/check.h"

namespace rightsize::gpu {

// The engine's one stream. It does not wait for CUDA's default stream nor the other way round, so
// every copy and every memset goes through it.
class Stream {
 public:
  explicit Stream(cudaStream_t stream) : stream_(stream) {}  // owns it

  [[nodiscard]] cudaStream_t get() const { return stream_.get(); }
  void wait() const { check(cudaStreamSynchronize(stream_.get())); }

 private:
  struct Destroy {
    void operator()(cudaStream_t stream) const { static_cast<void>(cudaStreamDestroy(stream)); }
  };
  std::unique_ptr<std::remove_pointer_t<cudaStream_t>, Destroy> stream_;
};

class Event {
 public:
  Event() {
    cudaEvent_t event = nullptr;
    check(cudaEventCreate(&event));
    event_.reset(event);
  }

  void record(const Stream& stream) const { check(cudaEventRecord(event_.get(), stream.get())); }
  // Both events must have happened.
  [[nodiscard]] double seconds_since(const Event& start) const {
    float milliseconds = 0;
    check(cudaEventElapsedTime(&milliseconds, start.event_.get(), event_.get()));
    return static_cast<double>(milliseconds) * 1e-3;
  }

 private:
  struct Destroy {
    void operator()(cudaEvent_t event) const { static_cast<void>(cudaEventDestroy(event)); }
  };
  std::unique_ptr<std::remove_pointer_t<cudaEvent_t>, Destroy> event_;
};

// What was launched between begin and end, to be launched again as one.
class CapturedGraph {
 public:
  template <typename Launch>
  static CapturedGraph capture(const Stream& stream, Launch launch) {
    check(cudaStreamBeginCapture(stream.get(), cudaStreamCaptureModeThreadLocal));
    try {
      launch();
    } catch (...) {  // a stream left capturing would refuse everything else
      cudaGraph_t broken = nullptr;
      static_cast<void>(cudaStreamEndCapture(stream.get(), &broken));
      if (broken != nullptr) {
        static_cast<void>(cudaGraphDestroy(broken));
      }
      static_cast<void>(cudaGetLastError());
      throw;
    }
    cudaGraph_t graph = nullptr;
    check(cudaStreamEndCapture(stream.get(), &graph));
    CapturedGraph result;
    cudaGraphExec_t executable = nullptr;
    const auto status = cudaGraphInstantiate(&executable, graph, 0);
    static_cast<void>(cudaGraphDestroy(graph));
    check(status);
    result.graph_.reset(executable);
    return result;
  }

  // So that the first launch is like the others.
  void upload(const Stream& stream) const { check(cudaGraphUpload(graph_.get(), stream.get())); }
  void launch(const Stream& stream) const { check(cudaGraphLaunch(graph_.get(), stream.get())); }
  explicit operator bool() const { return static_cast<bool>(graph_); }

 private:
  struct Destroy {
    void operator()(cudaGraphExec_t graph) const { static_cast<void>(cudaGraphExecDestroy(graph)); }
  };
  std::unique_ptr<std::remove_pointer_t<cudaGraphExec_t>, Destroy> graph_;
};

}  // namespace rightsize::gpu
