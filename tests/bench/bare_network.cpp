#include "bare_network.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <ctime>

namespace rightsize::bench {
namespace {

using dnnl::algorithm;
using dnnl::memory;
using dnnl::prop_kind;

constexpr auto direct = algorithm::convolution_direct;

memory::desc any(const memory::dims& dims) {
  return {dims, memory::data_type::f32, memory::format_tag::any};
}

memory::desc vector_of(std::int64_t count) {
  return {{count}, memory::data_type::f32, memory::format_tag::x};
}

dnnl::primitive_attr relu_at_the_end(bool relu) {
  dnnl::primitive_attr attributes;
  if (relu) {
    dnnl::post_ops post_ops;
    post_ops.append_eltwise(1, algorithm::eltwise_relu, 0, 0);
    attributes.set_post_ops(post_ops);
  }
  return attributes;
}

memory::dims dims_of(std::int64_t items, const FeatureShape& shape) {
  return {items, shape.c, shape.h, shape.w};
}

}  // namespace

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

BareNetwork::BareNetwork(const Network& network, Phase phase, int batch)
    : network_(network), phase_(phase), items_(batch), fusion_(cpu::plan_fusion(network, phase)) {
  for (std::size_t i = 0; i < network.layers.size(); ++i) {
    outputs_.emplace_back(
        dims_of(items_, network.layers[i].out), memory::data_type::f32, memory::format_tag::nchw);
    add_layer(i);
  }
}

prop_kind BareNetwork::propagation() const {
  return training() ? prop_kind::forward_training : prop_kind::forward_inference;
}

void BareNetwork::add_layer(std::size_t index) {
  const auto& layer = network_.layers[index];
  if (layer.inputs.empty()) {
    return;
  }
  const auto in = outputs_[static_cast<std::size_t>(layer.inputs[0])];
  const bool fused = fusion_.value[index] != static_cast<int>(index);
  switch (layer.kind) {
    case LayerKind::convolution:
      return add_convolution(index, in);
    case LayerKind::fully_connected:
      return add_linear(index);
    case LayerKind::batch_norm:
      outputs_[index] = in;
      return fused ? void() : add_norm(index, in);
    case LayerKind::max_pool:
    case LayerKind::average_pool:
    case LayerKind::global_average_pool:
      return add_pool(index, in);
    case LayerKind::local_response_norm:
      return add_response_norm(index, in);
    case LayerKind::relu:
    case LayerKind::activation:
      outputs_[index] = in;
      return add_relu(index, !fused);
    case LayerKind::add:
      outputs_[index] = in;
      return fused ? void() : add_sum(index, in);
    case LayerKind::concat:
      return add_concat(index);
    default:
      outputs_[index] = in;
  }
}

void BareNetwork::add_convolution(std::size_t index, const memory::desc& in) {
  const auto& l = network_.layers[index];
  const auto in_c = in.dims()[1];
  const Window window{any(in.dims()),
                      any(l.groups == 1 ? memory::dims{l.out.c, in_c, l.kernel_h, l.kernel_w}
                                        : memory::dims{l.groups,
                                                       l.out.c / l.groups,
                                                       in_c / l.groups,
                                                       l.kernel_h,
                                                       l.kernel_w}),
                      l.bias ? vector_of(l.out.c) : memory::desc(),
                      any(dims_of(items_, l.out)),
                      {l.stride_h, l.stride_w},
                      {l.pad_h, l.pad_w},
                      {l.pad_h + l.more_pad_h, l.pad_w + l.more_pad_w}};
  const auto& [source, weights, bias, output, strides, before, after] = window;
  const dnnl::convolution_forward::primitive_desc forward(
      {propagation(), direct, source, weights, bias, output, strides, before, after},
      relu_at_the_end(fusion_.relu[index]),
      engine_);
  outputs_[index] = forward.dst_desc();
  add("convolution.forward",
      dnnl::convolution_forward(forward),
      {{DNNL_ARG_SRC, forward.src_desc()},
       {DNNL_ARG_WEIGHTS, forward.weights_desc()},
       {DNNL_ARG_BIAS, bias},
       {DNNL_ARG_DST, forward.dst_desc()}});
  if (training()) {
    add_convolution_backward(window, forward, l.inputs[0] != 0);
  }
}

void BareNetwork::add_convolution_backward(const Window& window,
                                           const dnnl::convolution_forward::primitive_desc& forward,
                                           bool data_gradient) {
  const auto& [source, weights, bias, output, strides, before, after] = window;
  if (data_gradient) {
    const dnnl::convolution_backward_data::primitive_desc pd(
        {direct, source, weights, output, strides, before, after}, engine_, forward);
    add("convolution.backward_data",
        dnnl::convolution_backward_data(pd),
        {{DNNL_ARG_DIFF_SRC, pd.diff_src_desc()},
         {DNNL_ARG_WEIGHTS, pd.weights_desc()},
         {DNNL_ARG_DIFF_DST, pd.diff_dst_desc()}});
  }
  const dnnl::convolution_backward_weights::primitive_desc pd(
      {direct, source, weights, bias, output, strides, before, after}, engine_, forward);
  add("convolution.backward_weights",
      dnnl::convolution_backward_weights(pd),
      {{DNNL_ARG_SRC, pd.src_desc()},
       {DNNL_ARG_DIFF_WEIGHTS, pd.diff_weights_desc()},
       {DNNL_ARG_DIFF_BIAS, bias},
       {DNNL_ARG_DIFF_DST, pd.diff_dst_desc()}});
}

void BareNetwork::add_linear(std::size_t index) {
  const auto& l = network_.layers[index];
  const auto features = network_.layers[static_cast<std::size_t>(l.inputs[0])].out.elements();
  const auto source = any({items_, features});
  const auto weights = any({l.out.c, features});
  const auto output = any({items_, l.out.c});
  const auto bias = vector_of(l.out.c);
  const dnnl::inner_product_forward::primitive_desc forward(
      {propagation(), source, weights, bias, output},
      relu_at_the_end(fusion_.relu[index]),
      engine_);
  outputs_[index] = forward.dst_desc();
  add("fully_connected.forward",
      dnnl::inner_product_forward(forward),
      {{DNNL_ARG_SRC, forward.src_desc()},
       {DNNL_ARG_WEIGHTS, forward.weights_desc()},
       {DNNL_ARG_BIAS, bias},
       {DNNL_ARG_DST, forward.dst_desc()}});
  if (!training()) {
    return;
  }
  const dnnl::inner_product_backward_data::primitive_desc data(
      {source, weights, output}, engine_, forward);
  add("fully_connected.backward_data",
      dnnl::inner_product_backward_data(data),
      {{DNNL_ARG_DIFF_SRC, data.diff_src_desc()},
       {DNNL_ARG_WEIGHTS, data.weights_desc()},
       {DNNL_ARG_DIFF_DST, data.diff_dst_desc()}});
  const dnnl::inner_product_backward_weights::primitive_desc pd(
      {source, weights, bias, output}, engine_, forward);
  add("fully_connected.backward_weights",
      dnnl::inner_product_backward_weights(pd),
      {{DNNL_ARG_SRC, pd.src_desc()},
       {DNNL_ARG_DIFF_WEIGHTS, pd.diff_weights_desc()},
       {DNNL_ARG_DIFF_BIAS, bias},
       {DNNL_ARG_DIFF_DST, pd.diff_dst_desc()}});
}

void BareNetwork::add(const std::string& kind,
                      const dnnl::primitive& primitive,
                      const Arguments& arguments) {
  Timed timed{kind, primitive, {}};
  for (const auto& [argument, desc] : arguments) {
    if (desc.get_size() > 0) {
      memory data(desc, engine_);
      std::memset(data.get_data_handle(), 0, desc.get_size());
      timed.arguments.emplace(argument, data);
    }
  }
  timed_.push_back(std::move(timed));
}

void BareNetwork::run_once() {
  for (auto& timed : timed_) {
    const double cpu_start = cpu_seconds();
    const auto start = std::chrono::steady_clock::now();
    timed.primitive.execute(stream_, timed.arguments);
    stream_.wait();
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    timed.best_s = std::min(timed.best_s, took.count());
    timed.best_cpu_s = std::min(timed.best_cpu_s, cpu_seconds() - cpu_start);
  }
}

std::map<std::string, double> BareNetwork::best() const {
  std::map<std::string, double> sums;
  for (const auto& timed : timed_) {
    sums[timed.kind] += timed.best_s;
  }
  return sums;
}

double BareNetwork::best_cpu_seconds() const {
  double sum = 0;
  for (const auto& timed : timed_) {
    sum += timed.best_cpu_s;
  }
  return sum;
}

}  // namespace rightsize::bench
