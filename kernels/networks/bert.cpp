// BERT: Devlin et al., "BERT: Pre-training of Deep Bidirectional Transformers", NAACL 2019; base,
// uncased, with the masked-language head, whose matrix is the embedding's table: 109 514 298
// parameters, as Hugging Face's BertForMaskedLM. No next-sentence head. Of the paper's dropout of
// 0.1 that on attention weights is left out.
#include <fmt/format.h>

#include "kernels/networks/families.h"
#include "kernels/networks/transformer_block.h"

namespace rightsize {
namespace {

constexpr std::int64_t width = 768;
constexpr std::int64_t vocabulary = 30522;
constexpr float epsilon = 1e-12F;
constexpr float dropped = 0.1F;

// The norms behind the sums, as in the first transformer.
int block(NetworkBuilder& net, const std::string& name, int from) {
  int x = self_attention(net, name, from, {.heads = 12, .kv_heads = 12, .head_dim = 64});
  x = net.dropout(name + "_drop1", x, dropped);
  const int y = net.layer_norm(name + "_norm1", net.add(name + "_sum1", {x, from}), epsilon);
  x = feed_forward(net, name, y, {.width = 4 * width, .activation = Activation::gelu});
  x = net.dropout(name + "_drop2", x, dropped);
  return net.layer_norm(name + "_norm2", net.add(name + "_sum2", {x, y}), epsilon);
}

}  // namespace

Network make_bert_base(int sequence) {
  auto net = NetworkBuilder::of_tokens("bert-base", "BERT-base", sequence, vocabulary, vocabulary);
  const int words = net.embedding("words", net.input(), vocabulary, width);
  int x = net.position_embedding("positions", words, 512, 2);
  x = net.layer_norm("embedding_norm", x, epsilon);
  x = net.dropout("embedding_drop", x, dropped);
  for (int i = 1; i <= 12; ++i) {
    x = block(net, fmt::format("block{}", i), x);
  }
  x = net.linear("transform", x, width, true);
  x = net.activation("transform_activation", x, Activation::gelu);
  x = net.layer_norm("transform_norm", x, epsilon);
  x = net.tied_linear("head", x, words, true);
  return net.finish(x, Optimizer::adam);
}

}  // namespace rightsize
