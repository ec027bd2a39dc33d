#include "kernels/networks/encoder_decoder/encoder_decoder.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "kernels/network_error.h"
#include "kernels/networks/config_file.h"
#include "kernels/networks/encoder_decoder/bart.h"
#include "kernels/networks/encoder_decoder/canary.h"
#include "kernels/networks/encoder_decoder/encoder_decoder_config.h"
#include "kernels/networks/encoder_decoder/t5.h"
#include "kernels/networks/encoder_decoder/text_form.h"
#include "kernels/networks/encoder_decoder/whisper.h"
#include "kernels/networks/form_parts.h"

namespace rightsize {
namespace {

constexpr std::string_view whisper_paper = "Radford et al., Whisper, 2022";
constexpr std::string_view distil_paper = "Gandhi et al., Distil-Whisper, 2023";
constexpr std::string_view turbo_source = "OpenAI, 2024, config.json";
constexpr std::string_view canary_paper = "Puvvada et al., Interspeech 2024, Canary";
constexpr std::string_view canary_v2_paper = "Sekoyan et al., 2025, Canary-1B-v2";
constexpr std::string_view flash_paper = "Zelasko et al., 2025, Canary Flash";
constexpr std::string_view t5_paper = "Raffel et al., JMLR 2020";
constexpr std::string_view bart_paper = "Lewis et al., ACL 2020";
constexpr std::string_view opus_paper = "Tiedemann and Thottingal, EAMT 2020";
constexpr std::string_view m2m_paper = "Fan et al., M2M-100, 2020";
constexpr std::string_view nllb_paper = "NLLB Team, 2022";
constexpr std::string_view flan_paper = "Chung et al., Flan, 2022";

EncoderDecoderInfo named(const char* name,
                         const char* title,
                         std::string_view source,
                         EncoderDecoderInfo info) {
  info.name = name;
  info.title = title;
  info.source = source;
  return info;
}

std::vector<EncoderDecoderInfo> all_that_hear() {
  const auto whisper = [](const char* name,
                          const char* title,
                          const WhisperShape& shape,
                          std::string_view source = whisper_paper) {
    return named(name, title, source, whisper_info(shape));
  };
  return {
      whisper("whisper-tiny", "Whisper tiny", whisper_tiny),
      whisper("whisper-base", "Whisper base", whisper_base),
      whisper("whisper-small", "Whisper small", whisper_small),
      whisper("whisper-medium", "Whisper medium", whisper_medium),
      whisper("whisper-large-v2", "Whisper large-v2", whisper_large_v2),
      whisper("whisper-large-v3", "Whisper large-v3", whisper_large_v3),
      whisper("whisper-large-v3-turbo", "Whisper large-v3 turbo", whisper_turbo, turbo_source),
      whisper("distil-large-v2", "Distil-Whisper large-v2", distil_large_v2, distil_paper),
      whisper("distil-large-v3", "Distil-Whisper large-v3", distil_large_v3, distil_paper),
      whisper("distil-medium.en", "Distil-Whisper medium.en", distil_medium, distil_paper),
      whisper("distil-small.en", "Distil-Whisper small.en", distil_small, distil_paper),
      named("canary-1b", "Canary 1B", canary_paper, canary_info(canary_1b)),
      named("canary-1b-flash", "Canary 1B Flash", flash_paper, canary_info(canary_1b_flash)),
      named("canary-180m-flash", "Canary 180M Flash", flash_paper, canary_info(canary_180m_flash)),
      named("canary-1b-v2", "Canary 1B v2", canary_v2_paper, canary_info(canary_1b_v2)),
  };
}

std::vector<EncoderDecoderInfo> all_that_read() {
  const auto t5 = [](const char* name,
                     const char* title,
                     const T5Shape& shape,
                     std::string_view source = t5_paper) {
    return named(name, title, source, t5_info(shape));
  };
  const auto bart = [](const char* name,
                       const char* title,
                       const BartShape& shape,
                       int most,
                       std::string_view source) {
    return named(name, title, source, bart_info(shape, most));
  };
  return {
      t5("t5-small", "T5 small", t5_small),
      t5("t5-base", "T5 base", t5_base),
      t5("t5-large", "T5 large", t5_large),
      t5("t5-3b", "T5 3B", t5_3b),
      t5("t5-11b", "T5 11B", t5_11b),
      t5("flan-t5-small", "Flan-T5 small", flan_t5_small, flan_paper),
      t5("flan-t5-base", "Flan-T5 base", flan_t5_base, flan_paper),
      t5("flan-t5-large", "Flan-T5 large", flan_t5_large, flan_paper),
      t5("flan-t5-xl", "Flan-T5 XL", flan_t5_xl, flan_paper),
      t5("flan-t5-xxl", "Flan-T5 XXL", flan_t5_xxl, flan_paper),
      bart("bart-base", "BART base", bart_base, 1024, bart_paper),
      bart("bart-large", "BART large", bart_large, 1024, bart_paper),
      bart("opus-mt-en-de", "opus-mt, English to German", opus_mt_en_de, 512, opus_paper),
      bart("m2m100-418m", "M2M-100 418M", m2m100_418m, 1024, m2m_paper),
      bart("nllb-600m", "NLLB-200 distilled 600M", nllb_600m, 1024, nllb_paper),
  };
}

EncoderDecoderInfo as_trained(EncoderDecoderInfo info) {
  info.title += ", as it is trained";
  info.trained = true;
  return info;
}

// Each as it is trained behind all as they write.
std::vector<EncoderDecoderInfo> in_both_forms() {
  auto all = all_that_hear();
  const auto read = all_that_read();
  all.insert(all.end(), read.begin(), read.end());
  const auto count = all.size();
  for (std::size_t i = 0; i < count; ++i) {
    auto trained = as_trained(all[i]);
    trained.name += "-training";
    all.push_back(std::move(trained));
  }
  return all;
}

bool says_training(std::string_view name) {
  const auto parts = form_parts(name);
  return std::any_of(
      parts.begin(), parts.end(), [](const FormPart& part) { return part.text == training_part; });
}

std::optional<EncoderDecoderInfo> built_in(std::string_view base) {
  const auto all = encoder_decoders();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const auto& one) { return one.name == base; });
  return found == all.end() ? std::nullopt : std::optional(*found);
}

// Throws NetworkError for a file that cannot be read.
std::optional<EncoderDecoderInfo> in_file(std::string_view base) {
  const ConfigFile file{std::string(base)};
  return is_encoder_decoder(file) ? std::optional(read_encoder_decoder(file)) : std::nullopt;
}

std::optional<EncoderDecoderInfo> info_of(std::string_view name) {
  const auto base = without_form(name);
  auto info = is_config_path(base) ? in_file(base) : built_in(base);
  return info && !info->trained && says_training(name) ? as_trained(std::move(*info))
                                                       : std::move(info);
}

void require_sequence(std::string_view name, const EncoderDecoderInfo& info, int sequence) {
  if (sequence < 0 || (sequence > 0 && info.sequence == 0)) {
    throw NetworkError(fmt::format(
        "network {}: a sequence of {} tokens was asked for; {}",
        name,
        sequence,
        info.sequence == 0 ? "it hears 30 s of sound: leave sequence out, and say how much is "
                             "written by :tokens=N behind its name"
                           : "use 1 or more, or 0 for the network's own"));
  }
  if (info.most_read > 0 && sequence > info.most_read) {
    throw NetworkError(
        fmt::format("network {}: a sequence of {} tokens was asked for; it reads {} at most",
                    name,
                    sequence,
                    info.most_read));
  }
}

}  // namespace

std::span<const EncoderDecoderInfo> encoder_decoders() {
  static const auto all = in_both_forms();
  return all;
}

Network usual_text(const EncoderDecoderInfo& info) {
  return info.make(info, info.usual, info.sequence);
}

std::optional<EncoderDecoderInfo> encoder_decoder(std::string_view name) {
  try {
    return info_of(name);
  } catch (const NetworkError&) {
    return std::nullopt;
  }
}

bool is_encoder_decoder(std::string_view name) {
  return encoder_decoder(name).has_value();
}

bool hears(std::string_view name) {
  const auto info = encoder_decoder(name);
  return info && info->sequence == 0;
}

std::string trained_form(std::string_view name) {
  const auto base = without_form(name);
  return fmt::format("{}{}{}", base, is_config_path(base) ? ":" : "-", training_part);
}

std::optional<Network> make_encoder_decoder(std::string_view name, int sequence) {
  const auto info = info_of(name);
  if (!info) {
    return std::nullopt;
  }
  require_sequence(name, *info, sequence);
  auto network =
      info->make(*info, read_text_form(name, *info), sequence > 0 ? sequence : info->sequence);
  network.name = name;
  return network;
}

}  // namespace rightsize
