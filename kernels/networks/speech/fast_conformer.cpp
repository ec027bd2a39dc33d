// Fast Conformer: Rekesh et al., ASRU 2023, after Gulati et al., "Conformer", Interspeech 2020, as
// NVIDIA's NeMo shapes it (fast-conformer_ctc_bpe.yaml): Parakeet's encoder, with a head of 1024
// parts of words and none. Three convolutions with a stride leave a moment of 80 ms. Scores have a
// part by distance, whose matrix makes a fourth vector of each moment here, and whose product with
// the queries is left out; gates are SiLU's and not the sigmoid's.
#include "kernels/networks/speech/fast_conformer.h"

#include <array>
#include <string>

#include "kernels/networks/speech/families.h"
#include "kernels/networks/transformer_block.h"

namespace rightsize::speech {
namespace {

constexpr std::int64_t frames_per_second = 100;
constexpr std::int64_t narrowed = 256;  // channels of the convolutions in front
constexpr int words = 1025;

struct Form {
  FastConformerShape shape;
  bool writes = false;  // by a network of its own that is left out
};

constexpr std::array<Form, 4> forms{
    {{{512, 17}}, {{1024, 24}}, {{1024, 42}}, {{1024, 24, 128}, true}}};

int heard(NetworkBuilder& net, const FastConformerShape& form) {
  const auto frames = net.shape(net.input()).h;
  int x = net.to_sequence("spectrum_sequence", net.input(), form.bins);
  x = net.to_image("spectrum", x, frames, form.bins);
  const Window halved{.kernel = 3, .stride = 2, .pad = 1};
  x = net.relu("heard1_relu", net.convolution("heard1", x, narrowed, halved, true));
  for (const auto* const name : {"heard2", "heard3"}) {
    auto each = halved;
    each.groups = narrowed;
    x = net.convolution(std::string(name) + "_depthwise", x, narrowed, each, true);
    x = net.convolution(name, x, narrowed, {}, true);
    x = net.relu(std::string(name) + "_relu", x);
  }
  const WindowHw all{.kernel_h = 1, .kernel_w = net.shape(x).w};
  return net.to_sequence("sequence", net.convolution_hw("widened", x, form.width, all, true));
}

int half_fed(NetworkBuilder& net, const std::string& name, int from) {
  const auto width = net.shape(from).c;
  const int x = net.layer_norm(name + "_norm", from);
  const FeedForward part{.width = 4 * width, .activation = Activation::silu};
  return net.add(name + "_sum", {from, feed_forward(net, name, x, part)});
}

int attended(NetworkBuilder& net, const std::string& name, int from) {
  constexpr std::int64_t heads = 8;
  const auto width = net.shape(from).c;
  int x = net.layer_norm(name + "_norm", from);
  x = net.concat(name + "_vectors",
                 {net.linear(name + "_qkv", x, 3 * width, true),
                  net.linear(name + "_places", x, width, false)});
  x = net.take_channels(name + "_taken", x, 0, 3 * width);
  x = net.attention(
      name + "_attention", x, {.heads = heads, .kv_heads = heads, .head_dim = width / heads});
  return net.add(name + "_sum", {from, net.linear(name + "_projection", x, width, true)});
}

int convolved(NetworkBuilder& net, const std::string& name, int from) {
  constexpr std::int64_t kernel = 9;
  const auto shape = net.shape(from);
  int x = net.layer_norm(name + "_norm", from);
  x = net.gated_silu(name + "_gate", net.linear(name + "_cv1", x, 2 * shape.c, true));
  const WindowHw each{.kernel_h = kernel, .kernel_w = 1, .pad_h = kernel / 2, .groups = shape.c};
  x = net.to_image(name + "_image", x, shape.h, 1);
  x = net.batch_norm(name + "_bn", net.convolution_hw(name + "_depthwise", x, shape.c, each, true));
  x = net.activation(name + "_silu", net.to_sequence(name + "_sequence", x), Activation::silu);
  return net.add(name + "_sum", {from, net.linear(name + "_cv2", x, shape.c, true)});
}

}  // namespace

int fast_conformer(NetworkBuilder& net, const FastConformerShape& shape) {
  int x = heard(net, shape);
  for (int i = 1; i <= shape.depth; ++i) {
    net.begin_block();
    const auto name = "block" + std::to_string(i);
    x = attended(net, name + "_attention", half_fed(net, name + "_fed1", x));
    x = half_fed(net, name + "_fed2", convolved(net, name + "_convolution", x));
    x = net.layer_norm(name + "_norm", x);
    net.end_block();
  }
  return x;
}

Network make_fast_conformer(const SpeechAsked& asked) {
  const auto& form = forms.at(static_cast<std::size_t>(asked.scale));
  auto net = NetworkBuilder::of_sound(
      asked.name, asked.title, form.shape.bins, asked.seconds * frames_per_second, words);
  const int x = fast_conformer(net, form.shape);
  auto network = net.finish(net.linear("head", x, words, true), Optimizer::adam);
  network.notes.emplace_back(
      form.writes
          ? "it is the encoder, with a head at each moment; what writes behind it (9 M "
            "parameters of the 618 M), token by token, is left out: it runs slower than said"
          : "an item is a clip of so many seconds; in training CTC's loss counts as a "
            "softmax at each moment, as little work");
  return network;
}

}  // namespace rightsize::speech
