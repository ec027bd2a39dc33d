// The gates of published training of large transformers: what is reached, so that a regression
// fails. bench_sharded prints the same by source.
#include "models/sharded_figures.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <doctest/doctest.h>

#include "models/calibration_files.h"
#include "models/model.h"

using namespace rightsize;

namespace {

const std::string folder = std::string(RIGHTSIZE_SOURCE_DIR) + "/models/calibration";

double quantile(std::vector<double> values, double q) {
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(q * static_cast<double>(values.size() - 1) + 0.5)];
}

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
