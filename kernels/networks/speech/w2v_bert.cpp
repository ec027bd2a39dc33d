// W2v-BERT 2.0: Seamless Communication, "Seamless: Multilingual Expressive and Streaming Speech
// Translation", 2023, as transformers' wav2vec2_bert has it: a Conformer (Gulati et al.,
// Interspeech 2020) that hears 80 bins of two moments at once, 20 ms apart, with a head of 32
// letters. Scores have a part by distance, 73 vectors of a head's features in each block, which has
// no layer (0.02 % of the parameters); gates are SiLU's and not the sigmoid's.
#include <string>

#include "kernels/networks/speech/families.h"
#include "kernels/networks/transformer_block.h"

namespace rightsize::speech {
namespace {

constexpr std::int64_t moments_per_second = 50;
constexpr std::int64_t bins = 160;
constexpr std::int64_t width = 1024;
constexpr std::int64_t heads = 16;
constexpr int depth = 24;
constexpr int letters = 32;

int half_fed(NetworkBuilder& net, const std::string& name, int from) {
  const FeedForward part{.width = 4 * width, .activation = Activation::silu};
  return net.add(name + "_sum",
                 {from, feed_forward(net, name, net.layer_norm(name + "_norm", from), part)});
}

int attended(NetworkBuilder& net, const std::string& name, int from) {
  const AttentionShape shape{.heads = heads, .kv_heads = heads, .head_dim = width / heads};
  return net.add(name + "_sum",
                 {from, self_attention(net, name, net.layer_norm(name + "_norm", from), shape)});
}

int convolved(NetworkBuilder& net, const std::string& name, int from) {
  constexpr std::int64_t kernel = 31;
  const auto shape = net.shape(from);
  int x = net.layer_norm(name + "_norm", from);
  x = net.gated_silu(name + "_gate", net.linear(name + "_cv1", x, 2 * width, false));
  const WindowHw each{.kernel_h = kernel, .kernel_w = 1, .pad_h = kernel / 2, .groups = width};
  x = net.to_image(name + "_image", x, shape.h, 1);
  x = net.convolution_hw(name + "_depthwise", x, width, each, false);
  x = net.layer_norm(name + "_inner_norm", net.to_sequence(name + "_sequence", x));
  x = net.activation(name + "_silu", x, Activation::silu);
  return net.add(name + "_sum", {from, net.linear(name + "_cv2", x, width, false)});
}

}  // namespace

Network make_w2v_bert(const SpeechAsked& asked) {
  auto net = NetworkBuilder::of_sound(
      asked.name, asked.title, bins, asked.seconds * moments_per_second, letters);
  int x = net.layer_norm("heard_norm", net.to_sequence("heard", net.input()));
  x = net.linear("widened", x, width, true);
  for (int i = 1; i <= depth; ++i) {
    net.begin_block();
    const auto name = "block" + std::to_string(i);
    x = attended(net, name + "_attention", half_fed(net, name + "_fed1", x));
    x = half_fed(net, name + "_fed2", convolved(net, name + "_convolution", x));
    x = net.layer_norm(name + "_norm", x);
    net.end_block();
  }
  auto network = net.finish(net.linear("head", x, letters, true), Optimizer::adam);
  network.notes.emplace_back(
      "an item is a clip of so many seconds; its head is one of 32 letters, as it comes without "
      "one; the product of queries with distances is left out; in training CTC's loss counts as a "
      "softmax at each moment, as little work");
  return network;
}

}  // namespace rightsize::speech
