// Turns operations into a flat list of steps over planned memory. Buffers have no address while
// steps are being emitted: every emit() notes which buffers it touches and when, and bind() packs
// them into one arena by lifetime. Afterwards a step runs without allocating anything.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "kernels/cpu/arena.h"
#include "kernels/cpu/memory_plan.h"
#include "kernels/cpu/onednn.h"
#include "kernels/workload.h"

namespace rightsize::cpu {

// oneDNN memory and the planned buffer behind it; `buffer` < 0: bound by the caller at run time.
struct Tensor {
  dnnl::memory memory;
  int buffer = -1;

  [[nodiscard]] dnnl::memory::desc desc() const { return memory.get_desc(); }
  [[nodiscard]] float* data() const { return static_cast<float*>(memory.get_data_handle()); }
  explicit operator bool() const { return static_cast<bool>(memory); }
};

struct Step {
  std::string name;  // "conv1.forward"
  std::function<void()> run;
};

using Program = std::vector<Step>;
using Arguments = std::vector<std::pair<int, Tensor>>;  // DNNL_ARG_… -> tensor

// Appends a ReLU, or one that stops at six.
void append_relu(dnnl::post_ops& post_ops, bool relu6);

class Lowering {
 public:
  Lowering(dnnl::engine engine, dnnl::stream stream, Phase phase, dnnl::memory::data_type type);

  [[nodiscard]] const dnnl::engine& engine() const { return engine_; }
  [[nodiscard]] Phase phase() const { return phase_; }
  // Batch statistics and dropout, gradients or not.
  [[nodiscard]] bool training() const { return in_training_mode(phase_); }
  // The type of activations; parameters are FP32 in training.
  [[nodiscard]] dnnl::memory::data_type type() const { return type_; }
  // Scratchpads belong to the caller: oneDNN shall allocate nothing while running.
  [[nodiscard]] dnnl::primitive_attr attributes() const;
  [[nodiscard]] Running running() const { return {attributes(), engine_}; }
  [[nodiscard]] dnnl::primitive_attr attributes_with_relu(bool relu6 = false) const;

  [[nodiscard]] Tensor buffer(const dnnl::memory::desc& desc);
  // The same bytes under another shape; `tensor` must be a planned buffer.
  [[nodiscard]] Tensor view(const Tensor& tensor, const dnnl::memory::desc& desc);
  // A window into `tensor`, whose description tells where it starts; a planned buffer again.
  [[nodiscard]] Tensor part(const Tensor& tensor, const dnnl::memory::desc& desc);
  [[nodiscard]] Tensor outside(const dnnl::memory::desc& desc);
  void keep(const Tensor& tensor);  // alive from the first step to the last

  // `tensor` in the layout and type of `desc`; emits nothing when it is there already.
  [[nodiscard]] Tensor reordered(const Tensor& tensor, const dnnl::memory::desc& desc);

  void copy(const Tensor& from, const Tensor& to);  // reorders on the way

  void emit(std::string name,
            const dnnl::primitive& primitive,
            const dnnl::memory::desc& scratchpad,
            Arguments arguments);
  void emit(std::string name, std::function<void()> run, const std::vector<Tensor>& touched);

  // What is emitted between the two is run `times` times, one round behind the other, and finds
  // what was there before unharmed in each.
  void begin_loop();
  void end_loop(std::int64_t times);

  // The steps emitted since the last call.
  [[nodiscard]] Program take_program() { return std::exchange(program_, {}); }

  // Allocates the arena and gives every buffer its address. Throws OutOfMemory.
  [[nodiscard]] std::unique_ptr<Arena> bind();

 private:
  struct Loop {
    int first = 0;  // times of its first and last step
    int last = 0;
  };

  void touch(const Tensor& tensor);

  dnnl::engine engine_;
  dnnl::stream stream_;
  Phase phase_;
  dnnl::memory::data_type type_;
  Program program_;
  std::vector<Tensor> tensors_;      // buffers and views of them, to be given addresses
  std::vector<Lifetime> lifetimes_;  // by buffer
  std::vector<bool> kept_;           // by buffer
  std::vector<Loop> loops_;
  std::size_t loop_begins_ = 0;  // in the program
  int time_ = 0;
};

}  // namespace rightsize::cpu
