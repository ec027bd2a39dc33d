#include "models/laws/cpu_compute.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>

#include <doctest/doctest.h>

#include "models/cpu_anchor.h"
#include "figures/cpu_calibration.h"
#include "models/laws/cpu_kind.h"
#include "models/measured_records.h"

using namespace rightsize;

namespace {

std::string text_of(const std::string& name) {
  std::ifstream in(std::string(RIGHTSIZE_SOURCE_DIR) + "/models/calibration/" + name);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

std::vector<CpuRate> published(Phase phase) {
  auto rates = parse_cpu_rates(text_of("cpu_rates.csv"), CpuSpeeds(text_of("cpu_speed.csv")));
  std::erase_if(rates, [&](const CpuRate& rate) { return rate.phase != phase; });
  return rates;
}

std::vector<CpuRate> measured(Phase phase) {
  auto records = test::measured_records("networks_zen4.jsonl");
  for (auto& record : test::measured_records("precision_zen4.jsonl")) {
    records.push_back(std::move(record));
  }
  auto rates = measured_cpu_rates(records);
  std::erase_if(rates, [&](const CpuRate& rate) { return rate.phase != phase; });
  return rates;
}

std::vector<double> sorted_errors(const std::vector<CpuRateCheck>& checks) {
  std::vector<double> errors;
  for (const auto& check : checks) {
    errors.push_back(std::abs(std::log(check.predicted / check.rate->items_per_s)));
  }
  std::sort(errors.begin(), errors.end());
  return errors;
}

}  // namespace

TEST_CASE("cpu kind: names of the clouds' CPUs say clock and vector width") {
  const auto haswell = cpu_kind_of("Intel(R) Xeon(R) CPU E5-2666 v3 @ 2.90GHz");
  REQUIRE(haswell);
  CHECK(haswell->ghz == doctest::Approx(2.9));
  CHECK(haswell->flops_per_cycle == 32);
  CHECK(cpu_kind_of("Intel(R) Xeon(R) Platinum 8275CL CPU @ 3.00GHz")->flops_per_cycle == 64);
  CHECK(cpu_kind_of("Intel(R) Xeon(R) CPU E5-2680 v2 @ 2.80GHz")->flops_per_cycle == 16);
  // Without "@", and with a blank before the unit.
  CHECK(cpu_kind_of("Intel Xeon E5-2682 v4 2.5GHz")->ghz == doctest::Approx(2.5));
  CHECK(cpu_kind_of("Xeon Platinum 8163 2.5 GHz")->ghz == doctest::Approx(2.5));
  CHECK(cpu_kind_of("AMD EPYC 7R13")->flops_per_cycle == 32);
  CHECK(cpu_kind_of("AWS Graviton3")->threads_per_core == 1);
  CHECK(cpu_kind_of("Skylake")->flops_per_cycle == 64);
  CHECK(cpu_kind_of("Skylake avx2")->flops_per_cycle == 32);  // a program built for less
  CHECK(cpu_kind_of("Skylake sse")->flops_per_cycle == 8);
  CHECK(cpu_kind_of("Haswell avx512")->flops_per_cycle == 32);  // or for more than there is
  CHECK_FALSE(cpu_kind_of("abacus"));
}

TEST_CASE("cpu kind: Xeons of the third generation are Ice Lake's by any series") {
  for (const char* const name : {"Intel(R) Xeon(R) Gold 6330 CPU @ 2.00GHz",
                                 "Intel(R) Xeon(R) Gold 5318Y CPU @ 2.10GHz",
                                 "Intel(R) Xeon(R) Silver 4314 CPU @ 2.40GHz"}) {
    CAPTURE(std::string(name));
    CHECK(cpu_kind_of(name)->sustains == cpu_kind_of("Ice Lake")->sustains);
  }
  CHECK(cpu_kind_of("Xeon Gold 6248")->sustains == cpu_kind_of("Cascade Lake")->sustains);
}

TEST_CASE("cpu kind: which have units for BF16, and how much faster than FP32's they are") {
  CHECK(cpu_kind_of("Intel(R) Xeon(R) Platinum 8488C")->bf16_speed == 16);
  CHECK(cpu_kind_of("Intel(R) Xeon(R) 6975P-C")->bf16_speed == 16);
  CHECK(cpu_kind_of("Intel(R) Xeon(R) Platinum 8375C CPU @ 2.90GHz")->bf16_speed == 0);  // Ice Lake
  CHECK(cpu_kind_of("Intel(R) Xeon(R) 6780E")->bf16_speed == 0);  // of small cores alone
  CHECK(cpu_kind_of("AMD EPYC 9R14")->bf16_speed == 2);
  CHECK(cpu_kind_of("AMD EPYC 7R13 Processor")->bf16_speed == 0);
  CHECK(cpu_kind_of("AWS Graviton3")->bf16_speed == 4);
  CHECK(cpu_kind_of("Sapphire Rapids avx512")->bf16_speed == 0);  // a program built without
  const auto amx = *cpu_kind_of("Sapphire Rapids");
  CHECK(cpu_precision(amx, Precision::fp16, false) == Precision::bf16);
  CHECK(cpu_precision(amx, Precision::tf32, false) == Precision::fp32);
  CHECK(cpu_precision(amx, Precision::bf16, true) == Precision::fp32);
  CHECK(cpu_precision(*cpu_kind_of("Skylake"), Precision::bf16, false) == Precision::fp32);
}

TEST_CASE("cpu compute: a network without weights is FLOPs over the cores' peak") {
  CpuComputeLaw law;
  law.contention = 0;
  law.layer_s = 0;
  CpuWork work;
  work.flops = 8e9;
  const CpuKind cpu{"", 2.5, 32, 2};
  const double peak = 4 * 2.5e9 * 32 * law.efficiency;  // eight vCPUs are four cores
  CHECK(cpu_step_seconds(law, work, cpu, 8, 3) == doctest::Approx(3 * 8e9 / peak));
  work.weight_bytes = 1e9;
  CHECK(cpu_step_seconds(law, work, cpu, 8, 3) ==
        doctest::Approx(3 * 8e9 / peak + 1e9 / (4 * law.bytes_per_s)));
}

TEST_CASE(
    "cpu compute: BF16 has faster products and half the bytes, but of packed and of trained "
    "weights") {
  CpuComputeLaw law;
  law.contention = 0;
  law.layer_s = 0;
  const CpuKind cpu{"", 2.5, 64, 2, 16};
  const auto seconds = [&](const CpuWork& work, Precision precision) {
    return cpu_step_seconds(law, work, cpu, 2, 1, precision);
  };
  const auto halves = [&](const CpuWork& work) {
    return seconds(work, Precision::bf16) / seconds(work, Precision::fp32);
  };
  CHECK(halves({.flops = 1e9}) == doctest::Approx(law.bf16_feeding));
  CHECK(halves({.flops = 1e9, .sequence_flops = 1e9}) == doctest::Approx(law.bf16_sequences));
  CHECK(halves({.flops = 1e9, .wide_flops = 1e9}) == doctest::Approx(1));
  CHECK(halves({.activation_bytes = 1e9}) == doctest::Approx(0.5));
  CHECK(halves({.weight_bytes = 1e9}) == doctest::Approx(0.5));
  CHECK(halves({.weight_bytes = 1e9, .trains = true}) == doctest::Approx(1));
  CHECK(halves({.packed_bytes = 1e9}) == doctest::Approx(1));
  const CpuKind without{"", 2.5, 64, 2};
  CHECK(cpu_step_seconds(law, {.flops = 1e9}, without, 2, 1, Precision::bf16) ==
        cpu_step_seconds(law, {.flops = 1e9}, without, 2, 1));
}

// Of ln(BF16 over FP32): the law's against what runs of both had. In FP32 the law's level is
// another (cpu_anchor.h), which the ratio leaves out.
std::vector<double> errors_of_bf16(const std::string& file) {
  const auto records = test::measured_records(file);
  std::vector<double> errors;
  for (const auto& narrow : records) {
    const auto wide = std::find_if(records.begin(), records.end(), [&](const Record& other) {
      auto work = other.workload;
      work.precision = Precision::bf16;
      return other.workload.precision == Precision::fp32 && work == narrow.workload;
    });
    const bool pair = wide != records.end() && is_usable(*wide) && is_usable(narrow);
    if (narrow.workload.precision != Precision::bf16 || !pair) {
      continue;
    }
    const auto& asked = narrow.workload;
    const auto work = cpu_work(make_network(asked.network, asked.sequence), asked.phase);
    const auto seconds = [&](Precision precision) {
      return cpu_step_seconds(cpu_compute_law(false, asked.phase),
                              work,
                              *machine_cpu_kind(narrow.machine, ""),
                              narrow.machine.cpus,
                              asked.batch,
                              precision);
    };
    const double told = seconds(Precision::fp32) / seconds(Precision::bf16);
    const double measured = narrow.throughput.median / wide->throughput.median;
    MESSAGE(narrow.name, ": measured ", measured, ", told ", told);
    errors.push_back(std::abs(std::log(told / measured)));
  }
  std::sort(errors.begin(), errors.end());
  return errors;
}

TEST_CASE("cpu compute: what BF16 was worth by AMX, which the law's feeding is set to") {
  const auto errors = errors_of_bf16("precision_granite_rapids.jsonl");
  REQUIRE(errors.size() >= 15);
  CHECK(errors[errors.size() / 2] < 0.2);
  CHECK(errors[errors.size() * 9 / 10] < 0.5);
}

TEST_CASE("cpu compute: what BF16 was worth by AVX-512 BF16, as fast as its units") {
  const auto errors = errors_of_bf16("precision_zen4.jsonl");
  REQUIRE(errors.size() >= 15);
  CHECK(errors[errors.size() / 2] < 0.08);
  CHECK(errors[errors.size() * 9 / 10] < 0.25);
}

TEST_CASE("cpu compute: exponentials take as long in BF16 as in FP32, and twice in training") {
  // Two SiLUs a block, over 112 x 112 x 32 first and 7 x 7 x 1280 last: Tan and Le, ICML 2019.
  const auto inferring = cpu_work(make_network("efficientnet-b0"), Phase::infer);
  CHECK(inferring.exponentials == doctest::Approx(6.155e6).epsilon(0.005));
  CHECK(cpu_work(make_network("efficientnet-b0"), Phase::train).exponentials ==
        doctest::Approx(2 * inferring.exponentials));
  CHECK(cpu_work(make_network("resnet50"), Phase::infer).exponentials == 0);
  CHECK(cpu_work(make_network("mobilenet-v2"), Phase::infer).exponentials == 0);
  const auto law = cpu_compute_law(false, Phase::infer);
  auto without = law;
  without.exponential_flops = 0;
  const auto cpu = *cpu_kind_of("AMD EPYC 9R14");
  const double peak = cpu.ghz * cpu.sustains * 1e9 * cpu.flops_per_cycle * law.efficiency;
  constexpr int batch = 8;
  for (const auto precision : {Precision::fp32, Precision::bf16}) {
    const double more = cpu_step_seconds(law, inferring, cpu, 1, batch, precision) -
                        cpu_step_seconds(without, inferring, cpu, 1, batch, precision);
    CHECK(more == doctest::Approx(batch * law.exponential_flops * inferring.exponentials / peak));
  }
}

TEST_CASE("cpu compute: an LSTM's products are FP32's in any precision") {
  const auto work = cpu_work(make_network("imdb-lstm"), Phase::infer);
  CHECK(work.wide_flops > 0.9 * work.flops);
  CHECK(cpu_work(make_network("resnet50"), Phase::infer).wide_flops == 0);
}

TEST_CASE("cpu compute: weights in 8 bits are read as such") {
  const auto whole = cpu_work(make_network("whisper-small"), Phase::infer);
  const auto packed = cpu_work(make_network("whisper-small:weights=int8"), Phase::infer);
  CHECK(whole.packed_bytes == 0);
  CHECK(packed.packed_bytes > 0);
  // A byte in place of four.
  CHECK(packed.packed_bytes == doctest::Approx((whole.weight_bytes - packed.weight_bytes) / 4));
}

TEST_CASE("cpu compute: each token that is written reads the decoder, the head and the context") {
  const auto of = [](const char* name) { return cpu_work(make_network(name), Phase::infer); };
  const auto shorter = of("whisper-small:tokens=100");
  const auto longer = of("whisper-small:tokens=101");
  // 12 blocks of 14 matrices, of which two are the encoder's keys and values, and the table.
  const double matrices = 12 * 14 * 768.0 * 768 + 51865 * 768.0;
  CHECK(longer.weight_bytes - shorter.weight_bytes == doctest::Approx(4 * matrices).epsilon(0.01));
  const double context = 12 * 2 * 768.0 * (1500 + 51);
  CHECK(longer.activation_bytes - shorter.activation_bytes > 4 * context);
  CHECK(longer.activation_bytes - shorter.activation_bytes < 1.2 * 4 * context);
  CHECK(shorter.written.tokens == 101);
  CHECK(shorter.host_s == 0);  // of a program, which its caller knows
}

TEST_CASE("cpu compute: a token of a language model reads its matrices and its cache once") {
  const auto work = cpu_work(make_network("gpt2", 1024), Phase::decode);
  // 12 blocks of 12 matrices of 768 x 768, and the table as head; two FLOPs a weight.
  const double matrices = 12 * 12 * 768.0 * 768 + 50257 * 768.0;
  CHECK(work.weight_bytes == doctest::Approx(4 * matrices).epsilon(0.01));
  const double cache = 12 * 1024 * 2 * 768.0;
  CHECK(work.activation_bytes == doctest::Approx(4 * cache).epsilon(0.05));
  CHECK(work.flops == doctest::Approx(2 * matrices + 4 * 12 * 1025 * 768.0).epsilon(0.01));
  const auto whole = cpu_work(make_network("gpt2", 1024), Phase::infer);
  CHECK(whole.flops > 500 * work.flops);
}

TEST_CASE("cpu compute: training a small network gets slower on very large machines") {
  const auto law = cpu_compute_law(true, Phase::train);
  const auto work = cpu_work(make_network("imdb-lstm"), Phase::train);
  const auto cpu = usual_cpu_kind(true);
  CHECK(cpu_step_seconds(law, work, cpu, 32, 32) < cpu_step_seconds(law, work, cpu, 4, 32));
  CHECK(cpu_step_seconds(law, work, cpu, 128, 32) > cpu_step_seconds(law, work, cpu, 32, 32));
}

TEST_CASE("cpu compute: today's programs take no more threads than serve them") {
  const auto law = cpu_compute_law(false, Phase::infer);
  const auto work = cpu_work(make_network("mobilenet-v2"), Phase::infer);
  const auto cpu = *cpu_kind_of("Ice Lake");
  double before = cpu_step_seconds(law, work, cpu, 2, 1);
  for (const double vcpus : {4, 8, 12, 16, 24, 32, 48, 64, 72, 96, 128}) {
    CAPTURE(vcpus);
    const double now = cpu_step_seconds(law, work, cpu, vcpus, 1);
    CHECK(now <= before);
    before = now;
  }
}

TEST_CASE("cpu compute: the shipped constants are the fit of the published figures") {
  for (const auto phase : {Phase::infer, Phase::train}) {
    const auto shipped = cpu_compute_law(true, phase);
    const auto fitted = fit_cpu_compute(published(phase));
    CHECK(fitted.efficiency == doctest::Approx(shipped.efficiency).epsilon(0.1));
    CHECK(fitted.bytes_per_s == doctest::Approx(shipped.bytes_per_s).epsilon(0.15));
    CHECK(fitted.layer_s == doctest::Approx(shipped.layer_s).epsilon(0.2));
  }
}

TEST_CASE("cpu compute: a network left out of the fit is met within 30 % at the median") {
  for (const auto phase : {Phase::infer, Phase::train}) {
    const auto rates = published(phase);
    REQUIRE(rates.size() >= 10);
    const auto errors = sorted_errors(leave_one_network_out(rates));
    const auto law = cpu_compute_law(true, phase);
    CHECK(errors[errors.size() / 2] < 0.27);
    CHECK(errors[errors.size() * 85 / 100] < 1.645 * law.log_sd);  // the interval is honest
  }
}

TEST_CASE("cpu compute: today's constants are the fit of what was measured") {
  for (const auto phase : {Phase::infer, Phase::train}) {
    const auto shipped = cpu_compute_law(false, phase);
    const auto fitted = fit_cpu_compute(measured(phase), shipped, CpuConstants::of_measured);
    MESSAGE(to_string(phase),
            ": ",
            fitted.efficiency,
            " ",
            fitted.sequence_share,
            " ",
            fitted.lstm_share,
            " ",
            fitted.bytes_per_s,
            " ",
            fitted.weight_share,
            " ",
            fitted.layer_s,
            " ",
            fitted.position_share);
    CHECK(fitted.efficiency == doctest::Approx(shipped.efficiency).epsilon(0.05));
    CHECK(fitted.sequence_share == doctest::Approx(shipped.sequence_share).epsilon(0.05));
    CHECK(fitted.lstm_share == doctest::Approx(shipped.lstm_share).epsilon(0.1));
    CHECK(fitted.bytes_per_s == doctest::Approx(shipped.bytes_per_s).epsilon(0.1));
    CHECK(fitted.weight_share == doctest::Approx(shipped.weight_share).epsilon(0.1));
    CHECK(fitted.layer_s == doctest::Approx(shipped.layer_s).epsilon(0.3));  // little tells it
    CHECK(fitted.position_share == doctest::Approx(shipped.position_share).epsilon(0.3));
  }
}

TEST_CASE("cpu compute: a network left out of what was measured is met within 12 % at the median") {
  for (const auto phase : {Phase::infer, Phase::train}) {
    const auto rates = measured(phase);
    REQUIRE(rates.size() >= 20);
    const auto checks =
        leave_one_network_out(rates, cpu_compute_law(false, phase), CpuConstants::of_measured);
    for (const auto& check : checks) {
      MESSAGE(check.rate->network,
              " ",
              to_string(phase),
              " b",
              check.rate->batch,
              ": ",
              std::log(check.predicted / check.rate->items_per_s));
    }
    const auto errors = sorted_errors(checks);
    CHECK(errors[errors.size() / 2] < 0.12);
    CHECK(errors[errors.size() * 9 / 10] < 0.6);
  }
}

// A Granite Rapids by the law of a Zen 4.
TEST_CASE("cpu compute: networks on another CPU are met within a fifth at the median") {
  const auto rates = measured_cpu_rates(test::measured_records("precision_granite_rapids.jsonl"));
  REQUIRE(rates.size() >= 15);
  std::vector<double> errors;
  for (const auto& rate : rates) {
    errors.push_back(std::abs(
        std::log(predicted_cpu_rate(cpu_compute_law(false, rate.phase), rate) / rate.items_per_s)));
  }
  std::sort(errors.begin(), errors.end());
  CHECK(errors[errors.size() / 2] < 0.2);
  CHECK(errors[errors.size() * 9 / 10] < 0.35);
}

TEST_CASE("cpu compute: many cores share a socket's bandwidth") {
  auto law = cpu_compute_law(false, Phase::infer);
  law.contention = 0;
  const CpuKind cpu{"", 3, 32, 1};
  const auto bytes_per_s = [&](double cores) {
    return 1e12 / cpu_step_seconds(law, {.activation_bytes = 1e12}, cpu, cores, 1);
  };
  CHECK(bytes_per_s(2) == doctest::Approx(2 * law.bytes_per_s));
  CHECK(bytes_per_s(16) == doctest::Approx(law.socket_bytes_per_s));
  CHECK(bytes_per_s(96) == doctest::Approx(96 * law.crowded_bytes_per_s));
}
