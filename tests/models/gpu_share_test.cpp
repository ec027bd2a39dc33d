// Shares of a GPU's time, as clouds sell them: their names, what they have, and how long steps
// take.
#include "models/laws/gpu_share.h"

#include <cmath>

#include <doctest/doctest.h>

#include "models/calibration_files.h"
#include "models/laws/gpu_name.h"
#include "models/laws/gpu_rate.h"
#include "support/approx.h"

using namespace rightsize;
using test::approx;

namespace {

RateQuery resnet_on(std::string_view gpu) {
  RateQuery query;
  query.network = "resnet50";
  query.phase = Phase::infer;
  query.precision = Precision::fp16;
  query.gpu = gpu;
  query.batch = 8;
  return query;
}

}  // namespace

TEST_CASE("gpu share: a name with its parts behind a stroke, and no other") {
  REQUIRE(gpu_share("L4/8"));
  CHECK(gpu_share("L4/8")->whole == "L4");
  CHECK(gpu_share("L4/8")->parts == 8);
  for (const auto* whole : {"L4", "L4/", "L4/1", "L4/0", "L4/7", "L4/8x", "/8", "aws/g6f.large"}) {
    CAPTURE(whole);
    CHECK_FALSE(gpu_share(whole));
  }
  CHECK(canonical_gpu_name("NVIDIA L4/8") == "L4/8");
  CHECK(memory_in_gpu_name("A100-80GB/2") == approx(40));
  CHECK(unread_in_gpu_name("T4/2") == "");
}

TEST_CASE("gpu share: memory and rates are the N-th part, lanes are not") {
  const auto rates = test::shipped_rates();
  const auto* whole = rates.find("L4");
  const auto* share = rates.find("l4/8");
  REQUIRE(whole);
  REQUIRE(share);
  CHECK(share->name == "L4/8");
  CHECK(share->memory_gb == approx(whole->memory_gb / 8));
  CHECK(share->bandwidth_gbs == approx(whole->bandwidth_gbs / 8));
  CHECK(share->cores == whole->cores);
  CHECK(rates.find("TPU-v5p/8") == nullptr);
  CHECK(rates.find("no-such/8") == nullptr);
}

TEST_CASE("gpu share: what the GPU works takes as many times as long as there are parts") {
  const GpuShare eighth{"L4", 8};
  CHECK(times_as_long(eighth, 0) == 8);
  CHECK(times_as_long(eighth, 0.5) == approx(4));
  CHECK(times_as_long(eighth, 0.99) == 1);  // the host is what it waits for, as on the whole

  const auto rates = test::shipped_rates();
  const auto whole = rates.rate(resnet_on("L4"));
  const auto share = rates.rate(resnet_on("L4/4"));
  REQUIRE(whole);
  REQUIRE(share);
  const double waits = rates.launch_share(resnet_on("L4")).value();
  CHECK(share->items_per_s == approx(whole->items_per_s / times_as_long({"L4", 4}, waits)));
  CHECK(share->log_sd == approx(std::hypot(whole->log_sd, gpu_share_log_sd)));
  CHECK(share->source == weaker(whole->source, Source::scaled));
  CHECK(share->provenance.find(" times as long on this share") != std::string::npos);
  CHECK(rates.launch_share(resnet_on("L4/4")) == rates.launch_share(resnet_on("L4")));
}

TEST_CASE("gpu share: what was measured on a share is not carried from the whole GPU") {
  auto rates = test::shipped_rates();
  MeasuredRate measured;
  measured.network = "resnet50";
  measured.phase = Phase::infer;
  measured.precision = Precision::fp16;
  measured.gpu = "L4/8";
  measured.batch = 8;
  measured.items_per_s = 321;
  measured.said_by = "a test";
  rates.add_measured({&measured, 1});
  const auto share = rates.rate(resnet_on("L4/8"));
  REQUIRE(share);
  CHECK(share->items_per_s == approx(321).epsilon(0.2));
  CHECK(share->regime == RateRegime::measured);
}
