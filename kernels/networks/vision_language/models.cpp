// The visible table of language models that see, and their towers by their config.json.
#include <array>

#include "kernels/networks/vision_language/vision_language.h"

namespace rightsize {
namespace {

constexpr std::string_view qwen2_source = "Wang et al., Qwen2-VL, 2024";
constexpr std::string_view qwen25_source = "Bai et al., Qwen2.5-VL, 2025";
constexpr std::string_view qwen3_source = "Qwen Team, Qwen3-VL, 2025, config.json";
constexpr std::string_view llava_source = "Liu et al., CVPR 2024, LLaVA-1.5";
constexpr std::string_view gemma_source = "Gemma Team, Gemma 3, 2025";
constexpr std::string_view pixtral_source = "Agrawal et al., Pixtral 12B, 2024";

constexpr std::int64_t qwen_context = 128'000;
constexpr std::int64_t qwen3_context = 262'144;

// Pixels as its preprocessor_config.json bounds them; <|vision_start|> and <|vision_end|>.
constexpr PictureTower qwen2() {
  return {.rule = PictureRule::rounded,
          .least = 4 * 28 * 28,
          .most = 16'384 * 28 * 28,
          .merge = 2,
          .tokens_beside = 2,
          .width = 1280,
          .depth = 32,
          .feed_forward = 5120,
          .frames = 2,
          .projector_in = 5120,
          .projector_hidden = 5120,
          .others = 2 * 1280};
}

// Windows of 112 pixels a side in all blocks but four. `feed_forward` as its config.json says.
constexpr PictureTower qwen25(std::int64_t feed_forward) {
  auto tower = qwen2();
  tower.feed_forward = feed_forward;
  tower.gated = true;
  tower.norm_vectors = 1;
  tower.seen = 64;
  tower.whole_blocks = 4;
  tower.others = 1280;
  return tower;
}

// SigLIP 2's tower, of patches of 16 pixels, with three projectors more beside its blocks.
constexpr PictureTower qwen3(std::int64_t width, std::int64_t depth, std::int64_t feed_forward) {
  const std::int64_t joined = 4 * width;
  return {.rule = PictureRule::rounded,
          .patch = 16,
          .least = 65'536,
          .most = 16'777'216,
          .merge = 2,
          .tokens_beside = 2,
          .width = width,
          .depth = depth,
          .feed_forward = feed_forward,
          .frames = 2,
          .projector_in = joined,
          .projector_hidden = joined,
          .projectors = 4,
          .others = width + 48 * 48 * width + 2 * width + 3 * 2 * joined};
}

// CLIP ViT-L/14 at 336 pixels, read before its last block (vision_encoder.h has it whole).
constexpr PictureTower llava(std::int64_t features) {
  return {.side = 336,
          .width = 1024,
          .depth = 24,
          .last_block = 23,
          .feed_forward = 4096,
          .projector_in = 1024,
          .projector_hidden = features,
          .others = 1024 + (24 * 24 + 1) * 1024 + 2 * 2 * 1024};
}

// SigLIP SO400M/14 at 896 pixels without its head; 4 x 4 patches are averaged. Blank lines and two
// marks stand about a picture.
constexpr PictureTower gemma() {
  return {.side = 896,
          .merge = 4,
          .tokens_beside = 4,
          .width = 1152,
          .depth = 27,
          .feed_forward = 4304,
          .projector_in = 1152,
          .others = 1152 + 64 * 64 * 1152 + 2 * 1152 + 1152};
}

constexpr PictureTower pixtral() {
  return {.rule = PictureRule::by_rows,
          .patch = 16,
          .side = 1024,
          .width = 1024,
          .depth = 24,
          .feed_forward = 4096,
          .gated = true,
          .biases = false,
          .norm_vectors = 1,
          .projector_in = 1024,
          .projector_hidden = 5120,
          .others = 1024};
}

constexpr PictureTower siglip2_large = qwen3(1152, 27, 4304);

constexpr std::array models{
    VisionLanguageInfo{"qwen2-vl-2b", "Qwen2-VL 2B", qwen2_source, "qwen2.5-1.5b", qwen2()},
    VisionLanguageInfo{"qwen2-vl-7b", "Qwen2-VL 7B", qwen2_source, "qwen2.5-7b", qwen2()},
    VisionLanguageInfo{"qwen2-vl-72b", "Qwen2-VL 72B", qwen2_source, "qwen2.5-72b", qwen2()},
    VisionLanguageInfo{
        "qwen2.5-vl-3b", "Qwen2.5-VL 3B", qwen25_source, "qwen2.5-3b", qwen25(3420), qwen_context},
    VisionLanguageInfo{
        "qwen2.5-vl-7b", "Qwen2.5-VL 7B", qwen25_source, "qwen2.5-7b", qwen25(3420), qwen_context},
    VisionLanguageInfo{"qwen2.5-vl-32b",
                       "Qwen2.5-VL 32B",
                       qwen25_source,
                       "qwen2.5-32b",
                       qwen25(3456),
                       qwen_context},
    VisionLanguageInfo{"qwen2.5-vl-72b",
                       "Qwen2.5-VL 72B",
                       qwen25_source,
                       "qwen2.5-72b",
                       qwen25(3456),
                       qwen_context},
    VisionLanguageInfo{"qwen3-vl-2b",
                       "Qwen3-VL 2B",
                       qwen3_source,
                       "qwen3-1.7b",
                       qwen3(1024, 24, 4096),
                       qwen3_context},
    VisionLanguageInfo{"qwen3-vl-4b",
                       "Qwen3-VL 4B",
                       qwen3_source,
                       "qwen3-4b",
                       qwen3(1024, 24, 4096),
                       qwen3_context},
    VisionLanguageInfo{
        "qwen3-vl-8b", "Qwen3-VL 8B", qwen3_source, "qwen3-8b", siglip2_large, qwen3_context},
    VisionLanguageInfo{
        "qwen3-vl-32b", "Qwen3-VL 32B", qwen3_source, "qwen3-32b", siglip2_large, qwen3_context},
    VisionLanguageInfo{"qwen3-vl-30b-a3b",
                       "Qwen3-VL 30B-A3B",
                       qwen3_source,
                       "qwen3-30b-a3b",
                       siglip2_large,
                       qwen3_context},
    VisionLanguageInfo{"qwen3-vl-235b-a22b",
                       "Qwen3-VL 235B-A22B",
                       qwen3_source,
                       "qwen3-235b-a22b",
                       siglip2_large,
                       qwen3_context},
    VisionLanguageInfo{"llava-1.5-7b", "LLaVA-1.5 7B", llava_source, "llama-2-7b", llava(4096)},
    VisionLanguageInfo{"llava-1.5-13b", "LLaVA-1.5 13B", llava_source, "llama-2-13b", llava(5120)},
    VisionLanguageInfo{
        "gemma-3-4b-vision", "Gemma 3 4B, vision", gemma_source, "gemma-3-4b", gemma(), 0, true},
    VisionLanguageInfo{
        "gemma-3-12b-vision", "Gemma 3 12B, vision", gemma_source, "gemma-3-12b", gemma(), 0, true},
    VisionLanguageInfo{
        "gemma-3-27b-vision", "Gemma 3 27B, vision", gemma_source, "gemma-3-27b", gemma(), 0, true},
    VisionLanguageInfo{"pixtral-12b", "Pixtral 12B", pixtral_source, "mistral-nemo-12b", pixtral()},
};

}  // namespace

std::span<const VisionLanguageInfo> vision_language_models() {
  return models;
}

}  // namespace rightsize
