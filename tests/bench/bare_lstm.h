// oneDNN's own LSTM of one direction, every tensor in the layout it likes, for bench_lstm.
#pragma once

#include <unordered_map>

#include <oneapi/dnnl/dnnl.hpp>

namespace rightsize::bench {

struct LstmSize {
  const char* name;  // the network whose layer has this size
  int items;
  int positions;
  int in;
  int hidden;
};

class BareLstm {
 public:
  // For training the forward pass keeps what the backward pass wants.
  BareLstm(const LstmSize& size, bool training);

  void forward();
  // The weights as the optimizer has them into the layouts of the two passes: what a training step
  // pays and an inference does not.
  void reorder_weights();
  void backward();  // of all inputs, states and weights

 private:
  using Arguments = std::unordered_map<int, dnnl::memory>;

  dnnl::memory add(Arguments& to, int name, const dnnl::memory::desc& desc);
  void prepare_backward();

  dnnl::engine engine_{dnnl::engine::kind::cpu, 0};
  dnnl::stream stream_{engine_};
  dnnl::memory::desc sequence_in_, sequence_out_, state_, weights_in_, weights_recurrent_, bias_;
  dnnl::lstm_forward::primitive_desc forward_desc_;
  dnnl::lstm_forward forward_;
  dnnl::lstm_backward backward_;
  Arguments forward_arguments_, backward_arguments_;
  dnnl::memory plain_in_, plain_recurrent_;
};

}  // namespace rightsize::bench
