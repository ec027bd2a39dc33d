#include "kernels/cpu/fusion.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <string_view>
#include <utility>

#include "kernels/cpu/onednn.h"

namespace rightsize::cpu {
namespace {

class Planner {
 public:
  Planner(const Network& network, Phase phase, bool keep_values, bool adds_after_norm)
      : layers_(network.layers),
        training_(in_training_mode(phase)),
        keep_values_(keep_values),
        adds_after_norm_(adds_after_norm),
        readers_(layers_.size(), 0) {
    for (const auto& layer : layers_) {
      for (const int input : layer.inputs) {
        ++readers_[index(input)];
      }
    }
    const auto count = layers_.size();
    plan_ = {std::vector<int>(count),
             std::vector<bool>(count, false),
             std::vector<bool>(count, false),
             std::vector<int>(count, -1),
             std::vector<int>(count, -1)};
    std::iota(plan_.value.begin(), plan_.value.end(), 0);
  }

  Fusion plan() {
    for (std::size_t i = 0; i < layers_.size(); ++i) {
      place(i);
    }
    return std::move(plan_);
  }

 private:
  static std::size_t index(int layer) { return static_cast<std::size_t>(layer); }

  [[nodiscard]] bool alone(int layer) const { return readers_[index(layer)] == 1; }
  [[nodiscard]] LayerKind kind(std::size_t layer) const { return layers_[layer].kind; }

  void place(std::size_t i) {
    const auto& layer = layers_[i];
    switch (layer.kind) {
      case LayerKind::relu:
        return place_relu(i, false);
      case LayerKind::activation:
        return layer.activation == Activation::relu6 ? place_relu(i, true) : void();
      case LayerKind::dropout:
        if (!training_) {
          plan_.value[i] = plan_.value[index(layer.inputs[0])];
        }
        return;
      case LayerKind::batch_norm:
        return place_norm(i);
      case LayerKind::add:
        return place_sum(i);
      default:
        return;
    }
  }

  // oneDNN's normalisation ends in a ReLU, but not in one that stops at six.
  [[nodiscard]] bool can_end_in(int layer, bool relu6) const {
    const auto operation = index(plan_.value[index(layer)]);
    switch (kind(index(layer))) {
      case LayerKind::convolution:
      case LayerKind::fully_connected:
        return true;
      case LayerKind::add:
        return !is_per_channel(layers_, layers_[operation]);
      case LayerKind::batch_norm:
        return !relu6 || kind(operation) == LayerKind::convolution;
      default:
        return false;
    }
  }

  void place_relu(std::size_t i, bool relu6) {
    const int before = layers_[i].inputs[0];
    const auto operation = index(plan_.value[index(before)]);
    if (alone(before) && can_end_in(before, relu6)) {
      plan_.value[i] = static_cast<int>(operation);
      plan_.relu[operation] = true;
      plan_.relu6[operation] = relu6;
    }
  }

  void place_norm(std::size_t i) {
    const int before = layers_[i].inputs[0];
    if (!training_ && alone(before) && kind(index(before)) == LayerKind::convolution) {
      plan_.value[i] = before;
      plan_.norm[index(before)] = static_cast<int>(i);
    }
  }

  void place_sum(std::size_t i) {
    const auto& inputs = layers_[i].inputs;
    if (training_ || keep_values_ || inputs.size() != 2 || is_per_channel(layers_, layers_[i])) {
      return;
    }
    for (const auto& [branch, other] :
         {std::pair{inputs[0], inputs[1]}, std::pair{inputs[1], inputs[0]}}) {
      const auto operation = index(plan_.value[index(branch)]);
      const auto addend = plan_.value[index(other)];
      if (alone(branch) && takes_sum(branch) && may_overwrite(addend, operation, i)) {
        plan_.value[i] = static_cast<int>(operation);
        plan_.addend[operation] = addend;
        return;
      }
    }
  }

  [[nodiscard]] bool takes_sum(int branch) const {
    const auto operation = index(plan_.value[index(branch)]);
    const bool plain = kind(index(branch)) == LayerKind::convolution ||
                       kind(index(branch)) == LayerKind::batch_norm;
    return plain && kind(operation) == LayerKind::convolution &&
           (plan_.norm[operation] < 0 || adds_after_norm_);
  }

  // The same bytes as its input's.
  [[nodiscard]] bool is_view(std::size_t layer) const {
    return kind(layer) == LayerKind::to_sequence || kind(layer) == LayerKind::to_image;
  }

  // Made before the convolution runs, and read for the last time by the sum. The caller's images
  // and what is given are nobody's to write to, and views are another layer's bytes.
  [[nodiscard]] bool may_overwrite(int addend, std::size_t operation, std::size_t sum) const {
    const auto& before = layers_[index(addend)];
    const bool once = before.passes == layers_[sum].passes && before.copies == layers_[sum].copies;
    if (addend <= 0 || !once || kind(index(addend)) == LayerKind::given ||
        index(addend) >= operation || is_view(index(addend))) {
      return false;
    }
    for (std::size_t reader = 0; reader < layers_.size(); ++reader) {
      const auto& inputs = layers_[reader].inputs;
      const bool reads = std::any_of(inputs.begin(), inputs.end(), [&](int input) {
        return plan_.value[index(input)] == addend;
      });
      const bool too_late = reader >= operation && plan_.value[reader] != addend;
      if (reads && reader != sum && (too_late || is_view(reader))) {
        return false;
      }
    }
    return true;
  }

  const std::vector<Layer>& layers_;
  bool training_;
  bool keep_values_;
  bool adds_after_norm_;
  std::vector<int> readers_;  // by layer
  Fusion plan_;
};

bool onednn_adds_after_norm() {
  using dnnl::memory;
  const auto type = memory::data_type::f32;
  const memory::desc image({1, 64, 8, 8}, type, memory::format_tag::any);
  const memory::desc weights({64, 64, 3, 3}, type, memory::format_tag::any);
  const memory::desc per_channel({1, 64, 1, 1}, type, memory::format_tag::nchw);
  dnnl::post_ops endings;
  endings.append_binary(dnnl::algorithm::binary_mul, per_channel);
  endings.append_binary(dnnl::algorithm::binary_add, per_channel);
  endings.append_sum(1.0F);
  dnnl::primitive_attr attributes;
  attributes.set_post_ops(endings);
  const memory::dims one{1, 1};
  const memory::dims none{0, 0};
  const auto asked =
      implemented<dnnl::convolution_forward>({attributes, dnnl::engine(dnnl::engine::kind::cpu, 0)},
                                             dnnl::prop_kind::forward_inference,
                                             dnnl::algorithm::convolution_direct,
                                             image,
                                             weights,
                                             memory::desc(),
                                             image,
                                             one,
                                             none,
                                             one,
                                             one);
  return !std::string_view(asked.impl_info_str()).starts_with("ref");
}

}  // namespace

bool is_per_channel(std::span<const Layer> layers, const Layer& layer) {
  return (layer.kind == LayerKind::add || layer.kind == LayerKind::multiply) &&
         layer.inputs.size() == 2 && layer.out.positions() > 1 &&
         layers[static_cast<std::size_t>(layer.inputs[1])].out == FeatureShape{layer.out.c, 1, 1};
}

bool adds_after_norm() {
  static const bool adds = onednn_adds_after_norm();  // no ISA changes within a process
  return adds;
}

Fusion plan_fusion(const Network& network, Phase phase, bool keep_values, bool adds_after_norm) {
  return Planner(network, phase, keep_values, adds_after_norm).plan();
}

}  // namespace rightsize::cpu
