// Rates of writing tokens measured on this machine: they come back as measured, and are carried to
// other batches and lengths by the ratio to the law.
#include "models/laws/measured_decode.h"

#include <cmath>
#include <vector>

#include <doctest/doctest.h>

#include "models/calibration_files.h"
#include "models/laws/decode.h"
#include "support/approx.h"

using namespace rightsize;

namespace {

struct World {
  GpuRates rates = test::shipped_rates();
  GpuSpec gpu = *rates.find("A100-80GB");

  // The law's, of caches that are `context` long.
  [[nodiscard]] double law(int batch, double context) const {
    const auto work = decode_work(make_network("llama-1b"), {Precision::bf16}, {0, 1, 1});
    return batch / decode_step_seconds(work, decode_gpu(gpu, {Precision::bf16}), batch, context);
  }
};

MeasuredRate run(int batch, double tokens_per_s, int sequence, int prompt) {
  return {"llama-1b",
          Phase::decode,
          Precision::bf16,
          "A100-80GB",
          batch,
          tokens_per_s,
          sequence,
          prompt};
}

RateQuery asked(int batch, int sequence = 1024) {
  return {.network = "llama-1b",
          .phase = Phase::decode,
          .precision = Precision::bf16,
          .gpu = "A100-80GB",
          .batch = batch,
          .sequence = sequence};
}

}  // namespace

TEST_CASE("measured decode: what ran here comes back, and is tagged so") {
  const World world;
  const std::vector runs{run(1, 200, 1024, 1024), run(8, 1500, 1024, 1024)};
  for (const auto& [batch, tokens_per_s] : {std::pair{1, 200.0}, {8, 1500.0}}) {
    const auto rate = measured_decode_rate(runs, asked(batch), world.gpu);
    REQUIRE(rate);
    CHECK(rate->items_per_s == test::approx(tokens_per_s));
    CHECK(rate->source == Source::measured);
    CHECK(rate->log_sd == test::approx(0.03));
  }
}

TEST_CASE("measured decode: between batches by the law, its correction straight in ln(batch)") {
  const World world;
  const double one = 0.8 * world.law(1, 1024);
  const double four = 1.2 * world.law(4, 1024);
  const std::vector runs{run(1, one, 1024, 1024), run(4, four, 1024, 1024)};
  const auto two = measured_decode_rate(runs, asked(2), world.gpu);
  REQUIRE(two);
  CHECK(two->items_per_s == test::approx(std::sqrt(0.8 * 1.2) * world.law(2, 1024)));
  // Nobody ran it: scaled, and less certain the farther both are.
  CHECK(two->source == Source::scaled);
  CHECK(two->regime == RateRegime::interpolated);
  CHECK(two->log_sd == test::approx(std::hypot(0.03, 0.1 * std::log(2.0))));
  CHECK(measured_decode_rate(runs, asked(3), world.gpu)->log_sd < two->log_sd);
  const auto beyond = measured_decode_rate(runs, asked(16), world.gpu);
  REQUIRE(beyond);
  CHECK(beyond->items_per_s == test::approx(1.2 * world.law(16, 1024)));
  CHECK(beyond->source == Source::scaled);
  CHECK(beyond->log_sd > 0.1);
}

TEST_CASE("measured decode: longer caches than ran are scaled by what the law says of them") {
  const World world;
  // From 512 to 1024 tokens: 768 in the mean, at 0.9 of the law.
  const std::vector runs{run(8, 0.9 * world.law(8, 768), 1024, 512)};
  const auto inside = measured_decode_rate(runs, asked(8, 1024), world.gpu);
  REQUIRE(inside);
  CHECK(inside->items_per_s == test::approx(0.9 * world.law(8, 1024)));
  CHECK(inside->source == Source::measured);
  const auto longer = measured_decode_rate(runs, asked(8, 8192), world.gpu);
  REQUIRE(longer);
  CHECK(longer->items_per_s == test::approx(0.9 * world.law(8, 8192)));
  CHECK(longer->source == Source::scaled);
  CHECK(longer->log_sd > inside->log_sd);
}

TEST_CASE("measured decode: a run whose caches grew from nothing says little of their ends") {
  const World world;
  const std::vector runs{run(8, 0.9 * world.law(8, 4096), 8192, 0)};
  for (const auto& [context, source] : {std::pair{128, Source::scaled},
                                        {2048, Source::scaled},
                                        {4096, Source::measured},
                                        {5120, Source::measured},
                                        {8192, Source::scaled}}) {
    const auto rate = measured_decode_rate(runs, asked(8, context), world.gpu);
    CAPTURE(context);
    REQUIRE(rate);
    CHECK(rate->source == source);
    CHECK(rate->log_sd ==
          test::approx(std::hypot(0.03, 0.1 * std::log(context / 4096.0))).epsilon(1e-6));
  }
}

TEST_CASE("measured decode: only those that a figure is taken from make it uncertain") {
  const World world;
  // Of batch 64 another length ran, far from the asked one.
  const std::vector runs{
      run(1, 200, 1024, 1024), run(8, 1500, 1024, 1024), run(64, 3000, 32'768, 32'768)};
  const auto eight = measured_decode_rate(runs, asked(8), world.gpu);
  REQUIRE(eight);
  CHECK(eight->source == Source::measured);
  CHECK(eight->log_sd == test::approx(0.03));
  const auto between = measured_decode_rate(runs, asked(32), world.gpu);
  REQUIRE(between);
  CHECK(between->source == Source::scaled);
  CHECK(between->log_sd > 0.3);
}

TEST_CASE("measured decode: another GPU, precision or network was not measured") {
  const World world;
  const std::vector runs{run(1, 200, 1024, 512)};
  CHECK(measured_decode_rate(runs, asked(1), world.gpu));
  CHECK_FALSE(measured_decode_rate(runs, asked(1), *world.rates.find("H100")));
  auto other = asked(1);
  other.precision = Precision::fp16;
  CHECK_FALSE(measured_decode_rate(runs, other, world.gpu));
  other = asked(1);
  other.network = "gpt2";
  CHECK_FALSE(measured_decode_rate(runs, other, world.gpu));
}
