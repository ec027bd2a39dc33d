#include "kernels/networks/encoder_decoder/bart.h"

#include <algorithm>

#include <fmt/format.h>

#include "kernels/networks/encoder_decoder/decoder.h"
#include "kernels/networks/encoder_decoder/text_form.h"
#include "kernels/networks/transformer_block.h"

namespace rightsize {
namespace {

// x + branch(norm(x)), or norm(x + branch(x)).
template <typename Branch>
int residual(NetworkBuilder& net,
             const std::string& name,
             int from,
             bool norms_first,
             const Branch& branch) {
  const int x = norms_first ? net.layer_norm(name + "_norm", from) : from;
  const int sum = net.add(name + "_sum", {branch(x), from});
  return norms_first ? sum : net.layer_norm(name + "_norm", sum);
}

int between(NetworkBuilder& net, const std::string& name, int from, const BartShape& shape) {
  int x = net.linear(name + "_up", from, shape.hidden, true);
  x = shape.rectifies ? net.relu(name + "_relu", x)
                      : net.activation(name + "_activation", x, shape.activation);
  return net.linear(name + "_down", x, shape.width, true);
}

int embedded(NetworkBuilder& net, const std::string& name, int words, const BartShape& shape) {
  const int x = net.position_embedding(name + "_positions", words, shape.positions);
  return shape.embedding_norm ? net.layer_norm(name + "_embedding_norm", x) : x;
}

int read_text(NetworkBuilder& net, int words, const BartShape& shape) {
  const AttentionShape attention{
      .heads = shape.heads, .kv_heads = shape.heads, .head_dim = shape.width / shape.heads};
  int x = embedded(net, "encoder", words, shape);
  for (int i = 1; i <= shape.encoder_depth; ++i) {
    const auto name = fmt::format("encoder{}", i);
    net.begin_block();
    x = residual(net, name + "_self", x, shape.norms_first, [&](int in) {
      return self_attention(net, name, in, attention);
    });
    x = residual(net, name + "_mlp", x, shape.norms_first, [&](int in) {
      return between(net, name, in, shape);
    });
    net.end_block();
  }
  return shape.norms_first ? net.layer_norm("encoder_norm", x) : x;
}

int written_text(NetworkBuilder& net, Decoder& decoder, int words, const BartShape& shape) {
  int x = embedded(net, "decoder", words, shape);
  for (int i = 1; i <= shape.decoder_depth; ++i) {
    const auto name = fmt::format("decoder{}", i);
    net.begin_block();
    x = residual(net, name + "_self", x, shape.norms_first, [&](int in) {
      return decoder.looking_back(i, in);
    });
    x = residual(net, name + "_cross", x, shape.norms_first, [&](int in) {
      return decoder.looking_at_read(i, in);
    });
    x = residual(net, name + "_mlp", x, shape.norms_first, [&](int in) {
      return between(net, name, in, shape);
    });
    net.end_block();
  }
  return shape.norms_first ? net.layer_norm("decoder_norm", x) : x;
}

}  // namespace

EncoderDecoderInfo bart_info(const BartShape& shape, int most) {
  return {.make = [shape](const EncoderDecoderInfo& info,
                          const TextForm& form,
                          int sequence) { return make_bart(shape, info, form, sequence); },
          .usual = {.tokens = std::min(usual_answer.tokens, most)},
          .sequence = std::min(usual_question, most),
          .most_tokens = most,
          .most_read = most};
}

Network make_bart(const BartShape& shape,
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
  const int read = read_text(net, words, shape);
  Decoder decoder(
      net, info, form, read, shape.decoder_depth, {shape.heads, shape.width / shape.heads, true});
  int x = net.tied_embedding("written_words", decoder.tokens(), words);
  x = written_text(net, decoder, x, shape);
  x = net.tied_linear("head", x, words);
  decoder.end();
  auto network = net.finish(x, Optimizer::adam);
  if (shape.sines) {
    network.notes.emplace_back("its places are sines, which count as parameters here");
  }
  return network;
}

}  // namespace rightsize
