#include "bench/bare_lstm.h"

#include <cstring>

namespace rightsize::bench {
namespace {

using dnnl::memory;
using Tag = memory::format_tag;

constexpr int gate_count = 4;

memory::desc desc(const memory::dims& dims, Tag tag) {
  return {dims, memory::data_type::f32, tag};
}

}  // namespace

BareLstm::BareLstm(const LstmSize& size, bool training)
    : sequence_in_(desc({size.positions, size.items, size.in}, Tag::tnc)),
      sequence_out_(desc({size.positions, size.items, size.hidden}, Tag::tnc)),
      state_(desc({1, 1, size.items, size.hidden}, Tag::ldnc)),
      weights_in_(desc({1, 1, size.in, gate_count, size.hidden}, Tag::any)),
      weights_recurrent_(desc({1, 1, size.hidden, gate_count, size.hidden}, Tag::any)),
      bias_(desc({1, 1, gate_count, size.hidden}, Tag::ldgo)),
      forward_desc_(
          {training ? dnnl::prop_kind::forward_training : dnnl::prop_kind::forward_inference,
           dnnl::rnn_direction::unidirectional_left2right,
           sequence_in_,
           state_,
           state_,
           weights_in_,
           weights_recurrent_,
           bias_,
           sequence_out_,
           state_,
           state_},
          engine_),
      forward_(forward_desc_) {
  auto& arguments = forward_arguments_;
  add(arguments, DNNL_ARG_SRC_LAYER, sequence_in_);
  add(arguments, DNNL_ARG_SRC_ITER, state_);
  add(arguments, DNNL_ARG_SRC_ITER_C, state_);
  add(arguments, DNNL_ARG_WEIGHTS_LAYER, forward_desc_.weights_layer_desc());
  add(arguments, DNNL_ARG_WEIGHTS_ITER, forward_desc_.weights_iter_desc());
  add(arguments, DNNL_ARG_BIAS, bias_);
  add(arguments, DNNL_ARG_DST_LAYER, sequence_out_);
  add(arguments, DNNL_ARG_DST_ITER, state_);
  add(arguments, DNNL_ARG_DST_ITER_C, state_);
  Arguments own;
  plain_in_ = add(own, 0, desc({1, 1, size.in, gate_count, size.hidden}, Tag::ldgoi));
  plain_recurrent_ = add(own, 1, desc({1, 1, size.hidden, gate_count, size.hidden}, Tag::ldgoi));
  if (training) {
    prepare_backward();
  }
  reorder_weights();
}

memory BareLstm::add(Arguments& to, int name, const memory::desc& desc) {
  memory result(desc, engine_);
  auto* values = static_cast<float*>(result.get_data_handle());
  for (std::size_t i = 0; i < desc.get_size() / sizeof(float); ++i) {
    values[i] = static_cast<float>(i % 17) * 1e-3F;  // no denormals, nothing that saturates
  }
  to.insert({name, result});
  return result;
}

void BareLstm::prepare_backward() {
  add(forward_arguments_, DNNL_ARG_WORKSPACE, forward_desc_.workspace_desc());
  const dnnl::lstm_backward::primitive_desc pd({dnnl::prop_kind::backward,
                                                dnnl::rnn_direction::unidirectional_left2right,
                                                sequence_in_,
                                                state_,
                                                state_,
                                                weights_in_,
                                                weights_recurrent_,
                                                bias_,
                                                sequence_out_,
                                                state_,
                                                state_,
                                                sequence_in_,
                                                state_,
                                                state_,
                                                weights_in_,
                                                weights_recurrent_,
                                                bias_,
                                                sequence_out_,
                                                state_,
                                                state_},
                                               engine_,
                                               forward_desc_);
  backward_ = dnnl::lstm_backward(pd);
  auto& arguments = backward_arguments_;
  arguments = forward_arguments_;
  arguments.erase(DNNL_ARG_WEIGHTS_LAYER);
  arguments.erase(DNNL_ARG_WEIGHTS_ITER);
  add(arguments, DNNL_ARG_WEIGHTS_LAYER, pd.weights_layer_desc());
  add(arguments, DNNL_ARG_WEIGHTS_ITER, pd.weights_iter_desc());
  add(arguments, DNNL_ARG_DIFF_SRC_LAYER, sequence_in_);
  add(arguments, DNNL_ARG_DIFF_SRC_ITER, state_);
  add(arguments, DNNL_ARG_DIFF_SRC_ITER_C, state_);
  add(arguments, DNNL_ARG_DIFF_WEIGHTS_LAYER, pd.diff_weights_layer_desc());
  add(arguments, DNNL_ARG_DIFF_WEIGHTS_ITER, pd.diff_weights_iter_desc());
  add(arguments, DNNL_ARG_DIFF_BIAS, bias_);
  add(arguments, DNNL_ARG_DIFF_DST_LAYER, sequence_out_);
  add(arguments, DNNL_ARG_DIFF_DST_ITER, state_);
  add(arguments, DNNL_ARG_DIFF_DST_ITER_C, state_);
}

void BareLstm::reorder_weights() {
  for (auto* arguments : {&forward_arguments_, &backward_arguments_}) {
    if (arguments->empty()) {
      continue;
    }
    dnnl::reorder(plain_in_, arguments->at(DNNL_ARG_WEIGHTS_LAYER))
        .execute(stream_, plain_in_, arguments->at(DNNL_ARG_WEIGHTS_LAYER));
    dnnl::reorder(plain_recurrent_, arguments->at(DNNL_ARG_WEIGHTS_ITER))
        .execute(stream_, plain_recurrent_, arguments->at(DNNL_ARG_WEIGHTS_ITER));
  }
  stream_.wait();
}

void BareLstm::forward() {
  forward_.execute(stream_, forward_arguments_);
  stream_.wait();
}

// Gradients of weights are added to, so whoever wants a step's alone clears them first.
void BareLstm::backward() {
  for (const int name : {DNNL_ARG_DIFF_WEIGHTS_LAYER, DNNL_ARG_DIFF_WEIGHTS_ITER}) {
    const auto& gradient = backward_arguments_.at(name);
    std::memset(gradient.get_data_handle(), 0, gradient.get_desc().get_size());
  }
  backward_.execute(stream_, backward_arguments_);
  stream_.wait();
}

}  // namespace rightsize::bench
