// wav2vec 2.0: Baevski et al., NeurIPS 2020, and what has its shapes: HuBERT (Hsu et al., 2021),
// XLS-R (Babu et al., 2021) and WavLM (Chen et al., IEEE JSTSP 2022), with a head of the 32 letters
// that transformers' Wav2Vec2ForCTC has. It reads the wave at 16 kHz by seven convolutions, and
// positions are what a wide convolution makes of their neighbours. The larger ones normalise behind
// each convolution, which has biases, and in front of a block's parts; the base ones once, each
// channel over all moments, and behind them.
#include <array>
#include <string>

#include "kernels/networks/speech/families.h"
#include "kernels/networks/transformer_block.h"

namespace rightsize::speech {
namespace {

constexpr std::int64_t hertz = 16'000;
constexpr std::int64_t heard = 512;  // features of the convolutions
constexpr int letters = 32;
constexpr float epsilon = 1e-5F;

struct Form {
  std::int64_t width;
  int depth;
  std::int64_t heads;
  std::int64_t feed_forward;
  bool stable;  // norms in front
};

constexpr std::array<Form, 3> forms{
    {{768, 12, 12, 3072, false}, {1024, 24, 16, 4096, true}, {1280, 48, 16, 5120, true}}};

int convolved(NetworkBuilder& net, const Form& form) {
  constexpr std::array<std::int64_t, 7> kernels{10, 3, 3, 3, 3, 2, 2};
  constexpr std::array<std::int64_t, 7> strides{5, 2, 2, 2, 2, 2, 2};
  int x = net.input();
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    const auto name = "heard" + std::to_string(i + 1);
    const WindowHw window{.kernel_h = kernels[i], .kernel_w = 1, .stride_h = strides[i]};
    x = net.convolution_hw(name, x, heard, window, form.stable);
    if (form.stable) {
      const auto shape = net.shape(x);
      x = net.layer_norm(name + "_norm", net.to_sequence(name + "_sequence", x), epsilon);
      x = net.to_image(name + "_image", x, shape.h, 1);
    } else if (i == 0) {
      x = net.group_norm(name + "_norm", x, heard);
    }
    x = net.activation(name + "_gelu", x, Activation::gelu);
  }
  return net.to_sequence("heard", x);
}

int placed(NetworkBuilder& net, int from) {
  constexpr std::int64_t wide = 128;
  const auto shape = net.shape(from);
  const WindowHw window{
      .kernel_h = wide, .kernel_w = 1, .pad_h = wide / 2 - 1, .more_pad_h = 1, .groups = 16};
  int x = net.to_image("places_image", from, shape.h, 1);
  x = net.convolution_hw("places", x, shape.c, window, true);
  x = net.to_sequence("places_sequence", net.activation("places_gelu", x, Activation::gelu));
  return net.add("placed", {from, x});
}

int block(NetworkBuilder& net, const Form& form, const std::string& name, int from) {
  const AttentionShape attention{
      .heads = form.heads, .kv_heads = form.heads, .head_dim = form.width / form.heads};
  const FeedForward fed{.width = form.feed_forward};
  if (form.stable) {
    return pre_norm_block(net, name, from, attention, fed, epsilon);
  }
  int x = net.add(name + "_sum1", {self_attention(net, name, from, attention), from});
  x = net.layer_norm(name + "_norm1", x, epsilon);
  const int y = net.add(name + "_sum2", {feed_forward(net, name, x, fed), x});
  return net.layer_norm(name + "_norm2", y, epsilon);
}

}  // namespace

Network make_wav2vec2(const SpeechAsked& asked) {
  const auto& form = forms.at(static_cast<std::size_t>(asked.scale));
  auto net = NetworkBuilder::of_sound(asked.name, asked.title, 1, asked.seconds * hertz, letters);
  int x = net.layer_norm("heard_norm", convolved(net, form), epsilon);
  x = placed(net, net.linear("widened", x, form.width, true));
  x = form.stable ? x : net.layer_norm("norm", x, epsilon);
  for (int i = 1; i <= form.depth; ++i) {
    net.begin_block();
    x = block(net, form, "block" + std::to_string(i), x);
    net.end_block();
  }
  x = form.stable ? net.layer_norm("norm", x, epsilon) : x;
  auto network = net.finish(net.linear("head", x, letters, true), Optimizer::adam);
  network.notes.emplace_back(
      "an item is a clip of so many seconds at 16 kHz; in training CTC's loss counts as a softmax "
      "at each moment, as little work");
  return network;
}

// What its attention has beside (Chi et al., "XLM-E", ACL 2022): a bias of each score by distance,
// weighed by the query.
Network make_wavlm(const SpeechAsked& asked) {
  auto network = make_wav2vec2(asked);
  network.notes.emplace_back(
      "biases of scores by distance, which pass over the scores of all moments in every block, are "
      "left out (0.01 % of the parameters): it runs slower than said");
  return network;
}

}  // namespace rightsize::speech
