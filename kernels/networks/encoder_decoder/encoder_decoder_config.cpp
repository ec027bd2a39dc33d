#include "kernels/networks/encoder_decoder/encoder_decoder_config.h"

#include <algorithm>
#include <array>
#include <string>

#include <fmt/format.h>

#include "kernels/networks/config_file.h"
#include "kernels/networks/encoder_decoder/bart.h"
#include "kernels/networks/encoder_decoder/t5.h"
#include "kernels/networks/encoder_decoder/whisper.h"

namespace rightsize {
namespace {

// Of networks of BART's kind: what makes each its own, and what its file may leave out.
struct BartKind {
  std::string_view function;  // between the matrices of a feed-forward part
  bool norms_first = false;
  bool embedding_norm = false;
  bool sines = false;
  std::int64_t more_rows = 0;  // of the table of positions, which none takes
};

struct Family {
  std::string_view model_type;
  std::string_view title;
  EncoderDecoderInfo (*read)(const ConfigFile& file);
};

int depth_of(const ConfigFile& file, const char* field) {
  constexpr std::int64_t most = 10'000;
  const auto depth = file.positive(field);
  if (depth > most) {
    file.fail(field, fmt::format("is {}; at most {}", depth, most));
  }
  return static_cast<int>(depth);
}

// Of two parts that are alike in all that are known: encoder and decoder.
std::int64_t same(const ConfigFile& file, const char* encoder, const char* decoder) {
  const auto value = file.positive(encoder);
  if (file.positive_or(decoder, value) != value) {
    file.fail(decoder,
              fmt::format("is {}, and \"{}\" {}; only the same in encoder and decoder is known",
                          file.positive(decoder),
                          encoder,
                          value));
  }
  return value;
}

std::int64_t heads_of(const ConfigFile& file, std::int64_t width) {
  const auto heads = same(file, "encoder_attention_heads", "decoder_attention_heads");
  if (width % heads != 0) {
    file.fail("d_model",
              fmt::format("is {}, which the {} attention heads do not divide", width, heads));
  }
  return heads;
}

// `context` is of all that is read and written at once.
void require_size(const ConfigFile& file,
                  int depth,
                  std::int64_t width,
                  std::int64_t packed,
                  std::int64_t hidden,
                  std::int64_t vocabulary,
                  std::int64_t context) {
  const auto real = [](std::int64_t count) { return static_cast<double>(count); };
  const double made = 8 * real(packed) + 3 * real(hidden);
  file.require_countable(
      {.parameters = depth * real(width) * made + 2 * real(vocabulary) * real(width),
       .elements = real(context) * (depth * (20 * real(width) + 2 * made) + 2 * real(vocabulary)),
       .products = real(context) * real(width) * std::max(made, real(vocabulary)),
       .context = context});
}

EncoderDecoderInfo read_whisper(const ConfigFile& file) {
  file.require("max_source_positions", 1500);
  file.require("max_target_positions", whisper_most_tokens);
  file.require("activation_function", "gelu");
  const auto width = file.positive("d_model");
  const WhisperShape shape{
      .width = width,
      .heads = heads_of(file, width),
      .encoder_depth = depth_of(file, "encoder_layers"),
      .decoder_depth = depth_of(file, "decoder_layers"),
      .bins = file.positive_or("num_mel_bins", whisper_bins),
      .vocabulary = file.positive_or("vocab_size", whisper_vocabulary, ConfigFile::most_tokens)};
  const auto hidden = same(file, "encoder_ffn_dim", "decoder_ffn_dim");
  if (hidden != 4 * width) {
    file.fail("encoder_ffn_dim",
              fmt::format("is {}; only 4 times \"d_model\", {}, is known", hidden, 4 * width));
  }
  constexpr std::int64_t heard = 3000;
  require_size(file,
               shape.encoder_depth + shape.decoder_depth,
               width,
               width,
               hidden,
               shape.vocabulary,
               heard + whisper_most_tokens);
  return whisper_info(shape);
}

// Of the functions that its feed-forward parts are known with.
bool is_gated(const ConfigFile& file, std::string_view usual) {
  const auto function = file.word_or("feed_forward_proj", usual);
  if (function != "relu" && function != "gated-gelu") {
    file.fail("feed_forward_proj",
              fmt::format("is \"{}\"; known are relu and gated-gelu", function));
  }
  return function != "relu";
}

EncoderDecoderInfo read_t5(const ConfigFile& file) {
  const bool of_many_languages = file.word_or("model_type", "") != "t5";
  const auto encoder_depth = depth_of(file, "num_layers");
  const T5Shape shape{.width = file.positive("d_model"),
                      .heads = file.positive("num_heads"),
                      .head_dim = file.positive("d_kv"),
                      .hidden = file.positive("d_ff"),
                      .encoder_depth = encoder_depth,
                      .decoder_depth = file.given("num_decoder_layers")
                                           ? depth_of(file, "num_decoder_layers")
                                           : encoder_depth,
                      .gated = is_gated(file, of_many_languages ? "gated-gelu" : "relu"),
                      .tied = file.flag_or("tie_word_embeddings", !of_many_languages),
                      .vocabulary = file.positive("vocab_size", ConfigFile::most_tokens)};
  auto info = t5_info(shape);
  require_size(file,
               shape.encoder_depth + shape.decoder_depth,
               shape.width,
               shape.heads * shape.head_dim,
               shape.hidden,
               shape.vocabulary,
               info.sequence + info.most_tokens);
  return info;
}

struct Function {
  Activation activation = Activation::gelu;
  bool rectifies = false;
};

Function function_of(const ConfigFile& file, std::string_view usual) {
  const auto name = file.word_or("activation_function", usual);
  if (name == "gelu") {
    return {};
  }
  if (name == "relu") {
    return {.rectifies = true};
  }
  if (name != "swish" && name != "silu") {
    file.fail("activation_function",
              fmt::format("is \"{}\"; known are gelu, relu and swish", name));
  }
  return {.activation = Activation::silu};
}

EncoderDecoderInfo read_like_bart(const ConfigFile& file, const BartKind& kind) {
  for (const char* field : {"tie_word_embeddings", "share_encoder_decoder_embeddings"}) {
    file.require(field, true);
  }
  constexpr std::int64_t longest = 1 << 20;
  const auto width = file.positive("d_model");
  const auto vocabulary = file.positive("vocab_size", ConfigFile::most_tokens);
  const auto most = file.positive_or("max_position_embeddings", 1024, longest);
  const auto function = function_of(file, kind.function);
  if (file.positive_or("decoder_vocab_size", vocabulary, ConfigFile::most_tokens) != vocabulary) {
    file.fail("decoder_vocab_size", "is not \"vocab_size\"; only one vocabulary for both is known");
  }
  const BartShape shape{.width = width,
                        .heads = heads_of(file, width),
                        .hidden = same(file, "encoder_ffn_dim", "decoder_ffn_dim"),
                        .encoder_depth = depth_of(file, "encoder_layers"),
                        .decoder_depth = depth_of(file, "decoder_layers"),
                        .vocabulary = vocabulary,
                        .positions = most + kind.more_rows,
                        .activation = function.activation,
                        .rectifies = function.rectifies,
                        .norms_first = kind.norms_first,
                        .embedding_norm = kind.embedding_norm,
                        .sines = kind.sines};
  require_size(file,
               shape.encoder_depth + shape.decoder_depth,
               width,
               width,
               shape.hidden,
               vocabulary,
               2 * most);
  return bart_info(shape, static_cast<int>(most));
}

constexpr std::int64_t bart_offset = 2;  // what fairseq keeps free in front

EncoderDecoderInfo read_bart(const ConfigFile& file) {
  return read_like_bart(file,
                        {.function = "gelu", .embedding_norm = true, .more_rows = bart_offset});
}

EncoderDecoderInfo read_mbart(const ConfigFile& file) {
  return read_like_bart(
      file,
      {.function = "gelu", .norms_first = true, .embedding_norm = true, .more_rows = bart_offset});
}

EncoderDecoderInfo read_marian(const ConfigFile& file) {
  return read_like_bart(file, {.function = "gelu", .sines = true});
}

// M2M-100 and NLLB-200.
EncoderDecoderInfo read_translator(const ConfigFile& file) {
  return read_like_bart(file, {.function = "relu", .norms_first = true, .sines = true});
}

EncoderDecoderInfo read_pegasus(const ConfigFile& file) {
  return read_like_bart(file, {.function = "gelu", .norms_first = true, .sines = true});
}

constexpr std::array<Family, 9> families{{{"whisper", "Whisper-style", read_whisper},
                                          {"t5", "T5-style", read_t5},
                                          {"mt5", "mT5-style", read_t5},
                                          {"umt5", "UMT5-style", read_t5},
                                          {"bart", "BART-style", read_bart},
                                          {"mbart", "mBART-style", read_mbart},
                                          {"marian", "Marian-style", read_marian},
                                          {"m2m_100", "M2M-100-style", read_translator},
                                          {"pegasus", "Pegasus-style", read_pegasus}}};

const Family* family_of(const ConfigFile& file) {
  const auto type = file.word_or("model_type", "");
  const auto* const found = std::find_if(
      families.begin(), families.end(), [&](const auto& one) { return one.model_type == type; });
  return found == families.end() ? nullptr : found;
}

}  // namespace

std::vector<std::string_view> encoder_decoder_types() {
  std::vector<std::string_view> all;
  for (const auto& family : families) {
    all.push_back(family.model_type);
  }
  return all;
}

bool is_encoder_decoder(const ConfigFile& file) {
  return family_of(file) != nullptr;
}

EncoderDecoderInfo read_encoder_decoder(const ConfigFile& file) {
  const auto& family = *family_of(file);
  auto info = family.read(file);
  info.title = family.title;
  info.source = "the file";
  return info;
}

}  // namespace rightsize
