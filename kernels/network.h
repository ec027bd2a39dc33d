// A network as data: layers with shapes in topological order. Parameters, FLOPs, bytes and memory
// are pure functions of it (work.h); an Engine runs it (engine.h).
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/adapters.h"
#include "kernels/layer.h"
#include "kernels/training_state.h"

namespace rightsize {

enum class InputKind {
  image,   // FP32 values
  tokens,  // ids below Network::vocabulary
  sound,   // the logarithms of its spectrum, {bins, frames, 1}, FP32
};

struct Network {
  std::string name;   // as the user types it: "resnet50"
  std::string title;  // as people write it: "ResNet-50"
  FeatureShape input;
  int classes = 0;
  std::vector<Layer> layers;  // layers[0] is the input, the last one a loss
  InputKind input_kind = InputKind::image;
  std::int64_t vocabulary = 0;           // tokens only
  Optimizer optimizer = Optimizer::sgd;  // what it is trained with
  Adapters adapters = {};                // all that is trained of it, where there are any
  TrainingState state = {};              // what is kept of every trained parameter
  // Before it infers, what runs it makes batch norms part of the convolutions in front of them, and
  // parameters as wide as they are computed with (Ultralytics' fuse() and half()).
  bool fused_to_infer = false;
  std::vector<std::string> notes = {};   // what its file says and its layers do not have

  [[nodiscard]] bool reads_tokens() const { return input_kind == InputKind::tokens; }
  [[nodiscard]] bool hears() const { return input_kind == InputKind::sound; }
  // One for a classifier, one for every position of a language model.
  [[nodiscard]] std::int64_t labels_per_item() const {
    const auto& loss = layers.back();
    return loss.kind == LayerKind::squared_error ? 1 : loss.out.positions();
  }
};

// Values of one parameter by the engines' name for it ("conv1.weights", "bn.mean"): dense row-major
// FP32, weights as output x input x height x width.
struct ParameterValues {
  std::string name;
  std::vector<float> values;
};

// A network and, where it came from a file, what its parameters are; else an engine's own start.
struct TrainedNetwork {
  Network network;
  std::vector<ParameterValues> parameters;
};

// One row of the visible table of built-in networks (networks/built_in.cpp).
struct NetworkInfo {
  std::string_view name;
  std::string_view title;
  std::string_view source;  // the paper the shapes come from
  Network (*make)(int sequence);  // of images: of a side that was asked for (image_size.h), 0: own
  int sequence = 0;  // tokens per item of its source; 0: the network reads no tokens
};

[[nodiscard]] std::span<const NetworkInfo> builtin_networks();

struct NetworkTitle {
  std::string_view name;
  std::string_view title;
};

// Of all that go by a name: those, language models (networks/language_models.h), models that make
// pictures (networks/diffusion/diffusion.h) and those that write what they read
// (networks/encoder_decoder/encoder_decoder.h).
[[nodiscard]] std::span<const NetworkTitle> network_titles();
[[nodiscard]] bool is_network(std::string_view name);
// "sdxl" of "sdxl:steps=20".
[[nodiscard]] std::string_view without_form(std::string_view name);

// `name` is a built-in one, a language model, a model that makes pictures or writes (diffusion.h
// and encoder_decoder.h have their grammars), the path of an ONNX file (onnx/onnx.h), or of a
// Hugging Face style config.json of Llama's architecture, of an encoder or of what writes
// (networks/llama.h, encoder.h).
// `sequence` is tokens per item, 0 for the network's own. Throws UnknownNetwork, whose message
// lists the nearest name ("did you mean"), and NetworkError for a sequence that the network cannot
// have or a file that cannot be run.
[[nodiscard]] Network make_network(std::string_view name, int sequence = 0);
// With the values of its parameters, where `name` is a file.
[[nodiscard]] TrainedNetwork make_trained_network(std::string_view name, int sequence = 0);

}  // namespace rightsize
