#include <algorithm>
#include <array>
#include <utility>

#include "advisor/query/network_spellings.h"

namespace rightsize {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 57> spellings{{
    // Towers that see; of SigLIP 2 as of SigLIP. timm has DINOv2 at 518 pixels.
    {"clipvitbasepatch32", "clip-vit-b32"},
    {"clipvitb32laion2bs34bb79k", "clip-vit-b32"},
    {"vitbasepatch32clip224", "clip-vit-b32"},
    {"vitbasepatch32clipquickgelu224", "clip-vit-b32"},
    {"clip", "clip-vit-b32"},
    {"clipvitbasepatch16", "clip-vit-b16"},
    {"clipvitb16laion2bs34bb88k", "clip-vit-b16"},
    {"vitbasepatch16clip224", "clip-vit-b16"},
    {"vitbasepatch16clipquickgelu224", "clip-vit-b16"},
    {"clipvitlargepatch14", "clip-vit-l14"},
    {"clipvitl14laion2bs32bb82k", "clip-vit-l14"},
    {"vitlargepatch14clip224", "clip-vit-l14"},
    {"vitlargepatch14clipquickgelu224", "clip-vit-l14"},
    {"clipvitlargepatch14336", "clip-vit-l14-336"},
    {"vitlargepatch14clip336", "clip-vit-l14-336"},
    {"vitlargepatch14clipquickgelu336", "clip-vit-l14-336"},
    {"clipvith14laion2bs32bb79k", "clip-vit-h14"},
    {"vithugepatch14clip224", "clip-vit-h14"},
    {"vithugepatch14clipquickgelu224", "clip-vit-h14"},
    {"clipvitbigg14laion2b39bb160k", "clip-vit-bigg14"},
    {"vitgiganticpatch14clip224", "clip-vit-bigg14"},
    {"siglip", "siglip-b16"},
    {"siglip2", "siglip-b16"},
    {"siglipbasepatch16224", "siglip-b16"},
    {"siglipbasepatch16256", "siglip-b16:size=256"},
    {"siglipbasepatch16384", "siglip-b16:size=384"},
    {"siglipbasepatch16512", "siglip-b16:size=512"},
    {"siglip2basepatch16224", "siglip-b16"},
    {"siglip2basepatch16256", "siglip-b16:size=256"},
    {"siglip2basepatch16384", "siglip-b16:size=384"},
    {"siglip2basepatch16512", "siglip-b16:size=512"},
    {"sigliplargepatch16256", "siglip-l16"},
    {"sigliplargepatch16384", "siglip-l16:size=384"},
    {"sigliplargepatch16512", "siglip-l16:size=512"},
    {"siglip2largepatch16256", "siglip-l16"},
    {"siglip2largepatch16384", "siglip-l16:size=384"},
    {"siglip2largepatch16512", "siglip-l16:size=512"},
    {"siglipso400mpatch14224", "siglip-so400m14:size=224"},
    {"siglipso400mpatch14384", "siglip-so400m14"},
    {"siglip2so400mpatch14224", "siglip-so400m14:size=224"},
    {"siglip2so400mpatch14384", "siglip-so400m14"},
    {"siglip2so400mpatch16256", "siglip-so400m16"},
    {"siglip2so400mpatch16384", "siglip-so400m16:size=384"},
    {"siglip2so400mpatch16512", "siglip-so400m16:size=512"},
    {"dinov2small", "dinov2-s14"},
    {"dinov2vits14", "dinov2-s14"},
    {"vitsmallpatch14dinov2", "dinov2-s14:size=518"},
    {"dinov2base", "dinov2-b14"},
    {"dinov2vitb14", "dinov2-b14"},
    {"vitbasepatch14dinov2", "dinov2-b14:size=518"},
    {"dinov2large", "dinov2-l14"},
    {"dinov2vitl14", "dinov2-l14"},
    {"vitlargepatch14dinov2", "dinov2-l14:size=518"},
    {"dinov2giant", "dinov2-g14"},
    {"dinov2vitg14", "dinov2-g14"},
    {"vitgiantpatch14dinov2", "dinov2-g14:size=518"},
    {"dinov2", "dinov2-b14"},
}};

}  // namespace

std::optional<std::string_view> vision_encoder_spelt(std::string_view wanted) {
  const auto* const found = std::find_if(
      spellings.begin(), spellings.end(), [&](const auto& row) { return row.first == wanted; });
  return found == spellings.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace rightsize
