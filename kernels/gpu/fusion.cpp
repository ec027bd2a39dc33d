#include "kernels/gpu/fusion.h"

namespace rightsize::gpu {
namespace {

constexpr int none = -1;

bool can_end_in_relu(LayerKind kind) {
  return kind == LayerKind::convolution || kind == LayerKind::fully_connected ||
         kind == LayerKind::batch_norm || kind == LayerKind::add;
}

std::vector<int> count_readers(const Network& network) {
  std::vector<int> readers(network.layers.size(), 0);
  for (const auto& layer : network.layers) {
    for (const int input : layer.inputs) {
      ++readers[static_cast<std::size_t>(input)];
    }
  }
  return readers;
}

// For a sum of two: the input that is a normalisation nobody else reads, or none.
int absorbing_norm(const Network& network, const Layer& sum, const std::vector<int>& readers) {
  if (sum.kind != LayerKind::add || sum.inputs.size() != 2) {
    return none;
  }
  for (const int input : sum.inputs) {
    const auto index = static_cast<std::size_t>(input);
    if (network.layers[index].kind == LayerKind::batch_norm && readers[index] == 1) {
      return input;
    }
  }
  return none;
}

class Planner {
 public:
  Planner(const Network& network, Phase phase)
      : network_(network),
        phase_(phase),
        readers_(count_readers(network)),
        norm_of_(network.layers.size(), none),
        absorbed_(network.layers.size(), false),
        plan_{{}, std::vector<int>(network.layers.size(), none)} {
    for (std::size_t i = 0; i < network.layers.size(); ++i) {
      norm_of_[i] = absorbing_norm(network, network.layers[i], readers_);
      if (norm_of_[i] != none) {
        absorbed_[static_cast<std::size_t>(norm_of_[i])] = true;
      }
    }
  }

  Plan run() {
    for (std::size_t i = 0; i < network_.layers.size(); ++i) {
      if (!absorbed_[i]) {  // else its sum will place it
        plan_.node_of[i] = place(i);
      }
    }
    return std::move(plan_);
  }

 private:
  int node_of(int layer) const { return plan_.node_of[static_cast<std::size_t>(layer)]; }

  int append(std::size_t layer, std::vector<int> inputs) {
    plan_.nodes.push_back({layer, std::move(inputs), false});
    return static_cast<int>(plan_.nodes.size()) - 1;
  }

  int place(std::size_t index) {
    const auto& layer = network_.layers[index];
    if (norm_of_[index] != none) {
      return place_sum(layer, norm_of_[index]);
    }
    if (layer.kind == LayerKind::dropout && !in_training_mode(phase_)) {
      return node_of(layer.inputs[0]);
    }
    if (layer.kind == LayerKind::relu) {
      const auto from = static_cast<std::size_t>(layer.inputs[0]);
      if (readers_[from] == 1 && can_end_in_relu(network_.layers[from].kind)) {
        const int node = node_of(layer.inputs[0]);
        plan_.nodes[static_cast<std::size_t>(node)].relu = true;
        return node;
      }
    }
    std::vector<int> inputs;
    for (const int input : layer.inputs) {
      inputs.push_back(node_of(input));
    }
    return append(index, std::move(inputs));
  }

  int place_sum(const Layer& sum, int norm) {
    const int other = sum.inputs[0] == norm ? sum.inputs[1] : sum.inputs[0];
    const auto norm_index = static_cast<std::size_t>(norm);
    const int source = network_.layers[norm_index].inputs[0];
    const int node = append(norm_index, {node_of(source), node_of(other)});
    plan_.node_of[norm_index] = node;
    return node;
  }

  const Network& network_;
  Phase phase_;
  std::vector<int> readers_;
  std::vector<int> norm_of_;  // sum -> the normalisation it is part of
  std::vector<bool> absorbed_;
  Plan plan_;
};

}  // namespace

Plan plan_nodes(const Network& network, Phase phase) {
  return Planner(network, phase).run();
}

}  // namespace rightsize::gpu
