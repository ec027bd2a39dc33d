// The visible table of networks that make a vector of an image, and what their names ask.
#include "kernels/networks/vision/vision_encoder.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "kernels/networks/form_parts.h"

namespace rightsize {
namespace {

constexpr std::string_view clip_paper = "Radford et al., ICML 2021, CLIP";
constexpr std::string_view open_clip_source = "Cherti et al., CVPR 2023, OpenCLIP";
constexpr std::string_view siglip_paper = "Zhai et al., ICCV 2023, SigLIP, and 2";
constexpr std::string_view siglip2_paper = "Tschannen et al., 2025, SigLIP 2";
constexpr std::string_view dinov2_paper = "Oquab et al., TMLR 2024, DINOv2";

constexpr std::string_view registers_paper = "Darcet et al., ICLR 2024, DINOv2 with registers";
constexpr std::string_view dinov3_paper = "Simeoni et al., 2025, DINOv3";

constexpr int most_pixels = 4096;

// CLIP's QuickGELU, x sigmoid(1.702 x), is GELU here: as many passes over memory, fused.
constexpr VisionShape clip(std::int64_t patch,
                           std::int64_t width,
                           int depth,
                           std::int64_t heads,
                           std::int64_t embedding,
                           int trained_size = 224) {
  return {.patch = patch,
          .width = width,
          .depth = depth,
          .heads = heads,
          .feed_forward = 4 * width,
          .trained_size = trained_size,
          .embedding = embedding,
          .head = VisionHead::projected,
          .norm_in_front = true,
          .patch_biases = false,
          .epsilon = 1e-5F};
}

constexpr VisionShape big_clip() {
  auto shape = clip(14, 1664, 48, 16, 1280);
  shape.feed_forward = 8192;
  return shape;
}

constexpr VisionShape siglip(
    std::int64_t patch, std::int64_t width, int depth, std::int64_t heads, int trained_size) {
  return {.patch = patch,
          .width = width,
          .depth = depth,
          .heads = heads,
          .feed_forward = width == 1152 ? 4304 : 4 * width,
          .trained_size = trained_size,
          .embedding = width,
          .head = VisionHead::attended,
          .activation = Activation::gelu_tanh};
}

// Trained at 518 pixels in the end; used at 224 as a rule.
constexpr VisionShape dinov2(std::int64_t width, int depth, std::int64_t heads, int registers = 0) {
  const bool giant = width == 1536;
  return {.patch = 14,
          .width = width,
          .depth = depth,
          .heads = heads,
          .feed_forward = giant ? 4096 : 4 * width,
          .trained_size = 518,
          .embedding = width,
          .activation = giant ? Activation::silu : Activation::gelu,
          .gated = giant,
          .registers = registers,
          .scales_branches = true};
}

// Simeoni et al., 2025: four registers, positions that turn.
constexpr VisionShape dinov3(std::int64_t width,
                             int depth,
                             std::int64_t heads,
                             std::int64_t feed_forward,
                             bool gated = false) {
  return {.patch = 16,
          .width = width,
          .depth = depth,
          .heads = heads,
          .feed_forward = feed_forward,
          .trained_size = 256,
          .embedding = width,
          .activation = gated ? Activation::silu : Activation::gelu,
          .gated = gated,
          .registers = 4,
          .rotary = true,
          .scales_branches = true};
}

constexpr std::array encoders{
    VisionInfo{"clip-vit-b32", "CLIP ViT-B/32", clip_paper, clip(32, 768, 12, 12, 512)},
    VisionInfo{"clip-vit-b16", "CLIP ViT-B/16", clip_paper, clip(16, 768, 12, 12, 512)},
    VisionInfo{"clip-vit-l14", "CLIP ViT-L/14", clip_paper, clip(14, 1024, 24, 16, 768)},
    VisionInfo{"clip-vit-l14-336",
               "CLIP ViT-L/14@336px",
               clip_paper,
               clip(14, 1024, 24, 16, 768, 336),
               336},
    VisionInfo{"clip-vit-h14", "CLIP ViT-H/14", open_clip_source, clip(14, 1280, 32, 16, 1024)},
    VisionInfo{"clip-vit-bigg14", "CLIP ViT-bigG/14", open_clip_source, big_clip()},
    VisionInfo{"siglip-b16", "SigLIP B/16", siglip_paper, siglip(16, 768, 12, 12, 224)},
    VisionInfo{"siglip-l16", "SigLIP L/16", siglip_paper, siglip(16, 1024, 24, 16, 256), 256},
    VisionInfo{
        "siglip-so400m14", "SigLIP SO400M/14", siglip_paper, siglip(14, 1152, 27, 16, 384), 384},
    VisionInfo{
        "siglip-so400m16", "SigLIP SO400M/16", siglip2_paper, siglip(16, 1152, 27, 16, 256), 256},
    VisionInfo{"dinov2-s14", "DINOv2 ViT-S/14", dinov2_paper, dinov2(384, 12, 6)},
    VisionInfo{"dinov2-b14", "DINOv2 ViT-B/14", dinov2_paper, dinov2(768, 12, 12)},
    VisionInfo{"dinov2-l14", "DINOv2 ViT-L/14", dinov2_paper, dinov2(1024, 24, 16)},
    VisionInfo{"dinov2-g14", "DINOv2 ViT-g/14", dinov2_paper, dinov2(1536, 40, 24)},
    VisionInfo{
        "dinov2-s14-reg4", "DINOv2 ViT-S/14, registers", registers_paper, dinov2(384, 12, 6, 4)},
    VisionInfo{
        "dinov2-b14-reg4", "DINOv2 ViT-B/14, registers", registers_paper, dinov2(768, 12, 12, 4)},
    VisionInfo{
        "dinov2-l14-reg4", "DINOv2 ViT-L/14, registers", registers_paper, dinov2(1024, 24, 16, 4)},
    VisionInfo{
        "dinov2-g14-reg4", "DINOv2 ViT-g/14, registers", registers_paper, dinov2(1536, 40, 24, 4)},
    VisionInfo{"dinov3-s16", "DINOv3 ViT-S/16", dinov3_paper, dinov3(384, 12, 6, 1536)},
    VisionInfo{
        "dinov3-s16plus", "DINOv3 ViT-S plus/16", dinov3_paper, dinov3(384, 12, 6, 1536, true)},
    VisionInfo{"dinov3-b16", "DINOv3 ViT-B/16", dinov3_paper, dinov3(768, 12, 12, 3072)},
    VisionInfo{"dinov3-l16", "DINOv3 ViT-L/16", dinov3_paper, dinov3(1024, 24, 16, 4096)},
    VisionInfo{
        "dinov3-h16plus", "DINOv3 ViT-H+/16", dinov3_paper, dinov3(1280, 32, 20, 5120, true)},
    VisionInfo{"dinov3-7b16", "DINOv3 ViT-7B/16", dinov3_paper, dinov3(4096, 40, 32, 8192, true)},
};

int size_of(const VisionInfo& info, std::string_view name) {
  int size = info.size;
  for (const auto& part : form_parts(name)) {
    if (part.key != "size") {
      refuse_form(name, fmt::format("\"{}\": expected :size=PIXELS", part.text));
    }
    size = form_number(part.value, most_pixels);
    if (size < info.shape.patch) {
      refuse_form(name,
                  fmt::format("size={}: expected pixels a side, as in size={}, {} to {}",
                              part.value,
                              info.size,
                              info.shape.patch,
                              most_pixels));
    }
  }
  return size;
}

Network seeing(const VisionInfo& info, std::string_view name) {
  const int size = size_of(info, name);
  std::string title(info.title);
  if (size != info.size) {
    title += fmt::format(", {0}x{0}", size);
  }
  return make_vision_encoder(std::string(name), title, info.shape, size);
}

}  // namespace

std::span<const VisionInfo> vision_encoders() {
  return encoders;
}

Network usual_view(const VisionInfo& info) {
  return seeing(info, info.name);
}

const VisionInfo* vision_encoder(std::string_view name) {
  const auto* const found = std::find_if(encoders.begin(), encoders.end(), [&](const auto& one) {
    return one.name == without_form(name);
  });
  return found == encoders.end() ? nullptr : found;
}

bool is_vision_encoder(std::string_view name) {
  return vision_encoder(name) != nullptr;
}

std::optional<Network> make_vision_encoder(std::string_view name) {
  const auto* const info = vision_encoder(name);
  if (info == nullptr) {
    return std::nullopt;
  }
  return seeing(*info, name);
}

}  // namespace rightsize
