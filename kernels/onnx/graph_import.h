// The state of one import: what each name of the graph stands for, and the layers so far. Operators
// (operators.h) read their inputs from it and append layers to it.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "kernels/onnx/model.h"
#include "kernels/onnx/onnx.h"
#include "kernels/onnx/unsupported.h"

namespace rightsize::onnx {

// Zeros around an image: above, left, below, right.
using Padding = std::array<std::int64_t, 4>;

struct Scores;  // attention.h

// A tensor of the graph: the output of a layer, perhaps under another shape. The numbers of a layer
// lie by batch, channel, height and width; those of a sequence by batch, position and channel.
struct Value {
  Dims dims;                // as the file has it, the batch in front
  int layer = 0;            // into Network::layers
  bool sole = true;         // one node alone reads the layer's output
  Padding padding{};        // part of dims, not of the layer: the next window takes it in
  bool nhwc_input = false;  // the graph's own input, before the transposition to NCHW
  Dims strides{};           // among the layer's numbers (strided.h); empty: dense
  std::int64_t offset = 0;  // likewise
  double factor = 1;        // what it is still to be multiplied by
  std::shared_ptr<const Scores> scores{};  // of attention: no layer's output, `layer` means nothing
  // What is to become queries or keys: turned by rotary positions of this base, in heads of
  // `turned_size` features; 0: not turned.
  double rotary_base = 0;
  std::int64_t turned_size = 0;
  // > 1: the last axis but two holds every head of the layer so many times, one after the other.
  std::int64_t group = 1;
  // States of recurrent layers, one after the other along axis 0: no layer's output, `layer` means
  // nothing (recurrent.h).
  std::shared_ptr<const std::vector<Value>> stacked{};
};

// Where the elements lie, also of a dense value.
[[nodiscard]] Dims strides_of(const Value& value);

// {c, h, w} of a tensor that has the batch in front; any other is taken as a flat vector.
[[nodiscard]] FeatureShape feature_shape(const Dims& dims, std::int64_t batch);

class GraphImport {
 public:
  // `sequence`: what a length that the file leaves open is to be; 0: default_sequence.
  GraphImport(Model model, int sequence);

  [[nodiscard]] OnnxModel run();

  // --- for operators; all throw Unsupported where the graph is not of the form they ask for
  [[nodiscard]] std::int64_t opset() const { return model_.opset; }
  [[nodiscard]] std::int64_t batch() const { return batch_; }
  [[nodiscard]] const Value& value(const Node& node, std::size_t input) const;
  // As well scores of attention, and what rotary positions have turned or heads share: value()
  // refuses them.
  [[nodiscard]] const Value& any_value(const Node& node, std::size_t input) const;
  // As well stacked states, which both others refuse.
  [[nodiscard]] const Value& stackable_value(const Node& node, std::size_t input) const;
  [[nodiscard]] bool is_stacked(const Node& node, std::size_t input) const;
  [[nodiscard]] bool is_value(const std::string& name) const;
  [[nodiscard]] bool is_constant(const std::string& name) const;
  // nullptr where the input is left out.
  [[nodiscard]] const Tensor* optional_constant(const Node& node, std::size_t input) const;
  [[nodiscard]] const Tensor& constant(const Node& node, std::size_t input) const;
  // Axes, pads and the like: an attribute in older opsets, the i-th input in newer ones.
  [[nodiscard]] std::optional<Dims> integers(const Node& node,
                                             const std::string& attribute,
                                             std::size_t input) const;

  // Channels, height, width of a value that has the shape its layer gave it.
  [[nodiscard]] FeatureShape image(const Value& value) const;
  [[nodiscard]] Layer& layer(int index);
  [[nodiscard]] int last_layer() const { return static_cast<int>(network_.layers.size()) - 1; }
  // Its numbers lie position by position.
  [[nodiscard]] bool is_sequence(int layer) const { return sequences_.count(layer) > 0; }
  // As one layer gives it, whole and in order: a view of one position becomes a layer of its own.
  [[nodiscard]] Value settled(const Node& node, const Value& value);
  // The embedding layer that has this table; nullopt where none has.
  [[nodiscard]] std::optional<int> embedding_of(const std::vector<float>& table) const;
  // An embedding has this many rows: ids stay below.
  void read_tokens(std::int64_t vocabulary);
  [[nodiscard]] bool reads_tokens() const { return network_.reads_tokens(); }
  // By a node that leads to the graph's first output, or as that.
  [[nodiscard]] bool is_read(const std::string& name) const { return readers_.count(name) > 0; }
  // What reads the value of this node is the end of the graph.
  [[nodiscard]] bool is_last(const Node& node) const;

  Layer& append(const Node& node, LayerKind kind, std::vector<int> inputs, FeatureShape out);
  // The node's first output is the layer appended last.
  void finish(const Node& node, Dims dims);
  // The node's first output is `from` under the shape `dims`. Refuses to move the batch.
  void view(const Node& node, const Value& from, Dims dims);
  // Any other value, e.g. one with padding around it.
  void define(const Node& node, Value value) { define_output(node, 0, std::move(value)); }
  void define_output(const Node& node, std::size_t output, Value value);
  void define_constant(const Node& node, Tensor tensor);
  // Work of the file's, per item, that no layer stands for as yet, or two do if it is negative:
  // where something else cannot be run, the account stays true.
  void owe(double flops) { owed_flops_ += flops; }
  // The file's input is NHWC; the network's is what follows the transposition.
  void transpose_input(const Node& node, const Dims& dims);

  // Stands for a node without a layer of ours, so that what comes behind is judged as well.
  [[nodiscard]] int append_placeholder(const Dims& dims);
  [[nodiscard]] bool is_placeholder(int layer) const;

  void set_parameter(const Layer& layer, const std::string& suffix, std::vector<float> values);
  [[nodiscard]] std::vector<float>& parameter(const Layer& layer, const std::string& suffix);
  void note(std::string sentence) { report_.notes.push_back(std::move(sentence)); }

 private:
  void find_needed();
  void note_shared_weights();
  void start_input();
  [[nodiscard]] std::vector<const ValueInfo*> fed_inputs();
  [[nodiscard]] bool assume(const ValueInfo& input);
  void feed(const ValueInfo& input, bool first);
  void check_inputs(const Node& node) const;
  void import(const Node& node);
  bool fold(const Node& node);
  void require_no_ids(const Value& value) const;
  [[nodiscard]] bool behind_unknown(const Node& node) const;
  void give_up(const Node& node, const std::string& why, std::size_t layers);
  void add_unsupported(const Node& node, const std::string& why, std::optional<double> flops);
  void finish_loss();
  void append_loss(const Value& output);
  void drop_unread_layers();
  void count_flops();
  [[nodiscard]] bool sole_reader(const std::string& name) const;
  [[nodiscard]] std::string unique_name(const Node& node);
  [[nodiscard]] Dims fixed(const ValueInfo& info);
  [[nodiscard]] std::optional<std::int64_t> open_size(const ValueInfo& info, std::size_t axis);

  Model model_;
  OnnxReport report_;
  Network network_;
  std::map<std::string, std::vector<float>> parameters_;
  std::vector<std::string> parameter_order_;
  std::int64_t batch_ = 1;
  int sequence_ = 0;
  bool sequence_used_ = false;
  double owed_flops_ = 0;
  std::set<int> sequences_;             // layers whose numbers lie by position
  std::vector<bool> needed_;            // by node
  std::map<std::string, int> readers_;  // by value; the graph's end counts
  std::map<std::string, Tensor> constants_;
  std::map<std::string, Value> values_;
  std::set<std::string> unknown_;  // values behind an operator whose output has no known shape
  std::set<std::string> names_;    // of layers
};

}  // namespace rightsize::onnx
