// Tokens of networks whose layers keep states: what a sequence takes of a GPU's memory, and rates
// that were published of them, which no constant is fitted to.
#include <cmath>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "figures/decode_figures.h"
#include "models/calibration_files.h"
#include "models/laws/decode.h"
#include "support/approx.h"

using namespace rightsize;

namespace {

DecodeWork work_of(const char* name, const DecodeForm& form = {Precision::bf16}) {
  return decode_work(make_network(name, 4096), form, {0, 512, 128});
}

}  // namespace

// 10 of 40 layers attend: two heads of 256; 30 keep 32 states of 128 x 128 and three positions of
// 8192 channels.
TEST_CASE("decode hybrids: a sequence keeps keys and values of some layers, and states of others") {
  const auto work = work_of("qwen3.5-35b-a3b");
  CHECK(work.kv_bytes_per_token == 10 * 2 * 2 * 256 * 2);
  CHECK(work.state_bytes == 30 * (32.0 * 128 * 128 * 4 + 3 * 8192 * 2));
  CHECK(sequence_cache_bytes(work, 1000) == 1000 * work.kv_bytes_per_token + work.state_bytes);
  // A token reads the states and writes them again.
  CHECK(moved_cache_bytes(work, 1000) == 1000 * work.kv_bytes_per_token + 2 * work.state_bytes);
  CHECK(tensor_parallel(work, 2).state_bytes == work.state_bytes / 2);
  CHECK(shared_work(work, 2, AttentionSharing::by_sequences).state_bytes == work.state_bytes / 2);
  CHECK(work.blocks == 40);
  CHECK(work.reduces == 80);
}

// Where a part stands alone in each layer, as Nemotron's, two of them are a block of another's.
TEST_CASE("decode hybrids: every sum is an all-reduce of GPUs that share the layers") {
  const auto work = work_of("nemotron-nano-2-9b");
  CHECK(work.reduces == 56);
  CHECK(work.blocks == 28);
  const auto mamba = work_of("mamba2-2.7b");
  CHECK(mamba.kv_bytes_per_token == 0);
  CHECK(mamba.reduces == 64);
}

// vLLM's start logs: 5.98 GiB for caches in FP8 hold 4.33 sequences of 131,072 tokens
// (noonghunna/club-3090, issue 612, Qwen3.6-35B-A3B) and 2 x 4.99 GiB 2.31 of Qwen3.8-27B, which
// has the shape of Qwen3.5's (mitchross/talos-argocd-proxmox, pull request 1995). Its pages are as
// large as a state, and the last of each sequence is not full.
TEST_CASE("decode hybrids: as many sequences fit as vLLM's logs say, within 6 %") {
  const DecodeForm form{Precision::bf16, WeightFormat::own, true};
  const auto fitting = [&](const char* name, double gib) {
    return gib * 0x1p30 / sequence_cache_bytes(work_of(name, form), 131'072);
  };
  CHECK(fitting("qwen3.5-35b-a3b", 5.98) == test::approx(4.33).epsilon(0.06));
  CHECK(fitting("qwen3.5-27b", 2 * 4.99) == test::approx(2.31).epsilon(0.06));
}

TEST_CASE("decode hybrids: published rates, asked before any was seen by the law") {
  const auto figures = parse_decode_figures(test::calibration_text("decode_hybrids.csv"));
  REQUIRE(figures.size() == 16);
  const auto networks =
      networks_of(figures, std::string(RIGHTSIZE_SOURCE_DIR) + "/models/calibration/networks");
  const auto rates = test::shipped_rates();
  double squares = 0;
  for (const auto& figure : figures) {
    CAPTURE(figure.network);
    CAPTURE(figure.gpu);
    const auto predicted =
        predicted_tokens_per_s(figure, networks.at(figure.network), *rates.find(figure.gpu));
    REQUIRE(predicted);
    const double error = std::log(*predicted / figure.tokens_per_s);
    CHECK(std::abs(error) < std::log(1.6));
    squares += error * error;
  }
  CHECK(std::sqrt(squares / static_cast<double>(figures.size())) < 0.27);
}

// NVIDIA, "Nemotron Nano 2", 2025: up to six times Qwen3 8B's rate on an A10G, 8k tokens in and 16k
// out; IBM, "Bamba", 2024: two and a half times Llama 3.1 8B's by vLLM on an H100.
TEST_CASE("decode hybrids: they write as many times faster than transformers as was published") {
  const auto rates = test::shipped_rates();
  const auto most = [&](const char* network, const char* gpu, int prompt, int output) {
    const DecodeFigure figure{
        DecodeRate::most, network, {Precision::bf16}, gpu, 1, {}, 0, prompt, output, 1, "vLLM", ""};
    return predicted_tokens_per_s(figure, make_network(network, 4096), *rates.find(gpu)).value();
  };
  CHECK(most("nemotron-nano-2-9b", "A10G", 8192, 16'384) / most("qwen3-8b", "A10G", 8192, 16'384) ==
        test::approx(6).epsilon(0.2));
  CHECK(most("bamba-9b", "H100", 2048, 2048) / most("llama-8b", "H100", 2048, 2048) ==
        test::approx(2.5).epsilon(0.25));
}
