// Networks that hear: counts as published, what a length changes, what is refused.
#include "kernels/networks/speech/speech.h"

#include <doctest/doctest.h>

#include "kernels/engine.h"
#include "kernels/network_error.h"
#include "kernels/work.h"
#include "support/approx.h"
#include "support/layer_order.h"
#include "support/multiply_adds.h"

using namespace rightsize;

namespace {

double million_parameters(const char* name) {
  return static_cast<double>(parameter_count(make_network(name))) / 1e6;
}

}  // namespace

// transformers' Wav2Vec2ForCTC of facebook/wav2vec2-base-960h holds 94 396 320 numbers and that of
// -large-960h-lv60-self 315 471 520 (from memory): with one vector of what is hidden, and 128
// lengths of the places' weights.
TEST_CASE("speech: wav2vec 2.0 has the published parameters") {
  CHECK(parameter_count(make_network("wav2vec2-base")) == 94'396'320 - 768 - 128);
  CHECK(parameter_count(make_network("wav2vec2-large")) == 315'471'520 - 1024 - 128);
  CHECK(parameter_count(make_network("hubert-base")) ==
        parameter_count(make_network("wav2vec2-base")));
}

// microsoft/unilm's wavlm/README.md (94.70 M and 316.62 M, from memory), with what they are trained
// with.
TEST_CASE("speech: WavLM has nearly the published parameters") {
  CHECK(million_parameters("wavlm-base") == test::approx(94.70).epsilon(0.005));
  CHECK(parameter_count(make_network("wavlm-base-plus")) ==
        parameter_count(make_network("wavlm-base")));
  CHECK(million_parameters("wavlm-large") == test::approx(316.62).epsilon(0.005));
  CHECK(make_network("wavlm-base").notes.size() == 2);
}

// The parts of transformers' Wav2Vec2BertModel (it is called one of 600 M), without what is left
// out.
TEST_CASE("speech: W2v-BERT 2.0 has the parameters that its parts add up to") {
  constexpr std::uint64_t width = 1024;
  constexpr std::uint64_t norm = 2 * width;
  constexpr std::uint64_t fed = norm + 2 * 4 * width * width + 5 * width;
  constexpr std::uint64_t attention = norm + 4 * (width * width + width);
  constexpr std::uint64_t convolution = 2 * norm + 3 * width * width + 31 * width;
  constexpr std::uint64_t block = 2 * fed + attention + convolution + norm;
  constexpr std::uint64_t heard = 2 * 160 + 160 * width + width;
  CHECK(parameter_count(make_network("w2v-bert-2.0")) == 24 * block + heard + 32 * (width + 1));
  CHECK(make_network("w2v-bert-2.0").labels_per_item() == 500);
}

// NVIDIA's model cards: "about 600 million" and "around 1.1 billion" (0.6B and 1.1B in the names);
// NeMo's fast-conformer_ctc_bpe.yaml: 120M, 616M and 1.2B, with what writes behind the encoder.
TEST_CASE("speech: Fast Conformer has nearly the published parameters") {
  CHECK(million_parameters("parakeet-ctc-0.6b") == test::approx(608).epsilon(0.005));
  CHECK(million_parameters("parakeet-tdt-0.6b") == test::approx(610).epsilon(0.005));
  CHECK(million_parameters("parakeet-ctc-1.1b") == test::approx(1062).epsilon(0.005));
  CHECK(million_parameters("fastconformer-large") == test::approx(115).epsilon(0.06));
}

TEST_CASE("speech: layers are in order, and something is said at each moment") {
  for (const auto& info : speech_networks()) {
    const auto network = usual_clip(info);
    CAPTURE(network.name);
    CHECK(network.name == info.name);
    CHECK(network.hears());
    CHECK(test::check_layer_order(network) == network.layers.size() - 1);
  }
  CHECK(make_network("wav2vec2-base").labels_per_item() == 499);  // 20 ms each
  CHECK(make_network("parakeet-ctc-1.1b").labels_per_item() == 125);
}

TEST_CASE("speech: a clip twice as long is twice the work and a little more") {
  const auto work = [](const char* name) { return test::multiply_adds(make_network(name)); };
  CHECK(work("wav2vec2-base:seconds=20") > 2 * work("wav2vec2-base"));
  CHECK(work("wav2vec2-base:seconds=20") < 2.2 * work("wav2vec2-base"));
  CHECK(make_network("hubert-large:seconds=5").title == "HuBERT large, 5 s");
  CHECK_THROWS_WITH_AS(static_cast<void>(make_network("wav2vec2-base:seconds=0")),
                       doctest::Contains("whole seconds"),
                       NetworkError);
  CHECK_THROWS_WITH_AS(static_cast<void>(make_network("wav2vec2-base", 16'000)),
                       doctest::Contains(":seconds="),
                       NetworkError);
}
