// cuDNN's graph interface is not emulated: nothing can be described in it, so that the plugin's own
// kernels run. As in convolution.cpp, without the header.
constexpr int not_supported = 3000;

extern "C" {

int cudnnBackendCreateDescriptor() {
  return not_supported;
}
int cudnnBackendDestroyDescriptor() {
  return not_supported;
}
int cudnnBackendSetAttribute() {
  return not_supported;
}
int cudnnBackendGetAttribute() {
  return not_supported;
}
int cudnnBackendFinalize() {
  return not_supported;
}
int cudnnBackendExecute() {
  return not_supported;
}
}
