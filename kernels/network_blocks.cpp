#include "kernels/network_blocks.h"

#include <algorithm>

#include "kernels/adapter_work.h"
#include "kernels/work.h"

namespace rightsize {
namespace {

// Layers behind which nothing but their own output is still to be read, and token ids, which are
// next to nothing.
std::vector<std::size_t> narrow_places(const Network& network) {
  std::vector<std::size_t> last_reader(network.layers.size(), 0);
  for (std::size_t i = 0; i < network.layers.size(); ++i) {
    for (const int input : network.layers[i].inputs) {
      last_reader[static_cast<std::size_t>(input)] = i;
    }
  }
  std::vector<std::size_t> places;
  std::size_t read_until = 0;  // of the layers before
  for (std::size_t i = 1; i + 1 < network.layers.size(); ++i) {
    if (i > 1 || !network.reads_tokens()) {
      read_until = std::max(read_until, last_reader[i - 1]);
    }
    if (read_until <= i) {
      places.push_back(i);
    }
  }
  return places;
}

bool mixes_positions(const Layer& layer) {
  return layer.kind == LayerKind::attention || layer.kind == LayerKind::linear_recurrence;
}

// The layers after which blocks with attention begin, or with a recurrence in its place: the narrow
// place nearest before each.
std::vector<std::size_t> attention_starts(const Network& network,
                                          const std::vector<std::size_t>& places) {
  std::vector<std::size_t> starts;
  for (std::size_t i = 0; i < network.layers.size(); ++i) {
    const auto above = std::lower_bound(places.begin(), places.end(), i);
    if (mixes_positions(network.layers[i]) && above != places.begin() &&
        (starts.empty() || starts.back() != *std::prev(above))) {
      starts.push_back(*std::prev(above));
    }
  }
  return starts;
}

// Where the last block ends: as many narrow places on as the one before it has, or two, as a
// transformer's block has two sums.
std::size_t end_of_last(const std::vector<std::size_t>& starts,
                        const std::vector<std::size_t>& places) {
  const auto at = [&](std::size_t start) {
    return std::lower_bound(places.begin(), places.end(), start) - places.begin();
  };
  const auto count = static_cast<std::ptrdiff_t>(starts.size());
  const auto length = count > 1 ? at(starts.back()) - at(starts[starts.size() - 2]) : 2;
  const auto end =
      std::min(at(starts.back()) + length, static_cast<std::ptrdiff_t>(places.size()) - 1);
  return places[static_cast<std::size_t>(end)];
}

std::uint64_t most_of_neighbours(const std::vector<std::uint64_t>& sizes) {
  std::uint64_t most = sizes.empty() ? 0 : sizes.front();
  for (std::size_t i = 1; i < sizes.size(); ++i) {
    most = std::max(most, sizes[i - 1] + sizes[i]);
  }
  return most;
}

// As marked: stretches of one number.
std::vector<Block> marked_blocks(const Network& network) {
  const auto& layers = network.layers;
  std::vector<Block> blocks;
  for (std::size_t i = 0; i < layers.size(); ++i) {
    if (i == 0 || layers[i].block != layers[i - 1].block) {
      blocks.push_back({i, i, layers[i].block > 0});
    }
    blocks.back().end = i + 1;
  }
  return blocks;
}

bool has_marks(const Network& network) {
  return is_denoiser(network) || std::any_of(network.layers.begin(),
                                             network.layers.end(),
                                             [](const Layer& layer) { return layer.block > 0; });
}

// Elements that leave a marked block for whatever reads them behind it.
std::uint64_t passed_between(const Network& network) {
  std::vector<bool> passed(network.layers.size(), false);
  for (const auto& layer : network.layers) {
    for (const int input : layer.inputs) {
      const auto& from = network.layers[static_cast<std::size_t>(input)];
      passed[static_cast<std::size_t>(input)] =
          passed[static_cast<std::size_t>(input)] || (from.block > 0 && from.block != layer.block);
    }
  }
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < passed.size(); ++i) {
    sum += passed[i] ? static_cast<std::uint64_t>(network.layers[i].out.elements()) : 0;
  }
  return sum;
}

}  // namespace

std::vector<Block> blocks_of(const Network& network) {
  if (has_marks(network)) {
    return marked_blocks(network);
  }
  const auto places = narrow_places(network);
  auto cuts = attention_starts(network, places);
  const bool transformer = !cuts.empty();
  if (transformer) {
    cuts.push_back(end_of_last(cuts, places));
  } else {
    cuts = places;
  }
  std::vector<Block> blocks;
  std::size_t first = 0;
  for (const auto cut : cuts) {
    blocks.push_back({first, cut + 1, first > 0});
    first = cut + 1;
  }
  blocks.push_back({first, network.layers.size(), false});
  return blocks;
}

// A detector that attends at its smallest level is one of convolutions all the same.
bool is_transformer(const Network& network) {
  return !labels_positions(network) &&
         std::any_of(network.layers.begin(), network.layers.end(), mixes_positions);
}

std::uint64_t parameter_count(const Network& network, const Block& block) {
  std::uint64_t sum = 0;
  for (std::size_t i = block.first; i < block.end; ++i) {
    sum += layer_work(network, i).parameters;
  }
  return sum;
}

std::uint64_t expert_parameter_count(const Network& network, const Block& block) {
  std::uint64_t sum = 0;
  for (std::size_t i = block.first; i < block.end; ++i) {
    sum += network.layers[i].kind == LayerKind::experts ? layer_work(network, i).parameters : 0;
  }
  return sum;
}

std::vector<BlockParameters> parameters_by_block(const Network& network) {
  std::vector<BlockParameters> all;
  for (const auto& block : blocks_of(network)) {
    const auto experts = expert_parameter_count(network, block);
    all.push_back({experts, parameter_count(network, block) - experts, block.recomputable});
  }
  return all;
}

std::uint64_t sharded_parameter_bytes(
    const Network& network, Phase phase, Precision precision, int ranks, int expert_ranks) {
  if (network.adapters.any()) {
    return adapted_parameter_bytes(network, phase, precision, ranks);
  }
  return sharded_parameter_bytes(parameters_by_block(network),
                                 state_bytes(network, phase, precision),
                                 precision,
                                 ranks,
                                 expert_ranks);
}

std::uint64_t sharded_parameter_bytes(const std::vector<BlockParameters>& blocks,
                                      const StateBytes& state,
                                      Precision precision,
                                      int ranks,
                                      int expert_ranks) {
  std::vector<std::uint64_t> sizes;
  std::uint64_t all = 0;
  for (const auto& [experts, others, recomputable] : blocks) {
    all += experts + others;
    if (const auto size = others + experts / static_cast<std::uint64_t>(expert_ranks); size > 0) {
      sizes.push_back(size);
    }
  }
  const auto held = static_cast<std::uint64_t>(static_cast<double>(all) * state.kept());
  constexpr std::uint64_t weights_and_gradients = 2;
  const auto gathered = weights_and_gradients * most_of_neighbours(sizes) *
                        static_cast<std::uint64_t>(bytes_per_element(precision));
  const auto parts = static_cast<std::uint64_t>(std::max(1, ranks));
  return (held + parts - 1) / parts + gathered;
}

std::uint64_t recomputed_activation_elements(const Network& network) {
  const auto kept = activation_elements_by_layer(network);
  const bool marked = has_marks(network);
  std::uint64_t inputs = marked ? passed_between(network) : 0;
  std::uint64_t most = 0;
  std::uint64_t others = 0;
  for (const auto& block : blocks_of(network)) {
    std::uint64_t own = 0;
    for (std::size_t i = block.first; i < block.end; ++i) {
      own += kept[i];
    }
    if (block.recomputable) {
      inputs +=
          marked ? 0 : static_cast<std::uint64_t>(network.layers[block.first - 1].out.elements());
      most = std::max(most, own);
    } else {
      others += own;
    }
  }
  return inputs + most + others;
}

}  // namespace rightsize
