#include "kernels/network.h"

#include <algorithm>
#include <set>
#include <string>

#include <doctest/doctest.h>

#include "kernels/engine.h"
#include "kernels/networks/builder.h"
#include "kernels/networks/near_name.h"
#include "kernels/work.h"

using namespace rightsize;

TEST_CASE("network: layers are in topological order with unique names, input first, loss last") {
  for (const auto& info : builtin_networks()) {
    const auto network = info.make(info.sequence);
    CAPTURE(network.name);
    CHECK(network.name == info.name);
    CHECK(network.title == info.title);
    CHECK(network.layers.front().kind == LayerKind::input);
    CHECK(network.layers.back().kind == LayerKind::softmax_loss);
    std::set<std::string> names;
    std::set<int> read;
    for (int i = 0; i < static_cast<int>(network.layers.size()); ++i) {
      const auto& layer = network.layers[static_cast<std::size_t>(i)];
      CHECK(names.insert(layer.name).second);
      CHECK(layer.inputs.empty() == (i == 0));
      for (const int input : layer.inputs) {
        CHECK(input < i);
        read.insert(input);
      }
    }
    CHECK(read.size() == network.layers.size() - 1);  // nothing but the loss is left unread
  }
}

TEST_CASE("network: shapes agree along every edge") {
  for (const auto& info : builtin_networks()) {
    const auto network = info.make(info.sequence);
    for (const auto& layer : network.layers) {
      CAPTURE(layer.name);
      CHECK(layer.out.elements() > 0);
      for (const int index : layer.inputs) {
        const auto& in = network.layers[static_cast<std::size_t>(index)].out;
        switch (layer.kind) {
          case LayerKind::convolution:
            CHECK(in.c % layer.groups == 0);
            CHECK(layer.out.c % layer.groups == 0);
            [[fallthrough]];
          case LayerKind::max_pool:
          case LayerKind::average_pool:
            CHECK(layer.out.h ==
                  (in.h + 2 * layer.pad_h + layer.more_pad_h - layer.kernel_h) / layer.stride_h +
                      1);
            CHECK(layer.out.w ==
                  (in.w + 2 * layer.pad_w + layer.more_pad_w - layer.kernel_w) / layer.stride_w +
                      1);
            break;
          case LayerKind::concat:
            CHECK(layer.out.h == in.h);
            CHECK(layer.out.w == in.w);
            CHECK(layer.out.c > in.c);
            break;
          case LayerKind::take_channels:
            CHECK(layer.out == FeatureShape{layer.out.c, in.h, in.w});
            CHECK(layer.first_channel + layer.out.c <= in.c);
            break;
          case LayerKind::fully_connected:
            CHECK(layer.out.h * layer.out.w == 1);
            break;
          case LayerKind::global_average_pool:
            CHECK(layer.out == FeatureShape{in.c, 1, 1});
            break;
          case LayerKind::to_sequence:
            CHECK(layer.out == FeatureShape{in.c, in.h * in.w, 1});
            break;
          case LayerKind::to_image:
            CHECK(layer.out.c == in.c);
            CHECK(layer.out.positions() == in.h);
            break;
          case LayerKind::class_token:
            CHECK(layer.out == FeatureShape{in.c, in.h + 1, 1});
            break;
          case LayerKind::take_position:
            CHECK(layer.out == FeatureShape{in.c, 1, 1});
            break;
          case LayerKind::attention:
            if (layer.keys > 0) {  // queries, and the keys and values of another sequence
              CHECK((in == layer.out || in == FeatureShape{2 * layer.out.c, layer.keys, 1}));
              break;
            }
            CHECK(in.c == (layer.heads + 2 * layer.kv_heads) * layer.head_dim);
            CHECK(layer.out == FeatureShape{layer.heads * layer.head_dim, in.h, 1});
            break;
          case LayerKind::gated_silu:
            CHECK(layer.out == FeatureShape{in.c / 2, in.h, 1});
            break;
          case LayerKind::lstm:
            CHECK(layer.out.c == (layer.bidirectional ? 2 : 1) * layer.hidden);
            [[fallthrough]];
          case LayerKind::embedding:
          case LayerKind::one_hot:
          case LayerKind::linear:
            CHECK(layer.out == FeatureShape{layer.out.c, in.h, 1});
            break;
          case LayerKind::experts:  // rows, and a score for each expert and gate
            CHECK(in.h == layer.out.h);
            CHECK((in == layer.out || in.c == layer.experts || in.c == layer.experts + 1));
            break;
          case LayerKind::multiply:  // each channel by one number, or element by element
            CHECK((in == layer.out || in == FeatureShape{layer.out.c, 1, 1}));
            break;
          default:
            CHECK(layer.out == in);
        }
      }
    }
  }
}

TEST_CASE("network: ResNet-50 has 16 residual sums and strides in its 3x3 convolutions (v1.5)") {
  const auto network = make_network("resnet50");
  const auto sums = std::count_if(network.layers.begin(), network.layers.end(), [](const Layer& l) {
    return l.kind == LayerKind::add && l.inputs.size() == 2;
  });
  CHECK(sums == 16);
  for (const auto& layer : network.layers) {
    const bool projection = layer.name.ends_with("_1");
    if (layer.kind == LayerKind::convolution && layer.stride_h == 2 && !projection) {
      CHECK(layer.kernel_h > 1);
    }
  }
}

TEST_CASE("network: networks for images have the sizes of their papers' tables") {
  const auto shape_of = [](const char* network_name, const char* layer_name) {
    const auto network = make_network(network_name);
    const auto found = std::find_if(network.layers.begin(),
                                    network.layers.end(),
                                    [&](const Layer& l) { return l.name == layer_name; });
    REQUIRE(found != network.layers.end());
    return found->out;
  };
  CHECK(shape_of("googlenet", "pool1") == FeatureShape{64, 56, 56});
  CHECK(shape_of("googlenet", "inception_3b_output") == FeatureShape{480, 28, 28});
  CHECK(shape_of("googlenet", "inception_4e_output") == FeatureShape{832, 14, 14});
  CHECK(shape_of("googlenet", "inception_5b_output") == FeatureShape{1024, 7, 7});
  CHECK(shape_of("inception-v3", "stem_max_2") == FeatureShape{192, 35, 35});
  CHECK(shape_of("inception-v3", "mixed_5d_output") == FeatureShape{288, 35, 35});
  CHECK(shape_of("inception-v3", "mixed_6e_output") == FeatureShape{768, 17, 17});
  CHECK(shape_of("inception-v3", "mixed_7c_output") == FeatureShape{2048, 8, 8});
  CHECK(shape_of("mobilenet-v2", "block17_project") == FeatureShape{320, 7, 7});
  CHECK(shape_of("mobilenet-v3-large", "block15_project") == FeatureShape{160, 7, 7});
  CHECK(shape_of("efficientnet-b0", "block16_project") == FeatureShape{320, 7, 7});
  CHECK(shape_of("efficientnet-b7", "block55_project") == FeatureShape{640, 19, 19});
  CHECK(shape_of("efficientnet-v2-s", "block40_project") == FeatureShape{256, 12, 12});
  CHECK(shape_of("convnext-base", "stage4_3_sum") == FeatureShape{1024, 7, 7});
  CHECK(shape_of("densenet121", "dense4_16_output") == FeatureShape{1024, 7, 7});
  CHECK(shape_of("regnety-160", "stage4_1_sum") == FeatureShape{3024, 7, 7});
  CHECK(shape_of("inception-bn-28-small", "in5b_output") == FeatureShape{336, 7, 7});
}

TEST_CASE("network: an unknown name is answered with the nearest one") {
  CHECK_THROWS_WITH_AS(static_cast<void>(make_network("resnet5")),
                       doctest::Contains("Did you mean \"resnet50\"?"),
                       UnknownNetwork);
  CHECK_THROWS_WITH_AS(static_cast<void>(make_network("AlexNet")),
                       doctest::Contains("Did you mean \"alexnet\"?"),
                       UnknownNetwork);
  CHECK_THROWS_WITH_AS(static_cast<void>(make_network("transformer")),
                       doctest::Contains("\"transformer\". `rightsize networks` lists"),
                       UnknownNetwork);
}

TEST_CASE("network: of a size that is unknown its sisters are named") {
  const auto said = [](std::string_view name) {
    try {
      static_cast<void>(make_network(name));
    } catch (const UnknownNetwork& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  CHECK(said("meta-llama/Llama-9-13b")
            .find("llama-160m, llama-1b, llama-8b, llama-70b, llama-2-7b,") != std::string::npos);
  CHECK(said("MobileNet-v1")
            .find("family there are mobilenet-v2, mobilenet-v3-large, "
                  "mobilenet-v3-small, mobilenet-v4-small,") != std::string::npos);
  CHECK(said("facebook/opt-175b").find("family there are opt-125m,") != std::string::npos);
  CHECK(said("tacotron2").find("Of that family") == std::string::npos);
  CHECK(said("yolo").find("family there are yolov5n,") != std::string::npos);
  CHECK(said("yolo").find("yolo26x,") != std::string::npos);
  CHECK(said("yolo").find(" more.") != std::string::npos);
  CHECK(said("yolov8-nano").find("family there are yolov8n-cls, yolov8s-cls,") !=
        std::string::npos);
  CHECK(said("yolov8-nano").find("yolo11n") == std::string::npos);
  CHECK(said("mobilenetv4_conv_blur").find("family there are mobilenet-v4-small,") !=
        std::string::npos);
  CHECK(said("tiny_vit_33m").find("family there are tinyvit-5m,") != std::string::npos);
  CHECK(said("tiny_vit_33m").find("tinyllama") == std::string::npos);
  CHECK(said("coatnet_nano_cc").find("family there are coatnet-0,") != std::string::npos);
  CHECK(said("tiny_nothing").find("Of that family") == std::string::npos);
}

TEST_CASE("network: of what none here is, what does as much work is told") {
  CHECK_THROWS_WITH_AS(static_cast<void>(make_network("microsoft/deberta-base")),
                       doctest::Contains("deberta-v3-base"),
                       UnknownNetwork);
  CHECK(nearest_in_work("optimus").empty());
  CHECK(nearest_in_work("facebook/opt-175b").empty());
}

TEST_CASE(
    "network: what a hub calls a network is ours by its words, unless it is of another size") {
  const auto near = [](std::string_view name) { return near_network(name, network_titles()); };
  // A size is no slip.
  for (const auto* other : {"llama-13b", "meta-llama/Llama-9-7b", "llama-7b"}) {
    CHECK(near(other).empty());
  }
  CHECK(near("meta-llama/Llama-3.1-8B") == "llama-8b");
  CHECK(near("meta-llama/Llama-3.1-405B-FP8") == "llama-405b");
  CHECK(near("meta-llama/Meta-Llama-3-70B-Instruct") == "llama-70b");
  CHECK(near("mistralai/Mixtral-8x7B-v0.1") == "mixtral-8x7b");
  CHECK(near("Qwen/Qwen1.5-MoE-A2.7B-Chat") == "qwen1.5-moe-a2.7b");
  CHECK(near("google-bert/bert-base-uncased") == "bert-base");
  CHECK(near("distilbert/distilbert-base-uncased") == "distilbert-base");
  CHECK(near("FacebookAI/xlm-roberta-large") == "xlm-roberta-large");
  CHECK(near("answerdotai/ModernBERT-base") == "modernbert-base");
  CHECK(near("sentence-transformers/all-MiniLM-L6-v2") == "minilm-l6");
  CHECK(near("BAAI/bge-large-en-v1.5") == "bge-large");
  CHECK(near("microsoft/resnet-50") == "resnet50");
  CHECK(near("openai-community/gpt2") == "gpt2");
  CHECK(near("llama_8b") == "llama-8b");
  for (const auto* other : {"facebook/opt-175b", "meta-llama/Llama-4-405M", "gpt2/", ""}) {
    CAPTURE(other);
    CHECK(near(other) == "");
  }
}

TEST_CASE("network: a builder refuses shapes that do not fit") {
  NetworkBuilder net("toy", "Toy", {3, 8, 8}, 10);
  CHECK_THROWS_AS(net.convolution("wide", net.input(), 4, {.kernel = 9}, true), EngineError);
  CHECK_THROWS_AS(net.convolution("groups", net.input(), 4, {.groups = 2}, true), EngineError);
  const int half = net.max_pool("half", net.input(), {.kernel = 2, .stride = 2});
  CHECK_THROWS_AS(net.add("sum", {net.input(), half}), EngineError);
  CHECK_THROWS_WITH_AS(
      static_cast<void>(net.finish(half)), doctest::Contains("for 10 classes"), EngineError);
}
