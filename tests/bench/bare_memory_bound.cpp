// The layers of a BareNetwork that move memory more than they compute.
#include "bare_network.h"

namespace rightsize::bench {
namespace {

using dnnl::algorithm;
using dnnl::memory;
using dnnl::normalization_flags;
using dnnl::prop_kind;

constexpr auto relu = algorithm::eltwise_relu_use_dst_for_bwd;

memory::desc vector_of(std::int64_t count) {
  return {{count}, memory::data_type::f32, memory::format_tag::x};
}

}  // namespace

// Only while training, with the batch's own statistics.
void BareNetwork::add_norm(std::size_t index, const memory::desc& in) {
  auto flags = normalization_flags::use_scale | normalization_flags::use_shift;
  if (fusion_.relu[index]) {
    flags = flags | normalization_flags::fuse_norm_relu;
  }
  const auto epsilon = network_.layers[index].epsilon;
  const auto channels = vector_of(in.dims()[1]);
  const dnnl::batch_normalization_forward::primitive_desc forward(
      {prop_kind::forward_training, in, epsilon, flags}, engine_);
  add("batch_norm.forward",
      dnnl::batch_normalization_forward(forward),
      {{DNNL_ARG_SRC, in},
       {DNNL_ARG_DST, in},
       {DNNL_ARG_SCALE, channels},
       {DNNL_ARG_SHIFT, channels},
       {DNNL_ARG_MEAN, channels},
       {DNNL_ARG_VARIANCE, channels},
       {DNNL_ARG_WORKSPACE, forward.workspace_desc()}});
  const dnnl::batch_normalization_backward::primitive_desc pd(
      {prop_kind::backward, in, in, epsilon, flags}, engine_, forward);
  add("batch_norm.backward",
      dnnl::batch_normalization_backward(pd),
      {{DNNL_ARG_SRC, in},
       {DNNL_ARG_DIFF_DST, in},
       {DNNL_ARG_DIFF_SRC, in},
       {DNNL_ARG_MEAN, channels},
       {DNNL_ARG_VARIANCE, channels},
       {DNNL_ARG_SCALE, channels},
       {DNNL_ARG_SHIFT, channels},
       {DNNL_ARG_DIFF_SCALE, channels},
       {DNNL_ARG_DIFF_SHIFT, channels},
       {DNNL_ARG_WORKSPACE, forward.workspace_desc()}});
}

void BareNetwork::add_pool(std::size_t index, const memory::desc& in) {
  const auto& l = network_.layers[index];
  const auto kind = l.kind == LayerKind::max_pool ? algorithm::pooling_max
                                                  : algorithm::pooling_avg_include_padding;
  const memory::dims strides{l.stride_h, l.stride_w};
  const memory::dims kernel{l.kernel_h, l.kernel_w};
  const memory::dims before{l.pad_h, l.pad_w};
  const memory::dims after{l.pad_h + l.more_pad_h, l.pad_w + l.more_pad_w};
  const memory::desc output(
      {items_, l.out.c, l.out.h, l.out.w}, memory::data_type::f32, memory::format_tag::any);
  const dnnl::pooling_forward::primitive_desc forward(
      {propagation(), kind, in, output, strides, kernel, before, after}, engine_);
  outputs_[index] = forward.dst_desc();
  add("pool.forward",
      dnnl::pooling_forward(forward),
      {{DNNL_ARG_SRC, in},
       {DNNL_ARG_DST, forward.dst_desc()},
       {DNNL_ARG_WORKSPACE, forward.workspace_desc()}});
  if (training()) {
    const dnnl::pooling_backward::primitive_desc pd(
        {kind, in, forward.dst_desc(), strides, kernel, before, after}, engine_, forward);
    add("pool.backward",
        dnnl::pooling_backward(pd),
        {{DNNL_ARG_DIFF_SRC, pd.diff_src_desc()},
         {DNNL_ARG_DIFF_DST, pd.diff_dst_desc()},
         {DNNL_ARG_WORKSPACE, forward.workspace_desc()}});
  }
}

void BareNetwork::add_response_norm(std::size_t index, const memory::desc& in) {
  const auto& l = network_.layers[index];
  const auto kind = algorithm::lrn_across_channels;
  const dnnl::lrn_forward::primitive_desc forward(
      {propagation(), kind, in, l.lrn_size, l.lrn_alpha, l.lrn_beta, l.lrn_k}, engine_);
  outputs_[index] = forward.dst_desc();
  add("lrn.forward",
      dnnl::lrn_forward(forward),
      {{DNNL_ARG_SRC, in},
       {DNNL_ARG_DST, forward.dst_desc()},
       {DNNL_ARG_WORKSPACE, forward.workspace_desc()}});
  if (training()) {
    const dnnl::lrn_backward::primitive_desc pd(
        {kind, in, in, l.lrn_size, l.lrn_alpha, l.lrn_beta, l.lrn_k}, engine_, forward);
    add("lrn.backward",
        dnnl::lrn_backward(pd),
        {{DNNL_ARG_SRC, in},
         {DNNL_ARG_DIFF_SRC, pd.diff_src_desc()},
         {DNNL_ARG_DIFF_DST, pd.diff_dst_desc()},
         {DNNL_ARG_WORKSPACE, forward.workspace_desc()}});
  }
}

// Of a fused one only the backward pass is left, unless a normalisation does that as well.
void BareNetwork::add_relu(std::size_t index, bool forward) {
  const auto desc = outputs_[index];
  const dnnl::eltwise_forward::primitive_desc pd({prop_kind::forward_training, relu, desc, 0, 0},
                                                 engine_);
  if (forward) {
    add("relu.forward", dnnl::eltwise_forward(pd), {{DNNL_ARG_SRC, desc}, {DNNL_ARG_DST, desc}});
  }
  const auto before = static_cast<std::size_t>(network_.layers[index].inputs[0]);
  const bool in_norm = !forward && network_.layers[before].kind == LayerKind::batch_norm;
  if (training() && !in_norm) {
    const dnnl::eltwise_backward::primitive_desc back({relu, desc, desc, 0, 0}, engine_, pd);
    add("relu.backward",
        dnnl::eltwise_backward(back),
        {{DNNL_ARG_DST, desc}, {DNNL_ARG_DIFF_DST, desc}, {DNNL_ARG_DIFF_SRC, desc}});
  }
}

// Backward there is one sum too: of the gradients that the shared summand gets from its readers.
void BareNetwork::add_sum(std::size_t index, const memory::desc& in) {
  const dnnl::binary::primitive_desc pd({algorithm::binary_add, in, in, in}, engine_);
  const Arguments arguments{{DNNL_ARG_SRC_0, in}, {DNNL_ARG_SRC_1, in}, {DNNL_ARG_DST, in}};
  for (std::size_t i = 1; i < network_.layers[index].inputs.size(); ++i) {
    add("add.forward", dnnl::binary(pd), arguments);
    if (training()) {
      add("add.backward", dnnl::binary(pd), arguments);
    }
  }
}

void BareNetwork::add_concat(std::size_t index) {
  std::vector<memory::desc> inputs;
  for (const int input : network_.layers[index].inputs) {
    inputs.push_back(outputs_[static_cast<std::size_t>(input)]);
  }
  const dnnl::concat::primitive_desc pd(1, inputs, engine_);
  outputs_[index] = pd.dst_desc();
  Arguments arguments{{DNNL_ARG_DST, pd.dst_desc()}};
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    arguments.emplace_back(DNNL_ARG_MULTIPLE_SRC + static_cast<int>(i), inputs[i]);
  }
  add("concat.forward", dnnl::concat(pd), arguments);
}

}  // namespace rightsize::bench
