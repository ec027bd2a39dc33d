// The words and units in which people say what a query holds.
#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "advisor/query/query.h"
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

// "1:30:00" or "1:30" (hours and minutes) and nothing behind it; above 0.
std::optional<double> clock_duration(const std::string& text) {
  constexpr int most_hours = 1'000'000;
  std::array<int, 3> parts{};  // hours, minutes, seconds
  std::size_t count = 0;
  const char* at = text.data();
  const char* const end = at + text.size();
  for (; count < parts.size(); ++count) {
    const auto [behind, error] = std::from_chars(at, end, parts[count]);
    const bool in_range = parts[count] >= 0 && parts[count] < (count == 0 ? most_hours : 60);
    if (error != std::errc{} || !in_range) {
      return std::nullopt;
    }
    if (behind == end) {
      ++count;
      at = end;
      break;
    }
    if (*behind != ':') {
      return std::nullopt;
    }
    at = behind + 1;
  }
  const double seconds = parts[0] * 3600.0 + parts[1] * 60.0 + parts[2];
  return count >= 2 && at == end && seconds > 0 ? std::optional(seconds) : std::nullopt;
}

// 0 for a word that is none, and for a number alone: 5 of what?
double seconds_of(std::string_view unit) {
  unit = unit.substr(0, unit.find_last_not_of(' ') + 1);
  if (unit.size() > 1 && unit.ends_with('s')) {
    unit.remove_suffix(1);  // hours
  }
  struct Named {
    double seconds;
    std::array<std::string_view, 4> names;
  };
  constexpr Named units[] = {{1, {"s", "sec", "second"}},
                             {60, {"m", "min", "minute"}},
                             {3600, {"h", "hr", "hour"}},
                             {86400, {"d", "day"}}};
  for (const auto& [seconds, names] : units) {
    if (!unit.empty() && std::find(names.begin(), names.end(), unit) != names.end()) {
      return seconds;
    }
  }
  return 0;
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
                       : *network.fabric == Fabric::tcpx     ? "tcpx"
                                                             : "ethernet";
  return network.fabric_gbit_per_s > 0 ? fmt::format("{}:{:g}", fabric, network.fabric_gbit_per_s)
                                       : fabric;
}

double parse_duration(const std::string& text, const std::string& what) {
  if (const auto clock = clock_duration(text)) {
    return *clock;
  }
  double seconds = 0;
  std::string rest = text;
  while (!rest.empty()) {
    std::string unit;
    const auto value = leading_number(rest, unit);
    const auto end = std::min(unit.find_first_of("0123456789."), unit.size());
    rest = unit.substr(end);
    const double scale = seconds_of(unit.substr(0, end));
    if (!value || scale == 0) {
      seconds = 0;
      break;
    }
    seconds += *value * scale;
  }
  if (seconds == 0) {
    throw UsageError(
        fmt::format("{} = \"{}\": expected a duration above 0 such as 90s, 10m, 32h, 1h30m, 2d "
                    "or 1:30:00",
                    what,
                    text));
  }
  return seconds;
}

namespace {

// "100 gb" is as clear as "100 GB", and nobody means bits.
std::string with_unit_spelt(std::string text) {
  const auto unit = text.find_last_not_of("kKmMgGtTiIbB") + 1;
  std::transform(
      text.begin() + static_cast<std::ptrdiff_t>(unit),
      text.end(),
      text.begin() + static_cast<std::ptrdiff_t>(unit),
      [](char c) {
        const auto small = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        return small == 'i' ? 'i' : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
      });
  const bool thousand = text.size() >= unit + 2 && text.compare(unit, std::string::npos, "KB") == 0;
  return thousand ? text.replace(unit, 2, "kB") : text;
}

}  // namespace

std::uint64_t parse_size(const std::string& said, const std::string& what) {
  const auto text = with_unit_spelt(said);
  const auto bytes = parse_bytes(text);
  const bool has_unit = !text.empty() && text.back() == 'B';
  if (!bytes || *bytes == 0 || !has_unit) {
    throw UsageError(fmt::format(
        "{} = \"{}\": expected a size with its unit, such as 140GB or 512MiB", what, said));
  }
  return *bytes;
}

}  // namespace rightsize
