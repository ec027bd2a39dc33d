// The command networks: the list of them, and what is said of one.
#include <boost/json.hpp>
#include <doctest/doctest.h>

#include "advisor/cli/command.h"
#include "support/program.h"
#include "support/temporary_folder.h"

using namespace rightsize;
using test::run;

TEST_CASE("cli: networks lists ResNet-50 and AlexNet with their published sizes") {
  const auto result = run({"networks"});
  CHECK(result.out.find("25.56 M") != std::string::npos);
  CHECK(result.out.find("60.97 M") != std::string::npos);
  CHECK(run({"networks", "-o", "names"}).out.find("resnet50\n") != std::string::npos);
  CHECK_NOTHROW(static_cast<void>(boost::json::parse(run({"networks", "-o", "json"}).out)));
}

TEST_CASE("cli: networks by name and by file, with what of a file is not read") {
  const TemporaryFolder folder;
  const auto path = folder.write("config.json", R"({
    "model_type": "llama", "hidden_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4,
    "intermediate_size": 128, "vocab_size": 100, "max_position_embeddings": 512,
    "quantization_config": {"bits": 4}})");
  CHECK(run({"networks", "vgg16", path, "-o", "names"}).out == "vgg16\n" + path + "\n");
  CHECK(run({"networks", path})
            .out.find("the format that its quantization_config names is not read") !=
        std::string::npos);
  const auto listed = boost::json::parse(run({"networks", path, "vgg16", "-o", "json"}).out);
  CHECK(listed.as_array().at(0).at("notes").as_array().size() == 1);
  CHECK(listed.as_array().at(1).at("notes").as_array().empty());
}

TEST_CASE("cli: networks --onnx accounts for a file and fails where it cannot run") {
  const std::string data = std::string(RIGHTSIZE_SOURCE_DIR) + "/tests/data/onnx/";
  const auto good = run({"networks", "--onnx", data + "Linear/model.onnx"});
  CHECK(good.code == cli::exit_ok);
  CHECK(good.out.find("3 layers") != std::string::npos);
  CHECK(good.out.find("by pytorch 0.3") != std::string::npos);
  const auto bad = run({"networks", "--onnx", data + "ConvTranspose2d/model.onnx"});
  CHECK(bad.code == cli::exit_failed);
  CHECK(bad.out.find("cannot be run") != std::string::npos);
  CHECK(bad.out.find("100.0 %") != std::string::npos);
  const auto as_json =
      run({"networks", "--onnx", data + "ConvTranspose2d/model.onnx", "-o", "json"});
  const auto document = boost::json::parse(as_json.out).as_object();
  CHECK(document.at("schema").as_string() == "rightsize/onnx/1");
  CHECK_FALSE(document.at("runnable").as_bool());
  CHECK(document.at("unsupported").as_array().size() == 1);
  CHECK(run({"networks", "--onnx", data + "README.md"}).err.find("not an ONNX file") !=
        std::string::npos);
}

TEST_CASE("cli: gpus NAME has its figures with their lengths, in every form that programs read") {
  const auto csv = run({"gpus", "L4", "-o", "csv"});
  CHECK(csv.out.starts_with("network,tokens,phase,precision,batch"));
  CHECK(csv.out.find("bert-base,384,infer,fp16,1,478") != std::string::npos);
  CHECK(csv.out.find("arch") == std::string::npos);
  const auto json = run({"gpus", "L4", "-o", "json"});
  CHECK(json.out.starts_with("{\"gpu\": ["));
  CHECK(json.out.find("\"figures\": [") != std::string::npos);
  CHECK(run({"gpus", "-o", "csv"}).out.starts_with("gpu,arch"));
}
