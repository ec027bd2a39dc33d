#include "profiler/baseline/disk_baseline.h"

#include <algorithm>
#include <array>
#include <filesystem>

#include <fmt/format.h>
#include <unistd.h>

#include "profiler/baseline/direct_file.h"
#include "profiler/measure/statistics.h"

namespace rightsize {
namespace {

struct DiskFigure {
  const char* name;
  const char* unit;
  DirectFile::Load load;
};

constexpr std::uint64_t small = 4096;
constexpr std::uint64_t large = 1 << 20;

// Sequential loads in bytes a second, random ones of 4 KiB in requests a second, as data sheets do.
constexpr std::array figures{
    DiskFigure{"disk read sequential 1 MiB, depth 8", "B/s", {false, false, large, 8}},
    DiskFigure{"disk read random 128 KiB, depth 8", "B/s", {false, true, 128 * 1024, 8}},
    DiskFigure{"disk read random 4 KiB, depth 1", "1/s", {false, true, small, 1}},
    DiskFigure{"disk read random 4 KiB, depth 32", "1/s", {false, true, small, 32}},
    DiskFigure{"disk write sequential 1 MiB, depth 8", "B/s", {true, false, large, 8}},
    DiskFigure{"disk write random 4 KiB, depth 32", "1/s", {true, true, small, 32}}};

std::uint64_t affordable_bytes(const BaselineOptions& options) {
  constexpr std::uint64_t share = 4;
  std::error_code error;
  const auto space = std::filesystem::space(options.folder, error);
  return error ? options.file_bytes
               : std::max<std::uint64_t>(std::min(options.file_bytes, space.available / share),
                                         16 * large);
}

}  // namespace

std::vector<BaselineFigure> measure_disk(const BaselineOptions& options) {
  DirectFile file(fmt::format("{}/rightsize.{}.baseline", options.folder, getpid()),
                  affordable_bytes(options));
  file.fill();
  std::vector<BaselineFigure> measured;
  for (const auto& figure : figures) {
    std::vector<double> rates;
    for (int round = 0; round <= options.rounds; ++round) {
      const double rate = file.run(figure.load, options.round_s);
      if (round > 0) {
        rates.push_back(figure.unit == std::string_view("1/s")
                            ? rate / static_cast<double>(figure.load.block_bytes)
                            : rate);
      }
    }
    measured.push_back({figure.name, figure.unit, summarize(rates)});
  }
  return measured;
}

}  // namespace rightsize
