// Two small networks for CIFAR-10 that published comparisons were made with.
#include "kernels/networks/builder.h"
#include "kernels/networks/families.h"

namespace rightsize {

// TensorFlow's tutorial "Convolutional Neural Networks" (models/tutorials/image/cifar10), after
// Krizhevsky's cuda-convnet: 24x24 crops, 1 068 298 parameters as the tutorial says. SAME pooling
// puts its odd row of padding below, its odd column to the right. tf.nn.lrn(x, 4, alpha=1e-3 / 9)
// does not divide by the nine channels of its window; our formula does.
Network make_cifar10_convnet() {
  NetworkBuilder net("cifar10-convnet", "CIFAR-10 ConvNet", {3, 24, 24}, 10);
  const Window pool{.kernel = 3, .stride = 2, .more_pad = 1};
  const ResponseNorm norm{.size = 9, .alpha = 1e-3F};
  int x = net.convolution("conv1", net.input(), 64, {.kernel = 5, .pad = 2}, true);
  x = net.relu("relu1", x);
  x = net.max_pool("pool1", x, pool);
  x = net.local_response_norm("norm1", x, norm);
  x = net.convolution("conv2", x, 64, {.kernel = 5, .pad = 2}, true);
  x = net.relu("relu2", x);
  x = net.local_response_norm("norm2", x, norm);
  x = net.max_pool("pool2", x, pool);
  x = net.relu("relu3", net.fully_connected("local3", x, 384));
  x = net.relu("relu4", net.fully_connected("local4", x, 192));
  return net.finish(net.fully_connected("softmax_linear", x, 10));
}

// Keras' examples/cifar10_cnn.py, "VGG-like": 1 250 858 parameters by its summary().
Network make_cifar10_cnn() {
  NetworkBuilder net("cifar10-cnn", "CIFAR-10 VGG-like", {3, 32, 32}, 10);
  const Window same{.kernel = 3, .pad = 1};
  const Window valid{.kernel = 3};
  const Window pool{.kernel = 2, .stride = 2};
  int x = net.relu("relu1", net.convolution("conv1", net.input(), 32, same, true));
  x = net.relu("relu2", net.convolution("conv2", x, 32, valid, true));
  x = net.dropout("drop1", net.max_pool("pool1", x, pool), 0.25F);
  x = net.relu("relu3", net.convolution("conv3", x, 64, same, true));
  x = net.relu("relu4", net.convolution("conv4", x, 64, valid, true));
  x = net.dropout("drop2", net.max_pool("pool2", x, pool), 0.25F);
  x = net.relu("relu5", net.fully_connected("dense1", x, 512));
  x = net.dropout("drop3", x, 0.5F);
  return net.finish(net.fully_connected("dense2", x, 10));
}

}  // namespace rightsize
