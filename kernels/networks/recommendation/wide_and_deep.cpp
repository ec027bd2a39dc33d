// Wide & Deep (Cheng et al., DLRS 2016) in the form that is usual on the Criteo logs: the deep part
// has three layers of 1024 features on counts and rows side by side, as NVIDIA's
// DeepLearningExamples has on another data set; the wide part, a number for each value of each
// feature, is summed up with it into one score. NVIDIA's own, of the Outbrain data with rows of
// unequal width, is not this one.
#include <array>
#include <vector>

#include <fmt/format.h>

#include "kernels/networks/recommendation/families.h"

namespace rightsize::recommendation {

Network make_wide_and_deep(const RecommendationAsked& asked) {
  auto net = reading_samples(asked, criteo_counts);
  const int counts = net.log_counts("counts", net.input(), criteo_counts);
  const int rows = net.embedding_bags(
      "tables", net.input(), criteo_counts, asked.tables, asked.width, TableUpdate::adagrad);
  const int wide =
      net.embedding_bags("wide", net.input(), criteo_counts, asked.tables, 1, TableUpdate::adagrad);
  int x = net.concat("features", {counts, rows});
  x = layers_of(net, "deep", x, std::array<std::int64_t, 3>{1024, 1024, 1024});
  std::vector<int> scores{net.fully_connected("deep_score", x, 1)};
  for (std::size_t i = 0; i < asked.tables.size(); ++i) {
    scores.push_back(
        net.take_channels(fmt::format("wide{}", i + 1), wide, static_cast<std::int64_t>(i), 1));
  }
  return net.finish_binary(net.add("score", scores));
}

}  // namespace rightsize::recommendation
