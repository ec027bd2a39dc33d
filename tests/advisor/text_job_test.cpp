// A language model that works through a list of texts: the law's of a server that always has more
// to do.
#include <string>

#include <doctest/doctest.h>

#include "advisor/candidate/network_facts.h"
#include "advisor/tokens/weights_taken.h"
#include "estimator_questions.h"
#include "models/laws/decode.h"
#include "support/approx.h"

using namespace rightsize;

namespace {

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

Configuration texts(const std::string& machine, const char* network, int prompt, int output) {
  auto asked = test::asked_on(machine);
  asked.phase = Phase::decode;
  asked.network = network;
  asked.precision = Precision::bf16;
  asked.sequence = prompt + output;
  asked.writing.prompt_tokens = prompt;
  asked.writing.output_tokens = output;
  asked.batch.reset();
  return asked;
}

}  // namespace

TEST_CASE("texts: a GPU writes what the law of decoding has of as many as fit") {
  auto estimator = test::shipped_estimator();
  auto asked = texts("gpu=H100", "llama-8b", 512, 128);
  const DecodeLoad load{0, 512, 128};
  const auto by_law = [&](const Writing& writing, int most) {
    const auto form = decode_form(writing, WeightFormat::own, Precision::bf16, "");
    const auto work = decode_work(make_network("llama-8b", 640), form, load);
    const auto gpu = decode_gpu(*estimator.gpu_rates().find("H100"), form);
    const int together = std::min(most, sequences_that_fit(work, gpu, 640));
    return together / (128 * decode_period_seconds(work, gpu, load, together));
  };
  const auto plain = estimator.estimate(asked);
  REQUIRE(plain.verdict == Verdict::ok);
  CHECK(plain.throughput.unit == "texts/s");
  CHECK(plain.throughput.value == test::approx(by_law({}, 1 << 20)).epsilon(0.001));
  CHECK(plain.batch > 128);
  asked.batch = 8;
  CHECK(estimator.estimate(asked).throughput.value == test::approx(by_law({}, 8)).epsilon(0.001));
  asked.batch.reset();
  asked.writing.weights = WeightFormat::fp8;
  asked.writing.fp8_caches = true;
  const auto narrow = estimator.estimate(asked);
  CHECK(narrow.throughput.value == test::approx(by_law(asked.writing, 1 << 20)).epsilon(0.001));
  CHECK(narrow.throughput.value > 1.3 * plain.throughput.value);
  CHECK(narrow.batch > 2 * plain.batch);
}

TEST_CASE("texts: longer prompts and answers take longer, and more GPUs write in proportion") {
  auto estimator = test::shipped_estimator();
  const auto rate = [&](const char* machine, int prompt, int output) {
    return estimator.estimate(texts(machine, "llama-8b", prompt, output)).throughput.value;
  };
  const double usual = rate("gpu=H100", 512, 128);
  CHECK(rate("gpu=H100", 4096, 128) < 0.5 * usual);
  CHECK(rate("gpu=H100", 512, 512) < 0.6 * usual);
  CHECK(rate("gpu=H100:8", 512, 128) == test::approx(8 * usual).epsilon(0.001));
  const auto one = estimator.estimate(texts("gpu=H100", "llama-70b", 512, 128));
  CHECK(one.verdict == Verdict::out_of_memory);
  CHECK(holds(one.reason, "GPU memory too small"));
  CHECK(estimator.estimate(texts("gpu=H100:8", "llama-70b", 512, 128)).memory_way.parallel.tensor >
        1);
}

// A text of 128 tokens takes as many iterations, however many GPUs there are.
TEST_CASE("texts: a list shorter than what fits is written in the time of a text") {
  auto estimator = test::shipped_estimator();
  auto asked = texts("gpu=H100:8", "llama-8b", 512, 128);
  asked.tensor_parallel_said = true;  // else several GPUs share a copy, which is sooner done
  const auto full = estimator.estimate(asked);
  asked.epochs = 1;
  asked.items = 80;
  const auto few = estimator.estimate(asked);
  CHECK(few.batch == 10);
  const DecodeLoad load{0, 512, 128};
  const auto work = decode_work(make_network("llama-8b", 640), {Precision::bf16}, load);
  const auto gpu = decode_gpu(*estimator.gpu_rates().find("H100"), {Precision::bf16});
  const double text_s = 128 * decode_period_seconds(work, gpu, load, 10);
  CHECK(80 / few.throughput.value == test::approx(text_s).epsilon(0.001));
  asked.items = 9;  // one copy has two, and the others wait for it
  CHECK(9 / estimator.estimate(asked).throughput.value ==
        test::approx(128 * decode_period_seconds(work, gpu, load, 2)).epsilon(0.001));
  asked.machine.nodes = 2;
  asked.items = 1;
  CHECK(1 / estimator.estimate(asked).throughput.value >=
        128 * decode_period_seconds(work, gpu, load, 1) * 0.999);
  asked.machine.nodes = 1;
  asked.items = 80'000'000;
  CHECK(estimator.estimate(asked).throughput.value ==
        test::approx(full.throughput.value).epsilon(0.001));
  // Of twice as many as fit the last ones end one by one, in steps that are half full.
  asked.items = 8 * 2 * static_cast<std::uint64_t>(full.batch);
  const auto step_s = [&](double texts) {
    return decode_step_seconds(work, gpu, texts, mean_context(load));
  };
  const double half_full_s = step_s(full.batch / 2.0) - step_s(full.batch) / 2;
  const double twice_s =
      128 * (2 * decode_period_seconds(work, gpu, load, full.batch) + half_full_s);
  CHECK(16 * full.batch / estimator.estimate(asked).throughput.value ==
        test::approx(twice_s).epsilon(0.001));
}

TEST_CASE("texts: more at once than fit are told as they are") {
  auto estimator = test::shipped_estimator();
  auto asked = texts("gpu=L4", "llama-8b", 2000, 200);
  const auto most = estimator.estimate(asked);
  asked.batch = 65536;
  const auto capped = estimator.estimate(asked);
  CHECK(capped.batch == most.batch);
  CHECK(capped.throughput.value == test::approx(most.throughput.value));
}

// Each prompt is read once, whatever is written beside it.
TEST_CASE("texts: room for more never makes a list slower, nor does leaving the batch open") {
  auto estimator = test::shipped_estimator();
  const auto rate = [&](const char* machine, std::optional<int> batch) {
    auto asked = texts(machine, "llama-8b", 500, 100);
    asked.epochs = 1;
    asked.items = 2000;
    asked.batch = batch;
    return estimator.estimate(asked).throughput.value;
  };
  const double open = rate("gpu=A100-80GB", std::nullopt);
  CHECK(open >= rate("gpu=A100", std::nullopt));
  for (const int batch : {64, 128, 256, 512}) {
    CAPTURE(batch);
    CHECK(open >= 0.999 * rate("gpu=A100-80GB", batch));
  }
  CHECK(rate("gpu=A100-80GB:4", std::nullopt) < 4.2 * open);
}
