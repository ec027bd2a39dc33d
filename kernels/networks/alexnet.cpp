// AlexNet: Krizhevsky, Sutskever, Hinton, "ImageNet Classification with Deep Convolutional Neural
// Networks", NIPS 2012, in the form of Caffe's models/bvlc_alexnet (also NVCaffe's): 227x227 input,
// two groups in conv2, conv4 and conv5, normalisation before pooling; 60 965 224 parameters.
#include "kernels/networks/builder.h"
#include "kernels/networks/families.h"

namespace rightsize {

Network make_alexnet() {
  NetworkBuilder net("alexnet", "AlexNet", {3, 227, 227}, 1000);
  const Window pool{.kernel = 3, .stride = 2};
  int x = net.convolution("conv1", net.input(), 96, {.kernel = 11, .stride = 4}, true);
  x = net.relu("relu1", x);
  x = net.local_response_norm("norm1", x);
  x = net.max_pool("pool1", x, pool);
  x = net.convolution("conv2", x, 256, {.kernel = 5, .pad = 2, .groups = 2}, true);
  x = net.relu("relu2", x);
  x = net.local_response_norm("norm2", x);
  x = net.max_pool("pool2", x, pool);
  x = net.convolution("conv3", x, 384, {.kernel = 3, .pad = 1}, true);
  x = net.relu("relu3", x);
  x = net.convolution("conv4", x, 384, {.kernel = 3, .pad = 1, .groups = 2}, true);
  x = net.relu("relu4", x);
  x = net.convolution("conv5", x, 256, {.kernel = 3, .pad = 1, .groups = 2}, true);
  x = net.relu("relu5", x);
  x = net.max_pool("pool5", x, pool);
  x = net.fully_connected("fc6", x, 4096);
  x = net.relu("relu6", x);
  x = net.dropout("drop6", x, 0.5F);
  x = net.fully_connected("fc7", x, 4096);
  x = net.relu("relu7", x);
  x = net.dropout("drop7", x, 0.5F);
  x = net.fully_connected("fc8", x, 1000);
  return net.finish(x);
}

}  // namespace rightsize
