#include "models/laws/cpu_compute.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <doctest/doctest.h>

#include "models/cpu_anchor.h"
#include "models/laws/cpu_kind.h"
#include "models/laws/gpu_step.h"
#include "models/measured_records.h"
#include "support/approx.h"

using namespace rightsize;

TEST_CASE("cpu compute: a network without weights is FLOPs over the cores' peak") {
  CpuComputeLaw law;
  law.contention = 0;
  law.layer_s = 0;
  CpuWork work;
  work.flops = 8e9;
  const CpuKind cpu{"", 2.5, 32, 2};
  const double peak = 4 * 2.5e9 * 32 * law.efficiency;  // eight vCPUs are four cores
  CHECK(cpu_step_seconds(law, work, cpu, 8, 3) == test::approx(3 * 8e9 / peak));
  work.weight_bytes = 1e9;
  CHECK(cpu_step_seconds(law, work, cpu, 8, 3) ==
        test::approx(3 * 8e9 / peak + 1e9 / (4 * law.bytes_per_s)));
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
  CHECK(halves({.flops = 1e9}) == test::approx(law.bf16_feeding));
  CHECK(halves({.flops = 1e9, .sequence_flops = 1e9}) == test::approx(law.bf16_sequences));
  CHECK(halves({.flops = 1e9, .wide_flops = 1e9}) == test::approx(1));
  CHECK(halves({.activation_bytes = 1e9}) == test::approx(0.5));
  CHECK(halves({.weight_bytes = 1e9}) == test::approx(0.5));
  CHECK(halves({.weight_bytes = 1e9, .trains = true}) == test::approx(1));
  CHECK(halves({.packed_bytes = 1e9}) == test::approx(1));
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
      return cpu_step_seconds(cpu_compute_law(Stack::current, asked.phase),
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
  CHECK(inferring.exponentials == test::approx(6.155e6).epsilon(0.005));
  CHECK(cpu_work(make_network("efficientnet-b0"), Phase::train).exponentials ==
        test::approx(2 * inferring.exponentials));
  CHECK(cpu_work(make_network("resnet50"), Phase::infer).exponentials == 0);
  CHECK(cpu_work(make_network("mobilenet-v2"), Phase::infer).exponentials == 0);
  const auto law = cpu_compute_law(Stack::current, Phase::infer);
  auto without = law;
  without.exponential_flops = 0;
  const auto cpu = *cpu_kind_of("AMD EPYC 9R14");
  const double peak = cpu.ghz * cpu.sustains * 1e9 * cpu.flops_per_cycle * law.efficiency;
  constexpr int batch = 8;
  for (const auto precision : {Precision::fp32, Precision::bf16}) {
    const double more = cpu_step_seconds(law, inferring, cpu, 1, batch, precision) -
                        cpu_step_seconds(without, inferring, cpu, 1, batch, precision);
    CHECK(more == test::approx(batch * law.exponential_flops * inferring.exponentials / peak));
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
  CHECK(packed.packed_bytes == test::approx((whole.weight_bytes - packed.weight_bytes) / 4));
}

TEST_CASE("cpu compute: each token that is written reads the decoder, the head and the context") {
  const auto of = [](const char* name) { return cpu_work(make_network(name), Phase::infer); };
  const auto shorter = of("whisper-small:tokens=100");
  const auto longer = of("whisper-small:tokens=101");
  // 12 blocks of 14 matrices, of which two are the encoder's keys and values, and the table.
  const double matrices = 12 * 14 * 768.0 * 768 + 51865 * 768.0;
  CHECK(longer.weight_bytes - shorter.weight_bytes == test::approx(4 * matrices).epsilon(0.01));
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
  CHECK(work.weight_bytes == test::approx(4 * matrices).epsilon(0.01));
  const double cache = 12 * 1024 * 2 * 768.0;
  CHECK(work.activation_bytes == test::approx(4 * cache).epsilon(0.05));
  CHECK(work.flops == test::approx(2 * matrices + 4 * 12 * 1025 * 768.0).epsilon(0.01));
  const auto whole = cpu_work(make_network("gpt2", 1024), Phase::infer);
  CHECK(whole.flops > 500 * work.flops);
}

TEST_CASE("cpu compute: training a small network gets slower on very large machines") {
  const auto law = cpu_compute_law(Stack::era, Phase::train);
  const auto work = cpu_work(make_network("imdb-lstm"), Phase::train);
  const auto cpu = usual_cpu_kind(Stack::era);
  CHECK(cpu_step_seconds(law, work, cpu, 32, 32) < cpu_step_seconds(law, work, cpu, 4, 32));
  CHECK(cpu_step_seconds(law, work, cpu, 128, 32) > cpu_step_seconds(law, work, cpu, 32, 32));
}

TEST_CASE("cpu compute: today's programs take no more threads than serve them") {
  const auto law = cpu_compute_law(Stack::current, Phase::infer);
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

TEST_CASE("cpu compute: many cores share a socket's bandwidth") {
  auto law = cpu_compute_law(Stack::current, Phase::infer);
  law.contention = 0;
  const CpuKind cpu{"", 3, 32, 1};
  const auto bytes_per_s = [&](double cores) {
    return 1e12 / cpu_step_seconds(law, {.activation_bytes = 1e12}, cpu, cores, 1);
  };
  CHECK(bytes_per_s(2) == test::approx(2 * law.bytes_per_s));
  CHECK(bytes_per_s(16) == test::approx(law.socket_bytes_per_s));
  CHECK(bytes_per_s(96) == test::approx(96 * law.crowded_bytes_per_s));
}
