// RF-DETR: Robinson et al., "RF-DETR: Neural Architecture Search for Real-Time Detection
// Transformers", 2025, as its authors' code (roboflow/rf-detr) shapes it, after Chen et al.,
// "LW-DETR", 2024, for the 90 labels of COCO: DINOv2's ViT-S, whose blocks see windows but for
// three or four of them, a convolutional part that joins what four of them made, and a decoder. A
// query looks at two places for each head; here it takes one position, weighed by what says which.
// Of the 13 groups of queries that it trains with, the one that it infers with is here. Layer scale
// and the sines of boxes have no layer. Those that segment ("RF-DETR-Seg") give each query factors
// of a mask at a quarter of the side.
#include <array>
#include <string>
#include <vector>

#include "kernels/networks/classification/windows.h"
#include "kernels/networks/detection/families.h"
#include "kernels/networks/detection/transformer_parts.h"

namespace rightsize::detection {
namespace {

constexpr int labels = 90;
constexpr std::int64_t vit_width = 384;
constexpr std::int64_t vit_heads = 6;
constexpr int vit_depth = 12;
constexpr std::int64_t width = 256;
constexpr std::int64_t places = 16 * 2;  // of a query, of 16 heads
constexpr float epsilon = 1e-6F;

struct Form {
  std::int64_t patch;
  std::int64_t windows;  // a side
  int whole_from;        // the first block that sees all positions, and each third behind it
  std::int64_t table;    // rows a side of the positions' table
  int decoders;
  std::int64_t queries = 300;
};

constexpr std::array<Form, 7> segmenters{{{12, 2, 3, 36, 4, 200},
                                          {12, 1, 3, 26, 4, 100},
                                          {12, 2, 3, 32, 4, 100},
                                          {12, 2, 3, 36, 5, 200},
                                          {12, 2, 3, 42, 5, 200},
                                          {12, 2, 3, 52, 6, 300},
                                          {12, 2, 3, 64, 6, 300}}};
constexpr std::array<Form, 5> forms{{{16, 2, 3, 24, 2},
                                     {16, 2, 3, 32, 3},
                                     {16, 2, 3, 36, 4},
                                     {14, 4, 2, 37, 3},
                                     {16, 2, 3, 44, 4}}};

// What four blocks made, normalised, side by side.
int seen_by_vit(NetworkBuilder& net, const Form& form) {
  const Window patches{.kernel = form.patch, .stride = form.patch};
  int x = net.convolution("patches", net.input(), vit_width, patches, true);
  const auto side = net.shape(x).h;
  x = net.class_token("class", net.to_sequence("sequence", x));
  x = net.position_embedding("positions", x, side * side + 1);
  const auto seen = side * side / (form.windows * form.windows) + 1;
  std::vector<int> made;
  for (int i = 0; i < vit_depth; ++i) {
    const auto name = "block" + std::to_string(i + 1);
    const bool whole =
        form.windows == 1 || (i >= form.whole_from && (i - form.whole_from) % 3 == 0);
    const int normed = net.layer_norm(name + "_norm1", x, epsilon);
    const int looked =
        whole ? self_attention(net, name, normed, {vit_heads, vit_heads, vit_width / vit_heads})
              : window_attention(net,
                                 name,
                                 normed,
                                 {.heads = vit_heads, .seen = seen, .copies = 0, .written = false});
    x = net.add(name + "_sum1", {looked, x});
    const int y = net.layer_norm(name + "_norm2", x, epsilon);
    x = net.add(name + "_sum2", {feed_forward(net, name, y, {.width = 4 * vit_width}), x});
    if ((i + 1) % 3 == 0) {
      const int places_alone = net.take_positions(name + "_places", x, 1, side * side);
      const int out = net.layer_norm(name + "_norm", places_alone, epsilon);
      made.push_back(net.to_image(name + "_out", out, side, side));
    }
  }
  return net.concat("seen", made);
}

// A convolution without biases, a norm over channels and SiLU.
int conv(NetworkBuilder& net,
         const std::string& name,
         int from,
         std::int64_t channels,
         std::int64_t kernel = 1) {
  int x = net.convolution(name, from, channels, {.kernel = kernel, .pad = kernel / 2}, false);
  const auto shape = net.shape(x);
  x = net.layer_norm(name + "_norm", net.to_sequence(name + "_sequence", x), epsilon);
  x = net.activation(name + "_silu", x, Activation::silu);
  return net.to_image(name + "_image", x, shape.h, shape.w);
}

int joined(NetworkBuilder& net, int from) {
  constexpr std::int64_t inner = width / 2;
  const int both = conv(net, "joined_cv1", from, 2 * inner);
  std::vector<int> parts{both};
  int x = net.take_channels("joined_half", both, inner, inner);
  for (int i = 1; i <= 3; ++i) {
    const auto name = "joined_m" + std::to_string(i);
    x = conv(net, name + "_cv2", conv(net, name + "_cv1", x, inner, 3), inner, 3);
    parts.push_back(x);
  }
  x = conv(net, "joined_cv2", net.concat("joined_cat", parts), width);
  return net.layer_norm("memory", net.to_sequence("memory_sequence", x), epsilon);
}

int looked(NetworkBuilder& net, const std::string& name, int from, int memory) {
  const auto queries = net.shape(from).h;
  const int values = net.linear(name + "_values", memory, width, true);
  const int which = net.concat(name + "_which",
                               {net.linear(name + "_offsets", from, 2 * places, true),
                                net.linear(name + "_weights", from, places, true)});
  const int each = net.concat(name + "_each", {which, which, which});
  const int weighed = net.multiply(name + "_weighed",
                                   net.take_positions(name + "_taken", values, 0, queries),
                                   net.take_channels(name + "_part", each, 0, width));
  return net.linear(name + "_projection", weighed, width, true);
}

// Features at a quarter of the side, out of as many filtering blocks as there are decoders.
int mask_features(NetworkBuilder& net, int memory, const Form& form, std::int64_t side) {
  const auto times = form.patch / 4;
  int x = net.interpolate("masks_up", net.to_image("masks_image", memory, side, side), times);
  const auto filtered = net.shape(x);
  const Window filter{.kernel = 3, .pad = 1, .groups = width};
  for (int i = 1; i <= form.decoders; ++i) {
    const auto name = "masks" + std::to_string(i);
    int y = net.convolution(name + "_filter", x, width, filter, true);
    y = net.layer_norm(name + "_norm", net.to_sequence(name + "_sequence", y), epsilon);
    y = net.linear(name + "_linear", y, width, true);
    y = net.activation(name + "_gelu", y, Activation::gelu);
    x = net.add(name + "_sum", {net.to_image(name + "_out", y, filtered.h, filtered.w), x});
  }
  return net.convolution("masks_projection", x, width, {}, true);
}

// By which the masks of queries are sums of these; their means are added, so that there is one
// loss.
int mask_factors(NetworkBuilder& net, int queries, int features) {
  int x = net.layer_norm("factors_norm", queries);
  x = net.add("factors_sum", {feed_forward(net, "factors", x, {.width = 4 * width}), queries});
  x = net.linear("factors_projection", x, width, true);
  return net.shift("factors_masked", x, net.global_average_pool("masks_mean", features));
}

Network made(const DetectionAsked& asked, const Form& form, bool segments) {
  NetworkBuilder net(asked.name, asked.title, {3, asked.size, asked.size}, labels + 2);
  const auto queries = form.queries;
  const int memory = joined(net, seen_by_vit(net, form));
  int x = net.layer_norm("found_norm", net.linear("found", memory, width, true));
  const int found = net.concat("found_head",
                               {perceptron(net, "found_boxes", x, width, 4, 3),
                                net.linear("found_scores", x, labels + 1, true)});
  const int first =
      net.take_channels("first_boxes", net.take_positions("best", found, 0, queries), 0, 4);
  x = net.position_embedding("queries", net.take_positions("begun", x, 0, queries), queries);
  const int sines = net.concat("sines", {x, x});
  x = net.add("placed", {x, perceptron(net, "places", sines, width, width, 2)});
  for (int i = 1; i <= form.decoders; ++i) {
    const auto name = "decoder" + std::to_string(i);
    x = attended_norm(net, name + "_self", x);
    x = net.add(name + "_sum", {x, looked(net, name, x, memory)});
    x = fed_norm(net,
                 name + "_mlp",
                 net.layer_norm(name + "_norm", x),
                 {.width = 2048, .activation = std::nullopt});
  }
  x = net.layer_norm("norm", x);
  const int boxes = net.add("boxes", {first, perceptron(net, "moved", x, width, 4, 3)});
  const int scores = net.linear("scores", x, labels + 1, true);
  const auto finished = [&] {
    if (!segments) {
      return net.finish_detector(net.concat("head", {boxes, scores}), 4, Scoring::sigmoid);
    }
    const int features = mask_features(net, memory, form, asked.size / form.patch);
    const int factors = mask_factors(net, x, features);
    return net.finish_detector(
        net.concat("head", {boxes, factors, scores}), 4 + width, Scoring::sigmoid);
  };
  auto network = finished();
  network.notes.emplace_back(
      "of the 13 groups of queries that it trains with the one that it infers with is here: "
      "training takes longer than said; windows are so many positions in a row here");
  if (segments) {
    network.notes.emplace_back(
        "the sums that make a mask of each query (a twentieth of its FLOPs), and what training "
        "adds "
        "of them, are left out");
  }
  return network;
}

}  // namespace

Network make_rf_detr(const DetectionAsked& asked) {
  return made(asked, forms.at(static_cast<std::size_t>(asked.scale)), false);
}

Network make_rf_detr_seg(const DetectionAsked& asked) {
  return made(asked, segmenters.at(static_cast<std::size_t>(asked.scale)), true);
}

}  // namespace rightsize::detection
