// What is to be run: network, phase, batch, precision, engine and where the data comes from.
// A plain value: it goes into a campaign file, into a record, and to the model.
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include <boost/json/fwd.hpp>

namespace rightsize {

// train: forward, backward, update. forward and forward_backward: the parts of a training step, as
// `caffe time` reports them. infer: the network as it is served (a prompt, for a language model).
// decode: one token after the other with a key-value cache; a step makes one token per item.
enum class Phase { train, forward, forward_backward, infer, decode, preprocess };
// fp8: of a language model in training the products of its blocks' linear layers, forward and back,
// are of numbers in 8 bits, scaled (Micikevicius et al., "FP8 formats for deep learning", 2022;
// NVIDIA's Transformer Engine, torchao's float8); all else is bf16's. The laws know it, the engines
// here do not run it.
enum class Precision { fp32, tf32, fp16, bf16, fp8 };

// What is kept of activations, gradients and the kernels' copy of parameters.
[[nodiscard]] constexpr int bytes_per_element(Precision precision) {
  return precision == Precision::fp32 || precision == Precision::tf32 ? 4 : 2;
}

// Whether what is kept has the range of fp32 in 16 bits.
[[nodiscard]] constexpr bool keeps_bf16(Precision precision) {
  return precision == Precision::bf16 || precision == Precision::fp8;
}

// cpu: oneDNN here. gpu: the CUDA plugin. replay: a stand-in accelerator that takes a recorded or
// published step time, so that the real data path can be driven at the speed of a GPU we lack.
enum class EngineKind { cpu, gpu, replay };

// synthetic: one batch in memory, used again and again (no data path at all).
// mnist: IDX files; cifar: the binary version; both are held in memory. tokens: a token stream.
enum class DataFormat { synthetic, jpeg, recordio, lmdb, tfrecord, mnist, cifar, tokens };

// How data-parallel ranks average their gradients (parallel/exchange.h). sharded: they also divide
// the parameters and the optimizer's state among themselves and gather each block's weights when it
// runs (ZeRO stage 3: Rajbhandari et al., SC 2020; FSDP: Zhao et al., VLDB 2023); the laws know it,
// the engines here do not run it.
enum class Exchange { local, device, nccl, sharded };
enum class Compression { none, two_bit };

// Who resizes, crops, flips and normalises: the loader's threads, or the GPU in front of its step
// (then the loader only decodes). Either way the numbers are the same.
enum class PreprocessOn { cpu, gpu };

// Requests of many callers, answered by a network in phase `infer`. They come whether or not
// earlier ones were answered (an open loop): waiting is theirs, not the load's.
struct Requests {
  double per_s = 0;                  // on average; 0 where a file says when each comes
  std::string arrivals = "poisson";  // or "bursty:K", K together on average, or a file's path
  double max_delay_s = 0;            // the longest that the oldest waits for others to join it

  bool operator==(const Requests&) const = default;
};

struct Workload {
  Phase phase = Phase::train;
  std::string network = "resnet50";  // ignored by preprocess
  Precision precision = Precision::fp32;
  EngineKind engine = EngineKind::cpu;
  int batch = 32;    // of a server: the most that are answered together
  int sequence = 0;  // tokens per item; 0: the network's own length; decode: what the cache holds
  int prompt = 0;    // decode: tokens already in the cache when generation starts
  int ranks = 1;     // data-parallel copies of the network; `batch` is one rank's
  Exchange exchange = Exchange::nccl;
  Compression compression = Compression::none;
  double replay_items_per_s = 0;  // engine = replay: the accelerator's own rate

  DataFormat data = DataFormat::synthetic;
  std::string data_path;  // folder (jpeg, lmdb, mnist, cifar) or file (recordio, tfrecord, tokens)
  bool shuffle = true;
  int loader_threads = 0;  // 0: as many as the vCPU limit, rounded up
  int prefetch_batches = 4;
  PreprocessOn preprocess_on = PreprocessOn::cpu;  // gpu: engine = gpu and pictures

  DataFormat output = DataFormat::lmdb;  // preprocess only: what is written

  std::optional<Requests> requests;  // the network is served

  // What a step takes: all ranks together.
  [[nodiscard]] int items_per_step() const { return batch * ranks; }

  bool operator==(const Workload&) const = default;
};

[[nodiscard]] constexpr bool has_backward(Phase phase) {
  return phase == Phase::train || phase == Phase::forward_backward;
}
// Normalisation by the batch's own statistics, dropout on.
[[nodiscard]] constexpr bool in_training_mode(Phase phase) {
  return has_backward(phase) || phase == Phase::forward;
}

// The words used in TOML, JSON and on the command line.
[[nodiscard]] std::string_view to_string(Phase value);
[[nodiscard]] std::string_view to_string(Precision value);
[[nodiscard]] std::string_view to_string(EngineKind value);
[[nodiscard]] std::string_view to_string(DataFormat value);
[[nodiscard]] std::string_view to_string(Exchange value);
[[nodiscard]] std::string_view to_string(Compression value);
[[nodiscard]] std::string_view to_string(PreprocessOn value);

// nullopt when the word is not known; the caller knows the file and line to name.
[[nodiscard]] std::optional<Phase> parse_phase(std::string_view text);
[[nodiscard]] std::optional<Precision> parse_precision(std::string_view text);
inline constexpr const char* precision_grammar = "fp32, tf32, fp16, bf16 or fp8";
[[nodiscard]] std::optional<EngineKind> parse_engine(std::string_view text);
[[nodiscard]] std::optional<DataFormat> parse_data_format(std::string_view text);
// Of sharded also what others call it: "fsdp", "zero3".
[[nodiscard]] std::optional<Exchange> parse_exchange(std::string_view text);
[[nodiscard]] std::optional<Compression> parse_compression(std::string_view text);
[[nodiscard]] std::optional<PreprocessOn> parse_preprocess_on(std::string_view text);

[[nodiscard]] boost::json::object to_json(const Workload& workload);
// Throws std::runtime_error naming the field.
[[nodiscard]] Workload workload_from_json(const boost::json::object& object);

}  // namespace rightsize
