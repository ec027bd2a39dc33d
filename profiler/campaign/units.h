// Amounts as people write them in campaign files and on the command line.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace rightsize {

// "512MiB", "40 MB", "1.5GiB", "4096". KiB, MiB.. are powers of 1024; kB, MB.. of 1000. nullopt for
// anything else, and for what does not fit.
[[nodiscard]] std::optional<std::uint64_t> parse_bytes(std::string_view text);

// The same with "/s" behind it: "40MB/s".
[[nodiscard]] std::optional<double> parse_bytes_per_s(std::string_view text);

// "10s", "2min" or "2m", "1.5h", "2d", "250ms", "10" (seconds).
[[nodiscard]] std::optional<double> parse_seconds(std::string_view text);

// "1:16:x2" is 1 2 4 8 16; "2:8:+3" is 2 5 8. nullopt for anything else, or above 1000 values.
[[nodiscard]] std::optional<std::vector<double>> parse_range(std::string_view text);

}  // namespace rightsize
