// Networks that make a vector of an image: counts as published, what a size changes, what is
// refused.
#include "kernels/networks/vision/vision_encoder.h"

#include <cmath>
#include <string>

#include <doctest/doctest.h>

#include "kernels/engine.h"
#include "kernels/layer_work.h"
#include "kernels/network_blocks.h"
#include "kernels/network_error.h"
#include "kernels/work.h"
#include "support/approx.h"
#include "support/layer_order.h"
#include "support/multiply_adds.h"

using namespace rightsize;

namespace {

double millions(const char* name) {
  return static_cast<double>(parameter_count(make_network(name))) / 1e6;
}

double giga_macs(const char* name) {
  return test::multiply_adds(make_network(name)) / 1e9;
}

struct Published {
  const char* name;
  double parameters;  // in millions
  double giga_macs;
};

}  // namespace

// open_clip's docs/model_profile.csv ("image_mparams" and half of "image_gflops") where it has the
// tower, else timm's results/benchmark-infer-amp-nchw-pt291-cu130-5090.csv ("param_count" and
// "infer_gmacs"; its CLIP ViT-bigG/14 is 1844.91, that of SigLIP SO400M/16 at 256 pixels 427.89).
TEST_CASE("vision encoders: parameters and multiply-adds are the published ones") {
  for (const auto& [name, parameters, macs] : {Published{"clip-vit-b32", 87.85, 8.82 / 2},
                                               Published{"clip-vit-b16", 86.19, 35.13 / 2},
                                               Published{"clip-vit-l14", 303.97, 162.03 / 2},
                                               Published{"clip-vit-l14-336", 304.29, 381.92 / 2},
                                               Published{"clip-vit-h14", 632.08, 334.59 / 2},
                                               Published{"clip-vit-bigg14", 1844.91, 483.96},
                                               Published{"siglip-b16", 92.88, 35.42 / 2},
                                               Published{"siglip-b16:size=384", 93.18, 112.13 / 2},
                                               Published{"siglip-l16", 315.96, 162.56 / 2},
                                               Published{"siglip-so400m14", 428.23, 670.35 / 2},
                                               Published{"siglip-so400m16", 427.89, 110.31}}) {
    CAPTURE(name);
    CHECK(millions(name) == test::approx(parameters).epsilon(1e-4));
    CHECK(giga_macs(name) == test::approx(macs).epsilon(0.01));
  }
}

// timm's, at 518 pixels, which have a factor for each channel of both branches of a block besides.
TEST_CASE("vision encoders: DINOv2 has the published counts but for its layer scale") {
  for (const auto& [name, parameters, macs] : {Published{"dinov2-s14:size=518", 22.06, 46.76},
                                               Published{"dinov2-b14:size=518", 86.58, 151.71},
                                               Published{"dinov2-l14:size=518", 304.37, 507.15},
                                               Published{"dinov2-g14:size=518", 1136.48, 1784.2}}) {
    CAPTURE(name);
    const auto& shape = vision_encoder(name)->shape;
    const double scales = 2e-6 * static_cast<double>(shape.width * shape.depth);
    CHECK(millions(name) + scales == test::approx(parameters).epsilon(3e-4));
    CHECK(scales < 0.002 * parameters);
    CHECK(giga_macs(name) == test::approx(macs).epsilon(0.01));
  }
}

// timm's results/benchmark-infer-amp-nchw-pt291-cu130-5090.csv.
TEST_CASE("vision encoders: DINOv2 with registers has four positions more") {
  const double scales = 2e-6 * 768 * 12;
  CHECK(millions("dinov2-b14-reg4:size=518") + scales == test::approx(86.58).epsilon(3e-4));
  CHECK(giga_macs("dinov2-b14-reg4:size=518") == test::approx(152.25).epsilon(0.01));
}

// timm's, at 256 pixels.
TEST_CASE("vision encoders: DINOv3 has the published counts but for its layer scale") {
  for (const auto& [name, parameters, macs] : {Published{"dinov3-s16:size=256", 21.59, 6.26},
                                               Published{"dinov3-s16plus:size=256", 28.69, 8.11},
                                               Published{"dinov3-b16:size=256", 85.64, 23.6},
                                               Published{"dinov3-l16:size=256", 303.08, 82.43},
                                               Published{"dinov3-h16plus:size=256", 840.5, 224.9},
                                               Published{"dinov3-7b16:size=256", 6716, 1775.1}}) {
    CAPTURE(name);
    CHECK(millions(name) == test::approx(parameters).epsilon(0.003));
    CHECK(giga_macs(name) == test::approx(macs).epsilon(0.01));
  }
}

// OpenAI's notebook Interacting_with_CLIP.ipynb, "Model parameters: 151,277,313"; the others are
// open_clip's "mparams". What is neither tower's is the temperature (SigLIP: and a bias).
TEST_CASE("vision encoders: both towers together are the published model") {
  const auto both = [](const char* seeing, const char* reading) {
    return parameter_count(make_network(seeing)) + parameter_count(make_network(reading));
  };
  CHECK(both("clip-vit-b32", "clip-text-b") + 1 == 151'277'313);
  const auto near = [](std::uint64_t parameters) {
    return std::round(static_cast<double>(parameters) / 1e4) / 100;
  };
  CHECK(near(both("clip-vit-b16", "clip-text-b")) == 149.62);
  CHECK(near(both("clip-vit-l14", "clip-text-l")) == 427.62);
  CHECK(near(both("clip-vit-l14-336", "clip-text-l")) == 427.94);
  CHECK(near(both("clip-vit-h14", "clip-text-h")) == 986.11);
  CHECK(near(both("siglip-b16", "siglip-text-b")) == 203.16);
  CHECK(near(both("siglip-so400m14", "siglip-text-so400m")) == 877.96);
}

TEST_CASE("vision encoders: layers are in order, and each ends in a vector") {
  for (const auto& info : vision_encoders()) {
    const auto network = usual_view(info);
    CAPTURE(network.name);
    CHECK(network.name == info.name);
    CHECK(network.layers.back().out == FeatureShape{info.shape.embedding, 1, 1});
    CHECK(network.input == FeatureShape{3, info.size, info.size});
    CHECK(reads_pictures(network));
    CHECK_FALSE(labels_positions(network));
    CHECK(is_transformer(network));
    CHECK_FALSE(network.notes.empty());
    CHECK(test::check_layer_order(network) == network.layers.size() - 1);
  }
}

TEST_CASE("vision encoders: a size changes positions, and what is left of a side is not seen") {
  const auto positions = [](const char* name) {
    for (const auto& layer : make_network(name).layers) {
      if (layer.kind == LayerKind::position_embedding) {
        return layer.out.positions();
      }
    }
    return std::int64_t{0};
  };
  CHECK(positions("clip-vit-b32") == 1 + 7 * 7);
  CHECK(positions("clip-vit-l14-336") == 1 + 24 * 24);
  CHECK(positions("siglip-so400m14") == 27 * 27);  // 384 is 27 patches and 6 pixels
  CHECK(positions("dinov2-l14") == 1 + 16 * 16);
  CHECK(positions("dinov2-l14:size=518") == 1 + 37 * 37);
  CHECK(positions("dinov2-l14:size=225") == positions("dinov2-l14"));
  CHECK(make_network("dinov2-l14:size=518").title == "DINOv2 ViT-L/14, 518x518");
  CHECK(make_network("dinov2-l14:size=224").title == "DINOv2 ViT-L/14");
  // The table of positions is that of the images it was trained on, unless they are larger.
  CHECK(parameter_count(make_network("dinov2-b14")) ==
        parameter_count(make_network("dinov2-b14:size=518")));
  CHECK(parameter_count(make_network("dinov2-b14:size=532")) ==
        parameter_count(make_network("dinov2-b14")) + (38 * 38 - 37 * 37) * 768);
}

TEST_CASE("vision encoders: a form that cannot be is refused, with what can") {
  const auto refused = [](const char* name, const char* words) {
    CHECK_THROWS_WITH_AS(
        static_cast<void>(make_network(name)), doctest::Contains(words), NetworkError);
  };
  refused("dinov2-l14:size=13", "expected pixels a side, as in size=224, 14 to 4096");
  refused("dinov2-l14:size=5000", "14 to 4096");
  refused("siglip-so400m14:size=big", "as in size=384");
  refused("clip-vit-b32:steps=4", "expected :size=PIXELS");
  refused("clip-vit-b32:size=224:size=224", "said twice");
  CHECK_THROWS_WITH_AS(static_cast<void>(make_network("clip-vit-b32", 77)),
                       doctest::Contains("it reads images, leave sequence out"),
                       NetworkError);
  CHECK_THROWS_AS(static_cast<void>(make_network("clip-text-b", 78)), NetworkError);
}
