#include "kernels/onnx/tensor_data.h"

#include <bit>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>

#include <fmt/format.h>

#include "kernels/onnx/onnx.pb.h"

namespace rightsize::onnx {
namespace {

namespace fs = std::filesystem;

static_assert(std::endian::native == std::endian::little, "raw_data is little-endian");

constexpr std::int32_t external_location = 1;

// IEEE 754 binary16: 5 bits of exponent, bias 15.
float from_half(std::uint16_t bits) {
  const std::uint32_t sign = (bits & 0x8000U) << 16;
  const std::uint32_t exponent = (bits >> 10) & 0x1fU;
  const std::uint32_t mantissa = bits & 0x3ffU;
  if (exponent == 0) {  // zero and subnormals: mantissa x 2^-24
    const float value = static_cast<float>(mantissa) * 0x1p-24F;
    return sign != 0 ? -value : value;
  }
  const std::uint32_t wide = exponent == 0x1fU ? 0xffU : exponent + (127 - 15);
  return std::bit_cast<float>(sign | (wide << 23) | (mantissa << 13));
}

// The upper half of an FP32.
float from_bfloat16(std::uint16_t bits) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
}

std::size_t bytes_of(ElementType type) {
  switch (type) {
    case ElementType::uint8:
    case ElementType::int8:
    case ElementType::boolean:
      return 1;
    case ElementType::float16:
    case ElementType::bfloat16:
      return 2;
    case ElementType::float32:
    case ElementType::int32:
      return 4;
    case ElementType::int64:
    case ElementType::float64:
      return 8;
  }
  return 0;
}

ElementType known_type(int data_type, const std::string& what) {
  for (const auto type : {ElementType::float32,
                          ElementType::uint8,
                          ElementType::int8,
                          ElementType::int32,
                          ElementType::int64,
                          ElementType::boolean,
                          ElementType::float16,
                          ElementType::float64,
                          ElementType::bfloat16}) {
    if (static_cast<int>(type) == data_type) {
      return type;
    }
  }
  throw OnnxError(fmt::format(
      "{}: has element type {} of onnx.proto3, which is not read here; export the model "
      "in FP32, FP16 or BF16 without quantisation",
      what,
      data_type));
}

// Before anything is allocated.
std::size_t checked_count(const Dims& dims, const std::string& what) {
  if (!is_sane(dims)) {
    throw OnnxError(fmt::format(
        "{}: claims the shape {}; the file is broken, export it again", what, to_string(dims)));
  }
  return static_cast<std::size_t>(element_count(dims));
}

template <typename Stored, typename Target, typename Convert>
void convert(std::string_view bytes, std::vector<Target>& target, Convert conversion) {
  target.resize(bytes.size() / sizeof(Stored));  // a rest is a wrong count, which the caller finds
  for (std::size_t i = 0; i < target.size(); ++i) {
    Stored value;
    std::memcpy(&value, bytes.data() + i * sizeof(Stored), sizeof(Stored));
    target[i] = conversion(value);
  }
}

void decode(ElementType type, std::string_view bytes, Tensor& tensor) {
  const auto integer = [](auto value) { return static_cast<std::int64_t>(value); };
  switch (type) {
    case ElementType::float32:
      tensor.floats.resize(bytes.size() / sizeof(float));
      std::memcpy(tensor.floats.data(), bytes.data(), tensor.floats.size() * sizeof(float));
      return;
    case ElementType::float64:
      return convert<double>(
          bytes, tensor.floats, [](double value) { return static_cast<float>(value); });
    case ElementType::float16:
      return convert<std::uint16_t>(bytes, tensor.floats, from_half);
    case ElementType::bfloat16:
      return convert<std::uint16_t>(bytes, tensor.floats, from_bfloat16);
    case ElementType::int64:
      return convert<std::int64_t>(bytes, tensor.ints, integer);
    case ElementType::int32:
      return convert<std::int32_t>(bytes, tensor.ints, integer);
    case ElementType::int8:
      return convert<std::int8_t>(bytes, tensor.ints, integer);
    case ElementType::uint8:
    case ElementType::boolean:
      return convert<std::uint8_t>(bytes, tensor.ints, integer);
  }
}

// Values in the field that goes with the type; narrow types share int32_data.
void decode_typed(ElementType type, const wire::TensorProto& source, Tensor& tensor) {
  switch (type) {
    case ElementType::float32:
      tensor.floats.assign(source.float_data().begin(), source.float_data().end());
      return;
    case ElementType::float64:
      for (const double value : source.double_data()) {
        tensor.floats.push_back(static_cast<float>(value));
      }
      return;
    case ElementType::float16:
    case ElementType::bfloat16:
      for (const std::int32_t bits : source.int32_data()) {
        const auto narrow = static_cast<std::uint16_t>(bits);
        tensor.floats.push_back(type == ElementType::float16 ? from_half(narrow)
                                                             : from_bfloat16(narrow));
      }
      return;
    case ElementType::int64:
      tensor.ints.assign(source.int64_data().begin(), source.int64_data().end());
      return;
    default:
      tensor.ints.assign(source.int32_data().begin(), source.int32_data().end());
  }
}

struct ExternalData {
  std::string location;
  std::uint64_t offset = 0;
};

std::uint64_t parsed_offset(const std::string& text, const std::string& what) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) {
    throw OnnxError(
        fmt::format("{}: external offset \"{}\" is no number; export the model again", what, text));
  }
  return value;
}

// A location that climbs out of the model's folder could name any file of the reader's machine.
std::string read_external(const wire::TensorProto& source,
                          std::size_t bytes,
                          const std::string& folder,
                          const std::string& what) {
  ExternalData external;
  for (const auto& entry : source.external_data()) {
    if (entry.key() == "location") {
      external.location = entry.value();
    } else if (entry.key() == "offset") {
      external.offset = parsed_offset(entry.value(), what);
    }
  }
  const auto relative = fs::path(external.location).lexically_normal();
  if (relative.empty() || relative.is_absolute() || *relative.begin() == "..") {
    throw OnnxError(
        fmt::format("{}: its external data \"{}\" is not below the model's own folder; "
                    "put it beside the model and save again",
                    what,
                    external.location));
  }
  const auto path = fs::path(folder) / relative;
  std::error_code missing;
  const auto size = fs::file_size(path, missing);
  if (missing || external.offset > size || bytes > size - external.offset) {
    throw OnnxError(
        fmt::format("{}: needs bytes {} to {} of {}, which {}; copy the data file that "
                    "belongs to this model beside it",
                    what,
                    external.offset,
                    external.offset + bytes,
                    path.string(),
                    missing ? "cannot be read" : fmt::format("has only {}", size)));
  }
  std::ifstream in(path, std::ios::binary);
  std::string data(bytes, '\0');
  in.seekg(static_cast<std::streamoff>(external.offset));
  if (!in.read(data.data(), static_cast<std::streamsize>(bytes))) {
    throw OnnxError(fmt::format("{}: {} cannot be read", what, path.string()));
  }
  return data;
}

}  // namespace

bool is_integral(int data_type) {
  const auto type = static_cast<ElementType>(data_type);
  return type != ElementType::float32 && type != ElementType::float64 &&
         type != ElementType::float16 && type != ElementType::bfloat16;
}

Tensor read_tensor(const wire::TensorProto& source,
                   const std::string& folder,
                   const std::string& what) {
  const auto type = known_type(source.data_type(), what);
  Tensor tensor;
  tensor.dims.assign(source.dims().begin(), source.dims().end());
  tensor.integral = is_integral(source.data_type());
  const auto count = checked_count(tensor.dims, what);
  if (source.data_location() == external_location) {
    decode(type, read_external(source, count * bytes_of(type), folder, what), tensor);
  } else if (source.has_raw_data()) {
    decode(type, source.raw_data(), tensor);
  } else {
    decode_typed(type, source, tensor);
  }
  const auto found = tensor.integral ? tensor.ints.size() : tensor.floats.size();
  if (found != count) {
    throw OnnxError(
        fmt::format("{}: holds {} values for the shape {}, which needs {}; the file is "
                    "cut short or broken, export it again",
                    what,
                    found,
                    to_string(tensor.dims),
                    count));
  }
  return tensor;
}

}  // namespace rightsize::onnx
