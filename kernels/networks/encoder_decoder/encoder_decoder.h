// Networks that read with an encoder and write with a decoder: Whisper hears half a minute of
// sound, T5 reads a text. What is written goes token by token, so that the decoder is passed once
// for each (Layer::passes), beside the keys and values of what was written before; an item is a
// text. Beside each stands the network as it is trained, "whisper-small-training": all positions of
// the text at once, each of them told those before it (teacher forcing; Williams and Zipser, 1989).
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "kernels/network.h"

namespace rightsize {

// How a text is written, or how long one is that is trained on.
struct TextForm {
  int tokens = 0;
  int beams = 1;  // texts that are followed side by side, of which the likeliest is kept

  bool operator==(const TextForm&) const = default;
};

struct EncoderDecoderInfo {
  std::string name;
  std::string title;
  std::string_view source;
  // `form` of what is written; `sequence` of what is read, where that is text.
  Network (*make)(const EncoderDecoderInfo& info, const TextForm& form, int sequence);
  TextForm usual;
  int sequence = 0;     // tokens read; 0: sound
  int most_tokens = 0;  // that it can write
  int most_read = 0;    // likewise; 0: there is no end
  bool trained = false;
};

[[nodiscard]] std::span<const EncoderDecoderInfo> encoder_decoders();

// As it is listed: of its usual length, written without beams.
[[nodiscard]] Network usual_text(const EncoderDecoderInfo& info);

// "whisper-small", or "whisper-small:tokens=200:beams=5", each part where it differs from the
// usual; nullopt: of another kind. Throws NetworkError for a part that is none or cannot be.
[[nodiscard]] std::optional<Network> make_encoder_decoder(std::string_view name, int sequence);

// Whose name it begins with, whatever the form behind it; nullptr: none.
[[nodiscard]] const EncoderDecoderInfo* encoder_decoder(std::string_view name);
[[nodiscard]] bool is_encoder_decoder(std::string_view name);
inline constexpr int clip_seconds = 30;  // of sound, which Whisper hears at once

// Of sound, and not of text.
[[nodiscard]] bool hears(std::string_view name);

}  // namespace rightsize
