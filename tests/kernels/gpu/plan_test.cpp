// What the plugin decides before it meets a device: encoding, fusion, memory, layout.
#include <algorithm>
#include <stdexcept>
#include <string>

#include <doctest/doctest.h>

#include "kernels/gpu/fusion.h"
#include "kernels/gpu/layout.h"
#include "kernels/gpu/lowering.h"
#include "kernels/gpu/network_pod.h"
#include "kernels/networks/builder.h"
#include "support/tiny_batch.h"

using namespace rightsize;

namespace {

// No field as it is in a fresh Layer, so that none can be forgotten on the way.
Layer unusual_layer() {
  Layer layer;
  layer.name = "odd";
  layer.kind = LayerKind::attention;
  layer.inputs = {0};
  layer.out = {2, 3, 5};
  layer.kernel_h = 7;
  layer.kernel_w = 8;
  layer.stride_h = 9;
  layer.stride_w = 10;
  layer.pad_h = 11;
  layer.pad_w = 12;
  layer.more_pad_h = 13;
  layer.more_pad_w = 14;
  layer.dilation_h = 15;
  layer.dilation_w = 16;
  layer.groups = 17;
  layer.bias = true;
  layer.count_padding = false;
  layer.lrn_size = 18;
  layer.lrn_alpha = 0.19F;
  layer.lrn_beta = 0.2F;
  layer.lrn_k = 2.1F;
  layer.dropout_rate = 0.22F;
  layer.epsilon = 0.23F;
  layer.activation = Activation::silu;
  layer.vocabulary = 24;
  layer.segments = 25;
  layer.position = -26;
  layer.tied_to = 27;
  layer.heads = 28;
  layer.kv_heads = 29;
  layer.head_dim = 30;
  layer.causal = true;
  layer.rotary_base = 31.5;
  layer.hidden = 32;
  layer.experts = 33;
  layer.experts_per_token = 34;
  layer.bidirectional = true;
  layer.carries_state = true;
  layer.distances = 35;
  layer.keys_of = 36;
  layer.keys = 37;
  return layer;
}

int count_kind(const Network& network, const gpu::Plan& plan, LayerKind kind) {
  return static_cast<int>(
      std::count_if(plan.nodes.begin(), plan.nodes.end(), [&](const gpu::Node& node) {
        return network.layers[node.layer].kind == kind;
      }));
}

}  // namespace

TEST_CASE("gpu border: every built-in network survives encoding and decoding") {
  for (const auto& info : builtin_networks()) {
    const auto network = info.make(info.sequence);
    const gpu::EncodedNetwork encoded(network);
    const auto decoded = gpu::decode(encoded.view());
    CAPTURE(network.name);
    CHECK(decoded.name == network.name);
    CHECK(decoded.input == network.input);
    CHECK(decoded.classes == network.classes);
    REQUIRE(decoded.layers.size() == network.layers.size());
    for (std::size_t i = 0; i < network.layers.size(); ++i) {
      CHECK((decoded.layers[i] == network.layers[i]));
    }
  }
}

TEST_CASE("gpu border: no field of a layer or a network is lost") {
  NetworkBuilder net("odd", "odd", {3, 9, 7}, 5);
  auto network = net.finish(net.fully_connected("fc", net.input(), 5));
  network.layers[1] = unusual_layer();
  network.input_kind = InputKind::tokens;
  network.vocabulary = 33;
  network.optimizer = Optimizer::adam;
  const auto decoded = gpu::decode(gpu::EncodedNetwork(network).view());
  CHECK((decoded.layers == network.layers));
  CHECK(decoded.input_kind == network.input_kind);
  CHECK(decoded.vocabulary == network.vocabulary);
  CHECK(decoded.optimizer == network.optimizer);
}

TEST_CASE("gpu border: malformed networks are refused, not followed") {
  const auto network = make_network("alexnet");
  const gpu::EncodedNetwork encoded(network);
  auto view = encoded.view();
  std::vector<gpu::abi::Layer> layers(view.layers, view.layers + view.layer_count);
  view.layers = layers.data();
  layers[3].kind = 99;
  CHECK_THROWS_WITH_AS(static_cast<void>(gpu::decode(view)),
                       doctest::Contains("layer 3 is malformed"),
                       std::invalid_argument);
  layers[3] = encoded.view().layers[3];
  layers[3].first_input = view.input_count;
  CHECK_THROWS_AS(static_cast<void>(gpu::decode(view)), std::invalid_argument);
  layers[3] = encoded.view().layers[3];
  std::vector<std::int32_t> inputs(view.inputs, view.inputs + view.input_count);
  inputs[2] = 7;  // layer 3 would read what comes later
  view.inputs = inputs.data();
  CHECK_THROWS_WITH_AS(static_cast<void>(gpu::decode(view)),
                       doctest::Contains("not before it"),
                       std::invalid_argument);
}

TEST_CASE("gpu border: a name too long for the border is an error, not a cut") {
  NetworkBuilder net("long", "Long", {3, 4, 4}, 2);
  const auto network = net.finish(net.fully_connected(std::string(64, 'x'), net.input(), 2));
  CHECK_THROWS_WITH_AS(
      gpu::EncodedNetwork{network}, doctest::Contains("longer than 63"), EngineError);
}

TEST_CASE(
    "gpu fusion: ResNet-50 is convolutions, normalisations, two pools, a classifier, a loss") {
  const auto network = make_network("resnet50");
  const auto plan = gpu::plan_nodes(network, Phase::train);
  CHECK(count_kind(network, plan, LayerKind::convolution) == 53);
  CHECK(count_kind(network, plan, LayerKind::batch_norm) == 53);
  CHECK(count_kind(network, plan, LayerKind::relu) == 0);
  CHECK(count_kind(network, plan, LayerKind::add) == 0);
  CHECK(plan.nodes.size() == 1 + 53 + 53 + 2 + 1 + 1);
  const auto with_addend = std::count_if(plan.nodes.begin(),
                                         plan.nodes.end(),
                                         [](const gpu::Node& n) { return n.inputs.size() == 2; });
  CHECK(with_addend == 16);  // one per residual block
  const auto with_relu = std::count_if(
      plan.nodes.begin(), plan.nodes.end(), [](const gpu::Node& n) { return n.relu; });
  CHECK(with_relu == 49);  // all but the four projections' normalisations
}

TEST_CASE("gpu fusion: nodes read earlier nodes only and every layer has one") {
  for (const auto& info : builtin_networks()) {
    const auto network = info.make(info.sequence);
    for (const auto phase : {Phase::train, Phase::forward, Phase::forward_backward, Phase::infer}) {
      const auto plan = gpu::plan_nodes(network, phase);
      for (std::size_t i = 0; i < plan.nodes.size(); ++i) {
        for (const int input : plan.nodes[i].inputs) {
          CHECK((input >= 0 && input < static_cast<int>(i)));
        }
      }
      CHECK(std::count(plan.node_of.begin(), plan.node_of.end(), -1) == 0);
      CHECK(
          count_kind(network, plan, LayerKind::dropout) ==
          (phase == Phase::infer
               ? 0
               : count_kind(network, gpu::plan_nodes(network, Phase::train), LayerKind::dropout)));
    }
  }
}

TEST_CASE("gpu fusion: what somebody else reads stays on its own") {
  NetworkBuilder net("shared", "Shared", {3, 8, 8}, 2);
  const int norm = net.batch_norm("norm", net.convolution("conv", net.input(), 4, {}, false));
  const int relu = net.relu("relu", norm);
  const int sum = net.add("sum", {norm, relu});
  const auto network = net.finish(net.fully_connected("fc", sum, 2));
  const auto plan = gpu::plan_nodes(network, Phase::train);
  CHECK(count_kind(network, plan, LayerKind::relu) == 1);
  CHECK(count_kind(network, plan, LayerKind::add) == 1);
}

TEST_CASE("gpu memory: buffers are aligned to 256 bytes and never overlap while both are alive") {
  gpu::Lowering lowering;
  const int kept = lowering.buffer(1000);
  lowering.keep(kept);
  std::vector<int> chain{lowering.buffer(5000)};
  for (int i = 0; i < 20; ++i) {  // each step reads the last buffer and writes the next
    chain.push_back(lowering.buffer(5000 + static_cast<std::size_t>(i) * 100));
    lowering.emit("step", [] {}, {chain[chain.size() - 2], chain.back(), -1});
  }
  const auto bytes = lowering.plan();
  const auto lifetimes = lowering.lifetimes();
  for (int a = 0; a < static_cast<int>(lifetimes.size()); ++a) {
    const auto& one = lifetimes[static_cast<std::size_t>(a)];
    CHECK(lowering.offset(a) % gpu::alignment == 0);
    CHECK(lowering.offset(a) + one.bytes <= bytes);
    for (int b = 0; b < a; ++b) {
      const auto& two = lifetimes[static_cast<std::size_t>(b)];
      if (one.first <= two.last && two.first <= one.last) {
        CHECK((lowering.offset(a) + one.bytes <= lowering.offset(b) ||
               lowering.offset(b) + two.bytes <= lowering.offset(a)));
      }
    }
  }
  CHECK(bytes < 1024 + 3 * 7168);  // two neighbours and a little, not twenty
  CHECK(lowering.take_program().size() == 20);
}

TEST_CASE("gpu memory: a buffer that grew is planned at its new size") {
  gpu::Lowering lowering;
  const int workspace = lowering.buffer(0);
  lowering.keep(workspace);
  lowering.grow(workspace, 100000);
  lowering.grow(workspace, 10);
  lowering.emit("step", [] {}, {workspace});
  CHECK(lowering.plan() >= 100000);
}

TEST_CASE("gpu layout: channels last holds the value where NHWC says, and back is the identity") {
  const auto values = test::noise(2 * 3 * 20, 5);  // 2 items, 3 channels, 4 x 5
  const auto last = gpu::to_channels_last(values, 2, 3, 20);
  for (std::size_t n = 0; n < 2; ++n) {
    for (std::size_t c = 0; c < 3; ++c) {
      for (std::size_t p = 0; p < 20; ++p) {
        CHECK(last[(n * 20 + p) * 3 + c] == values[(n * 3 + c) * 20 + p]);
      }
    }
  }
  CHECK(gpu::to_channels_first(last, 2, 3, 20) == values);
}
