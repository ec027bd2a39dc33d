#include "profiler/baseline/compute_baseline.h"

#include <algorithm>
#include <memory>
#include <set>
#include <span>

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
  Triad() : a_(elements), b_(elements, 1.0F), c_(elements, 2.0F) {}

  double run() {
    constexpr std::size_t piece = elements / 8;
    float* a = a_.data() + at_;
    const float* b = b_.data() + at_;
    const float* c = c_.data() + at_;
    for (std::size_t i = 0; i < piece; ++i) {
      a[i] = b[i] + 3.0F * c[i];
    }
    asm volatile("" : : "r"(a) : "memory");
    at_ = (at_ + piece) % elements;
    return 3.0 * sizeof(float) * piece;
  }

 private:
  static constexpr std::size_t elements = std::size_t{1} << 25;  // 128 MiB an array
  std::vector<float> a_;
  std::vector<float> b_;
  std::vector<float> c_;
  std::size_t at_ = 0;
};

void add_memory(const BaselineOptions& options, std::vector<BaselineFigure>& figures) {
  for (const int threads : thread_counts()) {
    const auto make = [](int) -> Chore {
      return [triad = std::make_shared<Triad>()] { return triad->run(); };
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
