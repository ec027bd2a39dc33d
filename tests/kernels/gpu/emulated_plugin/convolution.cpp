// cuDNN's convolutions are not emulated. Their names are all that the plugin needs to load; without
// cuDNN's header, as they take nothing and return what every one of them returns: not supported.
constexpr int not_supported = 3000;

extern "C" {

int cudnnConvolutionForward() {
  return not_supported;
}
int cudnnConvolutionBiasActivationForward() {
  return not_supported;
}
int cudnnConvolutionBackwardData() {
  return not_supported;
}
int cudnnConvolutionBackwardFilter() {
  return not_supported;
}
int cudnnGetConvolutionForwardAlgorithm_v7() {
  return not_supported;
}
int cudnnGetConvolutionBackwardDataAlgorithm_v7() {
  return not_supported;
}
int cudnnGetConvolutionBackwardFilterAlgorithm_v7() {
  return not_supported;
}
int cudnnFindConvolutionForwardAlgorithmEx() {
  return not_supported;
}
int cudnnFindConvolutionBackwardDataAlgorithmEx() {
  return not_supported;
}
int cudnnFindConvolutionBackwardFilterAlgorithmEx() {
  return not_supported;
}
}
