#include "kernels/networks/encoder_decoder/whisper.h"

#include <fmt/format.h>

#include "kernels/networks/encoder_decoder/decoder.h"
#include "kernels/networks/encoder_decoder/text_form.h"
#include "kernels/networks/transformer_block.h"

namespace rightsize {
namespace {

constexpr std::int64_t frames = 3000;
constexpr float epsilon = 1e-5F;

FeedForward mlp_of(std::int64_t width) {
  return {.width = 4 * width, .activation = Activation::gelu};
}

// Two convolutions along time, the second of which halves it; places are sines, and count as
// parameters where Hugging Face counts them.
int heard(NetworkBuilder& net, const WhisperShape& shape) {
  WindowHw window{.kernel_h = 3, .kernel_w = 1, .pad_h = 1};
  int x = net.convolution_hw("conv1", net.input(), shape.width, window, true);
  x = net.activation("conv1_gelu", x, Activation::gelu);
  window.stride_h = 2;
  x = net.convolution_hw("conv2", x, shape.width, window, true);
  x = net.activation("conv2_gelu", x, Activation::gelu);
  x = net.to_sequence("heard", x);
  x = net.position_embedding("heard_positions", x, net.shape(x).positions());
  const AttentionShape attention{
      .heads = shape.heads, .kv_heads = shape.heads, .head_dim = shape.width / shape.heads};
  for (int i = 1; i <= shape.encoder_depth; ++i) {
    net.begin_block();
    const auto name = fmt::format("encoder{}", i);
    x = pre_norm_block(net, name, x, attention, mlp_of(shape.width), epsilon);
    net.end_block();
  }
  return net.layer_norm("encoder_norm", x, epsilon);
}

int block(NetworkBuilder& net, Decoder& decoder, int number, int from) {
  const auto name = fmt::format("decoder{}", number);
  const auto width = net.shape(from).c;
  net.begin_block();
  int x = net.layer_norm(name + "_norm1", from, epsilon);
  const int y = net.add(name + "_sum1", {decoder.looking_back(number, x), from});
  x = net.layer_norm(name + "_norm2", y, epsilon);
  const int z = net.add(name + "_sum2", {decoder.looking_at_read(number, x), y});
  x = net.layer_norm(name + "_norm3", z, epsilon);
  const int sum = net.add(name + "_sum3", {feed_forward(net, name, x, mlp_of(width)), z});
  net.end_block();
  return sum;
}

// Half a minute of speech: MLPerf's Whisper writes 63 to 76 of 23.6 s (models/README.md).
constexpr TextForm spoken{.tokens = 100};

}  // namespace

EncoderDecoderInfo whisper_info(const WhisperShape& shape) {
  return {.make = [shape](const EncoderDecoderInfo& info,
                          const TextForm& form,
                          int /*sequence*/) { return make_whisper(shape, info, form); },
          .usual = spoken,
          .most_tokens = whisper_most_tokens};
}

Network make_whisper(const WhisperShape& shape,
                     const EncoderDecoderInfo& info,
                     const TextForm& form) {
  auto net = NetworkBuilder::of_sound(
      info.name, text_title(info, form), shape.bins, frames, static_cast<int>(shape.vocabulary));
  net.quantize(form.weight_bits);
  const DecoderHeads heads{shape.heads, shape.width / shape.heads};
  Decoder decoder(net, info, form, heard(net, shape), shape.decoder_depth, heads);
  const int words = net.embedding("words", decoder.tokens(), shape.vocabulary, shape.width);
  int x = net.position_embedding("positions", words, whisper_most_tokens);
  for (int i = 1; i <= shape.decoder_depth; ++i) {
    x = block(net, decoder, i, x);
  }
  x = net.layer_norm("decoder_norm", x, epsilon);
  x = net.tied_linear("head", x, words);
  decoder.end();
  auto network = net.finish(x, Optimizer::adam);
  network.notes.emplace_back(
      "its keys have biases here and in Whisper none (0.01 % of the parameters); the encoder's "
      "places are sines that count as parameters, as in transformers");
  return network;
}

}  // namespace rightsize
