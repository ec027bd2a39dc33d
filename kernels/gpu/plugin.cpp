// The plugin's side of plugin_abi.h: no exception passes this file.
#include <algorithm>
#include <cstring>
#include <exception>
#include <new>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "kernels/gpu/engine.h"
#include "kernels/gpu/nccl.h"
#include "kernels/gpu/network_pod.h"

struct RightsizeGpuEngine {
  rightsize::gpu::PluginEngine engine;
};

namespace rightsize::gpu {
namespace {

using abi::Status;

// Runs `action`; its failure becomes a status, and a sentence in `sentence`.
template <typename Action>
Status guarded(std::string& sentence, Action action) {
  try {
    action();
    return Status::ok;
  } catch (const GpuError& error) {
    sentence = error.what();
    return error.status();
  } catch (const std::bad_alloc&) {
    sentence = "no host memory left; use a smaller batch";
    return Status::out_of_memory;
  } catch (const std::invalid_argument& error) {
    sentence = error.what();
    return Status::invalid;
  } catch (const std::exception& error) {
    sentence = error.what();
    return Status::failed;
  }
}

void copy(const std::string& sentence, abi::Message* message) {
  const auto length = std::min(sentence.size(), abi::message_bytes - 1);
  std::memcpy(message->text, sentence.data(), length);
  message->text[length] = '\0';
}

Status devices(abi::Device* out,
               std::int32_t capacity,
               std::int32_t* count,
               abi::Message* message) {
  *count = 0;
  std::string sentence;
  const auto status = guarded(sentence, [&] {
    const auto found = list_devices();
    *count = static_cast<std::int32_t>(found.size());
    std::copy_n(found.begin(), std::min(*count, capacity), out);
  });
  copy(sentence, message);
  return status;
}

Status create(const abi::Network* network,
              const abi::Options* options,
              RightsizeGpuEngine** engine,
              abi::Message* message) {
  *engine = nullptr;
  std::string sentence;
  const auto status = guarded(sentence, [&] {
    *engine = new RightsizeGpuEngine{PluginEngine(decode(*network), *options)};
  });
  copy(sentence, message);
  return status;
}

void destroy(RightsizeGpuEngine* engine) {
  std::string sentence;  // nobody to tell: destroying goes on as far as it can
  static_cast<void>(guarded(sentence, [&] { delete engine; }));
}

Status step(RightsizeGpuEngine* engine,
            abi::Run run,
            const float* images,
            const std::int32_t* tokens,
            const std::int32_t* labels,
            abi::StepResult* result) {
  return guarded(engine->engine.last_error,
                 [&] { *result = engine->engine.step(run, images, tokens, labels); });
}

Status step_pictures(RightsizeGpuEngine* engine,
                     abi::Run run,
                     const abi::Pictures* pictures,
                     const std::int32_t* labels,
                     abi::StepResult* result) {
  return guarded(engine->engine.last_error,
                 [&] { *result = engine->engine.step(run, *pictures, labels); });
}

std::uint64_t memory_bytes(const RightsizeGpuEngine* engine) {
  return engine->engine.graph().memory_bytes();
}

const char* describe(RightsizeGpuEngine* engine) {
  return engine->engine.description().c_str();
}

const char* last_error(const RightsizeGpuEngine* engine) {
  return engine->engine.last_error.c_str();
}

const char* parameter_name(const RightsizeGpuEngine* engine, std::int32_t index) {
  const auto all = engine->engine.graph().parameters().all();
  const auto i = static_cast<std::size_t>(index);
  return index < 0 || i >= all.size() ? nullptr : all[i].name.c_str();
}

std::vector<float> values_of(Graph& graph, abi::Values kind, const char* name) {
  switch (kind) {
    case abi::Values::parameter:
      return graph.parameters().value(graph.device(), graph.parameters().find(name));
    case abi::Values::gradient:
      return graph.gradient(name);
    case abi::Values::output:
      return graph.output(name);
  }
  throw GpuError(Status::invalid, "unknown kind of values");
}

Status read(RightsizeGpuEngine* engine,
            abi::Values kind,
            const char* name,
            float* values,
            std::uint64_t capacity,
            std::uint64_t* count) {
  return guarded(engine->engine.last_error, [&] {
    auto& graph = engine->engine.graph();
    graph.device().select();
    const auto found = values_of(graph, kind, name);
    *count = found.size();
    if (found.size() <= capacity) {
      std::copy(found.begin(), found.end(), values);
    }
  });
}

Status write_parameter(RightsizeGpuEngine* engine,
                       const char* name,
                       const float* values,
                       std::uint64_t count) {
  return guarded(engine->engine.last_error, [&] {
    const auto& graph = engine->engine.graph();
    graph.device().select();
    const auto& parameter = graph.parameters().find(name);
    graph.parameters().write(graph.device(), parameter, std::span(values, count));
  });
}

Status connect(std::int32_t first,
               std::int32_t ranks,
               RightsizeGpuCommunicator** communicators,
               abi::Message* message) {
  std::string sentence;
  const auto status = guarded(sentence, [&] {
    auto connected = connect_ranks(first, ranks);
    for (std::size_t i = 0; i < connected.size(); ++i) {
      communicators[i] = connected[i].release();
    }
  });
  copy(sentence, message);
  return status;
}

void disconnect(RightsizeGpuCommunicator* communicator) {
  delete communicator;
}

void abandon(RightsizeGpuCommunicator* communicator) {
  communicator->abandon();
}

constexpr abi::Plugin table{abi::version,
                            sizeof(abi::Plugin),
                            devices,
                            create,
                            destroy,
                            step,
                            memory_bytes,
                            describe,
                            last_error,
                            parameter_name,
                            read,
                            write_parameter,
                            step_pictures,
                            connect,
                            disconnect,
                            abandon};

}  // namespace
}  // namespace rightsize::gpu

extern "C" __attribute__((visibility("default"))) const rightsize::gpu::abi::Plugin*
rightsize_gpu_plugin() {
  return &rightsize::gpu::table;
}
