// Numbers as people read them: three significant digits, one unit, a dash for what is not known.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace rightsize::report {

// Three significant digits without an exponent: 0.0123, 1.23, 123, 12300.
[[nodiscard]] std::string digits(double value);
// Four of them, thousands set apart: what prices are told to. "0.01234", "21.96", "180,000"
[[nodiscard]] std::string four_digits(double value);

[[nodiscard]] std::string bytes(double value);        // "512 MiB", "1.5 GiB"
[[nodiscard]] std::string bytes_per_s(double value);  // "80 MB/s"
[[nodiscard]] std::string duration(double seconds);   // "480 ms", "12.3 s", "22.4 h", "3.1 d"
[[nodiscard]] std::string percent(double share);      // "93%"
[[nodiscard]] std::string money(double amount, const std::string& currency);  // "$67.20", "$0.0042"
// The same, but three significant digits of what is less than one: "$0.0334".
[[nodiscard]] std::string fine_money(double amount, const std::string& currency);
[[nodiscard]] std::string count(std::uint64_t value);  // "1,281,167"
// "1 run", "1,200 runs"
[[nodiscard]] std::string count_of(std::uint64_t value, std::string_view noun);
// "1 vCPU", "0.5 vCPUs": as axis_number() has it
[[nodiscard]] std::string number_of(double value, std::string_view noun);
[[nodiscard]] std::string chance(double probability);  // "93%", never quite "0%" or "100%"
[[nodiscard]] std::string axis_number(
    double value);  // as short as it is exact: "0.5", "20", "5,000"

}  // namespace rightsize::report
