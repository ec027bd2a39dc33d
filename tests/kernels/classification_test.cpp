// Classifiers of images as timm has them: counts as published, and what a size changes.
#include <cmath>
#include <string>

#include <doctest/doctest.h>

#include "kernels/engine.h"
#include "kernels/network_error.h"
#include "kernels/networks/classification/classifiers.h"
#include "kernels/work.h"
#include "support/approx.h"
#include "support/layer_order.h"
#include "support/multiply_adds.h"

using namespace rightsize;

namespace {

struct Published {
  const char* name;
  double parameters;  // in millions
  double giga_macs;
};

// timm's results/benchmark-infer-amp-nchw-pt291-cu130-5090.csv ("param_count", "infer_gmacs"), at
// the networks' own sizes.
constexpr Published published[] = {
    {"regnetx-002", 2.68, 0.2},
    {"regnetx-004", 5.16, 0.4},
    {"regnetx-006", 6.2, 0.61},
    {"regnetx-008", 7.26, 0.81},
    {"regnetx-016", 9.19, 1.62},
    {"regnetx-032", 15.3, 3.2},
    {"regnetx-040", 22.12, 3.99},
    {"regnetx-064", 26.21, 6.49},
    {"regnetx-080", 39.57, 8.02},
    {"regnetx-120", 46.11, 12.13},
    {"regnetx-160", 54.28, 15.99},
    {"regnetx-320", 107.81, 31.81},
    {"regnety-002", 3.16, 0.2},
    {"regnety-004", 4.34, 0.41},
    {"regnety-006", 6.06, 0.61},
    {"regnety-008", 6.26, 0.81},
    {"regnety-040", 20.65, 4.0},
    {"regnety-064", 30.58, 6.39},
    {"regnety-120", 51.82, 12.14},
    {"regnety-640", 281.38, 64.16},
    {"regnety-1280", 644.81, 127.66},
    {"convnext-atto", 3.7, 0.55},
    {"convnext-femto", 5.22, 0.79},
    {"convnext-pico", 9.05, 1.37},
    {"convnext-nano", 15.59, 2.46},
    {"convnext-v2-atto", 3.71, 0.55},
    {"convnext-v2-femto", 5.23, 0.79},
    {"convnext-v2-pico", 9.07, 1.37},
    {"convnext-v2-nano", 15.62, 2.46},
    {"convnext-v2-small", 50.32, 8.71},
    {"resnet26", 16.0, 2.36},
    {"resnet50d", 25.58, 4.35},
    {"resnet101d", 44.57, 8.08},
    {"seresnet50", 28.09, 4.11},
    {"wide-resnet101-2", 126.89, 22.8},
    {"seresnext50-32x4d", 27.56, 4.26},
    {"resnext101-32x8d", 88.79, 16.48},
    {"resnext101-64x4d", 83.46, 15.52},
    {"swin-base-384", 87.9, 47.19},
    {"swin-large-384", 196.74, 104.08},
    {"swinv2-tiny-w8", 28.35, 5.96},
    {"swinv2-tiny-w16", 28.35, 6.68},
    {"swinv2-small-w8", 49.73, 11.58},
    {"swinv2-small-w16", 49.73, 12.82},
    {"swinv2-base-w8", 87.92, 20.37},
    {"swinv2-base-w16", 87.92, 22.02},
    {"swinv2-base-w24", 87.92, 55.25},
    {"swinv2-large-w16", 196.74, 47.81},
    {"swinv2-large-w24", 196.74, 116.15},
    {"maxvit-tiny", 30.92, 5.6},
    {"maxvit-small", 68.93, 11.66},
    {"maxvit-base", 119.47, 24.04},
    {"maxvit-large", 211.79, 43.68},
    {"maxvit-tiny-384", 30.98, 17.53},
    {"maxvit-small-384", 69.02, 35.87},
    {"maxvit-base-384", 119.65, 73.8},
    {"maxvit-large-384", 212.03, 132.55},
    {"maxvit-tiny-512", 31.05, 33.49},
    {"maxvit-small-512", 69.13, 67.26},
    {"maxvit-base-512", 119.88, 138.02},
    {"maxvit-large-512", 212.33, 244.75},
    {"mobilenet-v4-small", 3.77, 0.19},
    {"mobilenet-v4-medium", 9.72, 1.1},
    {"mobilenet-v4-large", 32.59, 6.43},
    {"vit-ti16", 5.72, 1.26},
    {"vit-b32", 88.22, 4.41},
    {"vit-b8", 86.58, 78.22},
    {"beit-base", 86.53, 17.58},
    {"beit-large", 304.43, 61.6},
    {"eva02-tiny", 5.5, 1.7},
    {"eva02-small", 21.62, 6.14},
    {"eva02-base", 87.12, 107.11},
    {"eva02-large", 305.08, 362.33},
    {"eva-giant", 1012.56, 267.18},
};

double millions(const Network& network) {
  return static_cast<double>(parameter_count(network)) / 1e6;
}

// EVA-02's smaller ones are published without a head of classes.
double heads_missing(const std::string& name) {
  return name == "eva02-tiny" ? 0.193 : name == "eva02-small" ? 0.385 : 0;
}

// Biases of scores by distance have no layer: 0.5 % of MaxViT at 512 pixels, less of all others.
double allowed(const std::string& name) {
  return name.starts_with("maxvit") || name.starts_with("swin") ? 0.006 : 0.002;
}

}  // namespace

TEST_CASE("classifiers: parameters and multiply-adds are the published ones") {
  for (const auto& [name, parameters, macs] : published) {
    CAPTURE(name);
    const auto network = make_network(name);
    CHECK(millions(network) - heads_missing(name) ==
          test::approx(parameters).epsilon(allowed(name)));
    CHECK(test::multiply_adds(network) / 1e9 == test::approx(macs).epsilon(0.03));
  }
}

TEST_CASE("classifiers: each is of its row, its layers in order") {
  for (const auto& info : image_classifiers()) {
    const auto network = info.make(info.sequence);
    CAPTURE(info.name);
    CHECK(network.name == info.name);
    CHECK(network.title == info.title);
    CHECK(network.classes == 1000);
    CHECK(network.input.h == network.input.w);
    CHECK(network.layers.back().out == FeatureShape{1000, 1, 1});
    CHECK(test::check_layer_order(network) == network.layers.size() - 1);
  }
}

TEST_CASE("classifiers: a size changes the work and not the parameters") {
  const auto work = [](const char* name) { return test::multiply_adds(make_network(name)) / 1e9; };
  // timm's infer_gmacs of the same networks at those sizes
  CHECK(work("resnet50:size=288") == test::approx(6.8).epsilon(0.01));
  CHECK(work("convnext-base:size=384") == test::approx(45.21).epsilon(0.01));
  CHECK(work("efficientnet-b0:size=256") == test::approx(0.52).epsilon(0.04));
  CHECK(work("vit-b16:size=384") == test::approx(55.54).epsilon(0.01));
  CHECK(work("beit-large:size=512") == test::approx(362.24).epsilon(0.01));
  CHECK(parameter_count(make_network("resnet50:size=512")) ==
        parameter_count(make_network("resnet50")));
  CHECK(millions(make_network("vit-b16:size=384")) == test::approx(86.86).epsilon(1e-4));
  CHECK(make_network("resnet50:size=512").title == "ResNet-50, 512x512");
  CHECK(make_network("resnet50:size=224").name == "resnet50");
}

TEST_CASE("classifiers: layers at another size are as their builder would make them") {
  const auto made = [](const char* name) {
    auto network = make_network(name);
    test::check_layer_order(network);
    return network.layers.back().out;
  };
  for (const char* name : {"densenet121:size=320",
                           "mobilenet-v3-large:size=256",
                           "regnety-032:size=288",
                           "googlenet:size=256",
                           "se-resnext101-32x4d:size=192"}) {
    CAPTURE(name);
    CHECK(made(name) == FeatureShape{1000, 1, 1});
  }
}

TEST_CASE("classifiers: a size that cannot be is refused with the reason") {
  const auto refused = [](const char* name, const char* words) {
    CHECK_THROWS_WITH_AS(
        static_cast<void>(make_network(name)), doctest::Contains(words), NetworkError);
  };
  refused("vgg16:size=512", "reads the features of all positions");
  refused("maxvit-tiny:size=250", "multiples of 32 alone; the next are size=224 and size=256");
  refused("hiera-base:size=20", "multiples of 32 alone; the next are size=32");
  refused("resnet50:size=x", "expected pixels a side");
  refused("resnet50:steps=3", "expected :size=PIXELS");
  refused("bert-base:size=3", "--sequence");
}
