// An Engine runs a network for one phase, batch and precision, one step per call. It knows nothing
// of timing rules, limits or money. Everything that can be allocated is allocated by the factory;
// step() allocates nothing.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

#include "kernels/network.h"
#include "kernels/pictures.h"
#include "kernels/workload.h"

namespace rightsize {

// Borrowed views of one minibatch, ready for the device. A network reads images or tokens, never
// both; decode reads one token per item.
struct Batch {
  std::span<const float> images;  // n x c x h x w, normalised, dense NCHW
  // n x labels_per_item class indices; < 0: no label here. A denoiser reads none: its target is
  // made up once, from the seed, and so are a detector's boxes.
  std::span<const std::int32_t> labels;
  std::span<const std::int32_t> tokens{};  // n x sequence ids
  Pictures pictures{};  // decoded, in the place of images, for an engine that preprocesses
};

struct StepResult {
  std::optional<double> loss;  // mean of the batch, where the engine computes it
  std::optional<int> correct;  // top-1 hits in the batch
  double copy_s = 0;           // host to device, where it is not overlapped
  double compute_s = 0;        // the device's own time for the step
  double exchange_s = 0;       // averaging gradients with other ranks, waiting for them included
};

struct EngineOptions {
  Phase phase = Phase::train;  // any but preprocess
  Precision precision = Precision::fp32;
  int batch = 32;
  int ranks = 1;  // CPU engine: data-parallel copies; `batch` is one's, `threads` are shared out
  int rank = 0;   // of those: it draws dropout masks of its own
  Exchange exchange = Exchange::nccl;
  Compression compression = Compression::none;
  int threads = 0;  // CPU engine: OpenMP threads; 0 = the CPUs this process may run on
  int prompt = 0;   // decode: the cache starts with this many positions of noise
  int device = 0;   // GPU engine: which one, as CUDA counts
  std::uint64_t device_memory_limit_bytes = 0;  // GPU engine: of its own allocations; 0: none
  double device_share = 0;  // GPU engine: of its multiprocessors, in (0, 1); 0: all of them
  PreprocessOn preprocess_on = PreprocessOn::cpu;  // gpu: batches hold pictures, not images
  float learning_rate = 0.01F;
  float momentum = 0.9F;
  float weight_decay = 1e-4F;
  float beta1 = 0.9F;  // Adam's, with the defaults of its paper (Kingma and Ba, ICLR 2015)
  float beta2 = 0.999F;
  float adam_epsilon = 1e-8F;
  std::uint64_t seed = 1;
  double replay_items_per_s = 0;   // replay engine only
  bool replay_hides_copy = false;  // replay engine: copies are part of its time, not before it
};

// Cannot go on: driver, library or shape. The message says what, where and what to try.
class EngineError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The device's memory is too small for this network and batch: a status, not a crash.
class OutOfMemory : public EngineError {
 public:
  using EngineError::EngineError;
};

// The message carries the nearest known names.
class UnknownNetwork : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class Engine {
 public:
  Engine() = default;
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;
  virtual ~Engine() = default;

  // Runs one step and waits for its end. Without a loss to compute (decode) labels are not read.
  virtual StepResult step(const Batch& batch) = 0;

  // Puts these values in the place of its own start; parameters not named keep theirs. Throws
  // EngineError for a name or a count that the network does not have.
  virtual void load_parameters(std::span<const ParameterValues> parameters) = 0;

  // Device memory held by this engine, bytes (host memory for the CPU engine).
  [[nodiscard]] virtual std::uint64_t memory_bytes() const = 0;

  // Library versions and choices that belong in a record: {"oneDNN": "2.6.3", "isa": "avx512"}.
  [[nodiscard]] virtual std::map<std::string, std::string> software() const = 0;
};

inline constexpr std::string_view no_experts =
    "a mixture of experts is predicted, not run: ask advise, predict or simulate";
inline constexpr std::string_view no_given_parts =
    "what makes pictures of noise, or writes what an encoder read, is predicted, not run: ask "
    "advise, predict or simulate";
inline constexpr std::string_view no_detectors =
    "what finds objects or labels every position of an image is predicted, not run: ask advise, "
    "predict or simulate";
inline constexpr std::string_view no_recommenders =
    "what looks up rows of several tables is predicted, not run: ask advise, predict or simulate";
inline constexpr std::string_view no_divided_tables =
    "tables that ranks divide among themselves are predicted, not run: use one rank, or ask "
    "advise, predict or simulate";
inline constexpr std::string_view no_recurrence =
    "layers that keep a state of one size (Mamba, gated delta networks) are predicted, not run: "
    "ask "
    "advise, predict or simulate";
inline constexpr std::string_view no_shared_layers =
    "layers that share parameters (ALBERT) are predicted on GPUs, not run: ask advise, predict or "
    "simulate";
inline constexpr std::string_view no_distances =
    "attention to words and their distances (DeBERTa) is predicted, not run: ask advise, predict "
    "or simulate";
inline constexpr std::string_view no_shared_caches =
    "attention to keys and values of another layer (Gemma 3n) is predicted, not run: ask advise, "
    "predict or simulate";
inline constexpr std::string_view no_latents =
    "attention to latent vectors (MLA) is predicted, not run: ask advise, predict or simulate";

// The one factory: a switch over EngineKind (engine.cpp). Throws EngineError when the engine is not
// available here (no CUDA device, no plugin), naming the remedy.
[[nodiscard]] std::unique_ptr<Engine> make_engine(EngineKind kind,
                                                  const Network& network,
                                                  const EngineOptions& options);

}  // namespace rightsize
