#include "kernels/alive_elements.h"

#include <algorithm>
#include <vector>

#include "kernels/work.h"

namespace rightsize {
namespace {

std::uint64_t elements(const FeatureShape& shape) {
  return static_cast<std::uint64_t>(shape.elements());
}

// A decoder's cache has in the end a position for each token that is written, and on average half
// of them (networks/encoder_decoder/decoder.h).
std::uint64_t held_elements(const Network& network, const Layer& layer) {
  const bool cache = layer.kind == LayerKind::given && layer.out.h > 1 && layer.passes > 1;
  return static_cast<std::uint64_t>(layer.copies) *
         (cache && writes_text(network) ? static_cast<std::uint64_t>(layer.out.c * layer.passes)
                                        : elements(layer.out));
}

// These work in place: their derivative can be told from what they leave there.
bool works_in_place(const Layer& layer) {
  return layer.kind == LayerKind::relu ||
         (layer.kind == LayerKind::activation && layer.activation == Activation::relu6);
}

// An image that is handed to a step beside the input.
std::vector<Layer>::const_iterator latents_of(const Network& network) {
  return std::find_if(network.layers.begin(), network.layers.end(), [](const Layer& layer) {
    return layer.kind == LayerKind::given && layer.out.w > 1;
  });
}

}  // namespace

bool owns_activation(const Layer& layer) {
  return layer.kind != LayerKind::input && layer.kind != LayerKind::to_sequence &&
         layer.kind != LayerKind::to_image && !works_in_place(layer);
}

std::size_t first_of_denoiser(const Network& network) {
  const auto latents = latents_of(network);
  return latents == network.layers.end()
             ? 1
             : static_cast<std::size_t>(latents - network.layers.begin()) + 1;
}

std::size_t first_of_decoder(const Network& network) {
  const auto& layers = network.layers;
  const auto latents = latents_of(network);
  if (!makes_pictures(network) || latents == layers.end()) {
    return layers.size();
  }
  const auto last = std::find_if(layers.rbegin(), layers.rend(), [&](const Layer& layer) {
    return layer.out == latents->out;
  });
  return static_cast<std::size_t>(layers.rend() - last);
}

namespace {

// By layer the last that reads it, or what a layer that works in place has made of it.
std::vector<std::size_t> last_readers(const Network& network) {
  std::vector<std::size_t> last(network.layers.size(), 0);
  for (std::size_t i = network.layers.size(); i-- > 0;) {
    const auto& layer = network.layers[i];
    const auto until = works_in_place(layer) ? std::max(i, last[i]) : i;
    for (const int input : layer.inputs) {
      auto& reader = last[static_cast<std::size_t>(input)];
      reader = std::max(reader, until);
    }
  }
  return last;
}

}  // namespace

std::uint64_t most_alive(const Network& network, std::size_t first, std::size_t end) {
  const auto last_reader = last_readers(network);
  const auto size_of = [&](std::size_t i) {
    const auto& layer = network.layers[i];
    return owns_activation(layer) ? held_elements(network, layer) : 0;
  };
  std::vector<std::uint64_t> freed(network.layers.size() + 1, 0);  // before each layer
  std::uint64_t alive = 0;
  std::uint64_t most = 0;
  for (std::size_t i = first; i < end; ++i) {
    alive += size_of(i);
    alive -= freed[i];
    most = std::max(most, alive);
    freed[std::max(i, last_reader[i]) + 1] += size_of(i);
  }
  return most;
}

}  // namespace rightsize
