#include "advisor/report/cause_text.h"

#include <cmath>

#include <fmt/format.h>

#include "advisor/report/option_text.h"
#include "advisor/report/service_text.h"
#include "advisor/report/table.h"
#include "advisor/report/units.h"

namespace rightsize::report {
namespace {

constexpr std::size_t width = 98;

std::string amount(double value, const std::string& unit) {
  if (unit == "B/s") {
    return bytes_per_s(value);
  }
  if (unit == "B") {
    return digits(value / 1e3) + " kB";
  }
  if (unit == "s" || unit == "vCPU-s") {
    return duration(value) + (unit == "s" ? "" : " of a vCPU");
  }
  const bool whole = value == std::floor(value) && value < 1e15;
  return (whole ? axis_number(value) : digits(value)) + (unit.empty() ? "" : " " + unit);
}

std::string value_text(const Estimate& value) {
  if (std::isinf(value.value)) {
    return "—";
  }
  if (value.low == value.high) {
    const bool rate = value.unit.ends_with("/s");
    if (value.unit == "s") {
      return duration(value.value);
    }
    if (value.unit == "machines") {
      return axis_number(value.value);
    }
    if (value.unit == "sequences") {
      return axis_number(value.value) + " " + value.unit;
    }
    if (value.unit.size() == 3) {
      return money(value.value, value.unit);
    }
    return (rate ? digits(value.value) : fmt::format("{:.4g}", value.value)) + " " + value.unit;
  }
  if (value.unit == "s") {
    return fmt::format(
        "~{} ({} … {})", duration(value.value), duration(value.low), latency(value.high));
  }
  if (value.unit == "machines") {
    return fmt::format("{} ({} … {})",
                       axis_number(value.value),
                       axis_number(value.low),
                       std::isinf(value.high) ? "no number" : axis_number(value.high));
  }
  const bool currency = value.unit.size() == 3;
  return currency ? fmt::format("~{} ({} … {})",
                                money(value.value, value.unit),
                                money(value.low, value.unit),
                                money(value.high, value.unit))
                  : fmt::format("~{} {} ({})", digits(value.value), value.unit, range(value));
}

std::string inputs_text(const std::vector<Input>& inputs) {
  std::string out;
  for (const auto& input : inputs) {
    out += fmt::format("{}{} {} [{}]",
                       out.empty() ? "" : ", ",
                       input.name,
                       amount(input.value, input.unit),
                       input.tag);
  }
  return out;
}

// Lines under a node: formula, inputs, provenance; wrapped to the right of the tree's lines.
std::string details(const Cause& cause, const std::string& rail) {
  std::string out;
  const auto add = [&](const std::string& text) {
    if (!text.empty()) {
      const auto room = width - display_width(rail);
      out += rail + wrapped(text, room, rail + "  ");
    }
  };
  const bool long_formula = !cause.inputs.empty();
  add(long_formula ? "= " + cause.formula : "");
  add(inputs_text(cause.inputs));
  add(cause.provenance.empty() ? "" : "from " + cause.provenance);
  return out;
}

void add_node(const Cause& cause,
              const std::string& branch,
              const std::string& rail,
              const Style& style,
              std::string& out) {
  const bool unused = std::isinf(cause.value.value);
  const auto tag = cause.tag.empty() ? to_string(cause.value.source) : cause.tag;
  const auto head = branch + fmt::format("{:<{}}{}{}{}",
                                         cause.name,
                                         cause.name.size() + 2,
                                         value_text(cause.value),
                                         unused ? "" : fmt::format("  [{}]", tag),
                                         cause.binding ? "  <= limits" : "");
  out += (cause.binding ? style.bold(head) : head) +
         (cause.inputs.empty() && !cause.formula.empty() ? "  " + cause.formula : "") + "\n";
  out += details(cause, rail + (cause.parts.empty() ? "   " : "│  "));
  for (std::size_t i = 0; i < cause.parts.size(); ++i) {
    const bool last = i + 1 == cause.parts.size();
    add_node(
        cause.parts[i], rail + (last ? "└─ " : "├─ "), rail + (last ? "   " : "│  "), style, out);
  }
}

}  // namespace

std::string cause_text(const Cause& cause, const Style& style) {
  std::string out;
  add_node(cause, "", "", style, out);
  return out;
}

}  // namespace rightsize::report
