#include "kernels/networks/encoder_decoder/canary.h"

#include <fmt/format.h>

#include "kernels/networks/encoder_decoder/decoder.h"
#include "kernels/networks/encoder_decoder/text_form.h"
#include "kernels/networks/speech/fast_conformer.h"
#include "kernels/networks/transformer_block.h"

namespace rightsize {
namespace {

constexpr std::int64_t frames = std::int64_t{100} * clip_seconds;
constexpr std::int64_t bins = 128;
constexpr std::int64_t width = 1024;
constexpr std::int64_t heads = 8;
constexpr int most_tokens = 512;
constexpr TextForm spoken{.tokens = 100};  // as Whisper's of half a minute

int block(NetworkBuilder& net, Decoder& decoder, int number, int from) {
  const auto name = fmt::format("decoder{}", number);
  const FeedForward part{.width = 4 * width, .activation = std::nullopt};
  net.begin_block();
  int x = net.layer_norm(name + "_norm1", from);
  const int y = net.add(name + "_sum1", {decoder.looking_back(number, x), from});
  x = net.layer_norm(name + "_norm2", y);
  const int z = net.add(name + "_sum2", {decoder.looking_at_read(number, x), y});
  x = net.layer_norm(name + "_norm3", z);
  const int sum = net.add(name + "_sum3", {feed_forward(net, name, x, part), z});
  net.end_block();
  return sum;
}

Network make_canary(const CanaryShape& shape,
                    const EncoderDecoderInfo& info,
                    const TextForm& form) {
  auto net = NetworkBuilder::of_sound(
      info.name, text_title(info, form), bins, frames, static_cast<int>(shape.vocabulary));
  net.quantize(form.weight_bits);
  int heard = speech::fast_conformer(net, {shape.encoder_width, shape.encoder_depth, bins});
  heard = shape.encoder_width == width ? heard : net.linear("heard_width", heard, width, true);
  Decoder decoder(net, info, form, heard, shape.decoder_depth, {heads, width / heads});
  const int words = net.embedding("words", decoder.tokens(), shape.vocabulary, width);
  int x = net.layer_norm("words_norm", words);
  for (int i = 1; i <= shape.decoder_depth; ++i) {
    x = block(net, decoder, i, x);
  }
  x = net.layer_norm("decoder_norm", x);
  x = shape.tied ? net.tied_linear("head", x, words, true)
                 : net.linear("head", x, shape.vocabulary, true);
  decoder.end();
  auto network = net.finish(x, Optimizer::adam);
  network.notes.emplace_back(
      "of the scores' part by distance the matrix is here and the product with queries is not; "
      "sines of positions are left out");
  return network;
}

}  // namespace

EncoderDecoderInfo canary_info(const CanaryShape& shape) {
  return {.make = [shape](const EncoderDecoderInfo& info,
                          const TextForm& form,
                          int /*sequence*/) { return make_canary(shape, info, form); },
          .usual = spoken,
          .most_tokens = most_tokens};
}

}  // namespace rightsize
