#include "kernels/cpu/graph.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "kernels/cpu/admission.h"
#include "kernels/cpu/guidance.h"
#include "kernels/cpu/optimizer.h"
#include "kernels/cpu/random.h"
#include "kernels/decode.h"
#include "kernels/kernel_names.h"

namespace rightsize::cpu {
namespace {

// Ranks start from the same values and leave out other units.
std::uint64_t dropout_seed(const EngineOptions& options) {
  return options.rank == 0
             ? options.seed
             : stream_key(options.seed, 2'000'000 + static_cast<std::uint64_t>(options.rank));
}

}  // namespace

Graph::Graph(const Network& network, const EngineOptions& options, bool keep_outputs)
    : network_(options.phase == Phase::decode ? one_position(network, options.prompt) : network),
      fusion_(plan_fusion(network_, options.phase, keep_outputs)),
      engine_(dnnl::engine::kind::cpu, 0),
      stream_(engine_),
      lowering_(engine_, stream_, options.phase, activation_type(network, options)),
      parameters_(network.optimizer),
      items_(options.batch),
      sequence_(network.input.positions()) {
  check_passes(network_, options.phase);
  check_beams(network_);
  state_.learning_rate = options.learning_rate;
  if (options.phase == Phase::decode) {
    prompt_ = options.prompt;
    state_.position = prompt_;
  }
  lower_forward(options, keep_outputs);
  forward_ = lowering_.take_program();
  if (has_backward(options.phase)) {
    lower_backward();
    if (options.phase == Phase::forward_backward) {
      parameters_.hold_gradients(lowering_);
    }
    backward_ = lowering_.take_program();
  }
  if (options.phase == Phase::train) {
    const UpdateOptions update{.rate = options.learning_rate,
                               .decay = options.weight_decay,
                               .momentum = options.momentum,
                               .beta1 = options.beta1,
                               .beta2 = options.beta2,
                               .epsilon = options.adam_epsilon};
    parameters_.emit_update(lowering_, update, state_.step);
  }
  for (const auto& operation : operations_) {
    if (operation) {
      operation->finish_step();
    }
  }
  update_ = lowering_.take_program();
  arena_ = lowering_.bind();
  parameters_.initialise(stream_, options.seed);
}

std::size_t Graph::value_of(int layer) const {
  return static_cast<std::size_t>(fusion_.value[static_cast<std::size_t>(layer)]);
}

const Layer* Graph::norm_of(std::size_t layer) const {
  const int norm = fusion_.norm[layer];
  return norm < 0 ? nullptr : &network_.layers[static_cast<std::size_t>(norm)];
}

std::unique_ptr<Operation> Graph::operation_of(std::size_t index, std::uint64_t seed) {
  const auto& layer = network_.layers[index];
  const bool input_gradient = std::any_of(layer.inputs.begin(), layer.inputs.end(), [this](int in) {
    const auto kind = network_.layers[value_of(in)].kind;
    return value_of(in) != 0 && kind != LayerKind::given && kind != LayerKind::log_counts;
  });
  return make_operation({lowering_,
                         parameters_,
                         state_,
                         network_,
                         layer,
                         items_ * layer.copies,
                         sequence_,
                         seed,
                         fusion_.relu[index],
                         input_gradient,
                         fusion_.relu6[index],
                         norm_of(index)});
}

void Graph::lower_forward(const EngineOptions& options, bool keep_outputs) {
  const auto& in = network_.input;
  operations_.resize(network_.layers.size());
  outputs_.resize(network_.layers.size());
  if (!network_.reads_tokens()) {  // tokens are no tensor: who reads them takes RunState::tokens
    images_ = lowering_.outside(plain({options.batch, in.c, in.h, in.w}));
    outputs_[0] = images_;
  }
  for (std::size_t i = 1; i < network_.layers.size(); ++i) {
    follow_passes(i);
    const auto value = value_of(static_cast<int>(i));
    if (value != i) {
      outputs_[i] = outputs_[value];
      continue;
    }
    const auto inputs = inputs_of(i);
    operations_[i] = operation_of(i, stream_key(dropout_seed(options), 1'000'000 + i));
    outputs_[i] = operations_[i]->forward(inputs);
    if (keep_outputs) {
      lowering_.keep(outputs_[i]);
    }
  }
}

void Graph::follow_passes(std::size_t layer) {
  const auto before = network_.layers[layer - 1].passes;
  const auto now = network_.layers[layer].passes;
  if (before != now && before > 1) {
    lowering_.end_loop(before);
  }
  if (before != now && now > 1) {
    lowering_.begin_loop();
  }
}

std::vector<Tensor> Graph::inputs_of(std::size_t index) {
  const auto& layer = network_.layers[index];
  std::vector<Tensor> inputs;
  for (const int input : layer.inputs) {
    const auto& from = network_.layers[value_of(input)];
    const auto& output = outputs_[value_of(input)];
    const bool guides = from.copies == 2 && layer.copies == 1;
    if (from.kind != LayerKind::input && from.copies != layer.copies && !guides) {
      throw EngineError(fmt::format("cpu engine: layer {} has {} copies and reads {}, which has {}",
                                    layer.name,
                                    layer.copies,
                                    from.name,
                                    from.copies));
    }
    inputs.push_back(guides ? emit_guidance(lowering_, from.name + ".guidance", output) : output);
  }
  if (fusion_.addend[index] >= 0) {
    inputs.push_back(outputs_[static_cast<std::size_t>(fusion_.addend[index])]);
  }
  return inputs;
}

void Graph::lower_backward() {
  std::vector<Gradient> gradients(network_.layers.size());
  for (std::size_t i = network_.layers.size(); i-- > 1;) {
    if (!operations_[i]) {
      continue;
    }
    const auto contributions = operations_[i]->backward(gradients[i]);
    const auto& inputs = network_.layers[i].inputs;
    for (std::size_t k = 0; k < inputs.size(); ++k) {
      auto& sum = gradients[value_of(inputs[k])];
      if (!contributions[k].tensor) {
        continue;
      }
      sum = sum.tensor ? add_gradients(lowering_, sum, contributions[k]) : contributions[k];
    }
  }
}

void Graph::bind(const Batch& batch) {
  check_sizes(batch);
  if (label_count() > 0) {
    check_ids(batch.labels, network_.classes, "label");
  }
  if (network_.reads_tokens()) {
    check_ids(batch.tokens, network_.vocabulary, "token");
    state_.tokens = batch.tokens.data();
  } else {
    images_.memory.set_data_handle(const_cast<float*>(batch.images.data()));  // only read
  }
  state_.labels = batch.labels.data();
}

void Graph::advance() {
  ++state_.step;
  if (lowering_.phase() == Phase::decode) {
    ++state_.position;
    state_.position = state_.position == sequence_ ? prompt_ : state_.position;
  }
}

// Decoding, there is no loss, and a denoiser's is against a target: nobody reads labels.
std::int64_t Graph::label_count() const {
  return reads_labels() ? items_ * network_.labels_per_item() : 0;
}

void Graph::check_sizes(const Batch& batch) const {
  const auto size = [](const auto& values) { return static_cast<std::int64_t>(values.size()); };
  const auto inputs = items_ * network_.input.elements();
  const auto labels = label_count();
  const auto given = network_.reads_tokens() ? size(batch.tokens) : size(batch.images);
  if (given != inputs || (labels > 0 && size(batch.labels) != labels)) {
    throw EngineError(
        fmt::format("cpu engine, {}: got {} {} and {} labels, the batch of {} needs {} and {}; "
                    "check the loader's crop or sequence, and its batch",
                    network_.name,
                    given,
                    network_.reads_tokens() ? "tokens" : "image values",
                    batch.labels.size(),
                    items_,
                    inputs,
                    labels));
  }
}

// Labels below zero stand for "no label here".
void Graph::check_ids(std::span<const std::int32_t> ids,
                      std::int64_t count,
                      std::string_view what) const {
  const auto least = what == "label" ? std::numeric_limits<std::int32_t>::min() : 0;
  const auto wrong = std::find_if(
      ids.begin(), ids.end(), [&](std::int32_t id) { return id < least || id >= count; });
  if (wrong != ids.end()) {
    throw EngineError(
        fmt::format("cpu engine, {}: {} {} is not one of {} {}; check the dataset's {}s",
                    network_.name,
                    what,
                    *wrong,
                    count,
                    what == "label" ? "classes" : "ids",
                    what));
  }
}

void Graph::run(const Program& program) {
  for (const auto& step : program) {
    step.run();
  }
  stream_.wait();
}

std::string Graph::attention_kernel() const {
  return kernel_names(operations_);
}

const Tensor& Graph::output(std::string_view layer) const {
  const auto found = std::find_if(network_.layers.begin(),
                                  network_.layers.end(),
                                  [&](const Layer& l) { return l.name == layer; });
  if (found == network_.layers.end()) {
    throw EngineError(fmt::format("cpu engine: no layer \"{}\" in {}", layer, network_.name));
  }
  return outputs_[static_cast<std::size_t>(found - network_.layers.begin())];
}

}  // namespace rightsize::cpu
