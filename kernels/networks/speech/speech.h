// Networks that hear and say at each moment what was said, or what it sounds like (CTC; Graves et
// al., ICML 2006): encoders of sound alone. An item is a clip, of so many seconds as its name says.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "kernels/network.h"

namespace rightsize {

struct SpeechAsked {
  std::string name;
  std::string title;
  int seconds = 0;
  int scale = 0;  // the place among the sizes of a family
};

struct SpeechInfo {
  std::string_view name;
  std::string_view title;
  std::string_view source;
  Network (*make)(const SpeechAsked& asked);
  int scale = 0;
};

// Of the clip of a network whose name says no other.
inline constexpr int usual_seconds = 10;

[[nodiscard]] std::span<const SpeechInfo> speech_networks();

// As it is listed, of its usual length.
[[nodiscard]] Network usual_clip(const SpeechInfo& info);

// "wav2vec2-base", or "wav2vec2-base:seconds=15"; nullopt: of another kind. Throws NetworkError for
// a part that is none or cannot be.
[[nodiscard]] std::optional<Network> make_speech(std::string_view name);

// Whose name it begins with, whatever the form behind it; nullptr: none.
[[nodiscard]] const SpeechInfo* speech_network(std::string_view name);
[[nodiscard]] bool is_speech(std::string_view name);

}  // namespace rightsize
