// The gates of published training of large transformers: what is reached, so that a regression
// fails. bench_sharded prints the same by source.
#include "figures/sharded_figures.h"

#include <cmath>
#include <vector>

#include <doctest/doctest.h>

#include "models/calibration_files.h"
#include "models/model.h"
#include "profiler/quantile.h"
#include "support/approx.h"

using namespace rightsize;

namespace {

const std::string folder = std::string(RIGHTSIZE_SOURCE_DIR) + "/models/calibration";

}  // namespace

TEST_CASE("sharded figures: a malformed row is refused by its line") {
  const std::string header =
      "network,sequence,batch,gpu,gpus,nodes,interconnect,exchange,recompute,states,"
      "tokens_per_s_per_gpu,memory_gib,framework,source\n";
  CHECK_THROWS_WITH_AS(
      static_cast<void>(parse_sharded_figures(
          header + "mpt-7b,2048,6,H100,8,1,NVLink,sharded,some,fp32,10643,,PyTorch,here\n")),
      "calibration/sharded.csv:2: recompute = some: expected none, blocks or selective",
      ModelError);
}

// Selective recomputation is neither of the two ways the laws know: its rates stand apart.
TEST_CASE("sharded figures: rates within 8 % at the median, 18 % at P90, of 198 published") {
  const auto rates = test::shipped_rates();
  std::vector<double> errors;
  int inside = 0;
  for (const auto& figure : parse_sharded_figures(test::calibration_text("sharded.csv"))) {
    if (figure.tokens_per_s_per_gpu > 0 &&
        figure.recompute != ShardedFigure::Recompute::selective) {
      const auto check = check_sharded(figure, rates, figure.framework, folder);
      errors.push_back(std::abs(check.tokens_per_s_per_gpu / figure.tokens_per_s_per_gpu - 1));
      inside += check.inside ? 1 : 0;
    }
  }
  REQUIRE(errors.size() == 198);
  CHECK(quantile(errors, 0.5) < 0.08);
  CHECK(quantile(errors, 0.9) < 0.18);
  CHECK(inside > 0.9 * static_cast<double>(errors.size()));
}

TEST_CASE("sharded figures: MPT 7B keeps its rate from 8 to 512 H100 as published, within 6 %") {
  const auto rates = test::shipped_rates();
  double published = 0;
  double predicted = 0;
  int seen = 0;
  auto figures = parse_sharded_figures(test::calibration_text("sharded.csv"));
  std::stable_sort(
      figures.begin(), figures.end(), [](const auto& a, const auto& b) { return a.gpus < b.gpus; });
  for (const auto& figure : figures) {
    if (figure.network == "mpt-7b" && figure.gpu == "H100" && figure.sequence == 2048) {
      const auto check = check_sharded(figure, rates, figure.framework, folder);
      published = published > 0 ? published : figure.tokens_per_s_per_gpu;
      predicted = predicted > 0 ? predicted : check.tokens_per_s_per_gpu;
      CHECK(check.tokens_per_s_per_gpu / predicted ==
            test::approx(figure.tokens_per_s_per_gpu / published).epsilon(0.06));
      ++seen;
    }
  }
  CHECK(seen == 4);
}

TEST_CASE("sharded figures: nothing that ran is refused, and stated memory is in reach") {
  const auto rates = test::shipped_rates();
  int ran = 0;
  for (const auto& figure : parse_sharded_figures(test::calibration_text("sharded.csv"))) {
    if (!figure.sharded) {
      continue;
    }
    ++ran;
    const auto check = check_sharded(figure, rates, figure.framework, folder);
    CHECK(judge_memory(check.least, *rates.find(figure.gpu)) != MemoryVerdict::too_small);
    if (figure.recompute == ShardedFigure::Recompute::selective) {
      CHECK(figure.memory_gib > check.least.total() / 0x1p30);
      CHECK(figure.memory_gib < check.most.total() / 0x1p30);
    }
  }
  CHECK(ran == 201);
}
