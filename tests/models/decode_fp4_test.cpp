// Weights in 4-bit floats: what holds them, what multiplies them, and what was published of them.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "figures/decode_figures.h"
#include "kernels/work.h"
#include "models/calibration_files.h"
#include "models/laws/decode_software.h"
#include "models/shipped_gpu.h"
#include "support/approx.h"

using namespace rightsize;
using test::shipped_gpu;

namespace {

constexpr DecodeForm own{.precision = Precision::bf16};
constexpr DecodeForm fp4{.precision = Precision::bf16, .weights = WeightFormat::nvfp4};
constexpr DecodeForm mxfp4{.precision = Precision::bf16, .weights = WeightFormat::mxfp4};
constexpr DecodeForm int4{.precision = Precision::bf16, .weights = WeightFormat::int4};

}  // namespace

TEST_CASE("fp4: two formats, by how many numbers share a scale") {
  CHECK(parse_weight_format("fp4") == WeightFormat::nvfp4);
  for (const auto format : {WeightFormat::nvfp4, WeightFormat::mxfp4}) {
    CHECK(parse_weight_format(to_string(format)) == format);
    CHECK(is_fp4(format));
  }
  CHECK_FALSE(is_fp4(WeightFormat::int4));
  CHECK(weight_bytes(fp4) == test::approx(4.5 / 8));     // 16 numbers of 4 bits share one of 8
  CHECK(weight_bytes(mxfp4) == test::approx(4.25 / 8));  // 32 do
}

TEST_CASE(
    "fp4: multiplied by Blackwell and CDNA4, widened by Ampere to Hopper, held by none before") {
  CHECK(multiplies_fp4(fp4, shipped_gpu("B200")));
  CHECK(multiplies_fp4(fp4, shipped_gpu("RTX-PRO-6000")));
  CHECK(multiplies_fp4(mxfp4, shipped_gpu("MI355X")));
  CHECK(multiplies_fp4(mxfp4, shipped_gpu("B200")));
  CHECK_FALSE(multiplies_fp4(fp4, shipped_gpu("MI355X")));
  CHECK_FALSE(multiplies_fp4(fp4, shipped_gpu("H100")));
  CHECK_FALSE(multiplies_fp4(int4, shipped_gpu("B200")));
  CHECK(widens(fp4, shipped_gpu("H100")));
  CHECK_FALSE(widens(fp4, shipped_gpu("B200")));
  CHECK(can_widen_fp4(WeightFormat::nvfp4, shipped_gpu("A100")));
  CHECK(can_widen_fp4(WeightFormat::mxfp4, shipped_gpu("MI300X")));
  CHECK_FALSE(can_widen_fp4(WeightFormat::nvfp4, shipped_gpu("MI300X")));
  CHECK_FALSE(can_widen_fp4(WeightFormat::nvfp4, shipped_gpu("T4")));
  CHECK_FALSE(can_widen_fp4(WeightFormat::mxfp4, shipped_gpu("MI250")));
  const auto b200 = decode_gpu(shipped_gpu("B200"), fp4);
  CHECK(std::isinf(b200.most_weight_bytes_per_s));
  CHECK(b200.flops_per_s > decode_gpu(shipped_gpu("B200"), own).flops_per_s);
  const auto h100 = decode_gpu(shipped_gpu("H100"), fp4);
  CHECK(std::isfinite(h100.most_weight_bytes_per_s));
  CHECK(h100.flops_per_s == decode_gpu(shipped_gpu("H100"), own).flops_per_s);
}

TEST_CASE("fp4: of mixtures experts alone, of others all but the head, as checkpoints have it") {
  const DecodeLoad load{0, 512, 128};
  const auto dense = make_network("llama-8b");
  CHECK(decode_work(dense, fp4, load).weight_bytes == decode_work(dense, int4, load).weight_bytes);
  const auto mixture = make_network("mixtral-8x7b");
  const auto narrow = decode_work(mixture, fp4, load);
  const auto wide = decode_work(mixture, own, load);
  CHECK(narrow.attention_bytes == wide.attention_bytes);
  CHECK(narrow.expert_bytes == test::approx(wide.expert_bytes * 4.5 / 16));
  CHECK(decode_work(mixture, int4, load).attention_bytes < wide.attention_bytes);
  CHECK(narrow.weight_bytes - narrow.expert_bytes ==
        test::approx(wide.weight_bytes - wide.expert_bytes));
  // openai/gpt-oss-120b is 60.8 GiB in its own MXFP4 (huggingface.co, "model card").
  const auto gpt = make_network(std::string(RIGHTSIZE_SOURCE_DIR) +
                                "/models/calibration/networks/gpt-oss-120b.json");
  CHECK(decode_work(gpt, mxfp4, load).weight_bytes / 0x1p30 == test::approx(60.8).epsilon(0.02));
}

TEST_CASE("fp4: what reads it, and what reads no other narrow weights") {
  const auto why = [](const char* software, WeightFormat weights, const char* name) {
    return why_unread(software, weights, shipped_gpu(name));
  };
  CHECK(why("vLLM", WeightFormat::nvfp4, "B200").empty());
  CHECK(why("", WeightFormat::mxfp4, "H100").empty());
  CHECK(why("llama.cpp", WeightFormat::mxfp4, "V100").empty());
  CHECK(why("vLLM", WeightFormat::mxfp4, "V100").starts_with("no program but llama.cpp is known"));
  CHECK(why("vLLM", WeightFormat::mxfp4, "V100").ends_with("on Volta GPUs; int4 is read there"));
  CHECK(why("vLLM", WeightFormat::nvfp4, "MI300X").ends_with("; mxfp4 is read there"));
  CHECK(why("TGI", WeightFormat::nvfp4, "B200") == "TGI is not known to read nvfp4 weights");
  CHECK(why("AutoAWQ", WeightFormat::fp8, "B200") == "AutoAWQ is not known to read fp8 weights");
  CHECK(why("AutoAWQ", WeightFormat::int4, "B200").empty());
  CHECK(why("gpt-fast", WeightFormat::int8, "B200").empty());
  CHECK(why("TensorRT-LLM", WeightFormat::mxfp4, "MI250") ==
        "TensorRT-LLM does not run on AMD's GPUs");
}

TEST_CASE("fp4: dense networks' published rates on Blackwell are met, and FP8's beside them") {
  const auto figures = parse_decode_figures(test::calibration_text("decode_fp4.csv"));
  const auto networks =
      networks_of(figures, std::string(RIGHTSIZE_SOURCE_DIR) + "/models/calibration/networks");
  std::vector<double> four_bits;
  std::vector<double> eight_bits;
  for (const auto& figure : figures) {
    const auto& network = networks.at(figure.network);
    if (has_experts(network) || !figure.source.starts_with("NVIDIA")) {
      continue;
    }
    const auto predicted = predicted_tokens_per_s(figure, network, shipped_gpu(figure.gpu));
    REQUIRE(predicted);
    auto& errors = is_fp4(figure.form.weights) ? four_bits : eight_bits;
    errors.push_back(std::abs(std::log(*predicted / figure.tokens_per_s)));
  }
  for (auto* errors : {&four_bits, &eight_bits}) {
    REQUIRE(errors->size() >= 10);
    std::sort(errors->begin(), errors->end());
    CHECK((*errors)[errors->size() / 2] < 0.12);
    CHECK(errors->back() < 0.3);
  }
}
