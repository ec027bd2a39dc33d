#include "kernels/networks/encoder_decoder/encoder_decoder.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "kernels/network_error.h"
#include "kernels/networks/encoder_decoder/bart.h"
#include "kernels/networks/encoder_decoder/t5.h"
#include "kernels/networks/encoder_decoder/text_form.h"
#include "kernels/networks/encoder_decoder/whisper.h"

namespace rightsize {
namespace {

constexpr std::string_view whisper_paper = "Radford et al., Whisper, 2022";
constexpr std::string_view distil_paper = "Gandhi et al., Distil-Whisper, 2023";
constexpr std::string_view turbo_source = "OpenAI, 2024, config.json";
constexpr std::string_view t5_paper = "Raffel et al., JMLR 2020";
constexpr std::string_view bart_paper = "Lewis et al., ACL 2020";
constexpr std::string_view opus_paper = "Tiedemann and Thottingal, EAMT 2020";
constexpr std::string_view m2m_paper = "Fan et al., M2M-100, 2020";
constexpr std::string_view nllb_paper = "NLLB Team, 2022";
constexpr std::string_view flan_paper = "Chung et al., Flan, 2022";

// Half a minute of speech: MLPerf's Whisper writes 63 to 76 of 23.6 s (models/README.md).
constexpr TextForm spoken{.tokens = 100};
constexpr TextForm answered{.tokens = 64};
constexpr int t5_sequence = 512;
constexpr int t5_most_tokens = 4096;  // its positions have no end

template <const WhisperShape& shape>
Network whisper(const EncoderDecoderInfo& info, const TextForm& form, int /*sequence*/) {
  return make_whisper(shape, info, form);
}

template <const T5Shape& shape>
Network t5(const EncoderDecoderInfo& info, const TextForm& form, int sequence) {
  return make_t5(shape, info, form, sequence);
}

template <const BartShape& shape>
Network bart(const EncoderDecoderInfo& info, const TextForm& form, int sequence) {
  return make_bart(shape, info, form, sequence);
}

EncoderDecoderInfo speech(const char* name,
                          const char* title,
                          std::string_view source,
                          decltype(EncoderDecoderInfo::make) make) {
  return {name, title, source, make, spoken, 0, whisper_most_tokens};
}

EncoderDecoderInfo text(const char* name,
                        const char* title,
                        std::string_view source,
                        decltype(EncoderDecoderInfo::make) make) {
  return {name, title, source, make, answered, t5_sequence, t5_most_tokens};
}

EncoderDecoderInfo text_of(int most,
                           const char* name,
                           const char* title,
                           std::string_view source,
                           decltype(EncoderDecoderInfo::make) make) {
  return {name, title, source, make, answered, std::min(most, t5_sequence), most, most};
}

std::vector<EncoderDecoderInfo> all_that_write() {
  return {
      speech("whisper-tiny", "Whisper tiny", whisper_paper, whisper<whisper_tiny>),
      speech("whisper-base", "Whisper base", whisper_paper, whisper<whisper_base>),
      speech("whisper-small", "Whisper small", whisper_paper, whisper<whisper_small>),
      speech("whisper-medium", "Whisper medium", whisper_paper, whisper<whisper_medium>),
      speech("whisper-large-v2", "Whisper large-v2", whisper_paper, whisper<whisper_large_v2>),
      speech("whisper-large-v3", "Whisper large-v3", whisper_paper, whisper<whisper_large_v3>),
      speech(
          "whisper-large-v3-turbo", "Whisper large-v3 turbo", turbo_source, whisper<whisper_turbo>),
      speech("distil-large-v2", "Distil-Whisper large-v2", distil_paper, whisper<distil_large_v2>),
      speech("distil-large-v3", "Distil-Whisper large-v3", distil_paper, whisper<distil_large_v3>),
      speech("distil-medium.en", "Distil-Whisper medium.en", distil_paper, whisper<distil_medium>),
      speech("distil-small.en", "Distil-Whisper small.en", distil_paper, whisper<distil_small>),
      text("t5-small", "T5 small", t5_paper, t5<t5_small>),
      text("t5-base", "T5 base", t5_paper, t5<t5_base>),
      text("t5-large", "T5 large", t5_paper, t5<t5_large>),
      text("t5-3b", "T5 3B", t5_paper, t5<t5_3b>),
      text("t5-11b", "T5 11B", t5_paper, t5<t5_11b>),
      text("flan-t5-small", "Flan-T5 small", flan_paper, t5<flan_t5_small>),
      text("flan-t5-base", "Flan-T5 base", flan_paper, t5<flan_t5_base>),
      text("flan-t5-large", "Flan-T5 large", flan_paper, t5<flan_t5_large>),
      text("flan-t5-xl", "Flan-T5 XL", flan_paper, t5<flan_t5_xl>),
      text("flan-t5-xxl", "Flan-T5 XXL", flan_paper, t5<flan_t5_xxl>),
      text_of(1024, "bart-base", "BART base", bart_paper, bart<bart_base>),
      text_of(1024, "bart-large", "BART large", bart_paper, bart<bart_large>),
      text_of(512, "opus-mt-en-de", "opus-mt, English to German", opus_paper, bart<opus_mt_en_de>),
      text_of(1024, "m2m100-418m", "M2M-100 418M", m2m_paper, bart<m2m100_418m>),
      text_of(1024, "nllb-600m", "NLLB-200 distilled 600M", nllb_paper, bart<nllb_600m>),
  };
}

// Each as it is trained behind all as they write.
std::vector<EncoderDecoderInfo> in_both_forms() {
  auto all = all_that_write();
  const auto count = all.size();
  for (std::size_t i = 0; i < count; ++i) {
    auto trained = all[i];
    trained.name += "-training";
    trained.title += ", as it is trained";
    trained.trained = true;
    all.push_back(std::move(trained));
  }
  return all;
}

}  // namespace

std::span<const EncoderDecoderInfo> encoder_decoders() {
  static const auto all = in_both_forms();
  return all;
}

Network usual_text(const EncoderDecoderInfo& info) {
  return info.make(info, info.usual, info.sequence);
}

const EncoderDecoderInfo* encoder_decoder(std::string_view name) {
  const auto all = encoder_decoders();
  const auto found = std::find_if(
      all.begin(), all.end(), [&](const auto& one) { return one.name == without_form(name); });
  return found == all.end() ? nullptr : &*found;
}

bool is_encoder_decoder(std::string_view name) {
  return encoder_decoder(name) != nullptr;
}

bool hears(std::string_view name) {
  const auto* const info = encoder_decoder(name);
  return info != nullptr && info->sequence == 0;
}

std::optional<Network> make_encoder_decoder(std::string_view name, int sequence) {
  const auto* const info = encoder_decoder(name);
  if (info == nullptr) {
    return std::nullopt;
  }
  if (sequence < 0 || (sequence > 0 && info->sequence == 0)) {
    throw NetworkError(fmt::format(
        "network {}: a sequence of {} tokens was asked for; {}",
        name,
        sequence,
        info->sequence == 0 ? "it hears 30 s of sound: leave sequence out, and say how much is "
                              "written by :tokens=N behind its name"
                            : "use 1 or more, or 0 for the network's own"));
  }
  if (info->most_read > 0 && sequence > info->most_read) {
    throw NetworkError(
        fmt::format("network {}: a sequence of {} tokens was asked for; it reads {} "
                    "at most",
                    name,
                    sequence,
                    info->most_read));
  }
  auto network =
      info->make(*info, read_text_form(name, *info), sequence > 0 ? sequence : info->sequence);
  network.name = name;
  return network;
}

}  // namespace rightsize
