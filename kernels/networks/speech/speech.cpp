// The visible table of networks that hear, and what their names ask.
#include "kernels/networks/speech/speech.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "kernels/networks/form_parts.h"
#include "kernels/networks/speech/families.h"

namespace rightsize {
namespace {

using namespace speech;

constexpr std::string_view wav2vec2_source = "Baevski et al., NeurIPS 2020, wav2vec 2.0";
constexpr std::string_view hubert_source = "Hsu et al., HuBERT, 2021";
constexpr std::string_view wavlm_source = "Chen et al., IEEE JSTSP 2022, WavLM";
constexpr std::string_view conformer_source = "Rekesh et al., ASRU 2023, Fast Conformer";

constexpr int most_seconds = 600;

constexpr std::array networks{
    SpeechInfo{"wav2vec2-base", "wav2vec 2.0 base", wav2vec2_source, make_wav2vec2, 0},
    SpeechInfo{"wav2vec2-large", "wav2vec 2.0 large", wav2vec2_source, make_wav2vec2, 1},
    SpeechInfo{"wav2vec2-1b", "XLS-R 1B", "Babu et al., XLS-R, 2021", make_wav2vec2, 2},
    SpeechInfo{"hubert-base", "HuBERT base", hubert_source, make_wav2vec2, 0},
    SpeechInfo{"hubert-large", "HuBERT large", hubert_source, make_wav2vec2, 1},
    SpeechInfo{"hubert-xlarge", "HuBERT xlarge", hubert_source, make_wav2vec2, 2},
    SpeechInfo{"wavlm-base", "WavLM base", wavlm_source, make_wavlm, 0},
    SpeechInfo{"wavlm-base-plus", "WavLM base plus", wavlm_source, make_wavlm, 0},
    SpeechInfo{"wavlm-large", "WavLM large", wavlm_source, make_wavlm, 1},
    SpeechInfo{"w2v-bert-2.0",
               "W2v-BERT 2.0",
               "Seamless Communication, 2023, transformers'",
               make_w2v_bert},
    SpeechInfo{
        "fastconformer-large", "Fast Conformer large", conformer_source, make_fast_conformer, 0},
    SpeechInfo{"parakeet-ctc-0.6b", "Parakeet CTC 0.6B", conformer_source, make_fast_conformer, 1},
    SpeechInfo{"parakeet-ctc-1.1b", "Parakeet CTC 1.1B", conformer_source, make_fast_conformer, 2},
    SpeechInfo{"parakeet-tdt-0.6b",
               "Parakeet TDT 0.6B, encoder",
               conformer_source,
               make_fast_conformer,
               3},
};

SpeechAsked asked_of(const SpeechInfo& info, std::string_view name) {
  SpeechAsked asked{std::string(name), std::string(info.title), usual_seconds, info.scale};
  for (const auto& part : form_parts(name)) {
    if (part.key != "seconds") {
      refuse_form(name, fmt::format("\"{}\": expected :seconds=SECONDS of a clip", part.text));
    }
    asked.seconds = form_number(part.value, most_seconds);
    if (asked.seconds == 0) {
      refuse_form(name,
                  fmt::format("seconds={}: expected the whole seconds of a clip, as in seconds={}, "
                              "1 to {}",
                              part.value,
                              usual_seconds,
                              most_seconds));
    }
  }
  asked.title += fmt::format(", {} s", asked.seconds);
  return asked;
}

}  // namespace

std::span<const SpeechInfo> speech_networks() {
  return networks;
}

Network usual_clip(const SpeechInfo& info) {
  return info.make(asked_of(info, info.name));
}

const SpeechInfo* speech_network(std::string_view name) {
  const auto* const found = std::find_if(networks.begin(), networks.end(), [&](const auto& one) {
    return one.name == without_form(name);
  });
  return found == networks.end() ? nullptr : found;
}

bool is_speech(std::string_view name) {
  return speech_network(name) != nullptr;
}

std::optional<Network> make_speech(std::string_view name) {
  const auto* const info = speech_network(name);
  return info == nullptr ? std::nullopt : std::optional(info->make(asked_of(*info, name)));
}

}  // namespace rightsize
