// The two networks of Keras' MNIST examples.
#include "kernels/networks/builder.h"
#include "kernels/networks/families.h"

namespace rightsize {

// Keras' examples/mnist_mlp.py: 669 706 parameters by its summary().
Network make_mnist_mlp() {
  NetworkBuilder net("mnist-mlp", "MNIST MLP", {1, 28, 28}, 10);
  int x = net.relu("relu1", net.fully_connected("dense1", net.input(), 512));
  x = net.dropout("drop1", x, 0.2F);
  x = net.relu("relu2", net.fully_connected("dense2", x, 512));
  x = net.dropout("drop2", x, 0.2F);
  return net.finish(net.fully_connected("dense3", x, 10));
}

// Keras' examples/mnist_cnn.py: 1 199 882 parameters by its summary().
Network make_mnist_cnn() {
  NetworkBuilder net("mnist-cnn", "MNIST CNN", {1, 28, 28}, 10);
  const Window valid{.kernel = 3};
  int x = net.relu("relu1", net.convolution("conv1", net.input(), 32, valid, true));
  x = net.relu("relu2", net.convolution("conv2", x, 64, valid, true));
  x = net.max_pool("pool", x, {.kernel = 2, .stride = 2});
  x = net.dropout("drop1", x, 0.25F);
  x = net.relu("relu3", net.fully_connected("dense1", x, 128));
  x = net.dropout("drop2", x, 0.5F);
  return net.finish(net.fully_connected("dense2", x, 10));
}

}  // namespace rightsize
