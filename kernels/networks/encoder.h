// Encoders of text as numbers, and their config.json: BERT and what followed it (RoBERTa,
// DistilBERT, ALBERT, ELECTRA, DeBERTa, MPNet, Nomic's, ModernBERT), with what they end in.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "kernels/network.h"

namespace rightsize {

class ConfigFile;

// By the last words of Hugging Face's classes.
enum class EncoderHead {
  masked_words,   // ForMaskedLM: a score for each word of the vocabulary at each position
  pooled_scores,  // ForSequenceClassification: `outputs` scores of the whole sequence
  scores,         // ForTokenClassification, ForQuestionAnswering: `outputs` at each position
  features,       // Model: the vector that a sequence becomes
};

struct EncoderConfig {
  std::string name;
  std::string title;
  int layers = 0;
  std::int64_t width = 0;
  std::int64_t heads = 0;
  std::int64_t feed_forward = 0;
  std::int64_t vocabulary = 0;
  std::int64_t context = 512;    // the longest sequence
  std::int64_t positions = 512;  // rows of the table of positions; 0: none
  std::int64_t token_types = 0;
  std::int64_t word_width = 0;  // of the tables, where it is not that of the blocks (ELECTRA)
  bool one_block = false;       // all blocks have the first one's parameters (ALBERT)
  std::int64_t distances = 0;   // as Layer::distances (DeBERTa)
  std::int64_t convolved = 0;   // > 0: positions that a convolution beside the first block sees
  double norm_epsilon = 1e-12;
  float dropped = 0.1F;
  Activation activation = Activation::gelu;
  bool gated = false;        // feed-forward parts as in Llama
  bool biases = true;        // of the blocks' matrices
  bool feed_biases = true;   // of the feed-forward part's, where the others have them
  bool norms_first = false;  // before attention and feed-forward part, not behind the sums
  bool shifted = true;       // norms have a shift beside their scale
  // Rotary positions; of the blocks that see a window, if any, others (ModernBERT).
  double rotary_base = 0;
  double windowed_rotary_base = 0;
  std::int64_t window = 0;       // as Layer::window
  std::int64_t whole_every = 1;  // of so many blocks the first sees all positions

  EncoderHead head = EncoderHead::masked_words;
  std::int64_t outputs = 2;
  bool tied = true;     // the words' scores are by their table
  bool pooler = false;  // features go through a dense layer and a tanh
  bool mean = false;    // of all positions is pooled, not the first one
  std::optional<Activation> pooled = Activation::tanh;  // of the scores' dense layer; none: ReLU
  // What the words' scores are made of makes others' too, and has no bias (ModernBERT).
  bool transforms = false;
  std::vector<std::string> notes{};  // what its file says that no layer has
};

// Throws NetworkError for a sequence longer than the context.
[[nodiscard]] Network make_encoder(const EncoderConfig& config, int sequence);

// Those of the built-in table (families.h) with rotary positions.
[[nodiscard]] EncoderConfig modernbert_base();
[[nodiscard]] EncoderConfig modernbert_large();
[[nodiscard]] EncoderConfig nomic_embed();

// The model types that are read here, those with a reason to refuse them left out.
[[nodiscard]] const std::vector<std::string_view>& encoder_types();
// Whether the file is of one, also of one that is refused.
[[nodiscard]] bool is_encoder(const ConfigFile& file);
// Throws NetworkError naming the file and the field.
[[nodiscard]] EncoderConfig read_encoder(const ConfigFile& file, const std::string& name);

}  // namespace rightsize
