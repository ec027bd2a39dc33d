// Every layer kind's gradient against finite differences of the loss, through the whole engine.
#include <string>

#include <doctest/doctest.h>

#include "kernels/networks/builder.h"
#include "support/gradient_check.h"

using namespace rightsize;
using rightsize::test::check_gradients;

namespace {

constexpr int classes = 5;

NetworkBuilder tiny() {
  return {"tiny", "Tiny", {3, 9, 9}, classes};
}

int first_convolution(NetworkBuilder& net) {
  return net.convolution("conv1", net.input(), 8, {.kernel = 3, .pad = 1}, true);
}

Network finish(NetworkBuilder& net, int from) {
  return net.finish(net.fully_connected("fc", from, classes));
}

}  // namespace

TEST_CASE("cpu gradient: convolution with stride, padding, groups and bias") {
  auto net = tiny();
  int x = first_convolution(net);
  x = net.convolution("conv2", x, 12, {.kernel = 3, .stride = 2, .pad = 1, .groups = 2}, true);
  x = net.convolution("conv3", x, 20, {.kernel = 2}, false);
  check_gradients(finish(net, x));
}

TEST_CASE("cpu gradient: a ReLU fused into convolution and linear layers") {
  auto net = tiny();
  int x = net.relu("relu1", first_convolution(net));
  x = net.relu("relu2", net.fully_connected("hidden", x, 24));
  check_gradients(finish(net, x));
}

TEST_CASE("cpu gradient: linear layers straight from the images") {
  auto net = tiny();
  const int x = net.relu("relu", net.fully_connected("hidden", net.input(), 24));
  check_gradients(finish(net, x));
}

TEST_CASE("cpu gradient: batch normalisation with and without its ReLU") {
  auto net = tiny();
  int x = net.relu("relu1", net.batch_norm("bn1", first_convolution(net)));
  x = net.convolution("conv2", x, 16, {.kernel = 3}, false);
  x = net.batch_norm("bn2", x);
  check_gradients(finish(net, x));
}

TEST_CASE("cpu gradient: maximum pooling and a ReLU that cannot be fused") {
  auto net = tiny();
  int x = net.max_pool("pool", first_convolution(net), {.kernel = 3, .stride = 2, .pad = 1});
  check_gradients(finish(net, net.relu("relu", x)));
}

TEST_CASE("cpu gradient: average and global average pooling") {
  auto net = tiny();
  int x = net.average_pool("pool", first_convolution(net), {.kernel = 3, .stride = 2, .pad = 1});
  x = net.convolution("conv2", x, 16, {.kernel = 1}, true);
  check_gradients(finish(net, net.global_average_pool("global", x)));
}

TEST_CASE("cpu gradient: local response normalisation") {
  auto net = tiny();
  net.local_response_norm("norm", first_convolution(net));
  auto strong = net;  // alpha of 1e-4 would hide an error in the squares
  auto network = finish(strong, 2);
  network.layers[2].lrn_alpha = 0.5F;
  check_gradients(network);
  network.layers[2].lrn_size = 9;  // wider than oneDNN's own kernels, and than the channels
  check_gradients(network);
  network.layers[2].lrn_size = 4;
  network.layers[2].lrn_beta = 0.6F;
  check_gradients(network);
}

TEST_CASE("cpu gradient: residual sums with identity, projection and three inputs") {
  auto net = tiny();
  const int stem = net.relu("stem", first_convolution(net));
  int x = net.convolution("a", stem, 8, {.kernel = 3, .pad = 1}, true);
  x = net.relu("relu_a", net.add("sum_a", {x, stem}));
  const int branch = net.convolution("b", x, 16, {.kernel = 3, .stride = 2, .pad = 1}, true);
  const int shortcut = net.convolution("c", x, 16, {.kernel = 1, .stride = 2}, true);
  x = net.relu("relu_b", net.add("sum_b", {branch, shortcut}));
  const int again = net.convolution("d", x, 16, {.kernel = 3, .pad = 1}, true);
  x = net.add("sum_c", {x, again, x});
  check_gradients(finish(net, x));
}

TEST_CASE("cpu gradient: two sums that share an input") {
  auto net = tiny();
  const int a = first_convolution(net);
  const int b = net.convolution("b", a, 8, {.kernel = 3, .pad = 1}, true);
  const int c = net.add("c", {a, b});
  const int d = net.add("d", {c, a});
  const int e = net.relu("e", d);
  const int f = net.add("f", {d, e});
  check_gradients(finish(net, f));
}

TEST_CASE("cpu gradient: dropout uses one mask forward and backward") {
  auto net = tiny();
  const int x = net.dropout("drop", net.relu("relu", first_convolution(net)), 0.4F);
  check_gradients(finish(net, x));
}
