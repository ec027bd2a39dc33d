#include "kernels/networks/image_size.h"

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "kernels/networks/form_parts.h"

namespace rightsize {
namespace {

constexpr int most_pixels = 4096;

int size_asked(std::string_view name, int usual) {
  int size = usual;
  for (const auto& part : form_parts(name)) {
    if (part.key != "size") {
      refuse_form(name, fmt::format("\"{}\": expected :size=PIXELS", part.text));
    }
    size = form_number(part.value, most_pixels);
    if (size == 0) {
      refuse_form(name,
                  fmt::format("size={}: expected pixels a side, as in size={}, at most {}",
                              part.value,
                              usual,
                              most_pixels));
    }
  }
  return size;
}

// Gives the layers of a network their shapes anew, front to back.
class Resized {
 public:
  Resized(Network usual, std::string_view name, int size)
      : network_(std::move(usual)), before_(network_.layers), name_(name) {
    network_.input.h = size;
    network_.input.w = size;
    network_.layers[0].out = network_.input;
  }

  Network take() {
    for (std::size_t i = 1; i < network_.layers.size(); ++i) {
      reshape(i);
    }
    return std::move(network_);
  }

 private:
  [[noreturn]] void refuse(const Layer& layer, std::string_view why) const {
    refuse_form(name_,
                fmt::format("its layer {} {}; it reads {} pixels a side alone, leave the size out",
                            layer.name,
                            why,
                            before_[0].out.h));
  }

  static std::int64_t slid(std::int64_t in,
                           std::int64_t kernel,
                           std::int64_t stride,
                           std::int64_t pads,
                           std::int64_t dilation) {
    const auto room = in + pads - dilation * (kernel - 1) - 1;
    return room < 0 ? 0 : room / stride + 1;
  }

  void slide(Layer& layer, const FeatureShape& in) const {
    layer.out.h = slid(
        in.h, layer.kernel_h, layer.stride_h, 2 * layer.pad_h + layer.more_pad_h, layer.dilation_h);
    layer.out.w = slid(
        in.w, layer.kernel_w, layer.stride_w, 2 * layer.pad_w + layer.more_pad_w, layer.dilation_w);
    if (layer.out.positions() == 0) {
      refuse(layer, "has a larger window than what is left of the image");
    }
  }

  // Images are square, and so is what became of them.
  void square(Layer& layer, const FeatureShape& in) const {
    const auto side = std::llround(std::sqrt(static_cast<double>(in.positions())));
    if (side * side != in.positions()) {
      refuse(layer, "has no square image to go on with");
    }
    layer.out.h = side;
    layer.out.w = side;
  }

  void attend(Layer& layer, const FeatureShape& in) const {
    if (layer.window > 0) {
      refuse(layer, "attends to windows of its own");
    }
    if (layer.keys > 0) {
      layer.keys = network_.layers[static_cast<std::size_t>(layer.inputs.at(1))].out.positions();
    }
    layer.out.h = in.h;
  }

  void reshape(std::size_t index) {
    auto& layer = network_.layers[index];
    const auto from = static_cast<std::size_t>(layer.inputs.at(0));
    const auto& in = network_.layers[from].out;
    switch (layer.kind) {
      case LayerKind::convolution:
      case LayerKind::max_pool:
      case LayerKind::average_pool:
        return slide(layer, in);
      case LayerKind::to_image:
        return square(layer, in);
      case LayerKind::to_sequence:
        layer.out.h = layer.out.h / before_[from].out.positions() * in.positions();
        return;
      case LayerKind::class_token:
        layer.out.h = in.h + 1;
        return;
      case LayerKind::position_embedding:
        layer.out.h = in.h;
        layer.vocabulary = in.h;
        return;
      case LayerKind::attention:
        return attend(layer, in);
      case LayerKind::fully_connected:
        if (in != before_[from].out) {
          refuse(layer, "reads the features of all positions");
        }
        return;
      case LayerKind::global_average_pool:
      case LayerKind::take_position:
        return;
      default:
        layer.out.h = in.h;
        layer.out.w = in.w;
    }
  }

  Network network_;
  std::vector<Layer> before_;
  std::string name_;
};

}  // namespace

bool takes_size(const NetworkInfo& info) {
  return info.sequence == 0;
}

Network at_asked_size(const NetworkInfo& info, std::string_view name) {
  auto usual = info.make(0);
  const auto side = static_cast<int>(usual.input.h);
  const int size = size_asked(name, side);
  if (size == side) {
    return usual;
  }
  auto network = info.make(size);
  if (network.input.h != size) {
    network = Resized(std::move(usual), name, size).take();
  }
  network.name = name;
  network.title += fmt::format(", {0}x{0}", size);
  return network;
}

}  // namespace rightsize
