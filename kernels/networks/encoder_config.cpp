// Reads the config.json that Hugging Face puts beside an encoder of text. Fields and what they are
// where a file leaves them out: the configuration classes of transformers; of Nomic's, the code
// beside the model (nomic-ai/nomic-bert-2048).
#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "kernels/networks/block_fields.h"
#include "kernels/networks/config_file.h"
#include "kernels/networks/encoder.h"
#include "kernels/networks/encoder_head.h"

namespace rightsize {
namespace {

// What a family calls the numbers that all have, and what makes it its own.
struct Family {
  std::string_view model_type;
  std::string_view title;
  std::int64_t token_types = 0;  // where the file does not say
  bool offset = false;           // positions count from behind the padding's number (fairseq's)
  const char* layers = "num_hidden_layers";
  const char* width = "hidden_size";
  const char* heads = "num_attention_heads";
  const char* feed_forward = "intermediate_size";
  const char* positions = "max_position_embeddings";
  const char* activation = "hidden_act";
  const char* dropped = "hidden_dropout_prob";
  const char* epsilon = "layer_norm_eps";
};

constexpr std::array<Family, 11> families{{
    {.model_type = "bert", .title = "BERT-style", .token_types = 2},
    {.model_type = "roberta", .title = "RoBERTa-style", .token_types = 2, .offset = true},
    {.model_type = "xlm-roberta", .title = "XLM-RoBERTa-style", .token_types = 2, .offset = true},
    {.model_type = "camembert", .title = "CamemBERT-style", .token_types = 2, .offset = true},
    {.model_type = "mpnet", .title = "MPNet-style", .offset = true},
    {.model_type = "electra", .title = "ELECTRA-style", .token_types = 2},
    {.model_type = "albert", .title = "ALBERT-style", .token_types = 2},
    {.model_type = "deberta-v2", .title = "DeBERTa-v2-style"},
    {.model_type = "distilbert",
     .title = "DistilBERT-style",
     .layers = "n_layers",
     .width = "dim",
     .heads = "n_heads",
     .feed_forward = "hidden_dim",
     .activation = "activation",
     .dropped = "dropout"},
    {.model_type = "nomic_bert",
     .title = "Nomic-BERT-style",
     .layers = "n_layer",
     .width = "n_embd",
     .heads = "n_head",
     .feed_forward = "n_inner",
     .positions = "n_positions",
     .activation = "activation_function",
     .dropped = "resid_pdrop",
     .epsilon = "layer_norm_epsilon"},
    {.model_type = "modernbert",
     .title = "ModernBERT-style",
     .activation = "hidden_activation",
     .dropped = "mlp_dropout",
     .epsilon = "norm_eps"},
}};

struct Refused {
  std::string_view model_type;
  std::string_view why;
};

constexpr std::array<Refused, 1> refused{
    {{"deberta",
      "whose distances have matrices of their own in every layer, which no layer here has; the "
      "nearest that is read is a \"deberta-v2\" of the same widths"}}};

template <typename Rows>
auto find_type(const Rows& rows, const ConfigFile& file) {
  const auto type = file.word_or("model_type", "");
  const auto found = std::find_if(
      rows.begin(), rows.end(), [&](const auto& row) { return row.model_type == type; });
  return found == rows.end() ? nullptr : &*found;
}

Activation activation_of(const ConfigFile& file, const char* field) {
  const auto name = file.word_or(field, "gelu");
  if (name == "gelu") {
    return Activation::gelu;
  }
  if (name == "gelu_new" || name == "gelu_pytorch_tanh" || name == "gelu_fast") {
    return Activation::gelu_tanh;
  }
  if (name != "silu" && name != "swish") {
    file.fail(field, fmt::format("is \"{}\"; known are gelu, gelu_new and silu", name));
  }
  return Activation::silu;
}

// RoBERTa's table has rows that no position takes: up to the padding's number, and that one's.
void read_positions(const ConfigFile& file, const Family& family, EncoderConfig& config) {
  config.positions = file.positive_or(family.positions, 512, ConfigFile::most_tokens);
  config.context = config.positions - (family.offset ? file.count_or("pad_token_id", 1) + 1 : 0);
  if (config.context < 1) {
    file.fail(family.positions,
              fmt::format("is {}, of which \"pad_token_id\" leaves none", config.positions));
  }
  config.token_types = file.count_or("type_vocab_size", family.token_types);
}

// Warner et al., "Smarter, Better, Faster, Longer", 2024. Positions before and behind, and its own.
void read_modern(const ConfigFile& file, EncoderConfig& config) {
  config.norms_first = true;
  config.gated = true;
  config.transforms = true;
  for (const char* field : {"attention_bias", "mlp_bias"}) {
    file.require(field, false);
  }
  config.biases = false;
  config.shifted = file.flag_or("norm_bias", false);
  config.mean = file.word_or("classifier_pooling", "cls") == "mean";
  config.rotary_base = file.number_or("global_rope_theta", 160'000);
  config.windowed_rotary_base = file.number_or("local_rope_theta", 10'000);
  config.whole_every = file.positive_or("global_attn_every_n_layers", 3);
  const auto window = file.positive_or("local_attention", 128, ConfigFile::most_tokens) / 2 * 2 + 1;
  config.window = config.whole_every > 1 && window < 2 * config.context ? window : 0;
  config.context = std::exchange(config.positions, 0);
}

// Nussbaum et al., "Nomic Embed", 2024.
void read_nomic(const ConfigFile& file, EncoderConfig& config) {
  for (const char* field : {"prenorm", "use_rms_norm", "parallel_block"}) {
    file.require(field, false);
  }
  file.require("activation_function", "swiglu");
  if (!file.given("rotary_emb_fraction") || file.number_or("rotary_emb_fraction", 1) != 1) {
    file.fail("rotary_emb_fraction", "is not 1; without it positions are learned, or some turn");
  }
  if (file.count_or("num_experts", 0) > 0) {
    file.fail("num_experts", "is given; encoders with experts are not known");
  }
  for (const char* field : {"qkv_proj_bias", "mlp_fc1_bias", "mlp_fc2_bias"}) {
    if (file.flag_or(field, true)) {
      file.fail(field, "is true, or not given; only false is known");
    }
  }
  config.gated = true;
  config.biases = false;
  config.rotary_base = file.number_or("rotary_emb_base", 10'000);
  config.positions = 0;
  config.notes.emplace_back("its token types are left out (0.001 % of the parameters)");
}

// Lan et al., "ALBERT", ICLR 2020. All blocks are one.
void read_albert(const ConfigFile& file, EncoderConfig& config) {
  file.require("num_hidden_groups", 1);
  file.require("inner_group_num", 1);
  file.require("position_embedding_type", "absolute");
  config.one_block = true;
}

// He et al., "DeBERTaV3", ICLR 2023. Distances count in buckets to either side.
void read_deberta(const ConfigFile& file, EncoderConfig& config) {
  for (const char* field : {"relative_attention", "share_att_key"}) {
    if (!file.flag_or(field, false)) {
      file.fail(field,
                "is not true; of DeBERTa those with distances by the words' matrices are "
                "known (versions 2 and 3)");
    }
  }
  file.require("norm_rel_ebd", "layer_norm");
  const auto buckets = file.positive_or("position_buckets", config.context);
  config.distances = 2 * buckets;
  config.convolved = file.count_or("conv_kernel_size", 0);
  config.positions = file.flag_or("position_biased_input", true) ? config.positions : 0;
}

void require_shape(const ConfigFile& file, const Family& family, const EncoderConfig& config) {
  require_layers(file, family.layers, config.layers);
  if (config.width % config.heads != 0) {
    file.fail(family.width,
              fmt::format(
                  "is {}, which the {} attention heads do not divide", config.width, config.heads));
  }
  if (config.rotary_base > 0 && config.width / config.heads % 2 != 0) {
    file.fail(family.heads, "leaves heads of an odd width; RoPE turns pairs of features");
  }
  const auto real = [](std::int64_t count) { return static_cast<double>(count); };
  const double widest = real(std::max(config.width, config.word_width));
  const double vocabulary = real(std::max(config.vocabulary, config.outputs));
  const double made = 4 * widest + 3 * real(config.feed_forward);
  file.require_countable(
      {.parameters = config.layers * widest * made + 2 * vocabulary * widest +
                     real(config.positions + config.token_types) * widest,
       .elements = real(config.context) *
                   (config.layers * (10 * widest + 2 * made + real(config.heads)) + 2 * vocabulary),
       .products = real(config.context) * widest * std::max(made, vocabulary),
       .context = config.context});
}

// What all encoders have.
EncoderConfig read_shape(const ConfigFile& file, const Family& family, const std::string& name) {
  return {.name = name,
          .title = std::string(family.title),
          .layers = static_cast<int>(file.positive(family.layers)),
          .width = file.positive(family.width),
          .heads = file.positive(family.heads),
          .feed_forward = file.positive(family.feed_forward),
          .vocabulary = file.positive("vocab_size", ConfigFile::most_tokens),
          .norm_epsilon = file.number_or(family.epsilon, 1e-12),
          .dropped = static_cast<float>(file.share_or(family.dropped, 0.1))};
}

void refuse_others(const ConfigFile& file) {
  if (const auto* other = find_type(refused, file)) {
    file.fail("model_type", fmt::format("is \"{}\", {}", other->model_type, other->why));
  }
  for (const char* field : {"is_decoder", "add_cross_attention", "is_encoder_decoder"}) {
    file.require(field, false);
  }
}

}  // namespace

const std::vector<std::string_view>& encoder_types() {
  static const auto types = [] {
    std::vector<std::string_view> all;
    for (const auto& family : families) {
      all.push_back(family.model_type);
    }
    return all;
  }();
  return types;
}

bool is_encoder(const ConfigFile& file) {
  return find_type(families, file) != nullptr || find_type(refused, file) != nullptr;
}

EncoderConfig read_encoder(const ConfigFile& file, const std::string& name) {
  refuse_others(file);
  const auto& family = *find_type(families, file);
  auto config = read_shape(file, family, name);
  const bool nomic = family.model_type == "nomic_bert";
  config.activation = nomic ? Activation::silu : activation_of(file, family.activation);
  const bool narrow = family.model_type == "electra" || family.model_type == "albert";
  config.word_width = narrow ? file.positive_or("embedding_size", 128) : 0;
  read_positions(file, family, config);
  read_encoder_head(file, config);
  if (nomic) {
    read_nomic(file, config);
  } else if (family.model_type == "modernbert") {
    read_modern(file, config);
  } else if (family.model_type == "albert") {
    read_albert(file, config);
  } else if (family.model_type == "deberta-v2") {
    read_deberta(file, config);
  } else {
    file.require("position_embedding_type", "absolute");
  }
  if (family.model_type == "mpnet") {
    config.notes.emplace_back(
        "what it adds to scores by distance is left out: 32 numbers a head, one sum a score");
  }
  require_shape(file, family, config);
  return config;
}

}  // namespace rightsize
