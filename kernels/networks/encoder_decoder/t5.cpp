#include "kernels/networks/encoder_decoder/t5.h"

#include <fmt/format.h>

#include "kernels/networks/encoder_decoder/decoder.h"
#include "kernels/networks/encoder_decoder/text_form.h"

namespace rightsize {
namespace {

int feed_forward(NetworkBuilder& net, const std::string& block, int from, const T5Shape& shape) {
  const auto up = block + "_up";
  int x = net.linear(up, from, (shape.gated ? 2 : 1) * shape.hidden, false);
  x = shape.gated ? net.gated_gelu(block + "_gate", x) : net.relu(block + "_relu", x);
  return net.linear(block + "_down", x, shape.width, false);
}

int encoder_block(NetworkBuilder& net, const std::string& block, int from, const T5Shape& shape) {
  const auto inner = shape.heads * shape.head_dim;
  net.begin_block();
  int x = net.rms_norm(block + "_norm1", from);
  const int queries = net.linear(block + "_q", x, inner, false);
  const int keys_values = net.linear(block + "_kv", x, 2 * inner, false);
  x = net.attention_to(block + "_attention", queries, keys_values, shape.heads);
  const int y = net.add(block + "_sum1", {net.linear(block + "_out", x, shape.width, false), from});
  x = net.rms_norm(block + "_norm2", y);
  const int sum = net.add(block + "_sum2", {feed_forward(net, block, x, shape), y});
  net.end_block();
  return sum;
}

int decoder_block(
    NetworkBuilder& net, Decoder& decoder, int number, int from, const T5Shape& shape) {
  const auto block = fmt::format("decoder{}", number);
  net.begin_block();
  int x = net.rms_norm(block + "_norm1", from);
  const int y = net.add(block + "_sum1", {decoder.looking_back(number, x), from});
  x = net.rms_norm(block + "_norm2", y);
  const int z = net.add(block + "_sum2", {decoder.looking_at_read(number, x), y});
  x = net.rms_norm(block + "_norm3", z);
  const int sum = net.add(block + "_sum3", {feed_forward(net, block, x, shape), z});
  net.end_block();
  return sum;
}

}  // namespace

int t5_encoder(NetworkBuilder& net, const std::string& name, int features, const T5Shape& shape) {
  int x = features;
  for (int i = 1; i <= shape.encoder_depth; ++i) {
    x = encoder_block(net, fmt::format("{}_block{}", name, i), x, shape);
  }
  return net.rms_norm(name + "_norm", x);
}

EncoderDecoderInfo t5_info(const T5Shape& shape) {
  constexpr int most_tokens = 4096;  // its positions have no end
  return {.make = [shape](const EncoderDecoderInfo& info,
                          const TextForm& form,
                          int sequence) { return make_t5(shape, info, form, sequence); },
          .usual = usual_answer,
          .sequence = usual_question,
          .most_tokens = most_tokens};
}

Network make_t5(const T5Shape& shape,
                const EncoderDecoderInfo& info,
                const TextForm& form,
                int sequence) {
  auto net = NetworkBuilder::of_tokens(info.name,
                                       text_title(info, form),
                                       sequence,
                                       shape.vocabulary,
                                       static_cast<int>(shape.vocabulary));
  net.quantize(form.weight_bits);
  const int words = net.embedding("words", net.input(), shape.vocabulary, shape.width);
  const int read = t5_encoder(net, "encoder", words, shape);
  const DecoderHeads heads{shape.heads, shape.head_dim, false};
  Decoder decoder(net, info, form, read, shape.decoder_depth, heads);
  int x = net.tied_embedding("written_words", decoder.tokens(), words);
  for (int i = 1; i <= shape.decoder_depth; ++i) {
    x = decoder_block(net, decoder, i, x, shape);
  }
  x = net.rms_norm("decoder_norm", x);
  x = shape.tied ? net.tied_linear("head", x, words)
                 : net.linear("head", x, shape.vocabulary, false);
  decoder.end();
  auto network = net.finish(x, Optimizer::adam);
  network.notes.emplace_back(
      "what the distance of two positions adds to their scores is left out: a few hundred numbers");
  return network;
}

}  // namespace rightsize
