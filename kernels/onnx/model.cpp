#include "kernels/onnx/model.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace rightsize::onnx {
namespace {

const Attribute* find(const Node& node, const std::string& name) {
  const auto found = node.attributes.find(name);
  return found == node.attributes.end() ? nullptr : &found->second;
}

}  // namespace

std::int64_t element_count(const Dims& dims) {
  constexpr std::int64_t most = std::int64_t{1} << 62;
  std::int64_t count = 1;
  for (const auto size : dims) {
    if (size > 0 && count > most / size) {
      return most;
    }
    count *= size;
  }
  return count;
}

bool is_sane(const Dims& dims) {
  return std::all_of(dims.begin(),
                     dims.end(),
                     [](auto size) { return size >= 0 && size <= largest_size; }) &&
         element_count(dims) <= most_elements;
}

std::string to_string(const Dims& dims) {
  return dims.empty() ? "a scalar" : fmt::format("{}", fmt::join(dims, "x"));
}

bool is_exact(const Tensor& tensor) {
  return std::all_of(tensor.ints.begin(), tensor.ints.end(), [](std::int64_t value) {
    return value >= -largest_size && value <= largest_size;
  });
}

double number(const Tensor& tensor, std::size_t i) {
  return tensor.integral ? static_cast<double>(tensor.ints[i])
                         : static_cast<double>(tensor.floats[i]);
}

bool Node::has(const std::string& attribute) const {
  return attributes.count(attribute) > 0;
}

std::int64_t Node::integer(const std::string& attribute, std::int64_t otherwise) const {
  const auto* found = find(*this, attribute);
  return found != nullptr && found->i ? *found->i : otherwise;
}

float Node::number(const std::string& attribute, float otherwise) const {
  const auto* found = find(*this, attribute);
  return found != nullptr && found->f ? *found->f : otherwise;
}

std::string Node::text(const std::string& attribute, std::string_view otherwise) const {
  const auto* found = find(*this, attribute);
  return found != nullptr && found->s ? *found->s : std::string(otherwise);
}

std::vector<std::int64_t> Node::integers(const std::string& attribute,
                                         std::vector<std::int64_t> otherwise) const {
  const auto* found = find(*this, attribute);
  return found != nullptr ? found->ints : std::move(otherwise);
}

std::vector<std::string> Node::texts(const std::string& attribute) const {
  const auto* found = find(*this, attribute);
  return found != nullptr ? found->texts : std::vector<std::string>{};
}

std::string Node::input(std::size_t i) const {
  return i < inputs.size() ? inputs[i] : std::string();
}

std::string Node::output(std::size_t i) const {
  return i < outputs.size() ? outputs[i] : std::string();
}

std::string Node::described() const {
  return fmt::format("{} \"{}\"", op, name.empty() ? output(0) : name);
}

}  // namespace rightsize::onnx
