// What the names of detectors and segmenters ask.
#include "kernels/networks/detection/detection.h"

#include <algorithm>

#include <fmt/format.h>

#include "kernels/frozen_layers.h"
#include "kernels/networks/form_parts.h"

namespace rightsize {
namespace {

constexpr int most_pixels = 8192;

void read_size(DetectionAsked& asked, const FormPart& part, const DetectionInfo& info) {
  if (part.key != "size") {
    refuse_form(asked.name, fmt::format("\"{}\": expected :size=PIXELS", part.text));
  }
  asked.size = form_number(part.value, most_pixels);
  const bool fixed = info.side_of == info.size;  // its steps down fit no other
  if (asked.size == 0 || asked.size % info.side_of != 0 || (fixed && asked.size != info.size)) {
    refuse_form(asked.name,
                fixed ? fmt::format("size={}: it reads {} pixels a side alone; leave the size out",
                                    part.value,
                                    info.size)
                      : fmt::format("size={}: expected pixels a side, as in size={}, a multiple of "
                                    "{} and at most {}",
                                    part.value,
                                    info.size,
                                    info.side_of,
                                    most_pixels));
  }
}

DetectionAsked asked_of(const DetectionInfo& info, std::string_view name) {
  DetectionAsked asked{std::string(name), std::string(info.title), info.size, info.scale};
  for (const auto& part : form_parts(name)) {
    read_size(asked, part, info);
  }
  if (asked.size != info.size) {
    asked.title += fmt::format(", {0}x{0}", asked.size);
  }
  return asked;
}

}  // namespace

Network usual_image(const DetectionInfo& info) {
  return info.make(asked_of(info, info.name));
}

const DetectionInfo* detection_network(std::string_view name) {
  const auto networks = detection_networks();
  const auto found = std::find_if(networks.begin(), networks.end(), [&](const auto& one) {
    return one.name == without_form(name);
  });
  return found == networks.end() ? nullptr : &*found;
}

bool is_detection(std::string_view name) {
  return detection_network(name) != nullptr;
}

std::optional<Network> make_detection(std::string_view name) {
  const auto* const info = detection_network(name);
  if (info == nullptr) {
    return std::nullopt;
  }
  return info->make(asked_of(*info, name));
}

FrozenLayers frozen_layers(const Network& network) {
  const auto* const info = detection_network(network.name);
  if (info == nullptr || !info->frozen) {
    return {};
  }
  const auto begin_of = [&](std::string_view part) {
    const auto found =
        std::find_if(network.layers.begin(), network.layers.end(), [&](const Layer& layer) {
          return layer.name.starts_with(part);
        });
    return static_cast<std::size_t>(found - network.layers.begin());
  };
  return {begin_of("res3"), begin_of("fpn")};  // residual_stages.h, retinanet.cpp
}

}  // namespace rightsize
