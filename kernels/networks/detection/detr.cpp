// DETR: Carion et al., "End-to-End Object Detection with Transformers", ECCV 2020, with ResNet-50
// or -101, for the 91 labels of COCO and none. The 100 learned queries are added to as many
// positions of what the encoder makes, which stand for the zeros that the decoder begins with;
// sines of positions, which are added to queries and keys in every layer, are left out.
#include <string>

#include "kernels/networks/detection/families.h"
#include "kernels/networks/detection/residual_stages.h"
#include "kernels/networks/detection/transformer_parts.h"

namespace rightsize::detection {
namespace {

constexpr int labels = 91;
constexpr std::int64_t width = 256;
constexpr std::int64_t queries = 100;
constexpr int layers = 6;
constexpr FeedForward part{.width = 2048, .activation = std::nullopt};

int decoded(NetworkBuilder& net, const std::string& name, int from, int memory) {
  int x = attended_norm(net, name + "_self", from);
  const int asked = net.linear(name + "_q", x, width, true);
  const int pairs = net.linear(name + "_kv", memory, 2 * width, true);
  const int seen = net.attention_to(name + "_attention", asked, pairs, detector_heads);
  x = net.add(name + "_sum", {x, net.linear(name + "_projection", seen, width, true)});
  return fed_norm(net, name + "_mlp", net.layer_norm(name + "_norm", x), part);
}

}  // namespace

Network make_detr(const DetectionAsked& asked) {
  NetworkBuilder net(asked.name, asked.title, {3, asked.size, asked.size}, labels + 1);
  const ResidualShape backbone{.blocks = {3, 4, asked.scale == 0 ? 6 : 23, 3}};
  int x = net.convolution("narrowed", residual_stages(net, backbone).back(), width, {}, true);
  x = net.to_sequence("sequence", x);
  for (int i = 1; i <= layers; ++i) {
    const auto name = "encoder" + std::to_string(i);
    x = fed_norm(net, name + "_mlp", attended_norm(net, name, x), part);
  }
  const int memory = x;
  x = net.position_embedding("queries", net.take_positions("begun", memory, 0, queries), queries);
  for (int i = 1; i <= layers; ++i) {
    x = decoded(net, "decoder" + std::to_string(i), x, memory);
  }
  x = net.layer_norm("norm", x);
  const int boxes = perceptron(net, "boxes", x, width, 4, 3);
  const int scores = net.linear("scores", x, labels + 1, true);
  return net.finish_detector(net.concat("head", {boxes, scores}), 4, Scoring::softmax);
}

}  // namespace rightsize::detection
