// Google's TPUs against what MaxText's pages say of them, and what is not told.
#include "models/laws/tpu.h"

#include <cmath>
#include <map>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "kernels/network.h"
#include "models/calibration_files.h"
#include "models/laws/decode_software.h"
#include "models/laws/interconnect.h"
#include "models/laws/sharded_exchange.h"
#include "models/model.h"
#include "models/shipped_gpu.h"
#include "profiler/quantile.h"
#include "support/approx.h"

using namespace rightsize;
using test::shipped_gpu;

namespace {

const GpuRates& rates() {
  static const auto shipped = test::shipped_rates();
  return shipped;
}

// MaxText's own decoders and GPT-3 are no built-in networks.
std::string network_of(const TpuFigure& figure) {
  const bool built_in = figure.network.starts_with("llama") || figure.network.starts_with("mi") ||
                        figure.network.starts_with("gemma");
  return built_in ? figure.network
                  : std::string(RIGHTSIZE_SOURCE_DIR) + "/tests/models/maxtext/" + figure.network +
                        ".json";
}

// ln(predicted / published) of a slice by the law alone.
double law_error(const TpuFigure& figure) {
  const auto chip = shipped_gpu(figure.gpu);
  const auto network = make_network(network_of(figure), figure.sequence);
  const auto work = gpu_work(network, Phase::train, figure.recompute);
  const double alone = tpu_step_seconds(TpuLaw{}, work, chip, figure.batch, figure.chips);
  const Cluster slice{figure.chips, 1, interconnect_of({}, chip, figure.chips, 1)};
  const double step = sharded_step_seconds(exchange_law_of(chip),
                                           slice,
                                           sharded_blocks(network, Precision::bf16),
                                           figure.recompute,
                                           alone);
  return std::log(figure.batch * figure.sequence / step / figure.tokens_per_s);
}

// Means of errors, by chip and network.
using Errors = std::map<std::string, std::map<std::string, std::vector<double>>>;

const Errors& errors() {
  static const auto all = [] {
    Errors found;
    for (const auto& figure : tpu_figures()) {
      found[figure.gpu][figure.network].push_back(law_error(figure));
    }
    return found;
  }();
  return all;
}

double mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) {
    sum += value;
  }
  return sum / static_cast<double>(values.size());
}

// Of a chip's figures of other networks.
double error_without(const std::string& gpu, const std::string& network) {
  std::vector<double> means;
  for (const auto& [other, values] : errors().at(gpu)) {
    if (other != network) {
      means.push_back(mean(values));
    }
  }
  return mean(means);
}

RateQuery query_of(const TpuFigure& figure, const std::string& network) {
  return {.network = network,
          .phase = Phase::train,
          .precision = Precision::bf16,
          .gpu = figure.gpu,
          .batch = figure.batch,
          .sequence = figure.sequence,
          .recompute = figure.recompute,
          .shards = figure.chips,
          .gathers = true};
}

std::string why_not(const std::string& gpu, const std::string& network, CompiledQuestion asked) {
  return why_not_compiled(shipped_gpu(gpu), make_network(network), asked);
}

CompiledQuestion training() {
  CompiledQuestion asked;
  asked.phase = Phase::train;
  asked.writes = true;
  asked.sharded = true;
  asked.chips = 8;
  return asked;
}

}  // namespace

TEST_CASE("tpu: the law of v6e, asked blind of other networks and of chips before it") {
  std::vector<double> there;
  std::vector<double> before;
  for (const auto& figure : tpu_figures()) {
    const double error = law_error(figure);
    INFO(figure.network, " ", figure.gpu, " ", figure.chips, ": ", error);
    if (figure.part == "set") {
      CHECK(std::abs(error) < 0.06);
    } else {
      CHECK(std::abs(error) < 0.4);
      (figure.gpu == "TPU-v6e" ? there : before).push_back(std::abs(error));
    }
  }
  MESSAGE("blind on v6e: ",
          there.size(),
          ", median ",
          quantile(there, 0.5),
          ", P90 ",
          quantile(there, 0.9));
  MESSAGE("blind before: ",
          before.size(),
          ", median ",
          quantile(before, 0.5),
          ", P90 ",
          quantile(before, 0.9));
  CHECK(quantile(there, 0.5) < 0.12);
  CHECK(quantile(before, 0.5) < 0.2);
}

TEST_CASE("tpu: figures of a network are met within the interval that the others give") {
  int asked = 0;
  int inside = 0;
  std::vector<double> off;
  for (const auto& figure : tpu_figures()) {
    if (figure.part == "set") {
      continue;
    }
    const auto network = network_of(figure);
    auto query = query_of(figure, network);
    query.excluding_network = network;
    const auto rate = rates().rate(query).value();
    const bool of_v6e = figure.gpu == "TPU-v6e";
    const double carried = of_v6e ? 0 : -error_without(figure.gpu, figure.network);
    const double error = law_error(figure) + carried;
    INFO(figure.network, " ", figure.gpu, ": ", error, " of ", rate.log_sd);
    CHECK(std::abs(error) < 2.2 * rate.log_sd);
    off.push_back(std::abs(error));
    ++asked;
    inside += std::abs(error) <= 1.645 * rate.log_sd ? 1 : 0;
  }
  MESSAGE("left out: ",
          asked,
          ", inside ",
          inside,
          ", median ",
          quantile(off, 0.5),
          ", P90 ",
          quantile(off, 0.9));
  CHECK(inside >= 0.9 * asked);
  CHECK(quantile(off, 0.5) < 0.12);
}

TEST_CASE("tpu: what a chip's figures are off the law by is what their rows say") {
  for (const auto& [gpu, networks] : errors()) {
    if (gpu == "TPU-v6e") {
      continue;
    }
    CAPTURE(gpu);
    const auto query = RateQuery{.network = "llama-2-7b",
                                 .phase = Phase::train,
                                 .precision = Precision::bf16,
                                 .gpu = gpu,
                                 .batch = 4,
                                 .sequence = 4096};
    const auto work = gpu_work(make_network("llama-2-7b", 4096), Phase::train);
    const double law = 4 / tpu_step_seconds(TpuLaw{}, work, shipped_gpu(gpu), 4);
    CHECK(std::log(rates().rate(query)->items_per_s / law) ==
          test::approx(-error_without(gpu, "")).epsilon(0.05));
  }
}

TEST_CASE("tpu: small models and mixtures are told with wider intervals") {
  RateQuery query{.network = "mistral-7b",
                  .phase = Phase::train,
                  .precision = Precision::bf16,
                  .gpu = "TPU-v5p",
                  .batch = 4,
                  .sequence = 2048};
  const double usual = rates().rate(query)->log_sd;
  query.network = "mixtral-8x7b";
  CHECK(rates().rate(query)->log_sd > usual);
  query.network = "gpt2";
  query.sequence = 1024;
  CHECK(rates().rate(query)->log_sd > usual);
}

TEST_CASE("tpu: what no figure bears out is refused, with the reason") {
  const auto train = training();
  CHECK(why_not("TPU-v6e", "llama-8b", train).empty());
  CHECK(why_not("TPU-v5p", "mixtral-8x7b", train).empty());
  auto asked = train;
  asked.phase = Phase::decode;
  CHECK(why_not("TPU-v6e", "llama-8b", asked).find("one network") != std::string::npos);
  asked.phase = Phase::infer;
  CHECK_FALSE(why_not("TPU-v5e", "llama-8b", asked).empty());
  asked = train;
  asked.writes = false;
  CHECK(why_not("TPU-v6e", "resnet50", asked).find("none that are like") != std::string::npos);
  CHECK_FALSE(why_not("TPU-v6e", "bert-base", asked).empty());
  asked = train;
  CHECK_FALSE(why_not("TPU-v6e", "whisper-tiny", asked).empty());
  asked.precision = Precision::fp32;
  CHECK(why_not("TPU-v6e", "llama-8b", asked).find("--precision bf16") != std::string::npos);
  asked.precision = Precision::fp8;
  CHECK(why_not("TPU-v6e", "llama-8b", asked).find("fp8") != std::string::npos);
  asked = train;
  asked.framework = "PyTorch";
  CHECK(why_not("TPU-v6e", "llama-8b", asked).find("say JAX") != std::string::npos);
  asked.framework = "JAX (MaxText)";
  CHECK(why_not("TPU-v6e", "llama-8b", asked).empty());
  asked = train;
  asked.adapters = true;
  CHECK(why_not("TPU-v6e", "llama-8b", asked).find("adapters") != std::string::npos);
  asked = train;
  asked.eight_bit = true;
  CHECK(why_not("TPU-v6e", "llama-8b", asked).find("8 bits") != std::string::npos);
  asked = train;
  asked.shared = true;
  CHECK(why_not("TPU-v6e", "llama-8b", asked).find("--exchange sharded") != std::string::npos);
  asked = train;
  asked.nodes = 2;
  CHECK(why_not("TPU-v6e", "llama-8b", asked).find("gpu=TPU-v6e:16") != std::string::npos);
  asked.nodes = 1;
  asked.chips = 512;
  CHECK(why_not("TPU-v6e", "llama-8b", asked).find("256 chips") != std::string::npos);
  CHECK(why_not("TPU-v5p", "llama-8b", asked).empty());
  asked.chips = 3;
  CHECK(why_not("TPU-v6e", "llama-8b", asked).find("the nearest have 1 and 4") !=
        std::string::npos);
  asked.chips = 2;
  CHECK(why_not("TPU-v5p", "llama-8b", asked).find("gpu=TPU-v5p:4") != std::string::npos);
  CHECK_FALSE(why_unread("vLLM", WeightFormat::own, shipped_gpu("TPU-v6e")).empty());
}

TEST_CASE("tpu: what a figure did was done with smaller batches, and on more chips") {
  const auto v6e = shipped_gpu("TPU-v6e");
  RateQuery query{.network = "llama-8b",
                  .phase = Phase::train,
                  .precision = Precision::bf16,
                  .gpu = "TPU-v6e",
                  .batch = 3,
                  .sequence = 8192,
                  .recompute = true,
                  .shards = 8};
  CHECK(was_done_on_tpu(query, v6e));
  query.batch = 2;
  query.shards = 128;
  CHECK(was_done_on_tpu(query, v6e));
  query.batch = 4;
  query.shards = 8;
  CHECK_FALSE(was_done_on_tpu(query, v6e));
  query.batch = 3;
  query.shards = 4;
  CHECK_FALSE(was_done_on_tpu(query, v6e));
  query.shards = 8;
  query.sequence = 16384;
  CHECK_FALSE(was_done_on_tpu(query, v6e));
  query.sequence = 8192;
  CHECK_FALSE(was_done_on_tpu(query, shipped_gpu("TPU-v5p")));
}

TEST_CASE("tpu: a row that is not a rate of training in bf16 is named") {
  const std::string head =
      "part,network,sequence,phase,precision,gpu,chips,batch,recompute,tokens_per_s_chip,software,"
      "source,note\n";
  CHECK_THROWS_WITH(
      parse_tpu_figures(head + "set,llama-8b,8192,train,fp8,TPU-v6e,8,3,blocks,9,MaxText,x,\n"),
      doctest::Contains("tpu_rates.csv:2"));
}
