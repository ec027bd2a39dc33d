// Names as timm writes them, which say how an image network was trained and at what size.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace rightsize {

// The network of a name in small letters and digits alone; nullopt: none.
using NamedNetwork = std::function<std::optional<std::string_view>(std::string_view bare)>;

// "timm/vit_base_patch16_384.augreg_in21k_ft_in1k" -> "vit-b16:size=384"; of the hub's other names
// what stands behind the sizes is left out too ("google/vit-base-patch16-224-in21k"). nullopt: no
// network that reads images.
[[nodiscard]] std::optional<std::string> timm_network(std::string_view said,
                                                      const NamedNetwork& named);

}  // namespace rightsize
