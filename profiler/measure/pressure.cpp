#include "profiler/measure/pressure.h"

#include <charconv>
#include <cstdint>
#include <fstream>
#include <iterator>

namespace rightsize {
namespace {

std::optional<double> total_of(const std::string& path) {
  std::ifstream file(path);  // opens, and then cannot be read, on a kernel booted with psi=0
  return some_total_s(std::string{std::istreambuf_iterator<char>(file), {}});
}

}  // namespace

std::optional<double> some_total_s(std::string_view text) {
  constexpr std::string_view label = "total=";
  const auto line = text.starts_with("some ") ? text.substr(0, text.find('\n')) : "";
  const auto at = line.find(label);
  if (at == std::string_view::npos) {
    return std::nullopt;
  }
  const auto number = line.substr(at + label.size());
  std::uint64_t microseconds = 0;
  const auto result = std::from_chars(number.data(), number.data() + number.size(), microseconds);
  return result.ec == std::errc() ? std::optional(static_cast<double>(microseconds) * 1e-6)
                                  : std::nullopt;
}

Pressure read_pressure(const std::string& root) {
  const auto folder = root + "/proc/pressure/";
  return {total_of(folder + "cpu"), total_of(folder + "io"), total_of(folder + "memory")};
}

}  // namespace rightsize
