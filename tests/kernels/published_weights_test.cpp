// In which format a checkpoint holds its weights, by what its config.json says.
#include "kernels/networks/published_weights.h"

#include <string>

#include <doctest/doctest.h>

#include "kernels/networks/config_file.h"
#include "kernels/networks/language_models.h"
#include "support/temporary_folder.h"

using namespace rightsize;

namespace {

std::string weights_of(const std::string& quantization) {
  const TemporaryFolder folder;
  return published_weights(
      folder.write("config.json", R"({"quantization_config": )" + quantization + "}"));
}

}  // namespace

TEST_CASE("published weights: as each program that quantises writes them") {
  CHECK(weights_of(R"({"quant_method": "fp8", "weight_block_size": [128, 128]})") == "fp8");
  CHECK(weights_of(R"({"quant_method": "fbgemm_fp8"})") == "fp8");
  CHECK(weights_of(R"({"quant_method": "mxfp4"})") == "mxfp4");
  CHECK(weights_of(R"({"quant_method": "awq", "bits": 4})") == "int4");
  CHECK(weights_of(R"({"quant_method": "gptq", "bits": 8})") == "int8");
  CHECK(weights_of(R"({"quant_method": "modelopt", "quant_algo": "NVFP4"})") == "nvfp4");
  CHECK(weights_of(R"({"quant_method": "modelopt", "quant_algo": "FP8"})") == "fp8");
  const auto packed = [](const std::string& format, const std::string& weights) {
    return weights_of(R"({"quant_method": "compressed-tensors", "format": ")" + format +
                      R"(", "config_groups": {"group_0": {"weights": )" + weights + "}}}");
  };
  CHECK(packed("float-quantized", R"({"num_bits": 8, "type": "float"})") == "fp8");
  CHECK(packed("int-quantized", R"({"num_bits": 8, "type": "int"})") == "int8");
  CHECK(packed("pack-quantized", R"({"num_bits": 4, "type": "int"})") == "int4");
  CHECK(packed("nvfp4-pack-quantized", R"({"num_bits": 4, "type": "float"})") == "nvfp4");
}

TEST_CASE("published weights: what is not read says nothing") {
  CHECK(weights_of(R"({"quant_method": "bitsandbytes", "load_in_4bit": true})").empty());
  CHECK(weights_of(R"({"quant_method": "gptq", "bits": 3})").empty());
  CHECK(weights_of("null").empty());
  CHECK(weights_of("{}").empty());
  CHECK(published_weights("nowhere/config.json").empty());
  CHECK(published_weights("resnet50").empty());
}

// Model cards on huggingface.co: openai/gpt-oss-20b and -120b, deepseek-ai/DeepSeek-V3 and -R1,
// moonshotai/Kimi-K2-Instruct, MiniMaxAI/MiniMax-M2.
TEST_CASE("published weights: those of the table, by name, are in 16 bits but for a few") {
  for (const auto* name : {"deepseek-v3", "deepseek-v3.2", "kimi-k2", "minimax-m2"}) {
    CHECK(published_weights(name) == "fp8");
  }
  for (const auto* name : {"gpt-oss-20b", "gpt-oss-120b"}) {
    CHECK(published_weights(name) == "mxfp4");
  }
  int narrow = 0;
  for (const auto& model : language_models()) {
    narrow += model.weights.empty() ? 0 : 1;
  }
  CHECK(narrow == 6);
}
