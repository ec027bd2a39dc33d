#include "profiler/baseline/compute_baseline.h"

#include <algorithm>
#include <fstream>
#include <memory>
#include <set>
#include <span>
#include <string>

#include <fmt/format.h>

#include "kernels/data/jpeg.h"
#include "kernels/data/scene.h"
#include "kernels/peak_rate.h"
#include "profiler/baseline/rate_meter.h"
#include "profiler/throttle/cpu_choice.h"

namespace rightsize {
namespace {

constexpr std::uint64_t rounds_per_chore = 2000;

// One thread, and all: one line each, or one when they are the same.
std::set<int> thread_counts() {
  return {1, static_cast<int>(allowed_cpus().size())};
}

std::string on_threads(const std::string& what, int threads) {
  return fmt::format("{}, {} thread{}", what, threads, threads == 1 ? "" : "s");
}

void add_arithmetic(const BaselineOptions& options, std::vector<BaselineFigure>& figures) {
  for (const auto* isa : {"sse41", "avx2", "avx512"}) {
    if (!cpu_has(isa)) {
      continue;
    }
    const auto floats = [isa](int) -> Chore {
      return [isa] { return static_cast<double>(run_float_operations(isa, rounds_per_chore)); };
    };
    const auto integers = [isa](int) -> Chore {
      return [isa] { return static_cast<double>(run_integer_operations(isa, rounds_per_chore)); };
    };
    for (const int threads : thread_counts()) {
      figures.push_back({on_threads(fmt::format("fp32 {}", isa), threads),
                         "FLOP/s",
                         rate_of(threads, options.round_s, options.rounds, floats)});
      figures.push_back({on_threads(fmt::format("int32 {}", isa), threads),
                         "op/s",
                         rate_of(threads, options.round_s, options.rounds, integers)});
    }
  }
}

// a = b + 3 c, on arrays no cache holds. Counts the three arrays, as STREAM does; what the CPU
// reads to own a line before writing it comes on top.
class Triad {
 public:
  explicit Triad(std::size_t elements) : a_(elements), b_(elements, 1.0F), c_(elements, 2.0F) {}

  double run() {
    const std::size_t piece = a_.size() / 8;
    float* a = a_.data() + at_;
    const float* b = b_.data() + at_;
    const float* c = c_.data() + at_;
    for (std::size_t i = 0; i < piece; ++i) {
      a[i] = b[i] + 3.0F * c[i];
    }
    asm volatile("" : : "r"(a) : "memory");
    at_ = (at_ + piece) % (8 * piece);
    return 3.0 * sizeof(float) * static_cast<double>(piece);
  }

 private:
  std::vector<float> a_;
  std::vector<float> b_;
  std::vector<float> c_;
  std::size_t at_ = 0;
};

constexpr std::size_t most_triad_elements = std::size_t{1} << 25;  // 128 MiB an array
constexpr std::size_t least_triad_elements = std::size_t{1} << 22;

// So that all threads together take a quarter of the memory that is free at most.
std::size_t triad_elements(int threads) {
  std::ifstream in("/proc/meminfo");
  std::string key;
  std::string unit;
  double kilobytes = 0;
  while (in >> key >> kilobytes && key != "MemAvailable:") {
    std::getline(in, unit);
  }
  const double bytes_each = kilobytes * 1024 / 4 / threads / 3;
  const auto fitting = static_cast<std::size_t>(bytes_each / sizeof(float)) / 8 * 8;
  return std::min(most_triad_elements, fitting);
}

void add_memory(const BaselineOptions& options, std::vector<BaselineFigure>& figures) {
  for (const int threads : thread_counts()) {
    const auto elements = triad_elements(threads);
    if (elements < least_triad_elements) {
      continue;  // too little memory is free: what fits would be the caches' speed
    }
    const auto make = [elements](int) -> Chore {
      return [triad = std::make_shared<Triad>(elements)] { return triad->run(); };
    };
    figures.push_back({on_threads("memory triad", threads),
                       "B/s",
                       rate_of(threads, options.round_s, options.rounds, make)});
  }
}

// A picture as the generator makes them: 500 x 375, about 110 kB of natural statistics.
std::vector<std::byte> sample_jpeg() {
  const ScenePainter painter(1, 10);
  std::vector<std::uint8_t> pixels;
  std::uint64_t index = 0;
  auto image = painter.paint(index, 0, pixels);
  while (image.size.width != 500 || image.size.height != 375) {
    image = painter.paint(++index, 0, pixels);
  }
  JpegEncoder encoder;
  const auto bytes = encoder.encode(image, 95);
  return {bytes.begin(), bytes.end()};
}

void add_decoding(const BaselineOptions& options, std::vector<BaselineFigure>& figures) {
  const auto jpeg = sample_jpeg();
  for (const int threads : thread_counts()) {
    const auto make = [&jpeg](int) -> Chore {
      return [&jpeg, decoder = std::make_shared<JpegDecoder>()] {
        static_cast<void>(decoder->open(jpeg));
        static_cast<void>(decoder->decode());
        return 1.0;
      };
    };
    figures.push_back({on_threads("JPEG decode 500x375", threads),
                       "img/s",
                       rate_of(threads, options.round_s, options.rounds, make)});
  }
}

}  // namespace

std::vector<BaselineFigure> measure_compute(const BaselineOptions& options) {
  std::vector<BaselineFigure> figures;
  add_arithmetic(options, figures);
  add_memory(options, figures);
  add_decoding(options, figures);
  return figures;
}

}  // namespace rightsize
