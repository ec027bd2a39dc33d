// Networks that read with an encoder and write with a decoder: Whisper hears half a minute of
// sound, T5 reads a text. What is written goes token by token, so that the decoder is passed once
// for each (Layer::passes), beside the keys and values of what was written before; an item is a
// text. Beside each stands the network as it is trained, "whisper-small-training": all positions of
// the text at once, each of them told those before it (teacher forcing; Williams and Zipser, 1989).
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "kernels/network.h"

namespace rightsize {

// How a text is written, or how long one is that is trained on.
struct TextForm {
  int tokens = 0;
  int beams = 1;        // texts that are followed side by side, of which the likeliest is kept
  int weight_bits = 0;  // of linear layers' matrices in memory; 0: as the precision has them

  bool operator==(const TextForm&) const = default;
};

// Of those that read text: as it is read in training T5, and an answer of some sentences.
inline constexpr int usual_question = 512;
inline constexpr TextForm usual_answer{.tokens = 64};

struct EncoderDecoderInfo {
  std::string name = {};
  std::string title = {};
  std::string_view source = {};
  // `form` of what is written; `sequence` of what is read, where that is text.
  std::function<Network(const EncoderDecoderInfo& info, const TextForm& form, int sequence)> make =
      {};
  TextForm usual = {};
  int sequence = 0;     // tokens read; 0: sound
  int most_tokens = 0;  // that it can write
  int most_read = 0;    // likewise; 0: there is no end
  bool trained = false;
};

[[nodiscard]] std::span<const EncoderDecoderInfo> encoder_decoders();

// As it is listed: of its usual length, written without beams.
[[nodiscard]] Network usual_text(const EncoderDecoderInfo& info);

// "whisper-small", or "whisper-small:tokens=200:beams=5", each part where it differs from the
// usual; also the path of a config.json of that kind, "mine/config.json:beams=5", and with
// ":training" behind it as it is trained. nullopt: of another kind. Throws NetworkError for a part
// that is none or cannot be, and for a file that cannot be read.
[[nodiscard]] std::optional<Network> make_encoder_decoder(std::string_view name, int sequence);

// What `name` begins with, whatever the form behind it; nullopt: another kind, or no file.
[[nodiscard]] std::optional<EncoderDecoderInfo> encoder_decoder(std::string_view name);
[[nodiscard]] bool is_encoder_decoder(std::string_view name);
// The same network as it is trained: "whisper-small-training".
[[nodiscard]] std::string trained_form(std::string_view name);
inline constexpr int clip_seconds = 30;  // of sound, which Whisper hears at once

// Of sound, and not of text.
[[nodiscard]] bool hears(std::string_view name);

}  // namespace rightsize
