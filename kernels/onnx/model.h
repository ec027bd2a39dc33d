// An ONNX file as plain values: what reader.h reads and graph_import.h turns into a Network.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace rightsize::onnx {

using Dims = std::vector<std::int64_t>;  // outermost first; empty: a scalar

// A file may claim any number. These bounds leave room for every real network and keep what is
// computed from them within 64 bits.
inline constexpr std::int64_t largest_size = (std::int64_t{1} << 31) - 1;    // of one dimension
inline constexpr std::int64_t most_elements = std::int64_t{1} << 33;         // of one tensor
inline constexpr std::int64_t most_folded_elements = std::int64_t{1} << 26;  // made from nothing

// At most 2^62, also where the product is more.
[[nodiscard]] std::int64_t element_count(const Dims& dims);
// No size is negative or beyond the bounds above.
[[nodiscard]] bool is_sane(const Dims& dims);
[[nodiscard]] std::string to_string(const Dims& dims);  // "1x3x224x224", "a scalar"

// A constant. Floating-point types of the file are held as FP32, integers and booleans as INT64;
// exactly one of the two vectors is filled.
struct Tensor {
  Dims dims;
  bool integral = false;
  std::vector<float> floats;
  std::vector<std::int64_t> ints;
};

// Its integers lie within largest_size: products of two fit 64 bits, and doubles hold each exactly.
[[nodiscard]] bool is_exact(const Tensor& tensor);
// Element i, of either type.
[[nodiscard]] double number(const Tensor& tensor, std::size_t i);

struct Attribute {
  std::optional<float> f;
  std::optional<std::int64_t> i;
  std::optional<std::string> s;
  std::optional<Tensor> tensor;
  std::vector<float> floats;
  std::vector<std::int64_t> ints;
  std::vector<std::string> texts;
};

struct Node {
  std::string name;                 // may be empty
  std::string op;                   // "Conv"; "com.microsoft::FusedConv" where it is not ONNX's own
  std::vector<std::string> inputs;  // an empty name: this optional input is left out
  std::vector<std::string> outputs;  // likewise
  std::map<std::string, Attribute> attributes;

  [[nodiscard]] bool has(const std::string& attribute) const;
  [[nodiscard]] std::int64_t integer(const std::string& attribute, std::int64_t otherwise) const;
  [[nodiscard]] float number(const std::string& attribute, float otherwise) const;
  [[nodiscard]] std::string text(const std::string& attribute, std::string_view otherwise) const;
  [[nodiscard]] std::vector<std::int64_t> integers(const std::string& attribute,
                                                   std::vector<std::int64_t> otherwise) const;
  [[nodiscard]] std::vector<std::string> texts(const std::string& attribute) const;
  // The name of the i-th input, empty where it is left out.
  [[nodiscard]] std::string input(std::size_t i) const;
  [[nodiscard]] std::string output(std::size_t i) const;
  [[nodiscard]] std::string described() const;  // Conv "conv1", for messages
};

// Declared type of a value. dims: -1 where the file names no size; absent: no shape at all.
struct ValueInfo {
  std::string name;
  std::optional<Dims> dims;
  std::vector<std::string> symbols;  // of the dims that are -1: "N", "height"; else empty
  bool integral = false;
};

struct Model {
  std::string path;
  std::string producer;  // "pytorch 2.1.0"
  std::int64_t opset = 0;
  std::vector<Node> nodes;
  std::map<std::string, Tensor> initializers;
  std::vector<ValueInfo> inputs;  // without those that are initializers
  std::vector<ValueInfo> outputs;
  std::map<std::string, ValueInfo> declared;  // shapes the exporter wrote down on the way
};

// The file cannot be used at all: unreadable, broken, or of another kind. The message names the
// file, the place in it, and what to do.
class OnnxError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace rightsize::onnx
