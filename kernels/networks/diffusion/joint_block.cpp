#include "kernels/networks/diffusion/joint_block.h"

#include <utility>

#include "kernels/networks/transformer_block.h"

namespace rightsize::diffusion {

Modulation::Modulation(
    NetworkBuilder& net, std::string name, int time, std::int64_t width, int vectors)
    : net_(net), name_(std::move(name)), width_(width) {
  const int silu = net_.activation(name_ + "_silu", time, Activation::silu);
  made_ = net_.linear(name_ + "_vectors", silu, vectors * width_, true);
}

int Modulation::vector(const std::string& part, int index) {
  return net_.take_channels(name_ + part, made_, index * width_, width_);
}

int Modulation::norm(const std::string& part, int x, int first) {
  const int normed = net_.plain_layer_norm(name_ + part + "_norm", x);
  const int scaled =
      net_.multiply(name_ + part + "_scaled", normed, vector(part + "_scale", first + 1));
  return net_.shift(name_ + part + "_shifted", scaled, vector(part + "_shift", first));
}

int Modulation::gated_sum(const std::string& part, int x, int gate, int to) {
  const int gated = net_.multiply(name_ + part + "_gated", x, vector(part + "_gate", gate));
  return net_.add(name_ + part + "_sum", {gated, to});
}

Heads project_heads(NetworkBuilder& net,
                    const std::string& name,
                    int from,
                    const JointShape& shape) {
  int queries = net.linear(name + "_q", from, shape.width, true);
  int keys = net.linear(name + "_k", from, shape.width, true);
  const int values = net.linear(name + "_v", from, shape.width, true);
  if (shape.head_norms) {
    queries = net.head_norm(name + "_q_norm", queries, shape.heads);
    keys = net.head_norm(name + "_k_norm", keys, shape.heads);
  }
  return {queries, net.concat(name + "_kv", {keys, values})};
}

Streams joint_block(NetworkBuilder& net,
                    const std::string& name,
                    const Streams& in,
                    int time,
                    const JointShape& shape,
                    bool last) {
  constexpr int all = 6;
  constexpr int with_own = 9;
  constexpr int norm_alone = 2;
  constexpr int feed_forward_first = 3;
  const FeedForward mlp{.width = 4 * shape.width, .activation = Activation::gelu_tanh};
  Modulation of_picture(net, name + "_picture", time, shape.width, shape.twice ? with_own : all);
  Modulation of_prompt(net, name + "_prompt", time, shape.width, last ? norm_alone : all);
  const auto picture =
      project_heads(net, name + "_picture", of_picture.norm("_1", in.picture, 0), shape);
  const auto prompt =
      project_heads(net, name + "_prompt", of_prompt.norm("_1", in.prompt, 0), shape);
  const int both =
      net.attention_to(name + "_attention",
                       net.join_positions(name + "_q", {prompt.queries, picture.queries}),
                       net.join_positions(name + "_kv", {prompt.keys_values, picture.keys_values}),
                       shape.heads);
  const auto words = net.shape(in.prompt).h;
  const auto finished = [&](Modulation& by, const std::string& stream, int part, int x) {
    const int out = net.linear(stream + "_out", part, shape.width, true);
    int sum = by.gated_sum("_1", out, 2, x);
    if (shape.twice && x == in.picture) {
      const auto own = project_heads(net, stream + "_own", by.norm("_own", x, all), shape);
      const int seen =
          net.attention_to(stream + "_own_attention", own.queries, own.keys_values, shape.heads);
      sum = by.gated_sum(
          "_own", net.linear(stream + "_own_out", seen, shape.width, true), with_own - 1, sum);
    }
    const int fed = feed_forward(net, stream, by.norm("_2", sum, feed_forward_first), mlp);
    return by.gated_sum("_2", fed, all - 1, sum);
  };
  Streams out;
  out.picture =
      finished(of_picture,
               name + "_picture",
               net.take_positions(name + "_of_picture", both, words, net.shape(in.picture).h),
               in.picture);
  out.prompt = last ? -1
                    : finished(of_prompt,
                               name + "_prompt",
                               net.take_positions(name + "_of_prompt", both, 0, words),
                               in.prompt);
  return out;
}

int embedded(NetworkBuilder& net, const std::string& name, int from, std::int64_t width) {
  int x = net.linear(name + "_1", from, width, true);
  x = net.activation(name + "_silu", x, Activation::silu);
  return net.linear(name + "_2", x, width, true);
}

int embedded_time(NetworkBuilder& net, const std::string& name, std::int64_t width) {
  constexpr std::int64_t waves = 256;
  return embedded(net, name, net.given(name + "_waves", {waves, 1, 1}), width);
}

int patches_out(NetworkBuilder& net, int picture, int time, std::int64_t features) {
  Modulation last(net, "last", time, net.shape(picture).c, 2);
  return net.linear("last_patches", last.norm("_1", picture, 0), features, true);
}

}  // namespace rightsize::diffusion
