// Networks that make a vector of an image, as users ask for them.
#include <string>
#include <vector>

#include <boost/json.hpp>
#include <doctest/doctest.h>

#include "advisor/cli/command.h"
#include "advisor/query/words.h"
#include "kernels/networks/vision/vision_encoder.h"
#include "predicted_step.h"
#include "support/approx.h"
#include "support/program.h"

using namespace rightsize;
namespace json = boost::json;
using test::rate;
using test::run_without_model;
using test::Words;

namespace {

json::value step(const std::string& network, Words more) {
  more.insert(more.end(), {"--precision", "fp16"});
  return test::predicted_step(network, "gpu=A100", more, "0");
}

}  // namespace

TEST_CASE("vision encoders: images a second, fewer of larger networks and images") {
  const Words infer{"--phase", "infer", "--batch", "64", "--framework", "PyTorch"};
  const auto large = step("clip-vit-l14", infer);
  CHECK(large.at("throughput").at("unit") == "img/s");
  CHECK(rate(step("clip-vit-b32", infer)) > 8 * rate(large));
  CHECK(rate(step("clip-vit-l14-336", infer)) < 0.5 * rate(large));
  CHECK(rate(step("openai/clip-vit-large-patch14", infer)) == rate(large));
  // CLIP's B/16 is ViT-B/16 but for a norm and the head; that one has figures of its own here.
  CHECK(rate(step("clip-vit-b16", infer)) ==
        test::approx(rate(step("vit-b16", infer))).epsilon(0.25));
  CHECK(rate(step("dinov2-l14:size=518", infer)) < rate(step("dinov2-l14", infer)) / 5);
  for (const auto& info : vision_encoders()) {
    CAPTURE(std::string(info.name));
    CHECK(step(std::string(info.name), infer).at("status") == "ok");
  }
}

TEST_CASE("vision encoders: training is answered, with memory that grows with the batch") {
  const auto memory = [](const char* batch) {
    return step("siglip-so400m14", {"--phase", "train", "--batch", batch})
        .at("gpu_memory_needed_gib")
        .as_double();
  };
  CHECK(memory("32") > 2 * memory("8"));
  CHECK(step("clip-text-b", {"--phase", "train", "--batch", "256"}).at("status") == "ok");
}

TEST_CASE("vision encoders: words, hubs' names and forms") {
  for (const auto& info : vision_encoders()) {
    CHECK(network_meant(info.name) == info.name);
    CHECK(network_meant(info.title) == info.name);
  }
  for (const auto& [said, meant] :
       {std::pair{"openai/clip-vit-base-patch32", "clip-vit-b32"},
        {"openai/clip-vit-base-patch16", "clip-vit-b16"},
        {"openai/clip-vit-large-patch14", "clip-vit-l14"},
        {"openai/clip-vit-large-patch14-336", "clip-vit-l14-336"},
        {"laion/CLIP-ViT-H-14-laion2B-s32B-b79K", "clip-vit-h14"},
        {"laion/CLIP-ViT-bigG-14-laion2B-39B-b160k", "clip-vit-bigg14"},
        {"google/siglip-base-patch16-224", "siglip-b16"},
        {"google/siglip2-base-patch16-384", "siglip-b16:size=384"},
        {"google/siglip-so400m-patch14-384", "siglip-so400m14"},
        {"google/siglip2-so400m-patch16-512", "siglip-so400m16:size=512"},
        {"facebook/dinov2-large", "dinov2-l14"},
        {"facebook/dinov2-large:size=518", "dinov2-l14:size=518"},
        {"dinov2_vitg14", "dinov2-g14"},
        {"vit_small_patch14_dinov2", "dinov2-s14:size=518"},
        {"DINOv2", "dinov2-b14"}}) {
    CHECK(network_meant(said) == meant);
    CHECK(make_network(network_meant(said)).input.c == 3);
  }
  CHECK(network_meant("facebook/dinov2-with-registers-large") == "dinov2-l14-reg4");
  const auto refused = run_without_model(
      {"predict", "--network", "dinov2-l14:size=8", "--machine", "gpu=A100", "--batch", "1"});
  CHECK(refused.code != cli::exit_ok);
  CHECK((refused.out + refused.err).find("14 to 4096") != std::string::npos);
}
