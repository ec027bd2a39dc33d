// NeuMF, the neural collaborative filter (He et al., WWW 2017) as NVIDIA's DeepLearningExamples and
// MLPerf v0.5 trained it on MovieLens 20M: 64 factors, layers of 256, 256, 128 and 64 features,
// with Adam over all rows of its tables. 31 832 577 parameters, counted from that (from memory its
// README has the figure too: it is tests/kernels/recommendation_test.cpp's).
#include <fmt/format.h>

#include "kernels/networks/recommendation/families.h"

namespace rightsize::recommendation {

// Of rows `width` features are of the layers, half as many are factors.
Network make_ncf(const RecommendationAsked& asked) {
  auto net = reading_samples(asked, 0);
  const auto factors = asked.width / 2;
  const auto whole = TableUpdate::whole;
  const int user = net.embedding_bags("mf_user", net.input(), 0, {asked.tables[0]}, factors, whole);
  const int item = net.embedding_bags(
      "mf_item", net.input(), asked.tables[0].ids, {asked.tables[1]}, factors, whole);
  const int factored = net.multiply("mf", user, item);
  int x = net.embedding_bags("mlp_tables", net.input(), 0, asked.tables, asked.width, whole);
  int number = 1;
  for (const auto features : {2 * asked.width, asked.width, asked.width / 2}) {
    const auto name = fmt::format("mlp{}", number++);
    x = net.relu(name + "_relu", net.fully_connected(name, x, features));
    x = net.dropout(name + "_drop", x, 0.5F);
  }
  return net.finish_binary(net.fully_connected("score", net.concat("both", {factored, x}), 1),
                           Optimizer::adam);
}

}  // namespace rightsize::recommendation
