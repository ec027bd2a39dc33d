#include "kernels/networks/encoder_decoder/decoder.h"

#include <fmt/format.h>

namespace rightsize {
namespace {

std::string named(int block, const char* part) {
  return fmt::format("decoder{}_{}", block, part);
}

// Positions that one sees of a text of `tokens`, on average while it is written.
std::int64_t mean_seen_of(const TextForm& form) {
  return 1 + form.tokens / 2;
}

}  // namespace

Decoder::Decoder(NetworkBuilder& net,
                 const EncoderDecoderInfo& info,
                 const TextForm& form,
                 int read,
                 int depth,
                 DecoderHeads heads)
    : net_(net), heads_(heads) {
  for (int i = 1; i <= depth; ++i) {
    read_.push_back(net.linear(named(i, "read"), read, 2 * heads.width(), heads.bias));
  }
  if (info.trained) {
    tokens_ = net.given("text", {1, form.tokens, 1});
    return;
  }
  // What a text begins with, a mark or two, is passed too.
  net.repeat(form.tokens + 1, form.beams);
  for (int i = 1; i <= depth; ++i) {
    cached_.push_back(net.given(named(i, "cached"), {2 * heads.width(), mean_seen_of(form), 1}));
  }
  tokens_ = net.given("last_token", {1, 1, 1});
}

int Decoder::projection(const std::string& name, int from, int to_width_of) {
  return net_.linear(name, from, net_.shape(to_width_of).c, heads_.bias);
}

int Decoder::looking_back(int block, int from) {
  int x = from;
  if (cached_.empty()) {
    x = net_.linear(named(block, "qkv"), x, 3 * heads_.width(), heads_.bias);
    x = net_.attention(named(block, "attention"),
                       x,
                       {.heads = heads_.heads,
                        .kv_heads = heads_.heads,
                        .head_dim = heads_.head_dim,
                        .causal = true});
  } else {
    // Its own keys and values are among those that are read: put where the cache goes on.
    net_.linear(named(block, "kv"), x, 2 * heads_.width(), heads_.bias);
    x = net_.linear(named(block, "q"), x, heads_.width(), heads_.bias);
    const int cache = cached_[static_cast<std::size_t>(block - 1)];
    x = net_.attention_to(named(block, "attention"), x, cache, heads_.heads);
  }
  return projection(named(block, "projection"), x, from);
}

int Decoder::looking_at_read(int block, int from) {
  int x = net_.linear(named(block, "cross_q"), from, heads_.width(), heads_.bias);
  const int read = read_[static_cast<std::size_t>(block - 1)];
  x = net_.attention_to(named(block, "cross"), x, read, heads_.heads);
  return projection(named(block, "cross_projection"), x, from);
}

void Decoder::end() {
  net_.repeat(1, 1);
}

}  // namespace rightsize
