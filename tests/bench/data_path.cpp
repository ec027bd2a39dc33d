// The data path against what it cannot beat: bare libjpeg-turbo (its TurboJPEG interface), the
// machine's cores, and fio on the same bytes.
//   bench_data_path [folder] [rounds]      a folder as `rightsize dataset make` leaves it
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <turbojpeg.h>

#include "fio.h"
#include "kernels/data/dataset.h"
#include "kernels/data/loader.h"
#include "profiler/measure/clock.h"
#include "profiler/measure/page_cache.h"
#include "profiler/measure/statistics.h"
#include "profiler/throttle/cpu_choice.h"

using namespace rightsize;

namespace {

constexpr double round_s = 2;

double rate_over(double seconds, const std::function<std::size_t()>& work) {
  SteadyClock clock;
  const double begin_s = clock.now_s();
  std::size_t done = 0;
  double now_s = begin_s;
  while (now_s - begin_s < seconds) {
    done += work();
    now_s = clock.now_s();
  }
  return static_cast<double>(done) / (now_s - begin_s);
}

// Whole pictures to RGB, nothing else: no reading, no resizing.
double bare_decode_rate(const Dataset& dataset) {
  std::vector<std::vector<std::byte>> pictures;
  for (std::size_t i = 0; i < dataset.size(); ++i) {
    std::vector<std::byte> storage;
    const auto sample = dataset.read(i, storage);
    pictures.emplace_back(sample.bytes.begin(), sample.bytes.end());
  }
  tjhandle decoder = tjInitDecompress();
  std::vector<unsigned char> pixels;
  std::size_t at = 0;
  const double rate = rate_over(round_s, [&]() -> std::size_t {
    const auto& picture = pictures[at++ % pictures.size()];
    const auto* bytes = reinterpret_cast<const unsigned char*>(picture.data());
    int width = 0;
    int height = 0;
    int subsampling = 0;
    int colours = 0;
    tjDecompressHeader3(decoder, bytes, picture.size(), &width, &height, &subsampling, &colours);
    pixels.resize(static_cast<std::size_t>(width) * height * 3);
    return tjDecompress2(
               decoder, bytes, picture.size(), pixels.data(), width, 0, height, TJPF_RGB, 0) == 0
               ? 1
               : 0;
  });
  tjDestroy(decoder);
  return rate;
}

// Read, decode, resize, crop, flip, normalise, by the real loader.
double loader_rate(const Dataset& dataset, int threads) {
  LoaderOptions options;
  options.batch = 8;
  options.threads = threads;
  Loader loader(dataset, options);
  for (int i = 0; i < 2 * threads + options.prefetch_batches; ++i) {
    static_cast<void>(loader.next());  // what was prefetched says nothing of the speed
  }
  return rate_over(round_s, [&] { return loader.next().batch.labels.size(); });
}

// One pass over the whole database, nothing of it in memory before.
double lmdb_bytes_per_s(const std::string& path) {
  static_cast<void>(drop_from_page_cache(path));
  const auto dataset = open_dataset(DataFormat::lmdb, path, AccessOrder::sequential);
  std::vector<std::byte> storage;
  SteadyClock clock;
  const double begin_s = clock.now_s();
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < dataset->size(); ++i) {
    const auto sample = dataset->read(i, storage);
    for (std::size_t at = 0; at < sample.bytes.size(); at += 4096) {
      sum += static_cast<std::uint64_t>(sample.bytes[at]);  // or a map would read nothing
    }
  }
  const double seconds = clock.now_s() - begin_s;
  return sum == 0 ? 0 : static_cast<double>(dataset->stored_bytes()) / seconds;
}

double peer_bytes_per_s(const std::string& file) {
  static_cast<void>(drop_from_page_cache(file));
  return fio_bytes_per_s(
      fmt::format("--filename={} --rw=read --bs=1M --ioengine=psync --readonly", file), "read");
}

double median_of_rounds(int rounds, const std::function<double()>& measure) {
  std::vector<double> rates;
  for (int i = 0; i < rounds; ++i) {
    rates.push_back(measure());
  }
  return median(rates);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string folder = argc > 1 ? argv[1] : "demo/data";
  if (!std::filesystem::exists(folder + "/train.rec")) {
    std::puts("no data here; make some: rightsize dataset make demo/data --items 800");
    return 0;
  }
  const int rounds = argc > 2 ? std::atoi(argv[2]) : 5;
  const auto records = open_dataset(DataFormat::recordio, folder + "/train.rec");
  const int cores = static_cast<int>(allowed_cpus().size());

  const double bare = median_of_rounds(rounds, [&] { return bare_decode_rate(*records); });
  const double one = median_of_rounds(rounds, [&] { return loader_rate(*records, 1); });
  const double all = median_of_rounds(rounds, [&] { return loader_rate(*records, cores); });
  fmt::print("bare TurboJPEG decode, 1 thread            {:7.0f} img/s\n", bare);
  fmt::print(
      "whole loader, 1 thread                     {:7.0f} img/s   ratio {:.2f}\n", one, one / bare);
  fmt::print("whole loader, {} threads                    {:7.0f} img/s   efficiency {:.2f}\n",
             cores,
             all,
             all / one / cores);

  const double lmdb =
      median_of_rounds(rounds, [&] { return lmdb_bytes_per_s(folder + "/train.lmdb"); });
  const double fio =
      median_of_rounds(rounds, [&] { return peer_bytes_per_s(folder + "/train.lmdb/data.mdb"); });
  fmt::print("LMDB, one cold pass in order               {:7.0f} MB/s\n", lmdb / 1e6);
  fmt::print("fio, the same file cold, 1 MiB reads       {:7.0f} MB/s   ratio {:.2f}\n",
             fio / 1e6,
             lmdb / fio);
  return 0;
}
