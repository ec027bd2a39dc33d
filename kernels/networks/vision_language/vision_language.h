// Language models that see: a text model known by its own name (language_models.h), and a tower
// that makes tokens of pictures (picture_tower.h). As a network it is its text part; its name says
// which pictures a prompt has, and the tower's weights and work are counted where it writes
// (models/laws/picture_prompts.h).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "kernels/network.h"
#include "kernels/networks/vision_language/picture_tower.h"

namespace rightsize {

struct VisionLanguageInfo {
  std::string_view name;
  std::string_view title;
  std::string_view source;
  std::string_view text;  // of language_models.h
  PictureTower tower;
  std::int64_t context = 0;     // tokens; 0: the text model's
  bool one_checkpoint = false;  // with the text model, whose name may stand for it
};

// Of a prompt. Behind the text's tokens, or before: that is no other work.
struct PromptPictures {
  int count = 0;
  int width = 1024;  // pixels
  int height = 1024;
};

[[nodiscard]] std::span<const VisionLanguageInfo> vision_language_models();

// Whose name it begins with, whatever the form behind it; nullptr: none.
[[nodiscard]] const VisionLanguageInfo* vision_language_model(std::string_view name);
[[nodiscard]] bool is_vision_language(std::string_view name);

// "qwen2.5-vl-7b", or "qwen2.5-vl-7b:images=2:size=1280x720"; nullopt: of another kind. Throws
// NetworkError for a part that is none or cannot be, and for a sequence longer than the context.
[[nodiscard]] std::optional<Network> make_vision_language(std::string_view name, int sequence);

// What its name says. Throws NetworkError likewise.
[[nodiscard]] PromptPictures pictures_of(std::string_view name);
// All pictures' of a prompt; 0: of another kind, or without pictures.
[[nodiscard]] int picture_tokens(std::string_view name);
// Features of a word, which the projector makes.
[[nodiscard]] std::int64_t word_features(const VisionLanguageInfo& info);

// `name` with its pictures said so; "" leaves a part as it is. Of a text model that has a tower in
// the same checkpoint, that of both. Throws NetworkError where it sees nothing.
[[nodiscard]] std::string with_pictures(std::string_view name,
                                        std::string_view images,
                                        std::string_view size);

inline constexpr int most_pictures = 1024;
inline constexpr int most_picture_side = 16'384;  // pixels

}  // namespace rightsize
