// Stands in for cuDNN in the tests of the loader.
extern "C" unsigned rightsize_fake_cudnn() {
  return FAKE_CUDNN_VERSION;
}
