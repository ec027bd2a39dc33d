#include "kernels/work.h"

#include <algorithm>
#include <cmath>
#include <string>

#include <doctest/doctest.h>

#include "kernels/layer_work.h"
#include "kernels/networks/classification/classifiers.h"
#include "support/approx.h"
#include "support/multiply_adds.h"

using namespace rightsize;

namespace {

// Parameters, exact: torchvision's model cards (ResNet, VGG, MobileNetV2), Caffe's bvlc_alexnet and
// bvlc_googlenet without auxiliary heads, Keras' Inception-v3 (also torchvision's without the
// auxiliary head), TensorFlow's CIFAR-10 tutorial, summary() of Keras' examples; for
// Inception-BN-28-small, of which no count is published, the sum over MXNet's symbol file. Of the
// later networks torchvision's model cards too ("num_params"), ViT-S/16 timm's; of ConvNeXt less
// its layer scale (networks/convnext.cpp): the sum over blocks of their widths, 6 624 of tiny,
// 13 536 of small, 18 048 of base and 27 072 of large.
// GMACs of one forward pass: torchvision's "GFLOPS" column (which counts multiply-adds); the paper
// for MobileNetV2 (0.300) and for EfficientNet-B2, whose image is larger in torchvision ("1.0B");
// timm's results for ViT-S/16; OpenMMLab's model index for Inception-v3 (5 731 284 192); the rest
// are sums over the published layer tables. TensorFlow's "about 19.5M" for its CIFAR-10 network is
// 5 % above the sum over its layers, and no other figure is published: the sum is taken.
// Transformers: the models' own pages (GPT-2 124M, Llama, Mixtral, Qwen1.5-MoE; of MPT
// llm-foundry's table of training benchmarks, at 2048 tokens); of encoders what transformers'
// classes hold, which the pages round (bert.cpp and modernbert.cpp name the classes: MiniLM "22.7M
// params", BGE "33.4M", "109M", "335M", ModernBERT "149M", "395M"; DistilBERT 66M, RoBERTa 125M and
// 355M, XLM-R 270M and 550M in their papers); CLIP's and SigLIP's halves that read are 63.43M,
// 123.65M, 354.03M, 110.27M and 449.73M in open_clip's docs/model_profile.csv. What they cost is
// checked by formula below. No GMACs: a language model.
struct Published {
  const char* name;
  std::uint64_t parameters;
  double giga_macs;
};

constexpr Published published[] = {
    {"alexnet", 60'965'224, 0.724},
    {"alexnet-owt", 61'100'840, 0.714},
    {"alexnet-mxnet", 50'844'008, 1.010},
    {"resnet18", 11'689'512, 1.81},
    {"resnet34", 21'797'672, 3.66},
    {"resnet50", 25'557'032, 4.09},
    {"resnet101", 44'549'160, 7.80},
    {"resnet152", 60'192'808, 11.51},
    {"resnet200", 64'673'832, 15.07},
    {"wide-resnet50-2", 68'883'240, 11.398},
    {"resnet18-cifar", 11'173'962, 0.556},
    {"resnext50-32x4d", 25'028'904, 4.23},
    {"resnext101-32x4d", 44'177'704, 8.01},
    {"se-resnext101-32x4d", 48'955'416, 8.02},
    {"vgg11", 132'863'336, 7.61},
    {"vgg16", 138'357'544, 15.47},
    {"vgg19", 143'667'240, 19.63},
    {"googlenet", 6'998'552, 1.58},
    {"inception-v3", 23'834'568, 5.731},
    {"mobilenet-v2", 3'504'872, 0.300},
    {"mobilenet-v3-large", 5'483'032, 0.217},
    {"mobilenet-v3-small", 2'542'856, 0.057},
    {"efficientnet-b0", 5'288'548, 0.386},
    {"efficientnet-b1", 7'794'184, 0.687},
    {"efficientnet-b2", 9'109'994, 1.0},
    {"efficientnet-b3", 12'233'232, 1.827},
    {"efficientnet-b4", 19'341'616, 4.394},
    {"efficientnet-b5", 30'389'784, 10.266},
    {"efficientnet-b6", 43'040'704, 19.068},
    {"efficientnet-b7", 66'347'960, 37.746},
    {"efficientnet-v2-s", 21'458'488, 8.366},
    {"efficientnet-v2-m", 54'139'356, 24.582},
    {"efficientnet-v2-l", 118'515'272, 56.08},
    {"convnext-tiny", 28'589'128 - 6'624, 4.456},
    {"convnext-small", 50'223'688 - 13'536, 8.684},
    {"convnext-base", 88'591'464 - 18'048, 15.355},
    {"convnext-large", 197'767'336 - 27'072, 34.361},
    {"convnext-xlarge", 350'196'968 - 36'096, 60.98},
    {"convnext-v2-tiny", 28'635'496, 4.47},
    {"convnext-v2-base", 88'717'800, 15.38},
    {"convnext-v2-large", 197'956'840, 34.4},
    {"convnext-v2-huge", 660'289'640, 115},
    // torchvision's counts (of the largest timm's) without biases by distance and, where four
    // positions become one, the norms of three.
    {"swin-tiny", 28'288'354 - 23'322 - 4'032, 4.491},
    {"swin-small", 49'606'258 - 47'658 - 4'032, 8.741},
    {"swin-base", 87'768'224 - 63'544 - 5'376, 15.431},
    {"swin-large", 196'532'476 - 95'316 - 8'064, 34.53},
    {"densenet121", 7'978'856, 2.834},
    {"densenet169", 14'149'480, 3.36},
    {"densenet201", 20'013'928, 4.291},
    {"regnety-016", 11'202'430, 1.612},
    {"regnety-032", 19'436'338, 3.176},
    {"regnety-080", 39'381'472, 8.473},
    {"regnety-160", 83'590'140, 15.912},
    {"regnety-320", 145'046'770, 32.28},
    {"inception-bn", 11'295'240, 2.03},
    {"inception-bn-28-small", 1'652'826, 0.2042},
    {"cifar10-convnet", 1'068'298, 0.01847},
    {"cifar10-cnn", 1'250'858, 0.02074},
    {"mnist-mlp", 669'706, 0.000669},
    {"mnist-cnn", 1'199'882, 0.01200},
    {"vit-s16", 22'050'664, 4.61},
    {"vit-b16", 86'567'656, 17.56},
    {"vit-l16", 304'326'632, 61.555},
    {"vit-h14", 632'045'800, 167.295},
    {"bert-base", 109'514'298, 0},
    {"bert-large", 335'174'458, 0},
    {"distilbert-base", 66'985'530, 0},
    {"roberta-base", 124'697'433, 0},
    {"roberta-large", 355'412'057, 0},
    {"xlm-roberta-base", 278'295'186, 0},
    {"xlm-roberta-large", 560'142'482, 0},
    {"albert-base", 11'221'680, 0},
    {"albert-large", 16'795'824, 0},
    {"albert-xlarge", 54'821'040, 0},
    {"albert-xxlarge", 206'368'944, 0},
    {"electra-small", 13'549'314, 0},
    {"deberta-v3-xsmall", 70'830'722, 0},
    {"deberta-v3-small", 141'896'450, 0},
    {"deberta-v3-base", 184'423'682, 0},
    {"deberta-v3-large", 435'063'810, 0},
    {"mdeberta-v3-base", 278'810'882, 0},
    {"deberta-v2-xlarge", 886'957'058, 0},
    {"deberta-v2-xxlarge", 1'566'913'538, 0},
    // Without the biases behind feed-forward parts, types of tokens, EmbeddingGemma's norms
    // of queries and keys.
    {"gte-base-en-v1.5", 136'776'192 - 12 * 768, 0},
    {"gte-large-en-v1.5", 434'139'136 - 24 * 1024 - 2 * 1024, 0},
    {"gte-multilingual-base", 305'368'320 - 12 * 768 - 768, 0},
    {"jina-embeddings-v2-small", 32'690'688 - 4 * 512 - 2 * 512, 0},
    {"jina-embeddings-v2-base", 137'368'320 - 12 * 768 - 2 * 768, 0},
    {"embeddinggemma-300m", 302'863'104 - 24 * 512, 0},
    {"modernbert-base", 149'655'232, 0},
    {"modernbert-large", 395'881'664, 0},
    {"minilm-l6", 22'713'216, 0},
    {"bge-small", 33'360'000, 0},
    {"bge-base", 109'482'240, 0},
    {"bge-large", 335'141'888, 0},
    {"bge-m3", 567'754'752, 0},
    {"multilingual-e5-base", 278'043'648, 0},
    {"multilingual-e5-large", 559'890'432, 0},
    {"mpnet-base", 109'486'464 - 384, 0},
    {"nomic-embed-text", 136'731'648 - 1536, 0},
    {"qwen3-embedding-0.6b", 595'776'512 - 28 * 256, 0},
    {"qwen3-embedding-4b", 4'021'774'336 - 36 * 256, 0},
    {"qwen3-embedding-8b", 7'567'295'488 - 36 * 256, 0},
    {"e5-mistral-7b", 7'110'660'096, 0},
    {"gte-qwen2-1.5b", 1'543'268'864, 0},
    {"gte-qwen2-7b", 7'069'121'024, 0},
    {"clip-text-b", 63'428'096, 0},
    {"clip-text-l", 123'650'304, 0},
    {"clip-text-h", 354'032'640, 0},
    {"siglip-text-b", 110'271'744, 0},
    {"siglip-text-so400m", 449'734'896, 0},
    {"gpt2", 124'439'808, 0},
    {"llama-160m", 162'417'408, 0},
    {"mpt-350m", 355'985'408, 0},
    {"mpt-760m", 760'470'528, 0},
    {"mpt-1b", 1'315'950'592, 0},
    {"mpt-3b", 2'651'837'440, 0},
    {"mpt-7b", 6'658'859'008, 0},
    {"mpt-13b", 12'853'954'560, 0},
    {"mpt-30b", 29'975'214'080, 0},
    {"mpt-70b", 64'862'437'376, 0},
    {"llama-1b", 1'235'814'400, 0},
    {"llama-8b", 8'030'261'248, 0},
    {"llama-70b", 70'553'706'496, 0},
    {"mixtral-8x7b", 46'702'792'704, 0},
    {"mixtral-8x22b", 140'620'634'112, 0},
    {"qwen1.5-moe-a2.7b", 14'315'784'192, 0},
};

using test::multiply_adds;

}  // namespace

TEST_CASE("work: parameters equal the published counts exactly") {
  constexpr std::size_t text_networks = 6;  // recurrent_network_test.cpp
  CHECK(std::size(published) + text_networks + image_classifiers().size() +
            further_image_classifiers().size() ==
        builtin_networks().size());  // classification_test.cpp
  for (const auto& row : published) {
    CHECK_MESSAGE(parameter_count(make_network(row.name)) == row.parameters, row.name);
  }
}

TEST_CASE("work: multiply-adds agree with the published ones within 1 %") {
  for (const auto& row : published) {
    if (row.giga_macs <= 0) {
      continue;
    }
    const double ratio = multiply_adds(make_network(row.name)) / (1e9 * row.giga_macs);
    CHECK_MESSAGE(std::abs(ratio - 1) < 0.01, row.name << " is at " << ratio);
  }
}

TEST_CASE("work: what is not a product is a small part of the forward FLOPs") {
  for (const auto& row : published) {
    if (row.giga_macs <= 0) {
      continue;
    }
    const auto network = make_network(row.name);
    const double products = 2 * multiply_adds(network);
    CHECK_MESSAGE(forward_flops(network) > products, row.name);
    CHECK_MESSAGE(forward_flops(network) < 1.08 * products, row.name);
  }
}

// Chowdhery et al., "PaLM", 2022, appendix B: 6 N per token, and 12 x layers x width x positions
// seen for attention. N leaves out tables that are only looked up, and experts that are not taken.
TEST_CASE("work: language models train at 6 N per token and attention's share, within 2 %") {
  for (const auto& info : builtin_networks()) {
    const auto network = info.make(info.sequence);
    if (!network.reads_tokens() || network.labels_per_item() == 1 || shares_layers(network)) {
      continue;  // of shared layers a parameter works several times
    }
    const auto length = static_cast<double>(info.sequence);
    auto multiplied = static_cast<double>(active_parameter_count(network));
    double attention = 0;
    bool tied = false;
    for (const auto& layer : network.layers) {
      const auto table = static_cast<double>((layer.vocabulary + layer.segments) * layer.out.c);
      tied = tied || layer.tied_to >= 0;
      multiplied -= layer.kind == LayerKind::position_embedding ? table : 0;
      if (layer.kind == LayerKind::attention) {
        const double seen = layer.causal ? length / 2 : mean_seen(layer, info.sequence);
        attention += 12 * static_cast<double>(layer.out.c) * seen;
      }
    }
    multiplied -= tied ? 0 : static_cast<double>(network.vocabulary * network.layers[1].out.c);
    const double expected = length * (6 * multiplied + attention);
    CHECK_MESSAGE(training_flops(network) == test::approx(expected).epsilon(0.02), info.name);
  }
}

// By the definition: position t sees its window's part of 0 .. t.
TEST_CASE("work: attention to a window") {
  Layer layer;
  layer.kind = LayerKind::attention;
  layer.causal = true;
  for (const std::int64_t window : {0, 1, 5, 12, 40}) {
    layer.window = window;
    for (const std::int64_t length : {1, 5, 12, 31}) {
      double sum = 0;
      for (std::int64_t t = 0; t < length; ++t) {
        sum += static_cast<double>(window > 0 ? std::min(window, t + 1) : t + 1);
      }
      CHECK(mean_seen(layer, length) == test::approx(sum / static_cast<double>(length)));
    }
  }
  layer.causal = false;
  for (const std::int64_t window : {1, 5, 129}) {  // as many behind as before
    layer.window = window;
    for (const std::int64_t length : {1, 5, 12, 31}) {
      double sum = 0;
      for (std::int64_t t = 0; t < length; ++t) {
        sum += static_cast<double>(std::min(length, t + window / 2 + 1) -
                                   std::max<std::int64_t>(0, t - window / 2));
      }
      CHECK(mean_seen(layer, length) == test::approx(sum / static_cast<double>(length)));
    }
  }
  layer.window = 0;
  CHECK(mean_seen(layer, 31) == 31);
}

TEST_CASE("work: training costs three forward passes less the first layer's data gradient") {
  for (const auto& info : builtin_networks()) {
    const auto network = info.make(info.sequence);
    double first_layer = 0;
    for (std::size_t i = 0; i < network.layers.size(); ++i) {
      const auto& layer = network.layers[i];
      const bool products =
          layer.kind == LayerKind::convolution || layer.kind == LayerKind::fully_connected;
      if (products && layer.inputs[0] == 0) {
        first_layer += layer_work(network, i).forward_flops;
      }
    }
    const double expected = 3 * forward_flops(network) - first_layer;
    CHECK_MESSAGE(training_flops(network) == test::approx(expected).epsilon(0.015), info.name);
  }
}

TEST_CASE("work: one convolution by hand") {
  const auto network = make_network("alexnet");
  const auto work = layer_work(network, 5);  // conv2: 5x5, 48 of 96 channels -> 256 x 27 x 27
  REQUIRE(network.layers[5].name == "conv2");
  CHECK(work.parameters == 256 * 48 * 25 + 256);
  CHECK(work.input_elements == 96 * 27 * 27);
  CHECK(work.output_elements == 256 * 27 * 27);
  CHECK(work.forward_flops == 256.0 * 27 * 27 * (2 * 48 * 25 + 1));
  CHECK(work.backward_flops == 256.0 * 27 * 27 * (4 * 48 * 25 + 1));
}

TEST_CASE("work: device memory grows linearly with the batch and is smaller for inference") {
  const auto network = make_network("resnet50");
  const auto memory = [&](Phase phase, Precision precision, int batch) {
    return device_memory_bytes(network, phase, precision, batch);
  };
  const auto train32 = memory(Phase::train, Precision::fp32, 32);
  const auto train64 = memory(Phase::train, Precision::fp32, 64);
  const auto train96 = memory(Phase::train, Precision::fp32, 96);
  CHECK(train96 - train64 == train64 - train32);
  CHECK(train32 > 3 * 4 * parameter_count(network));
  CHECK(memory(Phase::infer, Precision::fp32, 32) < train32 / 4);
  CHECK(memory(Phase::train, Precision::fp16, 32) < train32);
  CHECK(memory(Phase::preprocess, Precision::fp32, 32) == 0);
}
