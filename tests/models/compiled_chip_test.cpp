// What holds of every chip whose compiler takes a network whole, AWS's and Google's alike: a
// published figure is the answer to its own question, and a larger batch never loses.
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

#include "models/laws/neuron.h"
#include "models/laws/tpu.h"
#include "models/shipped_gpu.h"
#include "support/approx.h"

using namespace rightsize;

namespace {

struct Published {
  RateQuery query;
  double items_per_s = 0;
  double tolerance = 0;  // relative: several figures may be of one question
  std::string_view said_by;
};

std::vector<Published> published() {
  std::vector<Published> all;
  for (const auto& figure : neuron_figures()) {
    all.push_back({{.network = figure.network,
                    .phase = figure.phase,
                    .precision = Precision::bf16,
                    .gpu = figure.gpu,
                    .batch = figure.batch,
                    .sequence = figure.sequence},
                   figure.items_per_s,
                   0.1,
                   "AWS Neuron 2."});
  }
  for (const auto& figure : tpu_figures()) {
    all.push_back({{.network = figure.network,
                    .phase = Phase::train,
                    .precision = Precision::bf16,
                    .gpu = figure.gpu,
                    .batch = figure.batch,
                    .sequence = figure.sequence,
                    .recompute = figure.recompute,
                    .shards = figure.chips,
                    .gathers = true},
                   figure.tokens_per_s / figure.sequence,
                   0.04,
                   "(MaxText), as Google published"});
  }
  return all;
}

struct Growing {
  RateQuery query;
  int most = 0;  // sequences or pictures of the largest batch
  // From one batch to twice that.
  double least_longer = 0;
  double least_gain = 0;
};

std::vector<Growing> growing() {
  std::vector<Growing> all;
  for (const auto* network : {"bert-base", "resnet50", "vgg16", "minilm-l6"}) {
    all.push_back({{.network = network,
                    .phase = Phase::infer,
                    .precision = Precision::bf16,
                    .gpu = "Inferentia2"},
                   256,
                   0.999,
                   0.8});  // published figures fall by as much
  }
  for (const auto* chip : {"TPU-v4", "TPU-v5e", "TPU-v5p", "TPU-v6e"}) {
    all.push_back({{.network = "mistral-7b",
                    .phase = Phase::train,
                    .precision = Precision::bf16,
                    .gpu = chip,
                    .sequence = 2048},
                   64,
                   1,
                   0.999});
  }
  return all;
}

}  // namespace

TEST_CASE("compiled chip: a figure of the very network and batch is the answer") {
  const auto rates = test::shipped_rates();
  int told = 0;
  for (const auto& [query, items_per_s, tolerance, said_by] : published()) {
    const auto rate = rates.rate(query);
    if (!rate) {
      continue;  // a shape of MaxText's own
    }
    CAPTURE(query.network);
    CAPTURE(query.gpu);
    CHECK(rate->items_per_s == test::approx(items_per_s).epsilon(tolerance));
    CHECK(rate->source == Source::published);
    CHECK(rate->provenance.find(said_by) != std::string::npos);
    CHECK(rate->provenance.find("BF16") == std::string::npos);
    auto half = query;  // which nobody published
    half.precision = Precision::fp16;
    const auto as_bf16 = rates.rate(half).value();
    CHECK(as_bf16.items_per_s == rate->items_per_s);
    CHECK(as_bf16.source == Source::scaled);
    CHECK(as_bf16.provenance.find("in BF16") != std::string::npos);
    ++told;
  }
  CHECK(told > 50);
}

TEST_CASE("compiled chip: a larger batch takes longer, and is made as fast or faster") {
  const auto rates = test::shipped_rates();
  for (auto [query, most, least_longer, least_gain] : growing()) {
    double seconds = 0;
    double rate = 0;
    for (query.batch = 1; query.batch <= most; query.batch *= 2) {
      CAPTURE(query.network);
      CAPTURE(query.gpu);
      CAPTURE(query.batch);
      const auto found = rates.rate(query);
      REQUIRE(found.has_value());
      CHECK(query.batch / found->items_per_s > least_longer * seconds);
      CHECK(found->items_per_s > least_gain * rate);
      seconds = query.batch / found->items_per_s;
      rate = found->items_per_s;
    }
  }
}
