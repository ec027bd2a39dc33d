// Pictures in prompts: what seeing them adds to a prompt, to memory, and to nothing else.
#include "models/laws/picture_prompts.h"

#include <string>

#include <doctest/doctest.h>

#include "figures/decode_figures.h"
#include "kernels/networks/vision_language/vision_language.h"
#include "models/calibration_files.h"
#include "models/laws/decode.h"
#include "models/laws/decode_latency.h"
#include "support/approx.h"

using namespace rightsize;

namespace {

constexpr int text_tokens = 200;

DecodeWork work_of(const std::string& name, DecodeForm form = {Precision::bf16}) {
  return decode_work(make_network(name), form, {0, text_tokens + picture_tokens(name), 128});
}

DecodeGpu h100() {
  const auto rates = test::shipped_rates();
  return decode_gpu(*rates.find("H100"), {Precision::bf16});
}

}  // namespace

TEST_CASE("picture prompts: the tower is held, and no token reads it") {
  const auto text = work_of("qwen2.5-7b");
  const auto sees = work_of("qwen2.5-vl-7b");
  CHECK(sees.tower_bytes == 2.0 * 676'550'144);
  CHECK(sees.weight_bytes == text.weight_bytes + sees.tower_bytes);
  CHECK(read_weight_bytes(sees, 1) == test::approx(read_weight_bytes(text, 1)));
  CHECK(sees.tower_flops == 0);
  CHECK(sees.prompt_flops == text.prompt_flops);
  // Narrow weights leave it wide.
  CHECK(work_of("qwen2.5-vl-7b", {Precision::bf16, WeightFormat::fp8}).tower_bytes ==
        sees.tower_bytes);
}

TEST_CASE("picture prompts: seeing adds to a prompt what its FLOPs take, shared by a replica") {
  const std::string name = "qwen2.5-vl-7b:images=2:size=1024x1024";
  const auto work = work_of(name);
  const auto gpu = h100();
  const DecodeLoad load{0, text_tokens + picture_tokens(name), 128};
  auto blind = work;
  blind.tower_flops = 0;
  const double seconds = tower_seconds(work, gpu);
  CHECK(seconds == test::approx(work.tower_flops / (0.65 * 989.4e12)).epsilon(0.01));
  CHECK(prompt_seconds(work, gpu, load) ==
        test::approx(prompt_seconds(blind, gpu, load) + seconds));
  CHECK(prompts_seconds(work, gpu, load, 10, 3) ==
        test::approx(prompts_seconds(blind, gpu, load, 10, 3) + 3 * seconds));
  CHECK(tower_seconds(tensor_parallel(work, 4), gpu) == test::approx(seconds / 4));
  CHECK(tensor_parallel(work, 4).tower_bytes == work.tower_bytes / 4);
  // Nothing of an iteration without prompts changes.
  CHECK(decode_step_seconds(work, gpu, 8, 1000) == decode_step_seconds(blind, gpu, 8, 1000));
}

TEST_CASE("picture prompts: the closed form of a queue has them too, of experts as well") {
  for (const char* const name : {"qwen2.5-vl-7b:images=1", "qwen3-vl-30b-a3b:images=1"}) {
    CAPTURE(std::string(name));
    const auto work = work_of(name);
    auto blind = work;
    blind.tower_flops = 0;
    const DecodeLoad load{1, text_tokens + picture_tokens(name), 128};
    const auto gpu = h100();
    const auto seeing = decode_latency({work, gpu, 1}, load);
    const auto reading = decode_latency({blind, gpu, 1}, load);
    CHECK(seeing.prompt_s - reading.prompt_s ==
          test::approx(tower_seconds(work, gpu)).epsilon(0.05));
    CHECK(seeing.first_token_p99_s > reading.first_token_p99_s);
    CHECK(seeing.token_p50_s > reading.token_p50_s);
  }
}

// calibration/vision_language.csv: asked before anything was set to them, and nothing was since.
// Programs of 2025: hosts prepared 3 to 7 pictures a second, which the law does not know.
TEST_CASE("picture prompts: published rates of language models that see") {
  const auto rates = test::shipped_rates();
  const auto figures = parse_decode_figures(test::calibration_text("vision_language.csv"));
  int close = 0;
  for (const auto& figure : figures) {
    const auto told =
        predicted_tokens_per_s(figure, make_network(figure.network), *rates.find(figure.gpu));
    REQUIRE(told);
    const double ratio = *told / figure.tokens_per_s;
    MESSAGE(figure.network << " on " << figure.gpus << " x " << figure.gpu << ", "
                           << figure.sequences << " at a time: told / published " << ratio);
    CHECK(picture_tokens(figure.network) < figure.prompt_tokens);
    close += ratio > 0.5 && ratio < 2 ? 1 : 0;
  }
  CHECK(figures.size() == 6);
  CHECK(close >= 3);
}
