// ViT: Dosovitskiy et al., "An Image Is Worth 16x16 Words", ICLR 2021, table 1, at 224 x 224
// without dropout: B/16, L/16 and H/14 as torchvision has them, S/16 of Touvron et al., "Training
// Data-Efficient Image Transformers", ICML 2021 (DeiT-S), as timm does.
#include "kernels/networks/vit.h"

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "kernels/networks/block_fields.h"
#include "kernels/networks/config_file.h"
#include "kernels/networks/families.h"
#include "kernels/networks/transformer_block.h"

namespace rightsize {
namespace {

constexpr std::int64_t usual_labels = 2;  // of transformers, where a file says none

VitConfig vit(const char* name, const char* title, std::int64_t width, int depth) {
  return {.name = name,
          .title = title,
          .width = width,
          .depth = depth,
          .heads = width / 64,
          .feed_forward = 4 * width};
}

void require_shape(const ConfigFile& file, const VitConfig& config) {
  require_layers(file, "num_hidden_layers", config.depth);
  if (config.width % config.heads != 0) {
    file.fail("hidden_size",
              fmt::format(
                  "is {}, which the {} attention heads do not divide", config.width, config.heads));
  }
  if (config.image % config.patch != 0) {
    file.fail("image_size",
              fmt::format("is {}, which patches of {} do not divide", config.image, config.patch));
  }
  const auto real = [](std::int64_t count) { return static_cast<double>(count); };
  const double width = real(config.width);
  const double fed = real(config.feed_forward);
  const double positions = real(config.image / config.patch) * real(config.image / config.patch);
  const double patch = 3.0 * real(config.patch) * real(config.patch);
  file.require_countable(
      {width * (config.depth * (4 * width + 2 * fed) + patch + positions + real(config.classes)),
       positions * (config.depth * (8 * width + 2 * fed) + patch),
       positions * width * std::max({4 * width, fed, patch}),
       (config.image / config.patch) * (config.image / config.patch) + 1});
}

}  // namespace

Network make_vit(const VitConfig& config) {
  constexpr float epsilon = 1e-6F;
  const AttentionShape attention{
      .heads = config.heads, .kv_heads = config.heads, .head_dim = config.width / config.heads};
  const FeedForward mlp{.width = config.feed_forward, .activation = Activation::gelu};
  NetworkBuilder net(
      config.name, config.title, {3, config.image, config.image}, static_cast<int>(config.classes));
  const Window patches{.kernel = config.patch, .stride = config.patch};
  int x = net.convolution("patches", net.input(), config.width, patches, true);
  x = net.to_sequence("sequence", x);
  x = net.class_token("class", x);
  x = net.position_embedding("positions", x, net.shape(x).positions());
  for (int i = 1; i <= config.depth; ++i) {
    x = pre_norm_block(net, fmt::format("block{}", i), x, attention, mlp, epsilon);
  }
  x = net.layer_norm("norm", x, epsilon);
  x = net.take_position("class_out", x, 0);
  x = net.fully_connected("head", x, config.classes);
  return net.finish(x, Optimizer::adam);
}

bool is_vit(const ConfigFile& file) {
  return file.word_or("model_type", "") == "vit";
}

VitConfig read_vit(const ConfigFile& file, const std::string& name) {
  file.require("hidden_act", "gelu");
  file.require("num_channels", 3);
  file.require("qkv_bias", true);
  VitConfig config{.name = name, .title = "ViT-style"};
  config.patch = file.positive_or("patch_size", 16);
  config.width = file.positive("hidden_size");
  config.depth = static_cast<int>(file.positive("num_hidden_layers"));
  config.heads = file.positive("num_attention_heads");
  config.feed_forward = file.positive("intermediate_size");
  config.image = file.positive_or("image_size", 224);
  config.classes = file.entries_or("id2label", file.positive_or("num_labels", usual_labels));
  require_shape(file, config);
  return config;
}

Network make_vit_s16() {
  return make_vit(vit("vit-s16", "ViT-S/16", 384, 12));
}
Network make_vit_b16() {
  return make_vit(vit("vit-b16", "ViT-B/16", 768, 12));
}
Network make_vit_l16() {
  return make_vit(vit("vit-l16", "ViT-L/16", 1024, 24));
}
Network make_vit_h14() {
  auto config = vit("vit-h14", "ViT-H/14", 1280, 32);
  config.patch = 14;
  config.heads = 16;
  return make_vit(config);
}

}  // namespace rightsize
