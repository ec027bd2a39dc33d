// Networks that read with an encoder and write with a decoder: counts as published, and what a form
// (tokens, beams) changes.
#include "kernels/networks/encoder_decoder/encoder_decoder.h"

#include <algorithm>
#include <numeric>
#include <string>

#include <doctest/doctest.h>

#include "kernels/adapter_work.h"
#include "kernels/network_blocks.h"
#include "kernels/network_error.h"
#include "kernels/work.h"
#include "support/approx.h"
#include "support/layer_order.h"

using namespace rightsize;

namespace {

// Whisper's keys have no biases, and here they have: one for each feature of each attention.
std::uint64_t biases_of_keys(std::uint64_t width, std::uint64_t encoder, std::uint64_t decoder) {
  return width * (encoder + 2 * decoder);
}

// T5's 32 distances, by head, in the encoder and in the decoder.
std::uint64_t distances(std::uint64_t heads) {
  return 2 * 32 * heads;
}

std::uint64_t parameters(const char* name) {
  return parameter_count(make_network(name));
}

double flops(const char* name, int sequence = 0) {
  return forward_flops(make_network(name, sequence));
}

}  // namespace

// As Hugging Face's classes for conditional generation have them, of
// the checkpoints of openai, distil-whisper, google, Helsinki-NLP and facebook.
TEST_CASE("encoder-decoder: parameters equal the published counts exactly") {
  CHECK(parameters("whisper-tiny") - biases_of_keys(384, 4, 4) == 37'760'640);
  CHECK(parameters("whisper-base") - biases_of_keys(512, 6, 6) == 72'593'920);
  CHECK(parameters("whisper-small") - biases_of_keys(768, 12, 12) == 241'734'912);
  CHECK(parameters("whisper-medium") - biases_of_keys(1024, 24, 24) == 763'857'920);
  CHECK(parameters("whisper-large-v2") - biases_of_keys(1280, 32, 32) == 1'543'304'960);
  CHECK(parameters("whisper-large-v3") - biases_of_keys(1280, 32, 32) == 1'543'490'560);
  CHECK(parameters("whisper-large-v3-turbo") - biases_of_keys(1280, 32, 4) == 808'878'080);
  CHECK(parameters("distil-large-v2") / 1'000'000 == 756);
  CHECK(parameters("distil-medium.en") / 1'000'000 == 394);
  CHECK(parameters("distil-small.en") / 1'000'000 == 166);
  CHECK(parameters("t5-small") + distances(8) == 60'506'624);
  CHECK(parameters("t5-base") + distances(12) == 222'903'552);
  CHECK(parameters("t5-large") + distances(16) == 737'668'096);
  CHECK(parameters("t5-3b") + distances(32) == 2'851'598'336);
  CHECK(parameters("t5-11b") + distances(128) == 11'307'321'344);
  CHECK(parameters("flan-t5-small") + distances(6) == 76'961'152);
  CHECK(parameters("flan-t5-base") + distances(12) == 247'577'856);
  CHECK(parameters("flan-t5-large") + distances(16) == 783'150'080);
  CHECK(parameters("flan-t5-xl") + distances(32) == 2'849'757'184);
  CHECK(parameters("flan-t5-xxl") + distances(64) == 11'135'332'352);
  CHECK(parameters("bart-base") == 139'420'416);
  CHECK(parameters("bart-large") == 406'291'456);
  CHECK(parameters("opus-mt-en-de") == 74'410'496);
  constexpr std::uint64_t sines = 2 * 1024 * 1024;  // of M2M-100's kind they are no parameters
  CHECK(parameters("m2m100-418m") - sines == 483'905'536);
  CHECK(parameters("nllb-600m") - sines == 615'073'792);
}

// NVIDIA's model cards: 883 M of Canary 1B Flash, of 32 blocks and 4; of Canary 1B, which has 24 of
// each, no more than its name. NeMo's fast-conformer_aed.yaml has 182 M of Canary 180M Flash, of 17
// blocks of 512 features and 4; Canary 1B v2's card (from memory) 978 M, of 32 and 8 and 16 384
// words.
TEST_CASE("encoder-decoder: Canary has nearly the published parameters") {
  CHECK(static_cast<double>(parameters("canary-1b-flash")) / 1e6 ==
        test::approx(883).epsilon(0.005));
  CHECK(static_cast<double>(parameters("canary-1b")) / 1e6 == test::approx(1018).epsilon(0.005));
  CHECK(make_network("canary-1b").hears());
  CHECK(static_cast<double>(parameters("canary-180m-flash")) / 1e6 ==
        test::approx(182).epsilon(0.005));
  CHECK(static_cast<double>(parameters("canary-1b-v2")) / 1e6 == test::approx(978).epsilon(0.005));
}

TEST_CASE("encoder-decoder: as trained it has the same parameters, and is no other network") {
  for (const auto& info : encoder_decoders()) {
    if (info.trained) {
      continue;
    }
    CAPTURE(info.name);
    const auto writes = usual_text(info);
    const auto trained = make_network(info.name + "-training");
    CHECK(parameter_count(writes) == parameter_count(trained));
    CHECK(writes_text(writes));
    CHECK_FALSE(writes_text(trained));
    CHECK(writes.hears() == (info.sequence == 0));
    CHECK_FALSE(reads_pictures(writes));
    CHECK_FALSE(is_denoiser(writes));
    CHECK(trained.labels_per_item() == info.usual.tokens);
    CHECK(hears(info.name) == writes.hears());
    CHECK(blocks_of(trained).size() > 2);
  }
}

TEST_CASE("encoder-decoder: layers are in order, and nothing is left unread but what is cached") {
  for (const auto& info : encoder_decoders()) {
    const auto network = usual_text(info);
    CAPTURE(network.name);
    const auto read = test::check_layer_order(network, {0});
    const auto cached =
        std::count_if(network.layers.begin(), network.layers.end(), [](const auto& layer) {
          return layer.kind == LayerKind::given && layer.name.ends_with("_cached");
        });
    CHECK(static_cast<std::ptrdiff_t>(read) ==
          static_cast<std::ptrdiff_t>(network.layers.size()) - 1 - cached);
    CHECK(info.trained == (cached == 0));
  }
}

TEST_CASE("encoder-decoder: each token passes the decoder once, and the encoder is passed once") {
  const double token = (flops("whisper-small:tokens=201") - flops("whisper-small:tokens=200"));
  // Two a parameter of the decoder's blocks and of the head, and attention to 1500 and some 100
  // positions: 4 a feature of each.
  const double blocks = 12 * (2 * 768 * (4 + 2 + 8) * 768.0 + 4 * 768 * (1500 + 101.0));
  const double head = 2 * 51865 * 768.0;
  CHECK(token == test::approx(blocks + head).epsilon(0.01));
  const double encoder = flops("whisper-small:tokens=1") - 2 * token;
  // The paper's encoder: two a parameter of 87 million for each of 1500 positions, and attention.
  CHECK(encoder == test::approx(2 * 87e6 * 1500 + 12 * 4 * 768 * 1500.0 * 1500).epsilon(0.2));
  CHECK(flops("whisper-small:beams=5") > 1.3 * flops("whisper-small"));
  CHECK(flops("whisper-small:beams=5") < 2 * flops("whisper-small"));
  CHECK(flops("flan-t5-base", 1024) > 1.5 * flops("flan-t5-base", 512));
  CHECK(make_network("whisper-small:tokens=200:beams=5").title ==
        "Whisper small, 200 tokens by 5 beams");
}

// As PEFT prints them: its documentation of Whisper large-v2 (rank 32), and philschmid's of Flan-T5
// XXL (rank 16), queries and values of every attention.
TEST_CASE("encoder-decoder: adapters have the published counts") {
  const auto trained = [](const char* name, const char* adapter) {
    auto network = make_network(name);
    network.adapters = parse_adapters(adapter).value();
    const auto each = trained_parameters(network);
    return std::accumulate(each.begin(), each.end(), std::uint64_t{0});
  };
  CHECK(trained("whisper-large-v2-training", "lora:32:q_proj+v_proj") == 15'728'640);
  CHECK(trained("flan-t5-xxl-training", "lora:16:q_proj+v_proj") == 18'874'368);
}

// What the keys and values of 1500 positions take lies there as long as is written: 2 x 1280 x 32
// x 1500 in 16 bits are 234 MiB an item.
TEST_CASE("encoder-decoder: memory of a batch holds what decoders look at") {
  const auto network = make_network("whisper-large-v2");
  const auto mib = [&](int batch) {
    return static_cast<double>(device_memory_bytes(network, Phase::infer, Precision::fp16, batch)) /
           0x1p20;
  };
  CHECK(mib(0) == test::approx(2 * 1543.4e6 / 0x1p20).epsilon(0.01));
  CHECK(mib(9) - mib(8) > 234);
  CHECK(mib(9) - mib(8) < 234 * 1.3);
  // With 448 tokens of 5 texts all that was written lies there too: 2 x 1280 x 32 x 449 x 5.
  const auto long_text = make_network("whisper-large-v2:tokens=448:beams=5");
  const auto held = [&](int batch) {
    return static_cast<double>(
               device_memory_bytes(long_text, Phase::infer, Precision::fp16, batch)) /
           0x1p20;
  };
  CHECK(held(9) - held(8) > 234 + 350);
  CHECK(held(9) - held(8) < (234 + 350) * 1.3);
}

TEST_CASE("encoder-decoder: a form that cannot be is refused by its part") {
  const auto refusal = [](const char* name, int sequence = 0) {
    try {
      static_cast<void>(make_network(name, sequence));
    } catch (const NetworkError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  CHECK(refusal("whisper-small:tokens=449") ==
        "network whisper-small:tokens=449: tokens=449: expected 1 to 448");
  CHECK(refusal("whisper-small:beams=0").find("beams=0: expected 1 to 64") != std::string::npos);
  CHECK(refusal("whisper-small:tokens=5:tokens=6").find("said twice") != std::string::npos);
  CHECK(refusal("whisper-small:steps=5").find(":tokens=N") != std::string::npos);
  CHECK(refusal("whisper-small-training:beams=5").find(":tokens=N") != std::string::npos);
  CHECK(refusal("whisper-small", 100).find("30 s of sound") != std::string::npos);
  CHECK(refusal("flan-t5-base", 100).empty());
  CHECK(refusal("flan-t5-base", 4096).empty());
  CHECK(refusal("bart-large", 1024).empty());
  CHECK(refusal("bart-large", 1025).find("it reads 1024 at most") != std::string::npos);
}
