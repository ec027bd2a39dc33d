// AWS's Inferentia2 and Trainium against what AWS published of them, and what is not told.
#include "models/laws/neuron.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "kernels/network.h"
#include "models/calibration_files.h"
#include "models/laws/decode_software.h"
#include "models/laws/interconnect.h"
#include "models/laws/toolchain.h"
#include "models/model.h"
#include "models/shipped_gpu.h"
#include "support/approx.h"

using namespace rightsize;
using test::shipped_gpu;

namespace {

const GpuRates& rates() {
  static const auto shipped = test::shipped_rates();
  return shipped;
}

RateQuery query_of(const NeuronFigure& figure) {
  return {.network = figure.network,
          .phase = figure.phase,
          .precision = Precision::bf16,
          .gpu = figure.gpu,
          .batch = figure.batch,
          .sequence = figure.sequence};
}

// ln(predicted / published), by the law that has no figure of the network, in its widths of 90 %.
struct Miss {
  double log_error = 0;
  double widths = 0;
};

Miss asked_blind(const NeuronFigure& figure) {
  auto query = query_of(figure);
  query.excluding_network = figure.network;
  const auto rate = rates().rate(query).value();
  const double error = std::log(rate.items_per_s / figure.items_per_s);
  return {error, std::abs(error) / (1.645 * rate.log_sd)};
}

std::string why_not(const std::string& gpu, const std::string& network, CompiledQuestion asked) {
  return why_not_compiled(shipped_gpu(gpu), make_network(network), asked);
}

}  // namespace

TEST_CASE("neuron: figures that had no part in the constants are met within their intervals") {
  int blind = 0;
  int inside = 0;
  std::vector<double> errors;
  for (const auto& figure : neuron_figures()) {
    if (figure.part != "blind") {
      continue;
    }
    const auto miss = asked_blind(figure);
    INFO(figure.network, " ", figure.gpu, " ", figure.batch, ": ", miss.log_error);
    CHECK(std::abs(miss.log_error) < 0.45);
    errors.push_back(std::abs(miss.log_error));
    ++blind;
    inside += miss.widths <= 1 ? 1 : 0;
  }
  std::sort(errors.begin(), errors.end());
  const double median = errors[errors.size() / 2];
  MESSAGE("blind: ", blind, ", inside ", inside, ", median ", median);
  CHECK(blind >= 20);
  CHECK(median < 0.2);
  CHECK(inside >= 0.9 * blind);
}

TEST_CASE("neuron: two of a batch take as long as one, each on its core") {
  const auto at = [](int batch) {
    return rates()
        .rate({.network = "bge-base",
               .phase = Phase::infer,
               .precision = Precision::bf16,
               .gpu = "Trainium",
               .batch = batch})
        .value()
        .items_per_s;
  };
  CHECK(at(2) == test::approx(2 * at(1)));
}

TEST_CASE("neuron: what a user measured there goes before figures, and stays among its makers") {
  auto mine = rates();
  const std::vector<MeasuredRate> measured{{.network = "bert-base",
                                            .phase = Phase::infer,
                                            .precision = Precision::bf16,
                                            .gpu = "Inferentia2",
                                            .batch = 16,
                                            .items_per_s = 1500,
                                            .said_by = "job.toml:3"}};
  mine.add_measured(measured);
  RateQuery query{.network = "bert-base",
                  .phase = Phase::infer,
                  .precision = Precision::bf16,
                  .gpu = "Inferentia2",
                  .batch = 16};
  CHECK(mine.rate(query)->items_per_s == test::approx(1500));
  CHECK(mine.rate(query)->source == Source::measured);
  query.gpu = "T4";
  CHECK(mine.rate(query)->items_per_s == rates().rate(query)->items_per_s);
}

TEST_CASE("neuron: what no figure bears out is refused, with the reason") {
  const CompiledQuestion infer;
  CompiledQuestion train;
  train.phase = Phase::train;
  CHECK(why_not("Inferentia2", "bert-large", infer).empty());
  CHECK(why_not("Trainium", "resnet50", infer).empty());
  CHECK(why_not("Inferentia2", "sdxl", infer).empty());
  CHECK(why_not("Trainium", "bert-base", train).empty());
  CHECK(why_not("Trainium", "vit-b16", train).empty());
  CHECK(why_not("H100", "mobilenet-v2", infer).empty());
  CHECK(why_not("Trainium", "mobilenet-v2", infer).find("grouped") != std::string::npos);
  CHECK(why_not("Trainium", "yolov8n", infer).find("none of what is like") != std::string::npos);
  CHECK_FALSE(why_not("Trainium", "imdb-lstm", infer).empty());
  CHECK_FALSE(why_not("Trainium", "whisper-tiny", infer).empty());
  CHECK_FALSE(why_not("Trainium", "dlrm", infer).empty());
  CHECK_FALSE(why_not("Trainium", "flux-dev", infer).empty());
  CHECK_FALSE(why_not("Trainium", "resnet50", train).empty());
  CHECK(why_not("Inferentia2", "bert-base", train).find("ask of Trainium") != std::string::npos);
  CHECK(why_not("Trainium2", "bert-base", infer).find("data sheet") != std::string::npos);
  auto asked = infer;
  asked.precision = Precision::fp32;
  CHECK(why_not("Trainium", "bert-base", asked).find("--precision bf16") != std::string::npos);
  asked.precision = Precision::fp8;
  CHECK(why_not("Trainium", "bert-base", asked).find("fp8") != std::string::npos);
  asked = infer;
  asked.framework = "TensorRT";
  CHECK(why_not("Trainium", "bert-base", asked).find("PyTorch") != std::string::npos);
  asked = infer;
  asked.phase = Phase::decode;
  CHECK(why_not("Inferentia2", "llama-8b", asked).find("12 or 16 chips") != std::string::npos);
  CHECK_FALSE(why_unread("vLLM", WeightFormat::own, shipped_gpu("Trainium")).empty());
  CHECK_FALSE(rates()
                  .rate({.network = "bert-base",
                         .phase = Phase::infer,
                         .precision = Precision::bf16,
                         .gpu = "Trainium2"})
                  .has_value());
}

TEST_CASE("neuron: chips go by the names that people, clouds and SkyPilot write") {
  for (const auto* name : {"Inferentia2", "inf2", "AWS Inferentia2", "inferentia-2"}) {
    CHECK(canonical_gpu_name(name) == "Inferentia2");
  }
  for (const auto* name : {"Trainium", "trn1", "AWS Trainium", "trainium1", "trn1n"}) {
    CHECK(canonical_gpu_name(name) == "Trainium");
  }
  CHECK(canonical_gpu_name("AWS Trainium 2") == "Trainium2");
  CHECK(canonical_gpu_name("trn2") == "Trainium2");
  CHECK(rates().find("inf1") == nullptr);
  CHECK(rates().find("Trainium3") == nullptr);
  CHECK(toolchain_of_any("trn1") == Toolchain::neuron);
  CHECK_FALSE(runs_compiled_whole("T4"));
  CHECK(of_one_maker(shipped_gpu("Inferentia2"), shipped_gpu("Trainium")));
  CHECK_FALSE(of_one_maker(shipped_gpu("Inferentia2"), shipped_gpu("T4")));
}

TEST_CASE("neuron: chips of a machine have links of their own") {
  const auto links = interconnect_of({}, shipped_gpu("Trainium"), 16, 1);
  CHECK(links.text.starts_with("NeuronLink "));
  CHECK(links.text.ends_with(" GB/s a chip"));
  CHECK(has_no(NodeLink::nvlink, shipped_gpu("Trainium")));
}

TEST_CASE("neuron: a row that is not a rate in bf16 is named") {
  const std::string head =
      "part,network,sequence,phase,precision,gpu,gpus,batch,items_per_s,framework,version,"
      "publisher,source,note\n";
  CHECK_THROWS_WITH(
      parse_neuron_figures(head + "set,bert-base,128,infer,fp32,Trainium,1,2,9,PyTorch,2,AWS,x,\n"),
      doctest::Contains("neuron_rates.csv:2"));
}
