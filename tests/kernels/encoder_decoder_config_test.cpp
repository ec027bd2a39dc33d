// Networks that read and write from the config.json of others: parameters as transformers' classes
// count them, forms behind the path, and what is refused.
#include <string>

#include <doctest/doctest.h>

#include "kernels/network.h"
#include "kernels/network_error.h"
#include "kernels/networks/encoder_decoder/encoder_decoder.h"
#include "kernels/quantized_weights.h"
#include "kernels/work.h"
#include "support/temporary_folder.h"

using namespace rightsize;

namespace {

struct Config {
  TemporaryFolder folder;

  [[nodiscard]] std::string path(const std::string& fields) const {
    return folder.write("config.json", "{" + fields + "}");
  }
  [[nodiscard]] std::uint64_t parameters(const std::string& fields) const {
    return parameter_count(make_network(path(fields)));
  }
  void refuses(const std::string& fields, const char* why) const {
    const auto name = path(fields);
    CHECK_THROWS_WITH_AS(
        static_cast<void>(make_network(name)), doctest::Contains(why), NetworkError);
  }
};

const std::string whisper = R"("model_type": "whisper", "d_model": 384, "encoder_layers": 4,
  "encoder_attention_heads": 6, "decoder_layers": 4, "decoder_attention_heads": 6,
  "encoder_ffn_dim": 1536, "decoder_ffn_dim": 1536, "vocab_size": 51865, "num_mel_bins": 80,
  "max_source_positions": 1500, "max_target_positions": 448, "activation_function": "gelu")";
const std::string t5 = R"("model_type": "t5", "d_model": 512, "d_kv": 64, "d_ff": 2048,
  "num_layers": 6, "num_heads": 8, "vocab_size": 32128)";
const std::string flan = R"("model_type": "t5", "d_model": 512, "d_kv": 64, "d_ff": 1024,
  "num_layers": 8, "num_decoder_layers": 8, "num_heads": 6, "vocab_size": 32128,
  "feed_forward_proj": "gated-gelu", "tie_word_embeddings": false)";
const std::string mt5 = R"("model_type": "mt5", "d_model": 512, "d_kv": 64, "d_ff": 1024,
  "num_layers": 8, "num_heads": 6, "vocab_size": 250112)";

std::string like_bart(const std::string& type, int vocabulary, const std::string& rest) {
  return R"("model_type": ")" + type + R"(", "d_model": 1024, "encoder_layers": 12,
    "decoder_layers": 12, "encoder_attention_heads": 16, "decoder_attention_heads": 16,
    "encoder_ffn_dim": 4096, "decoder_ffn_dim": 4096, "vocab_size": )" +
         std::to_string(vocabulary) + rest;
}

constexpr std::uint64_t distances = 2 * 32;  // of T5, by head, left out here

}  // namespace

TEST_CASE("encoder-decoder config: it is the network that is built in") {
  const Config config;
  const auto same = [&](const std::string& fields, const char* name) {
    CAPTURE(name);
    const auto built_in = make_network(name);
    const auto read = make_network(config.path(fields));
    CHECK(read.layers == built_in.layers);
    CHECK(read.hears() == built_in.hears());
  };
  same(whisper, "whisper-tiny");
  same(t5, "t5-small");
  same(flan, "flan-t5-small");
  same(like_bart("bart", 50265, R"(, "max_position_embeddings": 1024)"), "bart-large");
  same(like_bart("m2m_100", 256206, R"(, "max_position_embeddings": 1024)"), "nllb-600m");
}

// google/mt5-small, facebook/mbart-large-50 and google/pegasus-xsum, whose 512 sines are counted in
// transformers; from memory, and equal to the sums over their shapes.
TEST_CASE("encoder-decoder config: parameters of networks that are not built in") {
  const Config config;
  CHECK(config.parameters(mt5) + distances * 6 == 300'176'768);
  CHECK(config.parameters(like_bart("mbart", 250054, "")) == 610'879'488);
  const auto pegasus = R"("model_type": "pegasus", "d_model": 1024, "encoder_layers": 16,
    "decoder_layers": 16, "encoder_attention_heads": 16, "decoder_attention_heads": 16,
    "encoder_ffn_dim": 4096, "decoder_ffn_dim": 4096, "vocab_size": 96103,
    "max_position_embeddings": 512)";
  CHECK(config.parameters(pegasus) == 569'748'480);
}

TEST_CASE("encoder-decoder config: forms stand behind the path") {
  const Config config;
  const auto path = config.path(whisper);
  const auto written = make_network(path + ":tokens=7:beams=3");
  CHECK(written.title == "Whisper-style, 7 tokens by 3 beams");
  CHECK(writes_text(written));
  CHECK(hears(path));
  CHECK(is_encoder_decoder(path + ":beams=2"));
  const auto trained = make_network(path + ":training:tokens=9");
  CHECK_FALSE(writes_text(trained));
  CHECK(trained.labels_per_item() == 9);
  CHECK(trained_form(path + ":beams=2") == path + ":training");
  CHECK(trained_form("whisper-tiny:beams=2") == "whisper-tiny-training");
  CHECK(make_network("whisper-tiny:training").layers ==
        make_network("whisper-tiny-training").layers);
  CHECK_FALSE(is_encoder_decoder("no-such-folder/config.json"));
  CHECK_THROWS_WITH_AS(static_cast<void>(make_network(path + ":training:beams=2")),
                       doctest::Contains("of what it is trained on there is :tokens=N"),
                       NetworkError);
}

TEST_CASE("encoder-decoder: weights in fewer bits are less to keep, and as much to compute") {
  const auto whole = make_network("whisper-large-v3");
  const auto narrow = make_network("whisper-large-v3:weights=int8");
  CHECK(widens_weights(narrow));
  CHECK_FALSE(widens_weights(whole));
  CHECK(forward_flops(narrow) == forward_flops(whole));
  const auto bytes = [](const Network& network) {
    return parameter_memory_bytes(network, Phase::infer, Precision::fp16);
  };
  CHECK(static_cast<double>(bytes(narrow)) < 0.6 * static_cast<double>(bytes(whole)));
  CHECK(narrow.title == "Whisper large-v3, 100 tokens, weights in 8 bits");
  CHECK_THROWS_WITH_AS(static_cast<void>(make_network("t5-small:weights=int3")),
                       doctest::Contains("expected fp8, int8 or nf4"),
                       NetworkError);
}

TEST_CASE("encoder-decoder config: what would be another network is refused by its field") {
  const Config config;
  config.refuses(R"("model_type": "t5", "d_model": 512)", "\"num_layers\" is missing");
  config.refuses(t5 + R"(, "feed_forward_proj": "gated-silu")", "known are relu and gated-gelu");
  config.refuses(like_bart("marian", 58101, R"(, "decoder_vocab_size": 50000)"),
                 "only one vocabulary for both is known");
  config.refuses(like_bart("bart", 50265, R"(, "tie_word_embeddings": false)"),
                 "\"tie_word_embeddings\" is false");
  const auto wide = whisper.substr(0, whisper.find("\"encoder_ffn_dim\"")) +
                    R"("encoder_ffn_dim": 1000, "decoder_ffn_dim": 1000)";
  config.refuses(wide, "only 4 times \"d_model\", 1536, is known");
  const auto lopsided = whisper.substr(0, whisper.find("\"encoder_ffn_dim\"")) +
                        R"("encoder_ffn_dim": 1536, "decoder_ffn_dim": 1000)";
  config.refuses(lopsided, "only the same in encoder and decoder is known");
  const auto llama = config.path(R"("model_type": "llama", "hidden_size": 64)");
  CHECK_THROWS_WITH_AS(static_cast<void>(make_network(llama + ":tokens=5")),
                       doctest::Contains("only networks that read and write have parts"),
                       NetworkError);
}
