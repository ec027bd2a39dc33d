// The makers behind the table of speech.cpp.
#pragma once

#include "kernels/networks/speech/speech.h"

namespace rightsize::speech {

[[nodiscard]] Network make_wav2vec2(const SpeechAsked& asked);
[[nodiscard]] Network make_wavlm(const SpeechAsked& asked);
[[nodiscard]] Network make_w2v_bert(const SpeechAsked& asked);
[[nodiscard]] Network make_fast_conformer(const SpeechAsked& asked);

}  // namespace rightsize::speech
