// The GPU engine against the CPU engine: layers of the residual and the classic networks.
#include "reference.h"

#include <doctest/doctest.h>

#include "device.h"
#include "support/approx.h"

using namespace rightsize;
using namespace rightsize::test;

TEST_CASE("gpu reference: parameters start with the CPU engine's numbers") {
  if (lacks_gpu()) {
    return;
  }
  auto net = tiny();
  int x = net.convolution("conv", net.input(), 8, {.kernel = 3, .pad = 1}, true);
  x = net.relu("relu", net.batch_norm("norm", x));
  const auto network = finish(net, x);
  Pair pair(network, {.batch = 4}, Precision::fp32);
  for (const auto& name : pair.cpu.parameter_names()) {
    CAPTURE(name);
    const auto expected = pair.cpu.parameter(name);
    // Logarithm and cosine differ in their last bits.
    CHECK(distance(pair.gpu.parameter(name), expected) <= 1e-6 * norm(expected));
  }
}

TEST_CASE("gpu reference: convolutions with stride, padding, groups, bias and a fused ReLU") {
  if (lacks_gpu()) {
    return;
  }
  auto net = tiny();
  int x =
      net.relu("relu1", net.convolution("conv1", net.input(), 16, {.kernel = 3, .pad = 1}, true));
  x = net.convolution("conv2", x, 32, {.kernel = 3, .stride = 2, .pad = 1, .groups = 2}, true);
  x = net.convolution("conv3", x, 64, {.kernel = 2}, false);
  compare_all_precisions(finish(net, x));
}

TEST_CASE("gpu reference: linear layers see channels in the CPU's order") {
  if (lacks_gpu()) {
    return;
  }
  auto net = tiny();
  int x = net.convolution("conv", net.input(), 8, {.kernel = 3, .stride = 2}, true);
  x = net.relu("relu", net.fully_connected("hidden", x, 40));
  compare_all_precisions(finish(net, x));
}

TEST_CASE("gpu reference: normalisation alone, with a ReLU, with a sum, with both") {
  if (lacks_gpu()) {
    return;
  }
  auto net = tiny();
  const Window same{.kernel = 3, .pad = 1};
  const int stem = net.batch_norm("norm0", net.convolution("conv0", net.input(), 16, same, false));
  int x =
      net.relu("relu1", net.batch_norm("norm1", net.convolution("conv1", stem, 16, same, false)));
  x = net.add("sum", {net.batch_norm("norm2", net.convolution("conv2", x, 16, same, false)), stem});
  const int branch = net.batch_norm("norm3", net.convolution("conv3", x, 16, same, false));
  x = net.relu("relu2", net.add("sum2", {x, branch}));
  compare_all_precisions(finish(net, net.global_average_pool("pool", x)));
}

TEST_CASE("gpu reference: channels that no wide load divides") {
  if (lacks_gpu()) {
    return;
  }
  auto net = tiny();
  int x = net.convolution("conv1", net.input(), 5, {.kernel = 3, .pad = 1}, true);
  x = net.relu("relu1", net.batch_norm("norm", x));
  x = net.max_pool("pool1", x, {.kernel = 3, .stride = 2, .pad = 1});
  x = net.local_response_norm("lrn", x);
  const auto network = finish(net, net.average_pool("pool2", x, {.kernel = 2, .stride = 2}));
  compare(network, 7, Precision::fp32, {});
}

TEST_CASE("gpu reference: pooling with overlap and padding") {
  if (lacks_gpu()) {
    return;
  }
  auto net = tiny();
  int x = net.convolution("conv", net.input(), 16, {.kernel = 3, .pad = 1}, true);
  x = net.max_pool("max", x, {.kernel = 3, .stride = 2, .pad = 1});
  x = net.relu("relu", x);
  compare_all_precisions(
      finish(net, net.average_pool("mean", x, {.kernel = 3, .stride = 2, .pad = 1})));
}

TEST_CASE("gpu reference: local response normalisation") {
  if (lacks_gpu()) {
    return;
  }
  auto net = tiny();
  const int x = net.convolution("conv", net.input(), 16, {.kernel = 3, .pad = 1}, true);
  auto network = finish(net, net.local_response_norm("lrn", x));
  network.layers[2].lrn_alpha = 0.5F;  // 1e-4 would hide an error in the squares
  compare_all_precisions(network);
}

TEST_CASE("gpu reference: sums of three, of one tensor twice, and sharing an input") {
  if (lacks_gpu()) {
    return;
  }
  auto net = tiny();
  const int a = net.convolution("a", net.input(), 16, {.kernel = 3, .pad = 1}, true);
  const int b = net.convolution("b", a, 16, {.kernel = 3, .pad = 1}, true);
  const int c = net.add("c", {a, b, a});
  const int d = net.relu("d", net.add("d_sum", {c, a}));
  compare_all_precisions(finish(net, net.add("e", {c, d})));
}

TEST_CASE("gpu reference: dropout behind a linear layer drops what the CPU drops") {
  if (lacks_gpu()) {
    return;
  }
  auto net = tiny();
  int x = net.relu("relu", net.fully_connected("hidden", net.input(), 200));
  compare_all_precisions(finish(net, net.dropout("drop", x, 0.4F)));
}

TEST_CASE("gpu reference: one step of AlexNet and of ResNet-50 at batch 8") {
  if (lacks_gpu()) {
    return;
  }
  compare(make_network("alexnet"), 8, Precision::fp32, {1e-3, 1e-2});
  compare(make_network("resnet50"), 8, Precision::fp32, {2e-3, 3e-2});
}

TEST_CASE("gpu reference: inference uses running statistics, with and without a sum") {
  if (lacks_gpu()) {
    return;
  }
  auto net = tiny();
  const int stem = net.convolution("conv0", net.input(), 16, {.kernel = 3, .pad = 1}, true);
  int x =
      net.batch_norm("norm1", net.convolution("conv1", stem, 16, {.kernel = 3, .pad = 1}, false));
  x = net.dropout("drop", net.relu("relu", net.add("sum", {x, stem})), 0.5F);
  const auto network = finish(net, x);
  EngineOptions options;
  options.batch = 8;
  options.phase = Phase::infer;
  for (const auto precision : {Precision::fp32, Precision::fp16, Precision::bf16}) {
    CAPTURE(to_string(precision));
    Pair pair(network, options, precision);
    const auto mean = test::noise(16, 3);
    pair.cpu.set_parameter("norm1.mean", mean);
    pair.gpu.set_parameter("norm1.mean", mean);
    const auto batch = test::noise_batch(network, 8);
    const auto expected = pair.cpu.evaluate(batch.view());
    const auto found = pair.gpu.step(batch.view());
    const auto tolerance = tolerance_of(precision).output;
    CHECK(found.loss.value() == test::approx(expected.loss.value()).epsilon(5 * tolerance));
    compare_outputs(network, pair, tolerance);
  }
}
