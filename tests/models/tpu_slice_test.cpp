// Google's TPUs by name, and the slices in which their chips are sold and joined.
#include <doctest/doctest.h>

#include "models/calibration_files.h"
#include "models/laws/gpu_name.h"
#include "models/laws/interconnect.h"
#include "models/laws/toolchain.h"
#include "models/laws/tpu.h"
#include "models/shipped_gpu.h"

using namespace rightsize;
using test::shipped_gpu;

namespace {

const GpuRates& rates() {
  static const auto shipped = test::shipped_rates();
  return shipped;
}

}  // namespace

TEST_CASE("tpu: chips go by the names that people and clouds write, and slices by none") {
  for (const auto* name : {"TPU-v5e",
                           "tpu v5e",
                           "TPU-v5litepod",
                           "v5e",
                           "Google Cloud TPU v5e",
                           "tpu-v5-lite-podslice",
                           "ct5lp"}) {
    CHECK(canonical_gpu_name(name) == "TPU-v5e");
  }
  for (const auto* name : {"v5p", "TPU v5p", "tpu-v5p-slice", "ct5p"}) {
    CHECK(canonical_gpu_name(name) == "TPU-v5p");
  }
  for (const auto* name : {"Trillium", "v6e", "tpu-v6e-slice", "ct6e", "TPU Trillium"}) {
    CHECK(canonical_gpu_name(name) == "TPU-v6e");
  }
  CHECK(canonical_gpu_name("TPU v4") == "TPU-v4");
  CHECK(rates().find("tpu-v3") == nullptr);
  CHECK(rates().find("Ironwood") == nullptr);
  CHECK(rates().find("tpu-v5p-8") == nullptr);  // four chips
  CHECK(rates().find("v5litepod-8") == nullptr);
  CHECK(chips_of_slice("tpu-v5p-8") == "TPU-v5p:4");
  CHECK(chips_of_slice("v6e-16") == "TPU-v6e:16");
  CHECK(chips_of_slice("tpu-v5litepod-4") == "TPU-v5e:4");
  CHECK(chips_of_slice("tpu-v5p").empty());
  CHECK(chips_of_slice("A100-80").empty());
  CHECK(chips_of_slice("v6e-99999999999").empty());
  CHECK(toolchain_of_any("v6e") == Toolchain::xla);
  CHECK(of_one_maker(shipped_gpu("TPU-v5e"), shipped_gpu("TPU-v6e")));
  CHECK_FALSE(of_one_maker(shipped_gpu("TPU-v5e"), shipped_gpu("Trainium")));
}

TEST_CASE("tpu: slices have the sizes that Google lists, and the nearest are told") {
  for (const int chips : {1, 4, 8, 16, 32, 64, 128, 256}) {
    CAPTURE(chips);
    CHECK(nearest_slices("TPU-v5e", chips).below == chips);
    CHECK(nearest_slices("TPU-v6e", chips).above == chips);
  }
  CHECK(nearest_slices("TPU-v6e", 2).below == 1);
  CHECK(nearest_slices("TPU-v6e", 2).above == 4);
  CHECK(nearest_slices("TPU-v6e", 100).below == 64);
  CHECK(nearest_slices("TPU-v6e", 100).above == 128);
  CHECK(nearest_slices("TPU-v6e", 300).below == 256);
  CHECK(nearest_slices("TPU-v6e", 300).above == 0);
  CHECK(nearest_slices("TPU-v4", 3).below == 0);
  CHECK(nearest_slices("TPU-v4", 3).above == 4);
  CHECK(nearest_slices("TPU-v5p", 12).below == 12);
  CHECK(nearest_slices("TPU-v5p", 14).above == 16);
  for (const auto& figure : tpu_figures()) {
    CHECK(nearest_slices(figure.gpu, figure.chips).below == figure.chips);
  }
}

TEST_CASE("tpu: chips of a slice have links of their own") {
  const auto links = interconnect_of({}, shipped_gpu("TPU-v6e"), 256, 1);
  CHECK(links.text.starts_with("ICI "));
  CHECK(links.text.ends_with(" GB/s a chip"));
  CHECK(has_no(NodeLink::nvlink, shipped_gpu("TPU-v6e")));
}
