// Cards of one die differ in memory and power: what is told of one against the other is held
// against publishers who measured both, and against what memory and power allow.
#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <doctest/doctest.h>

#include "models/calibration_files.h"
#include "models/laws/gpu_rate.h"

using namespace rightsize;

namespace {

// Two cards' figures of one publisher and source, in all else the same.
struct Pair {
  const PublishedRate* one = nullptr;
  const PublishedRate* other = nullptr;
};

std::vector<Pair> published_pairs(const GpuRates& rates,
                                  const std::vector<PublishedRate>& figures) {
  const auto setting = [](const PublishedRate& f) {
    return std::tie(
        f.source, f.framework, f.network, f.sequence, f.phase, f.precision, f.batch, f.stack);
  };
  std::vector<Pair> pairs;
  for (std::size_t i = 0; i < figures.size(); ++i) {
    for (std::size_t j = i + 1; j < figures.size(); ++j) {
      const auto* a = rates.find(figures[i].gpu);
      const auto* b = rates.find(figures[j].gpu);
      if (a != nullptr && b != nullptr && a != b && die_of(*a) == die_of(*b) &&
          setting(figures[i]) == setting(figures[j])) {
        pairs.push_back({&figures[i], &figures[j]});
      }
    }
  }
  return pairs;
}

// Without the figures of one card.
double told(const GpuRates& rates, const PublishedRate& figure, std::string_view without) {
  return rates
      .rate({.network = figure.network,
             .phase = figure.phase,
             .precision = figure.precision,
             .gpu = figure.gpu,
             .batch = figure.batch,
             .sequence = figure.sequence,
             .stack = figure.stack,
             .framework = figure.framework,
             .excluding_gpu = without})
      ->items_per_s;
}

// How far the answer for a card without figures is from its sister's, against what was published.
double told_off(const GpuRates& rates, const PublishedRate& asked, const PublishedRate& sister) {
  const double ratio = told(rates, asked, asked.gpu) / told(rates, sister, asked.gpu);
  return std::abs(std::log(ratio * sister.items_per_s / asked.items_per_s));
}

}  // namespace

TEST_CASE("sister cards: the same die by lanes, generation and kind of memory") {
  const auto rates = test::shipped_rates();
  const auto die = [&](const char* name) { return die_of(*rates.find(name)); };
  for (const auto* name : {"A100-80GB", "A100-PCIe", "A100-PCIe-80GB", "A800"}) {
    CHECK(die(name) == die("A100"));
  }
  CHECK(die("V100-PCIe") == die("V100"));
  CHECK(die("H200") == die("H100"));
  CHECK(die("P100") != die("GTX-1080-Ti"));  // as many lanes
  CHECK(die("A30") != die("RTX-3060"));
  CHECK(die("H100-PCIe") != die("H100"));  // fewer lanes of the chip are on
}

TEST_CASE("sister cards: apart as publishers who measured both found them") {
  const auto rates = test::shipped_rates();
  const auto figures = parse_published_rates(test::calibration_text("gpu_rates.csv"));
  std::vector<double> errors;
  for (const auto& [one, other] : published_pairs(rates, figures)) {
    errors.push_back(told_off(rates, *one, *other));
    errors.push_back(told_off(rates, *other, *one));
  }
  REQUIRE(errors.size() >= 70);
  std::sort(errors.begin(), errors.end());
  const double median = errors[errors.size() / 2];
  MESSAGE(errors.size() << " of pairs both ways, median " << std::expm1(median) << ", P90 "
                        << std::expm1(errors[errors.size() * 9 / 10]));
  CHECK(median < 0.05);
}

TEST_CASE("sister cards: none is above what its memory and power allow beside the other") {
  const auto rates = test::shipped_rates();
  struct Sisters {
    const char* lesser;
    const char* greater;
  };
  for (const auto& [lesser, greater] : {Sisters{"A100", "A100-80GB"},
                                        {"A100-PCIe", "A100"},
                                        {"A100-PCIe-80GB", "A100-80GB"},
                                        {"V100-PCIe", "V100"},
                                        {"H100", "H200"}}) {
    const auto& less = *rates.find(lesser);
    const auto& more = *rates.find(greater);
    const double most = std::max(more.bandwidth_gbs / less.bandwidth_gbs, more.tdp_w / less.tdp_w);
    for (const auto* network : {"resnet50", "vgg16", "mobilenet-v2", "vit-b16", "bert-large"}) {
      for (const auto phase : {Phase::train, Phase::infer}) {
        for (const int batch : {32, 128}) {
          const auto rate = [&](const char* gpu) {
            return rates
                .rate({.network = network,
                       .phase = phase,
                       .precision = Precision::fp16,
                       .gpu = gpu,
                       .batch = batch})
                ->items_per_s;
          };
          CAPTURE(lesser);
          CAPTURE(network);
          CAPTURE(batch);
          CAPTURE(to_string(phase));
          const double ratio = rate(greater) / rate(lesser);
          CHECK(ratio > 0.92);
          CHECK(ratio < 1.05 * most);
        }
      }
    }
  }
}
