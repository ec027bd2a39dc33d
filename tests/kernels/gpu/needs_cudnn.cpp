// A plugin that needs the stand-in for cuDNN, and says which one it got by its ABI version.
#include "kernels/gpu/plugin_abi.h"

extern "C" unsigned rightsize_fake_cudnn();

extern "C" const rightsize::gpu::abi::Plugin* rightsize_gpu_plugin() {
  static rightsize::gpu::abi::Plugin table{};
  table.version = rightsize_fake_cudnn();
  return &table;
}
