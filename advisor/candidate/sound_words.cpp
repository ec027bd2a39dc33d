#include "advisor/candidate/sound_words.h"

#include <fmt/format.h>

#include "kernels/networks/encoder_decoder/encoder_decoder.h"

namespace rightsize {
namespace {

// vCPU-seconds of a clip of 30 s. ffmpeg decodes Opus 430 times as fast as it is spoken
// (mkiol/dsnote issue 157); transformers takes 0.25 s for the spectra of 8 clips in one batch
// and 1.5 s clip by clip (huggingface/transformers issue 29901). On CPUs that they do not name.
constexpr double decoding_s = 30.0 / 430;
constexpr double least_s = decoding_s + 0.25 / 8;
constexpr double most_s = decoding_s + 1.5 / 8;

}  // namespace

std::string sound_left_out(double clips_per_s) {
  auto words = fmt::format(
      "reading and decoding sound files, and their spectra (log-mel), are left out: published "
      "times "
      "come to {:.1f} to {:.2g} vCPU-s a clip",
      least_s,
      most_s);
  if (clips_per_s > 0) {
    words += fmt::format(
        ", {:.2g} to {:.2g} vCPUs at this rate", clips_per_s * least_s, clips_per_s * most_s);
  }
  return words;
}

std::string slower_whole_programs(std::string_view network, Phase phase) {
  return hears(network) && phase == Phase::infer
             ? "whole programs that hear were published at a third to a quarter of what is told "
               "here (whisper-large-v3-turbo at large batches): measure yours before you rent"
             : "";
}

}  // namespace rightsize
