// Models that make pictures, by the law of GPUs and beside what was published of them.
#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "kernels/network_blocks.h"
#include "kernels/work.h"
#include "models/calibration_files.h"
#include "models/calibration_table.h"
#include "models/laws/gpu_step.h"
#include "models/shipped_gpu.h"
#include "support/approx.h"

using namespace rightsize;
using test::calibration_text;
using test::shipped_gpu;
using test::shipped_rates;

namespace {

double seconds(const GpuWork& work, int batch) {
  StepSetting setting;
  setting.precision = Precision::fp16;
  setting.framework = "PyTorch compile";
  setting.batch = batch;
  return GpuStepLaw().seconds(work, shipped_gpu("A100"), setting);
}

GpuWork work_of(const std::string& network, Phase phase = Phase::infer) {
  return gpu_work(make_network(network), phase);
}

}  // namespace

TEST_CASE("pictures: the kernels do the network's products, as often as it is passed") {
  for (const char* name : {"sd-1.5", "sdxl:steps=20", "sd3-medium:guidance=no", "flux-dev"}) {
    const auto network = make_network(name);
    double sum = 0;
    for (const auto& kernel : gpu_work(network, Phase::infer).kernels) {
      sum += kernel.count * kernel.flops_per_item;
    }
    CHECK_MESSAGE(sum == test::approx(forward_flops(network)).epsilon(0.02), name);
  }
}

TEST_CASE("pictures: a step with guidance takes a denoiser's time at twice the batch") {
  const double ten = seconds(work_of("sdxl:steps=30"), 4) - seconds(work_of("sdxl:steps=20"), 4);
  CHECK(ten == test::approx(10 * seconds(work_of("sdxl-denoiser"), 8)).epsilon(0.02));
  const double alone = seconds(work_of("sdxl:steps=30:guidance=no"), 8) -
                       seconds(work_of("sdxl:steps=20:guidance=no"), 8);
  CHECK(ten == test::approx(alone).epsilon(0.01));
}

TEST_CASE("pictures: fp8 is of the products of a denoiser, whatever their kind") {
  const auto narrow = [](const std::string& name) {
    double in_8_bits = 0;
    double all = 0;
    for (const auto& kernel : work_of(name).kernels) {
      all += kernel.count * kernel.flops_per_item;
      in_8_bits += kernel.narrow ? kernel.count * kernel.flops_per_item : 0;
    }
    return in_8_bits / all;
  };
  CHECK(narrow("sdxl-denoiser") > 0.85);  // all but attention
  CHECK(narrow("sdxl-denoiser") < 0.95);
  CHECK(narrow("resnet50") == 0);
}

// What lies in memory at once in the middle of a U-Net: two levels' outputs wait at least.
TEST_CASE("pictures: what waits at the long connections counts as memory") {
  const auto network = make_network("sd-1.5-denoiser");
  std::uint64_t largest = 0;
  for (const auto& layer : network.layers) {
    largest = std::max(largest, static_cast<std::uint64_t>(layer.out.elements()));
  }
  CHECK(in_flight_elements(network) > 2 * largest);
  CHECK(in_flight_elements(make_network("sd-1.5:guidance=no:size=64")) <
        in_flight_elements(make_network("sd-1.5:guidance=no:size=128")));
}

TEST_CASE("pictures: denoisers have blocks that run again, and keep their inputs alone") {
  for (const char* name : {"sd-1.5-denoiser", "sdxl-denoiser", "flux-dev-denoiser"}) {
    const auto network = make_network(name);
    CAPTURE(name);
    const auto blocks = blocks_of(network);
    CHECK(blocks.front().first == 0);
    CHECK(blocks.back().end == network.layers.size());
    std::uint64_t inside = 0;
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      CHECK((i == 0 || blocks[i].first == blocks[i - 1].end));
      inside += blocks[i].recomputable ? parameter_count(network, blocks[i]) : 0;
    }
    CHECK(static_cast<double>(inside) > 0.9 * static_cast<double>(parameter_count(network)));
    CHECK(recomputed_activation_elements(network) < activation_elements(network) / 3);
    const auto again = gpu_work(network, Phase::train, true);
    const auto once = gpu_work(network, Phase::train);
    CHECK(again.launches > 1.2 * once.launches);
  }
}

// Logarithms of told over published of a table's rates, and how many lie inside their interval.
struct Asked {
  std::vector<double> off;
  int inside = 0;

  void add(const GpuRate& rate, double published) {
    constexpr double quantile = 1.645;
    off.push_back(std::log(rate.items_per_s / published));
    inside += std::abs(off.back()) < quantile * rate.log_sd ? 1 : 0;
  }
  [[nodiscard]] double share_inside() const { return inside / static_cast<double>(off.size()); }
  // Of their sizes, or as they are.
  [[nodiscard]] double median(bool sizes) const {
    auto found = off;
    std::transform(found.begin(), found.end(), found.begin(), [&](double each) {
      return sizes ? std::abs(each) : each;
    });
    std::nth_element(found.begin(), found.begin() + found.size() / 2, found.end());
    return found[found.size() / 2];
  }
};

// calibration/pictures_quantized.csv, to which nothing was set.
TEST_CASE(
    "pictures: published rates with weights in fewer bits are met, as models/README.md says") {
  const auto rates = shipped_rates();
  Asked eager;
  Asked all;
  for (const auto& row : parse_table(calibration_text("pictures_quantized.csv"), "quantized")) {
    const auto framework = row.text("framework");
    const auto network = row.text("network");
    const bool untold = network.find("int4") != std::string::npos || row.text("gpu") == "L20" ||
                        row.text("gpu") == "GTX 1650";
    if (untold) {
      continue;
    }
    const auto bare = framework.substr(0, framework.find(" ("));
    const auto gpu = row.text("gpu");
    const auto rate = rates.rate({.network = network,
                                  .phase = Phase::infer,
                                  .precision = *parse_precision(row.text("precision")),
                                  .gpu = gpu,
                                  .batch = static_cast<int>(row.number("batch")),
                                  .framework = bare});
    REQUIRE_MESSAGE(rate, network);
    all.add(*rate, row.number("items_per_s"));
    if (bare == "PyTorch" && row.text("precision") == "bf16") {
      eager.add(*rate, row.number("items_per_s"));
    }
  }
  CHECK(all.off.size() > 70);
  CHECK(all.share_inside() > 0.85);
  CHECK(all.median(true) < std::log(1.5));
  CHECK(eager.off.size() > 20);
  CHECK(eager.median(true) < std::log(1.25));
  CHECK(std::abs(eager.median(false)) < std::log(1.15));
}

// calibration/pictures_adapters.csv, to which time and width of adapters' rates are set.
TEST_CASE("pictures: published rates of adapters lie inside, as models/README.md says") {
  const auto rates = shipped_rates();
  Asked all;
  for (const auto& row : parse_table(calibration_text("pictures_adapters.csv"), "adapters")) {
    const auto network = row.text("network");
    const auto gpu = row.text("gpu");
    if (gpu == "DGX Spark GB10" || row.number("gpus") > 1) {
      continue;
    }
    RateQuery query{.network = network,
                    .phase = Phase::train,
                    .precision = *parse_precision(row.text("precision")),
                    .gpu = gpu,
                    .batch = static_cast<int>(row.number("batch")),
                    .framework = "PyTorch",
                    .recompute = row.text("recompute") == "true"};
    query.tuning.adapters = parse_adapters(row.text("adapter")).value();
    const auto rate = rates.rate(query);
    REQUIRE_MESSAGE(rate, network);
    all.add(*rate, row.number("images_per_s"));
  }
  CHECK(all.off.size() > 28);
  CHECK(all.share_inside() > 0.85);
  // Where nobody says whether blocks are run again they are not here, as `predict` has it where it
  // must.
  CHECK(std::abs(all.median(false)) < std::log(1.35));
}

// calibration/pictures.csv, none of which the law's constants have seen; the width of its intervals
// is set to them.
TEST_CASE("pictures: published rates are met, as models/README.md says") {
  const auto rates = shipped_rates();
  std::map<std::string, std::vector<double>> errors;
  int inside = 0;
  int all = 0;
  for (const auto& row : parse_table(calibration_text("pictures.csv"), "pictures.csv")) {
    const auto framework = row.text("framework");
    const auto bare = framework.substr(0, framework.find(" ("));
    const auto network = row.text("network");
    const auto gpu = row.text("gpu");
    const auto rate = rates.rate({.network = network,
                                  .phase = *parse_phase(row.text("phase")),
                                  .precision = *parse_precision(row.text("precision")),
                                  .gpu = gpu,
                                  .batch = static_cast<int>(row.number("batch")),
                                  .framework = bare});
    REQUIRE_MESSAGE(rate, network);
    const double off = std::log(rate->items_per_s / row.number("items_per_s"));
    errors[bare].push_back(std::abs(off));
    errors["all"].push_back(std::abs(off));
    constexpr double quantile = 1.645;
    inside += std::abs(off) < quantile * rate->log_sd ? 1 : 0;
    ++all;
  }
  const auto median = [&](const std::string& name) {
    auto& found = errors[name];
    std::nth_element(found.begin(), found.begin() + found.size() / 2, found.end());
    return found[found.size() / 2];
  };
  CHECK(all > 450);
  CHECK(inside > 0.86 * all);
  CHECK(median("PyTorch") < std::log(1.25));
  CHECK(median("PyTorch compile") < std::log(1.25));
  CHECK(median("all") < std::log(1.25));
}
