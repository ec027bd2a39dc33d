// The layers of a network as single oneDNN primitives, each timed alone in memory of its own: what
// the library itself can do, without an engine around it.
#pragma once

#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <oneapi/dnnl/dnnl.hpp>

#include "kernels/cpu/fusion.h"
#include "kernels/network.h"
#include "kernels/workload.h"

namespace rightsize::bench {

// CPU time that this process has taken, all threads: waiting for a busy machine costs none.
[[nodiscard]] double cpu_seconds();

// Forward, and when training backward. A ReLU is part of the primitive before it where our engine
// fuses it too; what our engine folds into a convolution at inference (normalisation, sum) is free.
// Layouts are oneDNN's choice; memory-bound layers take the layout of what they read. Dropout and
// the loss are no primitives and count for nothing.
class BareNetwork {
 public:
  BareNetwork(const Network& network, Phase phase, int batch);

  // Runs every primitive once more and keeps each one's best time.
  void run_once();
  // Sum of the best times, seconds, by kind and pass: "convolution.backward_data".
  [[nodiscard]] std::map<std::string, double> best() const;
  // The same over all primitives, in CPU time of this process.
  [[nodiscard]] double best_cpu_seconds() const;

 private:
  using Arguments = std::vector<std::pair<int, dnnl::memory::desc>>;
  struct Window {
    dnnl::memory::desc source, weights, bias, output;
    dnnl::memory::dims strides, before, after;
  };
  struct Timed {
    std::string kind;
    dnnl::primitive primitive;
    std::unordered_map<int, dnnl::memory> arguments;
    double best_s = 1e9;
    double best_cpu_s = 1e9;
  };

  [[nodiscard]] bool training() const { return phase_ == Phase::train; }
  [[nodiscard]] dnnl::prop_kind propagation() const;
  void add_layer(std::size_t index);
  void add_convolution(std::size_t index, const dnnl::memory::desc& in);
  void add_convolution_backward(const Window& window,
                                const dnnl::convolution_forward::primitive_desc& forward,
                                bool data_gradient);
  void add_linear(std::size_t index);
  void add_norm(std::size_t index, const dnnl::memory::desc& in);
  void add_pool(std::size_t index, const dnnl::memory::desc& in);
  void add_response_norm(std::size_t index, const dnnl::memory::desc& in);
  void add_relu(std::size_t index, bool forward);
  void add_sum(std::size_t index, const dnnl::memory::desc& in);
  void add_concat(std::size_t index);
  void add(const std::string& kind, const dnnl::primitive& primitive, const Arguments& arguments);

  const Network& network_;
  Phase phase_;
  std::int64_t items_;
  cpu::Fusion fusion_;
  dnnl::engine engine_{dnnl::engine::kind::cpu, 0};
  dnnl::stream stream_{engine_};
  std::vector<dnnl::memory::desc> outputs_;  // by layer
  std::vector<Timed> timed_;
};

}  // namespace rightsize::bench
