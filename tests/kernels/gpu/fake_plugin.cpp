// A plugin of tomorrow: the right entry point, another ABI. The loader must refuse it politely.
#include "kernels/gpu/plugin_abi.h"

extern "C" const rightsize::gpu::abi::Plugin* rightsize_gpu_plugin() {
  static rightsize::gpu::abi::Plugin table{};
  table.version = rightsize::gpu::abi::version + 1;
  table.bytes = sizeof(table);
  return &table;
}
