// The border between the program and librightsize_gpu.so: a C ABI of plain values, so that either
// side may be built with another compiler or C++ library. Nothing here needs CUDA.
//
// The plugin exports one function, `rightsize_gpu_plugin`, which returns a table of functions. The
// table's first field is the ABI version and stays first for ever; any other change of this file,
// and of the numbers of LayerKind, raises `version`. Functions return a Status; the sentence that
// goes with a failure is written into the caller's Message, or kept by the engine for `last_error`.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/pictures.h"

extern "C" {

struct RightsizeGpuEngine;        // opaque
struct RightsizeGpuCommunicator;  // one rank's end of what connects several GPUs
}

namespace rightsize::gpu::abi {

inline constexpr std::uint32_t version = 11;
inline constexpr const char* entry_point = "rightsize_gpu_plugin";

enum class Status : std::int32_t {
  ok = 0,
  invalid = 1,        // the caller's mistake: a name, a size, a shape
  no_device = 2,      // no driver, or a driver without a device
  out_of_memory = 3,  // the device's, or the cap's; the engine can still be destroyed
  unsupported = 4,    // the libraries have no kernel for this
  failed = 5,         // anything else the driver or a library says
};

inline constexpr std::size_t name_bytes = 64;       // with the final zero
inline constexpr std::size_t message_bytes = 1024;  // longer sentences are cut

struct Message {
  char text[message_bytes];
};

struct Layer {
  char name[name_bytes];
  std::int32_t kind;         // LayerKind
  std::int32_t first_input;  // into Network::inputs
  std::int32_t input_count;
  std::int32_t bias;  // 0 or 1
  std::int64_t c, h, w;
  std::int64_t kernel_h, kernel_w, stride_h, stride_w, pad_h, pad_w, groups;
  std::int64_t more_pad_h, more_pad_w, dilation_h, dilation_w;
  std::int64_t lrn_size;
  float lrn_alpha, lrn_beta, lrn_k;
  float dropout_rate;
  float epsilon;
  std::int32_t count_padding;                         // 0 or 1
  std::int32_t activation;                            // Activation
  std::int32_t tied_to;                               // a layer, or -1
  std::int32_t causal, bidirectional, carries_state;  // 0 or 1
  float activation_alpha;
  std::int64_t vocabulary, segments, position;
  std::int64_t heads, kv_heads, head_dim, hidden;
  std::int64_t experts, experts_per_token;
  std::int64_t first_channel;
  double rotary_base;
  std::int64_t window, keys;
  std::int64_t latent, rotary_dim, value_dim;
  std::int64_t distances;
  std::int32_t keys_of;  // a layer, or -1
};

struct Network {
  char name[name_bytes];
  std::int64_t input_c, input_h, input_w;
  std::int32_t classes;
  std::int32_t layer_count;
  const Layer* layers;
  const std::int32_t* inputs;  // all layers' inputs, one after the other
  std::int32_t input_count;
  std::int32_t input_kind;  // InputKind
  std::int64_t vocabulary;
  std::int32_t optimizer;  // Optimizer
  std::int32_t reserved;
};

struct Options {
  std::int32_t phase;      // Phase
  std::int32_t precision;  // Precision
  std::int32_t batch;
  std::int32_t device;
  float learning_rate, momentum, weight_decay;
  float beta1, beta2, adam_epsilon;
  std::int32_t cuda_graph;    // 0: launch every kernel at every step
  std::int32_t keep_outputs;  // 1: every layer's output stays readable (tests)
  std::int32_t prompt;        // decode
  std::uint64_t seed;
  std::uint64_t memory_limit;  // bytes this engine may allocate; 0: what the device has
  double device_share;         // of the multiprocessors, in (0, 1); 0: all of them
  std::int32_t preprocess;     // 1: steps take pictures
  std::int32_t rank;           // draws dropout masks of its own
  std::int32_t exchange;       // Exchange
  std::int32_t compression;    // Compression
  // Null: one rank. Used by every step, and outlives the engine.
  RightsizeGpuCommunicator* communicator;
};

struct Device {
  char name[256];
  std::uint64_t memory_bytes;
  std::int32_t compute_major, compute_minor;
  std::int32_t multiprocessors;
  std::int32_t driver_version;  // as CUDA counts: 13000
};

enum class Run : std::int32_t {
  step = 0,      // forward, backward and update when training
  evaluate = 1,  // without the update, so that it can be repeated exactly
};

struct StepResult {
  double loss;
  std::int32_t correct;
  std::int32_t overflow;  // 1: FP16 gradients were not finite and the update was skipped
  double copy_s;          // staging and host to device
  double compute_s;       // the device's own time, by events
};

// What a step reads where Options::preprocess is 1: one picture per item, `bytes` of pixels.
struct Pictures {
  const std::uint8_t* pixels;
  std::uint64_t bytes;  // at most batch x picture_bytes()
  const Picture* pictures;
};

enum class Values : std::int32_t { parameter = 0, gradient = 1, output = 2 };

struct Plugin {
  std::uint32_t version;
  std::uint32_t bytes;  // sizeof(Plugin)

  // Fills at most `capacity` devices and always `count`. no_device carries the reason.
  Status (*devices)(Device* devices, std::int32_t capacity, std::int32_t* count, Message* message);

  Status (*create)(const Network* network,
                   const Options* options,
                   RightsizeGpuEngine** engine,
                   Message* message);
  void (*destroy)(RightsizeGpuEngine* engine);

  // images: batch x c x h x w FP32, or null where the network reads tokens: batch x sequence ids;
  // labels: batch x labels per item. Waits for the end.
  Status (*step)(RightsizeGpuEngine* engine,
                 Run run,
                 const float* images,
                 const std::int32_t* tokens,
                 const std::int32_t* labels,
                 StepResult* result);

  std::uint64_t (*memory_bytes)(const RightsizeGpuEngine* engine);

  // "key=value" lines: versions and choices that belong in a record. Valid until destroy.
  const char* (*describe)(RightsizeGpuEngine* engine);
  // The sentence for the last failure of this engine. Valid until its next call.
  const char* (*last_error)(const RightsizeGpuEngine* engine);

  // The name of the index-th parameter; nullptr behind the last.
  const char* (*parameter_name)(const RightsizeGpuEngine* engine, std::int32_t index);

  // Dense row-major FP32 in the CPU engine's order (KCRS, NCHW). `count` is always set; nothing is
  // written when `capacity` is smaller.
  Status (*read)(RightsizeGpuEngine* engine,
                 Values kind,
                 const char* name,
                 float* values,
                 std::uint64_t capacity,
                 std::uint64_t* count);
  Status (*write_parameter)(RightsizeGpuEngine* engine,
                            const char* name,
                            const float* values,
                            std::uint64_t count);

  // step() for an engine that preprocesses.
  Status (*step_pictures)(RightsizeGpuEngine* engine,
                          Run run,
                          const Pictures* pictures,
                          const std::int32_t* labels,
                          StepResult* result);

  // Connects `ranks` GPUs, rank i on device first + i; fills as many communicators. Engines of all
  // ranks are then made and run at the same time, each on its own thread: they wait for each other.
  Status (*connect)(std::int32_t first,
                    std::int32_t ranks,
                    RightsizeGpuCommunicator** communicators,
                    Message* message);
  void (*disconnect)(RightsizeGpuCommunicator* communicator);
  // A rank that failed lets the others go: what they wait for fails. From any thread.
  void (*abandon)(RightsizeGpuCommunicator* communicator);
};

using EntryPoint = const Plugin* (*)();

}  // namespace rightsize::gpu::abi
