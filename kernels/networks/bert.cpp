// BERT: Devlin et al., "BERT: Pre-training of Deep Bidirectional Transformers", NAACL 2019; base
// and large, uncased, with the masked-language head, whose matrix is the embedding's table:
// 109 514 298 and 335 174 458 parameters, as Hugging Face's BertForMaskedLM. No next-sentence head.
// Of the paper's dropout of 0.1 that on attention weights is left out.
#include <fmt/format.h>

#include "kernels/networks/families.h"
#include "kernels/networks/transformer_block.h"

namespace rightsize {
namespace {

struct Size {
  const char* name;
  const char* title;
  int layers;
  std::int64_t width;
};

constexpr std::int64_t head_dim = 64;
constexpr std::int64_t vocabulary = 30522;
constexpr float epsilon = 1e-12F;
constexpr float dropped = 0.1F;

// The norms behind the sums, as in the first transformer.
int block(NetworkBuilder& net, const std::string& name, int from) {
  const auto width = net.shape(from).c;
  const auto heads = width / head_dim;
  int x =
      self_attention(net, name, from, {.heads = heads, .kv_heads = heads, .head_dim = head_dim});
  x = net.dropout(name + "_drop1", x, dropped);
  const int y = net.layer_norm(name + "_norm1", net.add(name + "_sum1", {x, from}), epsilon);
  x = feed_forward(net, name, y, {.width = 4 * width, .activation = Activation::gelu});
  x = net.dropout(name + "_drop2", x, dropped);
  return net.layer_norm(name + "_norm2", net.add(name + "_sum2", {x, y}), epsilon);
}

Network make_bert(const Size& size, int sequence) {
  auto net = NetworkBuilder::of_tokens(size.name, size.title, sequence, vocabulary, vocabulary);
  const int words = net.embedding("words", net.input(), vocabulary, size.width);
  int x = net.position_embedding("positions", words, 512, 2);
  x = net.layer_norm("embedding_norm", x, epsilon);
  x = net.dropout("embedding_drop", x, dropped);
  for (int i = 1; i <= size.layers; ++i) {
    x = block(net, fmt::format("block{}", i), x);
  }
  x = net.linear("transform", x, size.width, true);
  x = net.activation("transform_activation", x, Activation::gelu);
  x = net.layer_norm("transform_norm", x, epsilon);
  x = net.tied_linear("head", x, words, true);
  return net.finish(x, Optimizer::adam);
}

}  // namespace

Network make_bert_base(int sequence) {
  return make_bert({"bert-base", "BERT-base", 12, 768}, sequence);
}
Network make_bert_large(int sequence) {
  return make_bert({"bert-large", "BERT-large", 24, 1024}, sequence);
}

}  // namespace rightsize
