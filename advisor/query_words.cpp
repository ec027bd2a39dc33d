// The words and units in which people say what a query holds.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>

#include <fmt/format.h>

#include "advisor/query.h"
#include "profiler/campaign/units.h"

namespace rightsize {
namespace {

// The number at the front of `text`; the unit that follows is left in `unit`.
std::optional<double> leading_number(const std::string& text, std::string& unit) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || value < 0 || !std::isfinite(value)) {
    return std::nullopt;
  }
  unit.assign(end, text.data() + text.size());
  unit.erase(0, std::min(unit.find_first_not_of(' '), unit.size()));
  return value;
}

// "1:30:00" or "1:30" (hours and minutes).
std::optional<double> clock_duration(const std::string& text) {
  int hours = 0;
  int minutes = 0;
  int seconds = 0;
  char rest = 0;
  const int read = std::sscanf(text.c_str(), "%d:%d:%d%c", &hours, &minutes, &seconds, &rest);
  const bool in_range = hours >= 0 && minutes >= 0 && minutes < 60 && seconds >= 0 && seconds < 60;
  if (in_range && (read == 3 || (read == 2 && text.find(':') == text.rfind(':')))) {
    return hours * 3600.0 + minutes * 60.0 + seconds;
  }
  return std::nullopt;
}

}  // namespace

std::optional<PreprocessChoice> parse_preprocess_choice(std::string_view text) {
  for (const auto value :
       {PreprocessChoice::cpu, PreprocessChoice::gpu, PreprocessChoice::either}) {
    if (to_string(value) == text) {
      return value;
    }
  }
  return std::nullopt;
}

std::string_view to_string(PreprocessChoice value) {
  switch (value) {
    case PreprocessChoice::cpu:
      return "cpu";
    case PreprocessChoice::gpu:
      return "gpu";
    case PreprocessChoice::either:
      return "either";
  }
  return "";
}

InterconnectWords parse_network(const std::string& text, const std::string& what) {
  const auto words = parse_interconnect(text);
  if (!words || !words->fabric) {
    throw UsageError(fmt::format(
        "{} = \"{}\": expected a network such as ib:100, roce:25, ethernet:10 or efa:100 (Gb/s of "
        "a machine)",
        what,
        text));
  }
  return *words;
}

std::optional<std::string> network_words(const InterconnectWords& network) {
  if (!network.fabric) {
    return std::nullopt;
  }
  const auto* fabric = *network.fabric == Fabric::infiniband ? "ib"
                       : *network.fabric == Fabric::roce     ? "roce"
                       : *network.fabric == Fabric::efa      ? "efa"
                                                             : "ethernet";
  return network.fabric_gbit_per_s > 0 ? fmt::format("{}:{:g}", fabric, network.fabric_gbit_per_s)
                                       : fabric;
}

double parse_duration(const std::string& text, const std::string& what) {
  if (const auto clock = clock_duration(text)) {
    return *clock;
  }
  std::string unit;
  const auto value = leading_number(text, unit);
  const double scale = unit == "s"                 ? 1
                       : unit == "m"               ? 60
                       : unit == "h" || unit == "" ? 3600
                       : unit == "d"               ? 86400
                                                   : 0;
  if (!value || scale == 0 || *value == 0) {
    throw UsageError(fmt::format(
        "{} = \"{}\": expected a duration such as 90s, 10m, 32h, 2d or 1:30:00", what, text));
  }
  return *value * scale;
}

std::uint64_t parse_size(const std::string& text, const std::string& what) {
  const auto bytes = parse_bytes(text);
  const bool has_unit = !text.empty() && text.back() == 'B';
  if (!bytes || *bytes == 0 || !has_unit) {
    throw UsageError(fmt::format(
        "{} = \"{}\": expected a size with its unit, such as 140GB or 512MiB", what, text));
  }
  return *bytes;
}

}  // namespace rightsize
