// Sequences per second over machines: which way to share the GPUs is the better, and why none is.
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "advisor/calibration.h"
#include "advisor/tokens/token_answer.h"
#include "advisor/tokens/token_least.h"
#include "advisor/tokens/token_order.h"
#include "small_token_server.h"
#include "support/approx.h"

using namespace rightsize;

namespace {

TokenService service_of(double sequences_per_s, double token_s) {
  TokenService service;
  service.sequences_per_s = sequences_per_s;
  service.prompt_tokens = 512;
  service.output_tokens = 128;
  service.limits.token_s = token_s;
  return service;
}

TokenFleet fleet_of(const TokenService& service) {
  return size_token_fleet(service, test::small_token_server(0.15), 0.9, 1.645);
}

std::string why_none(double sequences_per_s, double token_s) {
  const auto service = service_of(sequences_per_s, token_s);
  return why_none_writes(service, fleet_of(service));
}

// Of so many machines, all of whose tokens come after so long.
TokenFleet made_fleet(int machines, double token_s, double each_per_s) {
  TokenFleet fleet;
  fleet.machines = fleet.machines_high = machines;
  fleet.each_per_s = each_per_s;
  fleet.server.lengths = {0, 512, 128};
  fleet.expected.latency.first_token_p99_s = 0.1;
  fleet.expected.latency.token_p99_s = token_s;
  return fleet;
}

}  // namespace

TEST_CASE("token service: the better way to share a machine is the objective's") {
  const auto few = made_fleet(2, 0.040, 3);    // 5.18 s a sequence
  const auto quick = made_fleet(3, 0.010, 2);  // 1.37 s
  CHECK(writes_better(few, quick, {1, 0}));
  CHECK_FALSE(writes_better(quick, few, {1, 0}));
  CHECK(writes_better(quick, few, {0, 1}));
  CHECK_FALSE(writes_better(few, quick, {0, 1}));
  CHECK(writes_better(few, quick, {0.9, 0.1}));
  CHECK(writes_better(quick, few, {0.5, 0.5}));
  // As many machines: the one that answers more, and in time before not in time.
  CHECK(writes_better(made_fleet(2, 0.04, 3.5), few, {1, 0}));
  CHECK(writes_better(few, made_fleet(0, 0.01, 9), {0, 1}));
}

TEST_CASE("token service: no rate and too many machines are told apart") {
  CHECK(why_none(5, 0.050).empty());
  CHECK(why_none(5, 0.001) == "too slow for the tokens, however many");
  CHECK(why_none(2e6, 0.050) == "takes more than 100000 machines");
  // Together they write more than one does times as many: a load that takes 97000 perhaps takes
  // more than are counted.
  const double some = fleet_of(service_of(5, 0.050)).each_per_s * 0.9e5;
  const int machines = fleet_of(service_of(some, 0.050)).machines;
  CHECK(machines < 90'000);
  const auto nearly = service_of(some * 97e3 / machines, 0.050);
  CHECK(fleet_of(nearly).machines > 90'000);
  CHECK(why_none_writes(nearly, fleet_of(nearly)) == "might take more than 100000 machines");
}

TEST_CASE("token service: what wrote tokens here is said not to be what serves") {
  Configuration asked;
  asked.network = "llama-8b";
  asked.precision = Precision::bf16;
  asked.machine.gpu = "A100-80GB";
  asked.machine.gpus_per_node = 1;
  asked.tokens = service_of(5, 0.050);
  const auto noted = [&](const GpuRates& rates) {
    const auto answer = answer_tokens(rates, asked);
    REQUIRE(answer.reason.empty());
    const auto& notes = answer.notes;
    return std::find(notes.begin(), notes.end(), own_tokens_words) != notes.end();
  };
  auto rates = shipped_gpu_rates();
  CHECK_FALSE(noted(rates));
  const double each = answer_tokens(rates, asked).each.value;
  rates.add_measured(std::vector<MeasuredRate>{
      {"llama-8b", Phase::decode, Precision::bf16, "A100-80GB", 8, 100, 1024, 1024}});
  CHECK(noted(rates));
  CHECK(answer_tokens(rates, asked).each.value == each);
}

TEST_CASE("token service: fp8 weights are multiplied, widened or not read at all") {
  const auto rates = shipped_gpu_rates();
  const auto asked_of = [&](const char* gpu, WeightFormat weights) {
    Configuration asked;
    asked.network = "llama-8b";
    asked.precision = Precision::bf16;
    asked.machine.gpu = gpu;
    asked.machine.gpus_per_node = 1;
    asked.tokens = service_of(1, 0.1);
    asked.tokens->weights = weights;
    return answer_tokens(rates, asked);
  };
  const auto widens = [&](const char* gpu) {
    return std::ranges::any_of(asked_of(gpu, WeightFormat::fp8).notes, [](const auto& note) {
      return note.find("does not multiply fp8") != std::string::npos;
    });
  };
  CHECK(widens("T4"));
  CHECK(widens("A10G"));
  CHECK_FALSE(widens("L4"));
  CHECK_FALSE(widens("B200"));
  CHECK(asked_of("V100", WeightFormat::fp8).reason ==
        "no program is known that reads fp8 weights on Volta GPUs; int8 and int4 are read there");
  CHECK_FALSE(asked_of("P100", WeightFormat::fp8).reason.empty());
  CHECK_FALSE(asked_of("MI250", WeightFormat::fp8).reason.empty());
  CHECK(asked_of("MI300X", WeightFormat::fp8).reason.empty());
  CHECK(asked_of("T4", WeightFormat::nvfp4).reason ==
        "no program but llama.cpp is known that reads nvfp4 weights on Turing GPUs; int4 is read "
        "there");
  CHECK(asked_of("B200", WeightFormat::nvfp4).reason.empty());
  CHECK(asked_of("P100", WeightFormat::int4).reason.empty());
}

TEST_CASE("token service: of one token the time is that of the first") {
  auto one = made_fleet(2, std::numeric_limits<double>::quiet_NaN(), 3);
  one.server.lengths.output_tokens = 1;
  CHECK(sequence_p99_s(one) == 0.1);
  CHECK(sequence_p99_s(made_fleet(2, 0.01, 3)) == test::approx(0.1 + 127 * 0.01));
}

TEST_CASE("token service: the least limits are where the sizing itself turns") {
  const auto server = test::small_token_server(0.15);
  auto service = service_of(1, 0.05);
  service.limits.first_token_s = 1;
  const auto least = least_limits(service, server, 0.9, 1.645);
  const auto written = [&](double DecodeLimits::*limit, double seconds) {
    auto asked = service;
    asked.limits.*limit = seconds;
    return any_number_writes(size_token_fleet(asked, server, 0.9, 1.645));
  };
  for (const auto limit : {&DecodeLimits::first_token_s, &DecodeLimits::token_s}) {
    CAPTURE(least.*limit);
    CHECK(written(limit, least.*limit));
    CHECK_FALSE(written(limit, 0.9999 * least.*limit));
  }
  // What a sequence alone takes is not enough: the law of waiting may be short too.
  const auto alone = token_point(service, server, most_machines, confident_factor(server, 0.9));
  CHECK(least.token_s > 1.01 * alone.latency.token_p99_s);
}

TEST_CASE(
    "token service: a least limit is given beside one that nothing keeps, and none of a pace "
    "that there is not") {
  const auto server = test::small_token_server(0.15);
  auto service = service_of(1, 1e-6);  // no machine
  service.limits.first_token_s = 1;
  CHECK(std::isfinite(least_limits(service, server, 0.9, 1.645).first_token_s));
  service.output_tokens = 1;
  CHECK(std::isnan(least_limits(service, server, 0.9, 1.645).token_s));
}
