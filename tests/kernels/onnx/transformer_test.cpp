// Transformers as PyTorch's exporter writes them (tests/data/onnx/export_transformers.py), against
// what PyTorch computed.
#include <algorithm>

#include <doctest/doctest.h>

#include "kernels/work.h"
#include "support/onnx_file.h"
#include "support/tiny_batch.h"

namespace {

using namespace rightsize;

const std::string data = std::string(RIGHTSIZE_SOURCE_DIR) + "/tests/data/onnx/";
constexpr double tolerance = 1e-5;

OnnxModel loaded(const std::string& name, int sequence = 0) {
  auto model = load_onnx(data + name + "/model.onnx", sequence);
  REQUIRE_MESSAGE(model.network, model.report.reason());
  return model;
}

std::vector<std::int32_t> tokens_of(const std::string& name) {
  const auto tensor = test::read_tensor_file(data + name + "/input_0.pb");
  return {tensor.ints.begin(), tensor.ints.end()};
}

std::vector<float> expected_of(const std::string& name) {
  return test::read_tensor_file(data + name + "/output_0.pb").floats;
}

int count(const Network& network, LayerKind kind) {
  return static_cast<int>(std::count_if(network.layers.begin(),
                                        network.layers.end(),
                                        [&](const Layer& l) { return l.kind == kind; }));
}

}  // namespace

TEST_CASE("onnx: a BERT classifier with separate projections and an open length") {
  const auto model = loaded("bert", 9);
  const auto& network = *model.network;
  CHECK(network.reads_tokens());
  CHECK(network.input == FeatureShape{1, 9, 1});
  CHECK(network.vocabulary == 50);
  CHECK(network.classes == 4);
  CHECK(network.optimizer == Optimizer::adam);
  CHECK(count(network, LayerKind::attention) == 2);
  CHECK(count(network, LayerKind::linear) == 2 * 4);  // queries, keys and values are one
  CHECK(count(network, LayerKind::layer_norm) == 5);
  CHECK(count(network, LayerKind::add) == 4);
  CHECK(model.report.notes.size() == 2);  // the mask and the kinds of tokens are assumed
  CHECK(test::relative_error(test::infer_tokens(model, tokens_of("bert")), expected_of("bert")) <
        tolerance);
  const auto usual = load_onnx(data + "bert/model.onnx");  // 128 tokens, and it has 16 positions
  CHECK(usual.report.reason().find("16 learned positions for a sequence of 128") !=
        std::string::npos);
  CHECK(usual.report.notes.size() == 3);
}

TEST_CASE("onnx: a GPT-2 with joined projections, a causal mask and a tied head") {
  const auto model = loaded("gpt2");
  const auto& network = *model.network;
  CHECK(count(network, LayerKind::attention) == 2);
  const auto attention =
      std::find_if(network.layers.begin(), network.layers.end(), [](const Layer& l) {
        return l.kind == LayerKind::attention;
      });
  CHECK(attention->causal);
  CHECK(attention->heads == 2);
  CHECK(network.labels_per_item() == 9);
  CHECK(network.layers[static_cast<std::size_t>(network.layers.back().inputs[0])].tied_to >= 0);
  CHECK(test::relative_error(test::infer_tokens(model, tokens_of("gpt2")), expected_of("gpt2")) <
        tolerance);
}

TEST_CASE("onnx: a vision transformer with a class token and one projection for all three") {
  const auto model = loaded("vit");
  const auto& network = *model.network;
  CHECK(count(network, LayerKind::class_token) == 1);
  CHECK(count(network, LayerKind::position_embedding) == 1);
  CHECK(count(network, LayerKind::attention) == 2);
  const auto images = test::read_tensor_file(data + "vit/input_0.pb");
  CHECK(test::relative_error(test::infer(model, images.floats), expected_of("vit")) < tolerance);
}

TEST_CASE("onnx: PyTorch's own attention, positions in front of the batch") {
  const auto model = loaded("torch_encoder");
  CHECK(count(*model.network, LayerKind::attention) == 1);
  CHECK(count(*model.network, LayerKind::global_average_pool) == 1);
  CHECK(test::relative_error(test::infer_tokens(model, tokens_of("torch_encoder")),
                             expected_of("torch_encoder")) < tolerance);
}

TEST_CASE("onnx: a batch that the file fixes runs through every view") {
  const auto bert = loaded("bert_fixed");
  CHECK(test::relative_error(test::infer_tokens(bert, tokens_of("bert_fixed")),
                             expected_of("bert_fixed")) < tolerance);
  const auto vit = loaded("vit_fixed");
  const auto images = test::read_tensor_file(data + "vit_fixed/input_0.pb");
  CHECK(test::relative_error(test::infer(vit, images.floats), expected_of("vit_fixed")) <
        tolerance);
}

TEST_CASE("onnx: transformers are trained from the file's weights") {
  for (const auto* name : {"bert", "gpt2", "llama"}) {
    CAPTURE(name);
    const auto model = loaded(name, std::string(name) == "gpt2" ? 0 : 9);
    EngineOptions options;
    options.batch = 8;
    options.threads = 1;
    options.learning_rate = 0.02F;
    const auto engine = make_engine(EngineKind::cpu, *model.network, options);
    engine->load_parameters(model.parameters);
    const auto batch = test::noise_batch(*model.network, 8);
    const auto first = *engine->step(batch.view()).loss;
    double last = first;
    for (int i = 0; i < 60; ++i) {
      last = *engine->step(batch.view()).loss;
    }
    CHECK(last < 0.5 * first);
  }
}

TEST_CASE("onnx: a Llama with rotary positions, shared key-value heads, RMSNorm and SwiGLU") {
  const auto model = loaded("llama", 9);
  const auto& network = *model.network;
  CHECK(count(network, LayerKind::rms_norm) == 5);
  CHECK(count(network, LayerKind::attention) == 2);
  CHECK(count(network, LayerKind::linear) == 2 * 5 + 1);  // queries, keys and values are one
  const auto attention =
      std::find_if(network.layers.begin(), network.layers.end(), [](const Layer& l) {
        return l.kind == LayerKind::attention;
      });
  CHECK(attention->causal);
  CHECK(attention->heads == 4);
  CHECK(attention->kv_heads == 2);
  CHECK(attention->head_dim == 6);
  CHECK(attention->rotary_base == 10'000);
  CHECK(network.labels_per_item() == 9);
  CHECK(test::relative_error(test::infer_tokens(model, tokens_of("llama")), expected_of("llama")) <
        tolerance);
}

TEST_CASE("onnx: a Llama of a fixed batch, a head for a head, and its own base") {
  const auto model = loaded("llama_fixed");
  const auto& layers = model.network->layers;
  const auto attention = std::find_if(
      layers.begin(), layers.end(), [](const Layer& l) { return l.kind == LayerKind::attention; });
  REQUIRE(attention != layers.end());
  CHECK(attention->kv_heads == 2);
  CHECK(attention->rotary_base == 500'000);
  CHECK(test::relative_error(test::infer_tokens(model, tokens_of("llama_fixed")),
                             expected_of("llama_fixed")) < tolerance);
}

TEST_CASE("onnx: cross attention is refused, with its share of the work") {
  const auto model = load_onnx(data + "cross_attention/model.onnx");
  CHECK_FALSE(model.network);
  CHECK(model.report.reason().find("queries, keys and values that come from different tensors") !=
        std::string::npos);
  REQUIRE_FALSE(model.report.unsupported.empty());
  CHECK(model.report.unsupported[0].flops.value_or(0) > 0);
}

TEST_CASE("onnx: a length is refused where the file fixes it") {
  CHECK_THROWS_WITH_AS(static_cast<void>(load_onnx(data + "gpt2/model.onnx", 5)),
                       doctest::Contains("the file fixes its input"),
                       onnx::OnnxError);
}
