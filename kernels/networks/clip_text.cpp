// The halves of CLIP and SigLIP that read: an image's vector is told from others by that of a text.
// CLIP: Radford et al., "Learning Transferable Visual Models From Natural Language Supervision",
// ICML 2021; positions see those before them, and the last is the text's. SigLIP: Zhai et al.,
// "Sigmoid Loss for Language Image Pre-Training", ICCV 2023; all see all, and the matrix at the end
// has biases. With their towers that see OpenAI's ViT-B/32 has 151 277 313 parameters (one is the
// loss's temperature), as its notebook prints; open_clip's docs/model_profile.csv has all others.
#include <string>

#include <fmt/format.h>

#include "kernels/networks/families.h"
#include "kernels/networks/transformer_block.h"

namespace rightsize {
namespace {

struct Form {
  std::int64_t vocabulary;
  std::int64_t context;
  std::int64_t width;
  int depth;
  std::int64_t heads;
  std::int64_t feed_forward;
  std::int64_t embedding;
  bool clip;
};

Network make_text(const std::string& name,
                  const std::string& title,
                  int sequence,
                  const Form& form) {
  require_context(name, sequence, form.context);
  const float epsilon = form.clip ? 1e-5F : 1e-6F;
  const AttentionShape attention{.heads = form.heads,
                                 .kv_heads = form.heads,
                                 .head_dim = form.width / form.heads,
                                 .causal = form.clip};
  const FeedForward mlp{.width = form.feed_forward,
                        .activation = form.clip ? Activation::gelu : Activation::gelu_tanh};
  auto net = NetworkBuilder::of_tokens(
      name, title, sequence, form.vocabulary, static_cast<int>(form.embedding));
  int x = net.embedding("words", net.input(), form.vocabulary, form.width);
  x = net.position_embedding("positions", x, form.context);
  for (int i = 1; i <= form.depth; ++i) {
    x = pre_norm_block(net, fmt::format("block{}", i), x, attention, mlp, epsilon);
  }
  x = net.layer_norm("norm", x, epsilon);
  x = net.linear("projection", net.take_position("end", x, -1), form.embedding, !form.clip);
  auto network = net.finish(x, Optimizer::adam);
  network.notes = {
      "it ends in the vector of a text; in training the loss over a minibatch's pairs counts as a "
      "softmax over the vector, as little work"};
  return network;
}

Form clip(std::int64_t width, int depth, std::int64_t embedding) {
  return {49'408, 77, width, depth, width / 64, 4 * width, embedding, true};
}

}  // namespace

Network make_clip_text_b(int sequence) {  // also of ViT-B/16
  return make_text("clip-text-b", "CLIP text tower of ViT-B", sequence, clip(512, 12, 512));
}
Network make_clip_text_l(int sequence) {
  return make_text("clip-text-l", "CLIP text tower of ViT-L", sequence, clip(768, 12, 768));
}
Network make_clip_text_h(int sequence) {
  return make_text("clip-text-h", "CLIP text tower of ViT-H", sequence, clip(1024, 24, 1024));
}
Network make_siglip_text_b(int sequence) {
  return make_text("siglip-text-b",
                   "SigLIP text tower of B",
                   sequence,
                   {32'000, 64, 768, 12, 12, 3072, 768, false});
}
Network make_siglip_text_so400m(int sequence) {
  return make_text("siglip-text-so400m",
                   "SigLIP text tower of SO400M",
                   sequence,
                   {32'000, 64, 1152, 27, 16, 4304, 1152, false});
}

}  // namespace rightsize
