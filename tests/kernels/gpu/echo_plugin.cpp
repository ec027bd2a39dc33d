// A plugin that makes no engine and says what it was asked for instead.
#include <cstdio>

#include "kernels/gpu/plugin_abi.h"

namespace abi = rightsize::gpu::abi;

namespace {

abi::Status create(const abi::Network* network,
                   const abi::Options* options,
                   RightsizeGpuEngine** engine,
                   abi::Message* message) {
  *engine = nullptr;
  std::snprintf(message->text,
                sizeof(message->text),
                "device %d, limit %llu, share %g, preprocess %d, phase %d, batch %d, %d layers",
                options->device,
                static_cast<unsigned long long>(options->memory_limit),
                options->device_share,
                options->preprocess,
                options->phase,
                options->batch,
                network->layer_count);
  return abi::Status::failed;
}

abi::Status connect(std::int32_t first,
                    std::int32_t ranks,
                    RightsizeGpuCommunicator**,
                    abi::Message* message) {
  std::snprintf(message->text, sizeof(message->text), "%d GPUs from %d on", ranks, first);
  return abi::Status::failed;
}

}  // namespace

extern "C" const abi::Plugin* rightsize_gpu_plugin() {
  static abi::Plugin table{};
  table.version = abi::version;
  table.bytes = sizeof(table);
  table.create = create;
  table.connect = connect;
  return &table;
}
