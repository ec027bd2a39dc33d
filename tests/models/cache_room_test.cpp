// What weights and kernels leave of a GPU's memory for caches: what servers said at their start
// (calibration/cache_room.csv).
#include <algorithm>

#include <doctest/doctest.h>

#include "models/calibration_files.h"
#include "models/calibration_table.h"
#include "models/laws/decode_host.h"
#include "models/laws/decode_software.h"
#include "models/laws/gpu_memory.h"
#include "support/approx.h"

using namespace rightsize;

TEST_CASE("cache room: what vLLM's logs leave, within 11 % or 1.6 GiB") {
  const auto rates = test::shipped_rates();
  int rows = 0;
  for (const auto& row : parse_table(test::calibration_text("cache_room.csv"), "cache_room.csv")) {
    const auto* gpu = rates.find(row.text("gpu"));
    REQUIRE(gpu != nullptr);
    const auto software = decode_software(row.text("software"));
    REQUIRE(software == "vLLM");
    const auto replica = served_by(
        decode_gpu(*gpu, {Precision::bf16}, static_cast<int>(row.number("gpus"))), *gpu, *software);
    // Of the memory it was told to take another share than is assumed.
    const double memory = visible_memory_bytes(*gpu);
    const double told =
        replica.memory_bytes + memory * (row.number("fraction") - DecodeLaw{}.memory_share);
    const double room = told / 0x1p30 - row.number("weights_gib");
    const double logged = row.number("cache_gib");
    CAPTURE(row.line);
    CHECK(std::abs(room - logged) < std::max(0.11 * logged, 1.6));
    ++rows;
  }
  CHECK(rows == 17);
}

TEST_CASE("cache room: weights that fill the memory leave none") {
  const auto rates = test::shipped_rates();
  const auto t4 = decode_gpu(*rates.find("T4"), {Precision::fp16});
  CHECK(t4.memory_bytes + t4.kept_bytes == test::approx(visible_memory_bytes(*rates.find("T4"))));
  // 7 billion parameters at 16 bits: 12.6 of 15 GiB, which every server is known to hold barely.
  CHECK(t4.memory_bytes / 0x1p30 > 12.55);
}
