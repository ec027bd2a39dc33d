#include "kernels/gpu/graph.h"

#include <algorithm>

#include <fmt/format.h>

#include "kernels/cpu/random.h"
#include "kernels/decode.h"
#include "kernels/gpu/layout.h"
#include "kernels/gpu/picture_kernels.h"
#include "kernels/gpu/requirements.h"
#include "kernels/gpu/sequence_kernels.h"
#include "kernels/kernel_names.h"
#include "kernels/pooled_growth.h"

namespace rightsize::gpu {
namespace {

// The CPU engine draws a layer's dropout masks from the same stream.
constexpr std::uint64_t dropout_streams = 1'000'000;

// A rank drops out other features than the others, as those of the CPU engine do.
std::uint64_t dropout_seed(const abi::Options& options) {
  return options.rank == 0
             ? options.seed
             : cpu::stream_key(options.seed, 2'000'000 + static_cast<std::uint64_t>(options.rank));
}

Phase phase_of(const abi::Options& options) {
  return static_cast<Phase>(options.phase);
}

std::size_t bytes_of(std::int64_t count) {
  return static_cast<std::size_t>(count) * sizeof(float);  // or ids: both have four bytes
}

}  // namespace

Graph::Graph(const Network& network, const abi::Options& options)
    : network_(phase_of(options) == Phase::decode ? one_position(network, options.prompt)
                                                  : network),
      sequence_(network.input.positions()),
      options_(options),
      budget_(options.memory_limit),
      device_(options, budget_),
      plan_(plan_nodes(network_, phase_of(options))),
      shared_{lowering_.buffer(sizeof(StepState)),
              lowering_.buffer(bytes_of(label_count())),
              lowering_.buffer(bytes_of(token_count())),
              lowering_.buffer(0),
              lowering_.buffer(0)},
      images_(lowering_.buffer(input_bytes())),
      pictures_(lowering_.buffer(picture_table_bytes())),
      parameters_(lowering_, device_.type(), phase_of(options), network_.optimizer),
      exchange_(lowering_, device_, options) {
  for (const int buffer :
       {shared_.state, shared_.labels, shared_.tokens, shared_.partials, shared_.workspace}) {
    lowering_.keep(buffer);
  }
  lowering_.keep(pictures_);  // trials of algorithms must leave it readable
  require_supported(network_, options_);
  require_room(network, options_);
  add_all_parameters();
  lower_forward();
  forward_ = lowering_.take_program();
  if (has_backward(phase_of(options_))) {
    lower_backward();
    backward_ = lowering_.take_program();
  }
  lower_update();
  for (const auto& operation : operations_) {
    if (operation) {
      operation->finish_step();
    }
  }
  update_ = lowering_.take_program();
  allocate();
  warm_up();
  initialise();
  capture();
}

std::size_t Graph::input_bytes() const {
  if (network_.reads_tokens()) {
    return 0;
  }
  const auto& in = network_.input;
  const auto batch = static_cast<std::size_t>(options_.batch);
  return batch * (options_.preprocess != 0
                      ? picture_bytes(in.h, in.c)
                      : static_cast<std::size_t>(in.elements()) * sizeof(float));
}

std::size_t Graph::picture_table_bytes() const {
  return options_.preprocess != 0 ? static_cast<std::size_t>(options_.batch) * sizeof(Picture) : 0;
}

// All before the first operation: operations refer to their parameters.
void Graph::add_all_parameters() {
  for (std::size_t i = 1; i < network_.layers.size(); ++i) {
    const auto& layer = network_.layers[i];
    const auto& in = network_.layers[static_cast<std::size_t>(layer.inputs.at(0))].out;
    const auto& node = plan_.nodes[static_cast<std::size_t>(plan_.node_of[i])];
    const bool decodes = phase_of(options_) == Phase::decode;
    add_parameters(parameters_,
                   layer,
                   {in,
                    pooled_growth(network_, layer),
                    node.layer == i && node.relu,
                    options_.batch,
                    decodes ? sequence_ : 0});
  }
}

std::int64_t Graph::token_count() const {
  return network_.reads_tokens() ? options_.batch * network_.input.elements() : 0;
}

std::int64_t Graph::label_count() const {
  return phase_of(options_) == Phase::decode ? 0 : options_.batch * network_.labels_per_item();
}

// Tokens are no tensor: who reads them takes SharedBuffers::tokens.
void Graph::lower_input() {
  if (network_.reads_tokens()) {
    return;
  }
  const auto& in = network_.input;
  const auto tensor = lowering_.tensor({options_.batch, in.h, in.w, in.c}, device_.type());
  const bool preprocess = options_.preprocess != 0;
  lowering_.emit(preprocess ? "data.preprocess" : "data.convert",
                 [this, tensor, preprocess] {
                   auto* const to = lowering_.address(tensor);
                   const auto stream = device_.stream().get();
                   if (preprocess) {
                     const auto* const pixels = lowering_.address_as<std::uint8_t>(images_);
                     launch_pictures(pictures(), pixels, to, tensor.type, tensor.shape, stream);
                   } else {
                     launch_images(images(), to, tensor.type, tensor.shape, stream);
                   }
                   check_launch();
                 },
                 {images_, tensor.buffer});
  outputs_[0] = tensor;
}

std::unique_ptr<Operation> Graph::make_node(const Node& node) {
  const bool wanted =
      std::any_of(node.inputs.begin(), node.inputs.end(), [](int input) { return input != 0; });
  return make_operation({device_,
                         lowering_,
                         parameters_,
                         shared_,
                         network_.layers[node.layer],
                         cpu::stream_key(dropout_seed(options_), dropout_streams + node.layer),
                         in_training_mode(phase_of(options_)),
                         has_backward(phase_of(options_)),
                         node.relu,
                         wanted,
                         network_,
                         options_.batch,
                         phase_of(options_) == Phase::decode ? sequence_ : 0});
}

void Graph::lower_forward() {
  operations_.resize(plan_.nodes.size());
  outputs_.resize(plan_.nodes.size());
  lower_input();
  for (std::size_t i = 1; i < plan_.nodes.size(); ++i) {
    const auto& node = plan_.nodes[i];
    std::vector<Tensor> inputs;
    for (const int input : node.inputs) {
      inputs.push_back(outputs_[static_cast<std::size_t>(input)]);
    }
    operations_[i] = make_node(node);
    outputs_[i] = operations_[i]->forward(inputs);
  }
  if (options_.keep_outputs != 0) {
    for (const auto& output : outputs_) {
      if (output) {  // tokens are none
        lowering_.keep(output.buffer);
      }
    }
  }
}

void Graph::lower_backward() {
  std::vector<Gradient> gradients(plan_.nodes.size());
  for (std::size_t i = plan_.nodes.size(); i-- > 1;) {
    const auto contributions = operations_[i]->backward(gradients[i]);
    const auto& inputs = plan_.nodes[i].inputs;
    for (std::size_t k = 0; k < inputs.size(); ++k) {
      auto& sum = gradients[static_cast<std::size_t>(inputs[k])];
      if (!contributions[k].tensor) {
        continue;
      }
      sum =
          sum.tensor ? add_gradients(lowering_, device_, sum, contributions[k]) : contributions[k];
    }
  }
}

UpdateOptions Graph::update_options() const {
  return {network_.optimizer,
          options_.weight_decay,
          {options_.learning_rate, options_.momentum},
          {options_.learning_rate, options_.beta1, options_.beta2, options_.adam_epsilon}};
}

// Without an optimizer the step still counts: dropout draws a new mask for each, and decoding goes
// on to the next position.
void Graph::lower_update() {
  if (phase_of(options_) == Phase::infer) {
    return;
  }
  if (phase_of(options_) == Phase::decode) {
    lowering_.emit(
        "next_position",
        [this] {
          launch_next_position(
              state(), options_.prompt, static_cast<int>(sequence_), device_.stream().get());
          check_launch();
        },
        {shared_.state});
    return;
  }
  if (has_backward(phase_of(options_))) {
    exchange_.emit(parameters_.all());
  }
  if (phase_of(options_) == Phase::train) {
    parameters_.emit_update(device_, update_options(), shared_.state);
    return;
  }
  if (has_backward(phase_of(options_))) {
    parameters_.hold_gradients();
  }
  lowering_.emit("finish_step",
                 [this] {
                   launch_finish_step(state(), false, device_.stream().get());
                   check_launch();
                 },
                 {shared_.state});
}

std::string Graph::attention_kernel() const {
  return kernel_names(operations_);
}

std::vector<float> Graph::output(std::string_view layer) const {
  if (options_.keep_outputs == 0) {
    throw GpuError(abi::Status::invalid, "outputs share memory; create the engine to keep them");
  }
  for (std::size_t i = 0; i < network_.layers.size(); ++i) {
    if (network_.layers[i].name == layer) {
      const auto& tensor = outputs_[static_cast<std::size_t>(plan_.node_of[i])];
      const auto& s = tensor.shape;
      const auto values = download(device_, lowering_.address(tensor), tensor.type, s.elements());
      return to_channels_first(values, s.n, s.c, s.h * s.w);
    }
  }
  throw GpuError(abi::Status::invalid, fmt::format("no layer \"{}\" in this network", layer));
}

std::vector<float> Graph::gradient(std::string_view parameter) const {
  auto values = parameters_.gradient(device_, parameters_.find(parameter));
  StepState now{};
  check(
      cudaMemcpyAsync(&now, state(), sizeof(now), cudaMemcpyDeviceToHost, device_.stream().get()));
  device_.stream().wait();
  for (auto& value : values) {
    value /= now.loss_scale;
  }
  return values;
}

}  // namespace rightsize::gpu
