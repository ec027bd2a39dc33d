#include "kernels/adapter_work.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "kernels/network_blocks.h"
#include "kernels/work.h"

namespace rightsize {
namespace {

const Layer& layer_at(const Network& network, int index) {
  return network.layers[static_cast<std::size_t>(index)];
}

// The first layer that reads each layer, -1: none.
std::vector<int> readers(const Network& network) {
  std::vector<int> first(network.layers.size(), -1);
  for (std::size_t i = 0; i < network.layers.size(); ++i) {
    for (const int input : network.layers[i].inputs) {
      auto& reader = first[static_cast<std::size_t>(input)];
      reader = reader < 0 ? static_cast<int>(i) : reader;
    }
  }
  return first;
}

bool bends(const Layer& layer) {
  return layer.kind == LayerKind::activation || layer.kind == LayerKind::relu;
}

// What reads a linear layer in the end: attention that it reaches through norms of heads and what
// puts sequences together, or else the layer next to it.
struct Behind {
  const Layer* layer = nullptr;
  int place = -1;      // where it was put beside others: 0 keys, 1 values
  bool gates = false;  // bent, it lets another through
};

Behind behind_of(const Network& network, const std::vector<int>& readers, std::size_t index) {
  Behind behind;
  int from = static_cast<int>(index);
  int at = readers[index];
  while (at >= 0) {
    const auto& layer = layer_at(network, at);
    if (layer.kind == LayerKind::concat) {
      behind.place = layer.inputs.front() == from ? 0 : 1;
    }
    const bool passes_on = layer.kind == LayerKind::concat ||
                           layer.kind == LayerKind::join_positions ||
                           (layer.kind == LayerKind::rms_norm && layer.heads > 0);
    if (!passes_on) {
      break;
    }
    from = at;
    at = readers[static_cast<std::size_t>(at)];
  }
  if (at >= 0 && layer_at(network, at).kind == LayerKind::attention) {
    behind.layer = &layer_at(network, at);
    return behind;
  }
  const auto next = readers[index];
  const auto behind_next = next < 0 ? -1 : readers[static_cast<std::size_t>(next)];
  const bool gates = behind_next >= 0 && bends(layer_at(network, next)) &&
                     layer_at(network, behind_next).kind == LayerKind::multiply;
  return {next < 0 ? nullptr : &layer_at(network, next), -1, gates};
}

// What a layer reads: the attention of which that is a part or the first of what was put together,
// or what a gate weighs (Qwen3-Next's).
const Layer& before_of(const Network& network, const Layer& layer) {
  const auto* before = &layer_at(network, layer.inputs.at(0));
  if (before->kind == LayerKind::take_positions || before->kind == LayerKind::concat ||
      before->kind == LayerKind::multiply) {
    const auto& whole = layer_at(network, before->inputs.at(0));
    before = whole.kind == LayerKind::attention ? &whole : before;
  }
  return *before;
}

// What a linear layer is made of, by what stands before and behind it: queries, keys and values lie
// in one, as do a gate and what it lets through.
std::vector<std::pair<Projection, std::int64_t>> parts_of(const Layer& layer,
                                                          const Layer& before,
                                                          const Behind& reader) {
  using enum Projection;
  const auto& behind = *reader.layer;
  if (behind.kind == LayerKind::attention && reader.place >= 0) {
    return {{reader.place == 0 ? k_proj : v_proj, layer.out.c}};
  }
  if (behind.kind == LayerKind::attention && behind.keys > 0) {  // of two matrices
    const auto heads = behind.heads * behind.head_dim;
    return layer.out.c == heads
               ? std::vector<std::pair<Projection, std::int64_t>>{{q_proj, heads}}
               : std::vector<std::pair<Projection, std::int64_t>>{{k_proj, heads}, {v_proj, heads}};
  }
  if (behind.kind == LayerKind::attention) {
    const auto keys = behind.kv_heads * behind.head_dim;
    return {{q_proj, behind.heads * behind.head_dim}, {k_proj, keys}, {v_proj, keys}};
  }
  if (behind.kind == LayerKind::gated_silu || behind.kind == LayerKind::gated_gelu) {
    return {{gate_proj, layer.out.c / 2}, {up_proj, layer.out.c / 2}};
  }
  if (before.kind == LayerKind::attention) {
    return {{o_proj, layer.out.c}};
  }
  if (before.kind == LayerKind::gated_silu || before.kind == LayerKind::gated_gelu ||
      before.kind == LayerKind::multiply || bends(before)) {
    return {{down_proj, layer.out.c}};
  }
  if (reader.gates) {
    return {{gate_proj, layer.out.c}};
  }
  return bends(behind) || behind.kind == LayerKind::multiply
             ? std::vector<std::pair<Projection, std::int64_t>>{{up_proj, layer.out.c}}
             : std::vector<std::pair<Projection, std::int64_t>>{};
}

std::vector<bool> in_blocks(const Network& network) {
  std::vector<bool> inside(network.layers.size(), false);
  for (const auto& block : blocks_of(network)) {
    for (std::size_t i = block.first; i < block.end; ++i) {
      inside[i] = block.recomputable;
    }
  }
  return inside;
}

}  // namespace

std::vector<std::vector<AdapterShape>> adapter_shapes(const Network& network) {
  std::vector<std::vector<AdapterShape>> shapes(network.layers.size());
  if (!network.adapters.any()) {
    return shapes;
  }
  const auto first_readers = readers(network);
  for (std::size_t i = 1; i < network.layers.size(); ++i) {
    const auto& layer = network.layers[i];
    // What is made of a step's time alone is no layer of a block's positions.
    const bool of_time = is_denoiser(network) && layer.out.positions() == 1;
    if (layer.kind != LayerKind::linear || first_readers[i] < 0 || of_time) {
      continue;
    }
    const auto in = layer_at(network, layer.inputs.at(0)).out.c;
    const auto behind = behind_of(network, first_readers, i);
    for (const auto& [projection, out] : parts_of(layer, before_of(network, layer), behind)) {
      if (has(network.adapters.projections, projection)) {
        shapes[i].push_back({in, out});
      }
    }
  }
  return shapes;
}

std::vector<std::uint64_t> trained_parameters(const Network& network) {
  std::vector<std::uint64_t> trained(network.layers.size(), 0);
  const auto shapes = adapter_shapes(network);
  for (std::size_t i = 0; i < trained.size(); ++i) {
    std::int64_t sides = 0;
    for (const auto& shape : shapes[i]) {
      sides += shape.in + shape.out;
    }
    trained[i] = network.adapters.any() ? static_cast<std::uint64_t>(network.adapters.rank * sides)
                                        : layer_work(network, i).parameters;
  }
  return trained;
}

std::vector<double> frozen_bytes_per_parameter(const Network& network, Precision precision) {
  std::vector<double> bytes(network.layers.size(), bytes_per_element(precision));
  if (network.adapters.narrow) {
    const auto inside = in_blocks(network);
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      const bool matrix = inside[i] && network.layers[i].kind == LayerKind::linear;
      bytes[i] = matrix ? narrow_bytes_per_parameter : sizeof(float);
    }
  }
  return bytes;
}

std::uint64_t adapted_parameter_bytes(const Network& network,
                                      Phase phase,
                                      Precision precision,
                                      int ranks) {
  const auto each = frozen_bytes_per_parameter(network, precision);
  double frozen = 0;
  double gathered = 0;
  double before = 0;  // the block before, with parameters
  for (const auto& block : blocks_of(network)) {
    double own = 0;
    for (std::size_t i = block.first; i < block.end; ++i) {
      own += each[i] * static_cast<double>(layer_work(network, i).parameters);
    }
    frozen += own;
    gathered = std::max(gathered, before + own);
    before = own > 0 ? own : before;
  }
  const auto state = state_bytes(network, phase, precision);
  const auto each_trained = trained_parameters(network);
  const auto trained = static_cast<double>(
      std::accumulate(each_trained.begin(), each_trained.end(), std::uint64_t{0}));
  return static_cast<std::uint64_t>((frozen + trained * (state.kept() + state.copy)) /
                                        std::max(1, ranks) +
                                    (ranks > 1 ? gathered : 0));
}

std::uint64_t widened_matrix_bytes(const Network& network, Precision precision) {
  std::uint64_t most = 0;
  if (network.adapters.narrow) {
    const auto inside = in_blocks(network);
    for (std::size_t i = 0; i < inside.size(); ++i) {
      if (inside[i] && network.layers[i].kind == LayerKind::linear) {
        most = std::max(most, layer_work(network, i).parameters);
      }
    }
  }
  return most * static_cast<std::uint64_t>(bytes_per_element(precision));
}

}  // namespace rightsize
