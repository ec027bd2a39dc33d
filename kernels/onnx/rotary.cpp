#include "kernels/onnx/rotary.h"

#include <cmath>

#include <fmt/format.h>

#include "kernels/onnx/operators.h"

namespace rightsize::onnx {
namespace {

constexpr double usual_base = 10'000;  // where heads of two features have one angle, whatever it is

// Of one pair of features, whose angle at position 1 the tables show; a whole number where it is
// one but for rounding.
double told_base(double cosine, double sine, std::int64_t pair, std::int64_t size) {
  constexpr double rounding = 1e-4;
  const double angle = std::atan2(sine, cosine);
  const double base = std::pow(angle, -static_cast<double>(size) / (2 * static_cast<double>(pair)));
  const double whole = std::round(base);
  return std::abs(base - whole) < rounding * whole ? whole : base;
}

// Of FP32 tables: the angle itself is rounded.
bool is_near(float table, double exact, std::int64_t position) {
  return std::abs(static_cast<double>(table) - exact) <=
         1e-5 + 3e-7 * static_cast<double>(position);
}

// The rows of positions in a table that may have axes of 1, or copies for each item, in front.
std::optional<std::span<const float>> position_rows(const Tensor& table, const Dims& dims) {
  const auto rank = table.dims.size();
  const auto rows = static_cast<std::size_t>(dims[dims.size() - 2] * dims.back());
  if (table.integral || rank < 2 || table.dims.back() != dims.back() ||
      table.dims[rank - 2] != dims[dims.size() - 2] || table.floats.empty()) {
    return std::nullopt;
  }
  for (std::size_t i = rows; i < table.floats.size(); ++i) {
    if (table.floats[i] != table.floats[i - rows]) {
      return std::nullopt;
    }
  }
  return std::span(table.floats).first(rows);
}

// The second half of `whole`'s features, or the first: a view of the same layer.
bool is_half(const Value& half, const Value& whole, bool second) {
  auto dims = whole.dims;
  dims.back() /= 2;
  const auto strides = strides_of(whole);
  return half.layer == whole.layer && half.dims == dims && strides_of(half) == strides &&
         half.factor == whole.factor &&
         half.offset == whole.offset + (second ? dims.back() * strides.back() : 0);
}

// By head, position and feature, position by position.
bool has_positions(GraphImport& import, const Value& value) {
  const auto out = import.layer(value.layer).out;
  const auto rank = value.dims.size();
  return import.is_sequence(value.layer) && rank > 2 && value.dims.back() % 2 == 0 &&
         value.dims[rank - 2] == out.positions() && strides_of(value)[rank - 2] == out.c;
}

}  // namespace

std::optional<double> rotary_base(std::span<const float> cosines,
                                  std::span<const float> sines,
                                  std::int64_t positions,
                                  std::int64_t size) {
  const auto half = size / 2;
  if (positions < 2 || half < 1 || cosines.size() != sines.size() ||
      cosines.size() != static_cast<std::size_t>(positions * size)) {
    return std::nullopt;
  }
  const auto last = static_cast<std::size_t>(size + half - 1);  // of position 1
  const double base = half == 1 ? usual_base
                                : told_base(static_cast<double>(cosines[last]),
                                            static_cast<double>(sines[last]),
                                            half - 1,
                                            size);
  for (std::int64_t t = 0; t < positions; ++t) {
    for (std::int64_t i = 0; i < size; ++i) {
      const double pair = static_cast<double>(i % half);
      const double angle =
          static_cast<double>(t) * std::pow(base, -2 * pair / static_cast<double>(size));
      const auto at = static_cast<std::size_t>(t * size + i);
      if (!is_near(cosines[at], std::cos(angle), t) || !is_near(sines[at], std::sin(angle), t)) {
        return std::nullopt;
      }
    }
  }
  return base;
}

// x cos + [-b, a] sin; of patterns.h.
void import_rotate_halves(GraphImport& import, const Node& node) {
  const std::size_t place = import.is_constant(node.input(1)) ? 0 : 1;
  auto value = import.value(node, place);
  if (import.is_placeholder(value.layer)) {
    return import.define(node, {value.dims, import.append_placeholder(value.dims), false});
  }
  if (!has_positions(import, value) || !is_half(import.value(node, 3), value, true) ||
      !is_half(import.value(node, 4), value, false)) {
    throw Unsupported(
        fmt::format("rotary positions on {}, which are no heads of a linear layer's "
                    "features turned by halves",
                    to_string(value.dims)));
  }
  const auto cosines = position_rows(import.constant(node, 1 - place), value.dims);
  const auto sines = position_rows(import.constant(node, 2), value.dims);
  const auto size = value.dims.back();
  const auto base = cosines && sines
                        ? rotary_base(*cosines, *sines, value.dims[value.dims.size() - 2], size)
                        : std::nullopt;
  if (!base) {
    throw Unsupported(
        "rotary positions by other angles than t base^(-2i/d), such as scaled frequencies; Llama's "
        "can be run");
  }
  value.rotary_base = *base;
  value.turned_size = size;
  import.define(node, std::move(value));
}

}  // namespace rightsize::onnx
