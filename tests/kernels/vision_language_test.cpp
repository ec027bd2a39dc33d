// Language models that see: parameters as published, tokens of pictures by the published rules, and
// what their names say.
#include "kernels/networks/vision_language/vision_language.h"

#include <string>

#include <doctest/doctest.h>

#include "kernels/network_error.h"
#include "kernels/networks/vision/vision_encoder.h"
#include "kernels/work.h"
#include "support/approx.h"

using namespace rightsize;

namespace {

std::uint64_t all_parameters(std::string_view name) {
  const auto& info = *vision_language_model(name);
  return parameter_count(make_network(name)) + tower_parameters(info.tower, word_features(info));
}

// Of queries and keys in so many layers, of heads of 128, which text models here leave out.
constexpr std::uint64_t qwen3_head_norms(std::uint64_t layers) {
  return layers * 2 * 128;
}

std::int64_t tokens_of(std::string_view name, int width, int height) {
  return seen_picture(vision_language_model(name)->tower, width, height).tokens;
}

}  // namespace

// The counts that the hub tells of each checkpoint's file, from memory.
TEST_CASE("vision language: text part and tower are the published checkpoint exactly") {
  CHECK(all_parameters("qwen2-vl-7b") == 8'291'375'616);
  CHECK(all_parameters("qwen2.5-vl-3b") == 3'754'622'976);
  CHECK(all_parameters("qwen2.5-vl-7b") == 8'292'166'656);
  CHECK(all_parameters("qwen2.5-vl-32b") == 33'452'718'336);
  CHECK(all_parameters("qwen2.5-vl-72b") == 73'410'777'344);
  CHECK(all_parameters("qwen3-vl-2b") + qwen3_head_norms(28) == 2'127'532'032);
  CHECK(all_parameters("qwen3-vl-4b") + qwen3_head_norms(36) == 4'437'815'808);
  CHECK(all_parameters("qwen3-vl-8b") + qwen3_head_norms(36) == 8'767'123'696);
  CHECK(all_parameters("qwen3-vl-30b-a3b") + qwen3_head_norms(48) == 31'070'754'032);
  // Its words are 64 more, for both tables.
  CHECK(all_parameters("llava-1.5-7b") + 2 * 64 * 4096 == 7'063'427'072);
  // "417M vision encoder" of Gemma 3's report; timm counts 416.87 million.
  const auto& gemma = *vision_language_model("gemma-3-4b-vision");
  const auto projector = 1152 * 2560 + 1152;
  CHECK(static_cast<double>(tower_parameters(gemma.tower, 2560) - projector) ==
        test::approx(416.87e6).epsilon(1e-4));
  // "Pixtral-ViT, 400M", and 12.7 billion in all with two matrices of 5120 features.
  CHECK(static_cast<double>(all_parameters("pixtral-12b")) == test::approx(12.68e9).epsilon(1e-3));
}

TEST_CASE("vision language: pictures are as many tokens as the published rules say") {
  // smart_resize(): sides to the nearest 28 pixels, 28 x 28 a token, and two marks beside.
  CHECK(tokens_of("qwen2.5-vl-7b", 1024, 1024) == 37 * 37 + 2);
  CHECK(tokens_of("qwen2.5-vl-7b", 1280, 720) == 46 * 26 + 2);
  CHECK(tokens_of("qwen2-vl-7b", 28, 28) == 4 + 2);              // enlarged to the least
  CHECK(tokens_of("qwen2-vl-7b", 8192, 8192) == 128 * 128 + 2);  // and made smaller to the most
  CHECK(tokens_of("qwen3-vl-8b", 1024, 1024) == 32 * 32 + 2);    // of 32 x 32 pixels
  CHECK(tokens_of("llava-1.5-7b", 1024, 1024) == 576);
  CHECK(tokens_of("llava-1.5-7b", 64, 4000) == 576);
  CHECK(tokens_of("gemma-3-27b-vision", 1280, 720) == 256 + 4);
  // Of 16 x 16 pixels, with a token behind each row; sides of at most 1024.
  CHECK(tokens_of("pixtral-12b", 512, 512) == 32 * 33);
  CHECK(tokens_of("pixtral-12b", 1024, 1024) == 64 * 65);
  CHECK(tokens_of("pixtral-12b", 2048, 1024) == 32 * 65);
  CHECK(picture_tokens("qwen2.5-vl-7b:images=3:size=1280x720") == 3 * (46 * 26 + 2));
  CHECK(picture_tokens("qwen2.5-vl-7b") == 0);
  CHECK(picture_tokens("llama-8b") == 0);
}

// timm's multiply-adds of SigLIP SO400M/14 at 896 pixels, 2731.49 billion, and of CLIP L/14 at 336,
// 191.11 billion with the last block, which LLaVA leaves out.
TEST_CASE("vision language: a tower has the FLOPs of the network that it is") {
  const auto giga = [](const char* name) {
    const auto& info = *vision_language_model(name);
    return tower_flops(info.tower, seen_picture(info.tower, 896, 896), word_features(info)) / 2e9;
  };
  CHECK(giga("gemma-3-4b-vision") == test::approx(2731.49).epsilon(0.01));
  CHECK(giga("llava-1.5-7b") == test::approx(191.11 * 23 / 24 + 12.1).epsilon(0.01));
  const double siglip = forward_flops(make_network("siglip-so400m14:size=896")) / 2e9;
  CHECK(giga("gemma-3-4b-vision") == test::approx(siglip).epsilon(0.02));
  // Windows of 64 patches in 28 of 32 blocks: less than a fifth of Qwen2-VL's attention.
  const auto& windowed = *vision_language_model("qwen2.5-vl-7b");
  auto whole = windowed.tower;
  whole.seen = 0;
  const auto picture = seen_picture(whole, 2048, 2048);
  CHECK(tower_flops(windowed.tower, picture, 3584) < 0.6 * tower_flops(whole, picture, 3584));
}

TEST_CASE("vision language: as a network it is its text, with pictures in its name") {
  for (const auto& info : vision_language_models()) {
    CAPTURE(std::string(info.name));
    const auto network = make_network(info.name);
    CHECK(network.name == info.name);
    CHECK(parameter_count(network) == parameter_count(make_network(info.text)));
    CHECK(network.notes.back().find("no pictures are said") == 0);
    const auto with = make_network(std::string(info.name) + ":images=2", 4096);
    CHECK(with.notes.back().find("2 pictures of 1024x1024 become") == 0);
    CHECK(with.title == std::string(info.title) + ", 2 pictures of 1024x1024");
  }
  CHECK(pictures_of("qwen2-vl-7b:size=640x480").count == 1);
  CHECK(pictures_of("qwen2-vl-7b:size=640").height == 640);
  CHECK(with_pictures("qwen2-vl-7b:images=2", "1", "") == "qwen2-vl-7b:images=1");
  CHECK(with_pictures("qwen2-vl-7b", "1", "640x480") == "qwen2-vl-7b:images=1:size=640x480");
  CHECK(with_pictures("gemma-3-4b", "1", "") == "gemma-3-4b-vision:images=1");
}

TEST_CASE("vision language: a form that cannot be is refused, with what can") {
  const auto refused = [](const char* name, const char* words) {
    CHECK_THROWS_WITH_AS(
        static_cast<void>(make_network(name)), doctest::Contains(words), NetworkError);
  };
  refused("qwen2-vl-7b:size=axb", "expected width and height in pixels, as in size=1280x720");
  refused("qwen2-vl-7b:size=640x0", "expected width and height");
  refused("qwen2-vl-7b:images=many", "expected pictures of a prompt, 0 to 1024");
  refused("qwen2-vl-7b:steps=3", "expected :images=NUMBER or :size=WIDTHxHEIGHT");
  CHECK_THROWS_WITH_AS(static_cast<void>(with_pictures("llama-8b", "1", "")),
                       doctest::Contains("it sees no pictures"),
                       NetworkError);
  CHECK_THROWS_AS(static_cast<void>(make_network("llava-1.5-7b", 5000)), NetworkError);
}
