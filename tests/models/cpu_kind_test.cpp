#include "models/laws/cpu_kind.h"

#include <doctest/doctest.h>

#include "models/laws/cpu_compute.h"
#include "models/laws/gpu_step.h"
#include "support/approx.h"

using namespace rightsize;

TEST_CASE("cpu kind: names of the clouds' CPUs say clock and vector width") {
  const auto haswell = cpu_kind_of("Intel(R) Xeon(R) CPU E5-2666 v3 @ 2.90GHz");
  REQUIRE(haswell);
  CHECK(haswell->ghz == test::approx(2.9));
  CHECK(haswell->flops_per_cycle == 32);
  CHECK(cpu_kind_of("Intel(R) Xeon(R) Platinum 8275CL CPU @ 3.00GHz")->flops_per_cycle == 64);
  CHECK(cpu_kind_of("Intel(R) Xeon(R) CPU E5-2680 v2 @ 2.80GHz")->flops_per_cycle == 16);
  // Without "@", and with a blank before the unit.
  CHECK(cpu_kind_of("Intel Xeon E5-2682 v4 2.5GHz")->ghz == test::approx(2.5));
  CHECK(cpu_kind_of("Xeon Platinum 8163 2.5 GHz")->ghz == test::approx(2.5));
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
  CHECK(cpu_precision(amx, Precision::fp16, Stack::current) == Precision::bf16);
  CHECK(cpu_precision(amx, Precision::tf32, Stack::current) == Precision::fp32);
  CHECK(cpu_precision(amx, Precision::bf16, Stack::era) == Precision::fp32);
  CHECK(cpu_precision(*cpu_kind_of("Skylake"), Precision::bf16, Stack::current) == Precision::fp32);
}
