#include "profiler/throttle/pressure.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <fstream>
#include <iterator>

namespace rightsize {
namespace {

Stalled stalled_in(const std::string& path) {
  std::ifstream file(path);  // opens, and then cannot be read, on a kernel booted with psi=0
  return parse_pressure(std::string{std::istreambuf_iterator<char>(file), {}});
}

// "total=", in microseconds, of the line that starts with `word`.
std::optional<double> total_s(std::string_view text, std::string_view word) {
  constexpr std::string_view label = "total=";
  while (!text.empty()) {
    const auto line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    const auto at = line.find(label);
    if (!line.starts_with(word) || at == std::string_view::npos) {
      continue;
    }
    const auto number = line.substr(at + label.size());
    std::uint64_t microseconds = 0;
    const auto result = std::from_chars(number.data(), number.data() + number.size(), microseconds);
    return result.ec == std::errc() ? std::optional(static_cast<double>(microseconds) * 1e-6)
                                    : std::nullopt;
  }
  return std::nullopt;
}

std::optional<double> share(const std::optional<double>& before_s,
                            const std::optional<double>& after_s,
                            double wall_s) {
  return before_s && after_s && wall_s > 0
             ? std::optional(std::clamp((*after_s - *before_s) / wall_s, 0.0, 1.0))
             : std::nullopt;
}

}  // namespace

Stalled parse_pressure(std::string_view text) {
  return {total_s(text, "some "), total_s(text, "full ")};
}

Pressure read_pressure(const std::string& root) {
  const auto folder = root + "/proc/pressure/";
  return {stalled_in(folder + "cpu"), stalled_in(folder + "io"), stalled_in(folder + "memory")};
}

Pressure read_group_pressure(const std::string& folder) {
  return {stalled_in(folder + "/cpu.pressure"),
          stalled_in(folder + "/io.pressure"),
          stalled_in(folder + "/memory.pressure")};
}

PressureShares pressure_shares(const Pressure& before, const Pressure& after, double wall_s) {
  PressureShares shares;
  shares.cpu_some = share(before.cpu.some_s, after.cpu.some_s, wall_s);
  shares.cpu_full = share(before.cpu.full_s, after.cpu.full_s, wall_s);
  shares.io_some = share(before.io.some_s, after.io.some_s, wall_s);
  shares.io_full = share(before.io.full_s, after.io.full_s, wall_s);
  shares.memory_some = share(before.memory.some_s, after.memory.some_s, wall_s);
  shares.memory_full = share(before.memory.full_s, after.memory.full_s, wall_s);
  return shares;
}

}  // namespace rightsize
