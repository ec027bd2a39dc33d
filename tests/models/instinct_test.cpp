// AMD's Instinct: their links, what they multiply, and what was published of them.
#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include <doctest/doctest.h>

#include "figures/decode_figures.h"
#include "kernels/work.h"
#include "models/calibration_files.h"
#include "models/laws/decode_host.h"
#include "models/laws/decode_software.h"
#include "models/laws/exchange.h"
#include "models/laws/expert_exchange.h"
#include "models/laws/framework_habits.h"
#include "models/shipped_gpu.h"
#include "support/approx.h"

using namespace rightsize;
using test::shipped_gpu;

TEST_CASE("instinct: eight MI300X reach what AMD published, two have one link") {
  const auto eight = interconnect_of({}, shipped_gpu("MI300X"), 8, 1);
  CHECK(eight.link == NodeLink::xgmi);
  CHECK(eight.text == "Infinity Fabric 318 GB/s a GPU");
  CHECK(bytes_per_s_among(eight, 8) >= 310e9);
  CHECK(bytes_per_s_among(eight, 8) <= 330e9);
  CHECK(bytes_per_s_among(eight, 2) == test::approx(46.6e9).epsilon(0.04));  // TransferBench's
  CHECK(interconnect_of({}, shipped_gpu("MI300X"), 2, 1).text == "Infinity Fabric 45 GB/s a GPU");
  CHECK(interconnect_of({}, shipped_gpu("MI210"), 4, 1).link == NodeLink::host);
  // A switch gives two GPUs all that one has.
  const auto hopper = interconnect_of({}, shipped_gpu("H100"), 8, 1);
  CHECK(bytes_per_s_among(hopper, 2) == bytes_per_s_among(hopper, 8));
}

TEST_CASE("instinct: GPUs that share layers in pairs wait for the one link between them") {
  const ExchangeLaw law;
  const Cluster node{8, 1, interconnect_of({}, shipped_gpu("MI300X"), 8, 1)};
  Cluster pair = node;
  pair.gpus_per_node = 2;
  const double bytes = 1e9;
  CHECK(exchange_seconds(law, pair, {}, bytes) >
        3 * exchange_seconds(law, node, {}, bytes));  // 2/2 over 1 link, 2 x 7/8 over 7
  // Every one sends the others their part at once, each by its own link: as long for eight as two.
  const double to_one = all_to_all_seconds(law, node, 2, bytes / 4);
  CHECK(all_to_all_seconds(law, node, 8, bytes) == test::approx(to_one).epsilon(0.01));
}

TEST_CASE("instinct: links go by their own maker's name") {
  CHECK(parse_interconnect("xGMI")->link == NodeLink::xgmi);
  CHECK(parse_interconnect("Infinity Fabric 896 GB/s; 8x400Gb/s RoCE")->link == NodeLink::xgmi);
  CHECK(parse_interconnect("Infinity Fabric 896 GB/s; 8x400Gb/s RoCE")->fabric_gbit_per_s == 3200);
  CHECK_FALSE(parse_interconnect("Infinity Fabric 896 GB/s")->fabric);
  CHECK(has_no(NodeLink::nvlink, shipped_gpu("MI300X")));
  CHECK(has_no(NodeLink::xgmi, shipped_gpu("H100")));
  CHECK_FALSE(has_no(NodeLink::xgmi, shipped_gpu("MI300X")));
  CHECK_FALSE(has_no(NodeLink::host, shipped_gpu("MI300X")));
}

TEST_CASE("instinct: MI300X multiplies in FP8, MI250 does not, TF32 none") {
  CHECK(available_precision(shipped_gpu("MI300X"), Precision::fp8) == Precision::fp8);
  CHECK(available_precision(shipped_gpu("MI250"), Precision::fp8) == Precision::bf16);
  CHECK(available_precision(shipped_gpu("MI300X"), Precision::tf32) == Precision::fp32);
  CHECK(available_precision(shipped_gpu("MI250"), Precision::bf16) == Precision::bf16);
}

TEST_CASE("instinct: programs of CUDA are known, and the others' intervals are wider there") {
  CHECK(serves_by_cuda_alone("TensorRT-LLM"));
  CHECK_FALSE(serves_by_cuda_alone("vLLM"));
  CHECK_FALSE(serves_by_cuda_alone(""));
  CHECK(runs_by_cuda_alone("TensorRT (Triton)"));
  CHECK_FALSE(runs_by_cuda_alone("PyTorch"));
  const double usual = decode_log_sd("vLLM", true);
  CHECK(decode_log_sd("vLLM", true, {shipped_gpu("H100"), true}) == usual);
  CHECK(decode_log_sd("vLLM", true, {shipped_gpu("MI300X")}) > 1.2 * usual);
  CHECK(decode_log_sd("vLLM", true, {shipped_gpu("MI300X"), true}) > 2 * usual);
  CHECK(decode_interval_words(shipped_gpu("H100")).empty());
  CHECK_FALSE(decode_interval_words(shipped_gpu("MI300X")).empty());
}

// Before late 2024 ROCm's programs were young, and up to three times slower
// (decode_instinct_early.csv).
TEST_CASE("instinct: nine tenths of vLLM's published rates lie inside the interval") {
  const auto figures = parse_decode_figures(test::calibration_text("decode_instinct.csv"));
  const auto networks =
      networks_of(figures, std::string(RIGHTSIZE_SOURCE_DIR) + "/models/calibration/networks");
  std::map<std::string, int> all;
  std::map<std::string, int> inside;
  double sum = 0;
  for (const auto& figure : figures) {
    const auto software = decode_software(figure.software).value_or("");
    REQUIRE(software.starts_with("vLLM"));
    const auto& sold = shipped_gpu(figure.gpu);
    const auto predicted = predicted_tokens_per_s(figure, networks.at(figure.network), sold);
    REQUIRE(predicted);
    const double error = std::log(*predicted / figure.tokens_per_s);
    sum += error;
    const bool many = figure.kind == DecodeRate::some || figure.kind == DecodeRate::most;
    const double sd =
        decode_log_sd(software, many, {sold, has_experts(networks.at(figure.network))});
    ++all[software];
    inside[software] += std::abs(error) < 1.645 * sd ? 1 : 0;
  }
  CHECK(std::abs(sum) < 0.1 * static_cast<double>(figures.size()));
  for (const auto& [engine, count] : all) {
    CAPTURE(engine);
    CHECK(count >= 30);
    CHECK(inside[engine] >= 0.9 * count);
  }
}
