// Which of the driver's GPUs a run is on, where CUDA numbers them otherwise.
#include "profiler/visible_gpu.h"

#include <cstdlib>
#include <memory>

#include <dlfcn.h>
#include <doctest/doctest.h>

#include "profiler/nvml.h"

using namespace rightsize;

namespace {

const std::vector<GpuIdentity> alike{{0, "H100", "GPU-8932f937-d72c"},
                                     {1, "H100", "GPU-8932aaaa-0001"},
                                     {2, "H100", "GPU-11111111-0002"},
                                     {3, "H100", "GPU-22222222-0003"}};

std::optional<unsigned> run_on(const std::string& visible,
                               const std::vector<GpuIdentity>& gpus = alike,
                               const std::string& order = "") {
  return first_visible_gpu({visible, order}, gpus);
}

// What the driver says of the GPU of a run that is started with `visible`.
GpuReading reading_with(const char* visible) {
  setenv("CUDA_VISIBLE_DEVICES", visible, 1);
  const auto reading = GpuWatch().read();
  unsetenv("CUDA_VISIBLE_DEVICES");
  return reading;
}

}  // namespace

TEST_CASE("visible gpu: the first entry counts, a number or the beginning of one name") {
  CHECK(first_visible_gpu({}, alike) == 0);
  CHECK(run_on("3") == 3);
  CHECK(run_on("2,0,1") == 2);
  CHECK(run_on(" 1 , 2") == 1);
  CHECK(run_on("GPU-11111111-0002") == 2);
  CHECK(run_on("GPU-2,GPU-1") == 3);
  CHECK(run_on("GPU-8932f") == 0);
  const std::vector<GpuIdentity> allowed{alike[1], alike[3]};  // by a control group
  CHECK(first_visible_gpu({}, allowed) == 1);
  CHECK(run_on("1", allowed) == 3);
  CHECK(run_on("GPU-2", allowed) == 3);
  CHECK_FALSE(run_on("2", allowed));
}

TEST_CASE("visible gpu: what hides all GPUs, names a part of one or fits none is unknown") {
  for (const auto* visible : {"",
                              " ",
                              ",1",
                              "-1",
                              "-1,0",
                              "4",
                              "99999999999999999999",
                              "1x",
                              "NoDevFiles",
                              "none",
                              "GPU-3",
                              "GPU-8932",
                              "MIG-GPU-8932f937-d72c/1/0",
                              "MIG-22222222-0003"}) {
    CAPTURE(visible);
    CHECK_FALSE(run_on(visible));
  }
  CHECK_FALSE(first_visible_gpu({}, {}));
}

TEST_CASE("visible gpu: CUDA numbers GPUs of several kinds by speed, unless it is told not to") {
  auto mixed = alike;
  mixed[0].name = "T400";
  CHECK_FALSE(first_visible_gpu({}, mixed));
  CHECK_FALSE(run_on("3", mixed));
  CHECK(run_on("3", mixed, "PCI_BUS_ID") == 3);
  CHECK(run_on("GPU-1", mixed) == 2);
  CHECK_FALSE(run_on("1", mixed, "FASTEST_FIRST"));
}

TEST_CASE("nvml: a run's GPU is watched, not the driver's first") {
  // Loaded already, it is what the name of the driver's library finds.
  const std::unique_ptr<void, int (*)(void*)> library(dlopen(RIGHTSIZE_FAKE_NVML, RTLD_NOW),
                                                      dlclose);
  REQUIRE(library);
  CHECK(list_gpus().size() == 4);
  CHECK(GpuWatch().read().watts == 0);
  CHECK(reading_with("3").watts == 3);
  CHECK(reading_with("3").busy == 0.03);
  CHECK(reading_with("3").memory_bytes == 3ULL << 30U);
  CHECK(reading_with("GPU-bb").watts == 2);
  CHECK_FALSE(reading_with("GPU-aa").watts);
  CHECK_FALSE(reading_with("MIG-GPU-aa01/1/0").memory_bytes);
  CHECK_FALSE(reading_with("").busy);
}
