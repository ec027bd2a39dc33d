// Encoders from the config.json of others: parameters as transformers' classes count them.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "kernels/cpu/cpu_engine.h"
#include "kernels/engine.h"
#include "kernels/network.h"
#include "kernels/work.h"
#include "support/approx.h"
#include "support/temporary_folder.h"
#include "support/tiny_batch.h"

using namespace rightsize;

namespace {

struct Config {
  TemporaryFolder folder;

  [[nodiscard]] Network network(const std::string& fields, int sequence = 0) const {
    return make_network(folder.write("config.json", "{" + fields + "}"), sequence);
  }
  [[nodiscard]] std::uint64_t parameters(const std::string& fields) const {
    return parameter_count(network(fields, 64));
  }
};

const std::string base = R"("hidden_size": 768, "num_hidden_layers": 12, "num_attention_heads": 12,
  "intermediate_size": 3072, "hidden_act": "gelu", "hidden_dropout_prob": 0.1, )";
const std::string bert = base + R"("model_type": "bert", "vocab_size": 30522,
  "max_position_embeddings": 512, "type_vocab_size": 2, "layer_norm_eps": 1e-12)";
const std::string roberta = base + R"("model_type": "roberta", "vocab_size": 50265,
  "max_position_embeddings": 514, "type_vocab_size": 1, "pad_token_id": 1,
  "layer_norm_eps": 1e-05)";
const std::string distilbert = R"("model_type": "distilbert", "dim": 768, "n_layers": 6,
  "n_heads": 12, "hidden_dim": 3072, "activation": "gelu", "dropout": 0.1, "vocab_size": 30522,
  "max_position_embeddings": 512, "sinusoidal_pos_embds": false)";
const std::string electra = R"("model_type": "electra", "embedding_size": 128, "hidden_size": 256,
  "num_hidden_layers": 12, "num_attention_heads": 4, "intermediate_size": 1024,
  "vocab_size": 30522, "max_position_embeddings": 512, "type_vocab_size": 2)";
const std::string albert = base + R"("model_type": "albert", "embedding_size": 128,
  "vocab_size": 30000, "max_position_embeddings": 512, "type_vocab_size": 2,
  "num_hidden_groups": 1, "inner_group_num": 1)";
const std::string deberta = base + R"("model_type": "deberta-v2", "vocab_size": 128100,
  "max_position_embeddings": 512, "relative_attention": true, "position_buckets": 256,
  "norm_rel_ebd": "layer_norm", "share_att_key": true, "pos_att_type": "p2c|c2p",
  "type_vocab_size": 0, "position_biased_input": false, "layer_norm_eps": 1e-7)";
const std::string modernbert = R"("model_type": "modernbert", "hidden_size": 768,
  "num_hidden_layers": 22, "num_attention_heads": 12, "intermediate_size": 1152,
  "vocab_size": 50368, "max_position_embeddings": 8192, "local_attention": 128,
  "global_attn_every_n_layers": 3, "hidden_activation": "gelu", "mlp_dropout": 0.0,
  "norm_eps": 1e-05, "position_embedding_type": "sans_pos", "classifier_pooling": "mean")";

std::string as(const std::string& name) {
  return ", \"architectures\": [\"" + name + "\"]";
}

std::int64_t count_windowed(const Network& network) {
  return std::count_if(network.layers.begin(), network.layers.end(), [](const Layer& layer) {
    return layer.kind == LayerKind::attention && layer.window > 0;
  });
}

bool notes(const Network& network, const char* words) {
  return std::any_of(network.notes.begin(), network.notes.end(), [&](const std::string& note) {
    return note.find(words) != std::string::npos;
  });
}

}  // namespace

// BertModel with its pooler 109 482 240, without 108 891 648; a class more is 769.
TEST_CASE("network: an encoder's config.json ends as its class does") {
  const Config config;
  CHECK(config.parameters(bert) == 109'482'240);
  CHECK(config.parameters(bert + as("BertModel")) == 109'482'240);
  CHECK(config.parameters(bert + as("BertForMaskedLM")) == 109'514'298);
  CHECK(config.parameters(bert + as("BertForSequenceClassification")) == 109'482'240 + 2 * 769);
  CHECK(config.parameters(bert + as("BertForTokenClassification") +
                          R"(, "id2label": {"0": "O", "1": "B-PER", "2": "I-PER"})") ==
        108'891'648 + 3 * 769);
  CHECK(config.parameters(bert + as("BertForQuestionAnswering")) == 108'891'648 + 2 * 769);
  const auto reranker = config.network(
      bert + as("BertForSequenceClassification") + R"(, "id2label": {"0": "LABEL_0"})", 64);
  CHECK(parameter_count(reranker) == 109'482'240 + 769);
  CHECK(reranker.classes == 1);
  CHECK(notes(reranker, "its one score"));
  CHECK(notes(config.network(bert), "vector of a text"));
  CHECK(notes(config.network(bert + as("BertForPreTraining")), "BertForPreTraining"));
}

// The classes of roberta-base, xlm-roberta-base and distilbert-base-uncased.
TEST_CASE("network: the config.json of RoBERTa and DistilBERT") {
  const Config config;
  CHECK(config.parameters(roberta + as("RobertaForMaskedLM")) == 124'697'433);
  CHECK(config.parameters(roberta + as("RobertaModel")) == 124'645'632);
  CHECK(config.parameters(roberta + as("RobertaForSequenceClassification")) == 124'647'170);
  CHECK(config.network(roberta).input.positions() == 512);
  CHECK_THROWS_WITH_AS(static_cast<void>(config.network(roberta, 513)),
                       doctest::Contains("a sequence of 513 tokens; it was trained for 512"),
                       EngineError);
  CHECK(config.parameters(distilbert + as("DistilBertForMaskedLM")) == 66'985'530);
  CHECK(config.parameters(distilbert + as("DistilBertModel")) == 66'362'880);
  CHECK(config.parameters(distilbert + as("DistilBertForSequenceClassification")) == 66'955'010);
  for (const auto& [fields, name] :
       {std::pair{bert, "bert-base"}, {roberta, "roberta-base"}, {distilbert, "distilbert-base"}}) {
    CAPTURE(name);
    CHECK((config.network(fields + as("XForMaskedLM")).layers == make_network(name).layers));
  }
}

// google/electra-small-discriminator's ElectraModel 13 483 008, microsoft/mpnet-base's MPNetModel
// 109 486 464 with the 384 numbers that are left out, nomic-ai/nomic-embed-text-v1.5's 136 731 648
// with 1536, answerdotai/ModernBERT-base's ModernBertModel 149 014 272.
TEST_CASE("network: the config.json of ELECTRA, MPNet, Nomic's BERT and ModernBERT") {
  const Config config;
  CHECK(config.parameters(electra + as("ElectraModel")) == 13'483'008);
  CHECK(notes(config.network(electra + as("ElectraForPreTraining")), "head of pre-training"));
  CHECK(config.parameters(electra + as("ElectraForSequenceClassification")) ==
        13'483'008 + 256 * 257 + 2 * 257);
  const auto mpnet = base + R"("model_type": "mpnet", "vocab_size": 30527,
    "max_position_embeddings": 514, "pad_token_id": 1, "relative_attention_num_buckets": 32)";
  CHECK(config.parameters(mpnet) == 109'486'464 - 384);
  CHECK(notes(config.network(mpnet), "by distance"));
  const std::string nomic = R"("model_type": "nomic_bert", "n_embd": 768, "n_layer": 12,
    "n_head": 12, "n_inner": 3072, "n_positions": 8192, "vocab_size": 30528,
    "activation_function": "swiglu", "resid_pdrop": 0.0, "qkv_proj_bias": false,
    "mlp_fc1_bias": false, "mlp_fc2_bias": false, "rotary_emb_fraction": 1.0,
    "rotary_emb_base": 1000, "prenorm": false, "layer_norm_epsilon": 1e-12)";
  CHECK(config.parameters(nomic + as("NomicBertModel")) == 136'731'648 - 1536);
  CHECK(config.network(nomic).input.positions() == 8192);
  const auto modern = config.network(modernbert + as("ModernBertModel"));
  CHECK(parameter_count(modern) == 149'014'272);
  CHECK(count_windowed(modern) == 14);
  CHECK(notes(modern, "RMSNorm"));
  CHECK((config.network(modernbert + as("ModernBertForMaskedLM")).layers ==
         make_network("modernbert-base").layers));
}

// Of a window more positions cost as much more as they are more, and not by their square.
TEST_CASE("network: what ModernBERT's windows hide is no work") {
  const auto flops_of = [](int sequence) {
    return forward_flops(make_network("modernbert-base", sequence)) / sequence;
  };
  auto whole = make_network("modernbert-base", 8192);
  for (auto& layer : whole.layers) {
    layer.window = 0;
  }
  CHECK(forward_flops(whole) / 8192 > 1.6 * flops_of(8192));
  CHECK(flops_of(8192) > 1.3 * flops_of(128));
}

TEST_CASE("network: every kind of encoder learns on the CPU") {
  const std::string tiny = R"("hidden_size": 32, "num_hidden_layers": 3, "num_attention_heads": 4,
    "intermediate_size": 64, "vocab_size": 50, "max_position_embeddings": 40,
    "hidden_dropout_prob": 0.0, )";
  const std::vector<std::string> kinds{
      tiny + R"("model_type": "bert")" + as("BertForMaskedLM"),
      tiny + R"("model_type": "bert")" + as("BertModel"),
      tiny + R"("model_type": "roberta")" + as("RobertaForSequenceClassification"),
      tiny + R"("model_type": "camembert")" + as("CamembertForTokenClassification"),
      tiny + R"("model_type": "xlm-roberta")" + as("XLMRobertaForQuestionAnswering"),
      tiny + R"("model_type": "mpnet")" + as("MPNetModel"),
      tiny + R"("model_type": "electra", "embedding_size": 16)" + as("ElectraForMaskedLM"),
      tiny + R"("model_type": "albert", "embedding_size": 16)" + as("AlbertForMaskedLM"),
      tiny + R"("model_type": "modernbert", "local_attention": 8)" + as("ModernBertForMaskedLM"),
      tiny + R"("model_type": "modernbert", "local_attention": 8, "classifier_pooling": "mean")" +
          as("ModernBertForSequenceClassification"),
      R"("model_type": "distilbert", "dim": 32, "n_layers": 2, "n_heads": 2, "hidden_dim": 64,
         "dropout": 0.0, "vocab_size": 50, "max_position_embeddings": 40)" +
          as("DistilBertForSequenceClassification"),
      R"("model_type": "nomic_bert", "n_embd": 32, "n_layer": 2, "n_head": 2, "n_inner": 64,
         "vocab_size": 50, "n_positions": 40, "activation_function": "swiglu", "resid_pdrop": 0.0,
         "qkv_proj_bias": false, "mlp_fc1_bias": false, "mlp_fc2_bias": false,
         "rotary_emb_fraction": 1)" +
          as("NomicBertModel")};
  const Config config;
  for (const auto& fields : kinds) {
    CAPTURE(fields);
    const auto network = config.network(fields, 20);
    const auto batch = test::noise_batch(network, 4);
    EngineOptions options;
    options.batch = 4;
    options.learning_rate = 1e-2F;
    cpu::CpuEngine engine(network, options);
    const auto first = engine.step(batch.view()).loss.value();
    double last = first;
    for (int i = 0; i < 30; ++i) {
      last = engine.step(batch.view()).loss.value();
    }
    CHECK(last < 0.8 * first);
  }
}

// AlbertModel with its pooler 11 683 584, AlbertForMaskedLM 11 221 680; DebertaV2Model of v3-base
// 183 831 552, with a dense layer and two classes 184 423 682.
TEST_CASE("network: the config.json of ALBERT and DeBERTa") {
  const Config config;
  CHECK(config.parameters(albert + as("AlbertModel")) == 11'683'584);
  CHECK(config.parameters(albert + as("AlbertForMaskedLM")) == 11'221'680);
  CHECK(config.parameters(deberta) == 183'831'552);
  CHECK(config.parameters(deberta + as("DebertaV2ForSequenceClassification")) == 184'423'682);
  // As much work as a block of its own each time.
  const auto one = make_network("albert-base", 128);
  const auto bert_base = make_network("bert-base", 128);
  CHECK(forward_flops(one) < forward_flops(bert_base));
  CHECK(forward_flops(one) > 0.8 * forward_flops(bert_base));
  // Scores of distances alone, and those of both ways: the products of a seventh of a block at 512.
  const auto known = make_network("deberta-v3-base", 512);
  auto without = known;
  for (auto& layer : without.layers) {
    layer.distances = 0;
  }
  CHECK(forward_flops(known) / forward_flops(without) == test::approx(1.09).epsilon(0.02));
}

TEST_CASE("network: an encoder's config.json that is wrong is refused by file and field") {
  const Config config;
  const auto fails = [&](const std::string& fields, const char* why) {
    CHECK_THROWS_WITH_AS(
        static_cast<void>(config.network(fields)), doctest::Contains(why), EngineError);
  };
  fails(R"("model_type": "deberta")",
        "config.json: \"model_type\" is \"deberta\", whose distances have");
  fails(albert + R"(, "num_hidden_groups": 2)", "\"num_hidden_groups\" is 2; only 1 is known");
  fails(base + R"("model_type": "deberta-v2", "vocab_size": 9)", "\"relative_attention\" is not");
  fails(R"("model_type": "xlnet")", "of encoders bert, roberta, xlm-roberta");
  fails(R"("model_type": "bert")", "\"num_hidden_layers\" is missing");
  fails(R"("model_type": "distilbert")", "\"n_layers\" is missing");
  fails(bert + R"(, "is_decoder": true)", "\"is_decoder\" is true; only false is known");
  fails(bert + R"(, "position_embedding_type": "relative_key")", "only \"absolute\" is known");
  fails(bert + as("BertForMultipleChoice"), "\"architectures\" has \"BertForMultipleChoice\"; of");
  fails(bert + as("BertLMHeadModel"), "\"architectures\" has \"BertLMHeadModel\"");
  fails(bert + R"(, "architectures": [3])", "\"architectures\" is not a list of words");
  fails(bert + R"(, "id2label": {})", "\"id2label\" is not an object of fields");
  fails(base + R"("model_type": "bert", "vocab_size": 9, "layer_norm_eps": 0)",
        "\"layer_norm_eps\" is 0, not a positive number");
  fails(R"("model_type": "bert", "hidden_size": 10, "num_hidden_layers": 1,
           "num_attention_heads": 3, "intermediate_size": 9, "vocab_size": 9)",
        "\"hidden_size\" is 10, which the 3 attention heads do not divide");
  fails(base + R"("model_type": "roberta", "vocab_size": 9, "max_position_embeddings": 2)",
        "\"max_position_embeddings\" is 2, of which");
  fails(R"("model_type": "bert", "hidden_size": 8, "num_hidden_layers": 1, "hidden_dropout_prob": 1,
           "num_attention_heads": 1, "intermediate_size": 9, "vocab_size": 9)",
        "\"hidden_dropout_prob\" is 1, not a number from 0 to below 1");
  fails(R"("model_type": "bert", "hidden_size": 1048576, "num_hidden_layers": 10000,
           "num_attention_heads": 1, "intermediate_size": 1048576, "vocab_size": 16777216)",
        "its fields together make");
  fails(R"("model_type": "nomic_bert", "n_embd": 8, "n_layer": 1, "n_head": 1, "n_inner": 8,
           "vocab_size": 9, "activation_function": "gelu")",
        "\"activation_function\" is \"gelu\"; only \"swiglu\" is known");
}
