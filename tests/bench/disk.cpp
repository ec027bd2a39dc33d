// The disk as `doctor --bench` measures it, against fio with the same requests, rounds alternating.
//   bench_disk [folder] [rounds]
#include <array>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

#include "fio.h"
#include "profiler/baseline/direct_file.h"
#include "profiler/measure/statistics.h"

using namespace rightsize;

namespace {

constexpr double round_s = 2;
constexpr std::uint64_t file_bytes = 1ULL << 30;

struct Case {
  const char* name;
  DirectFile::Load load;
  const char* fio_rw;
};

constexpr std::array cases{
    Case{"read sequential 1 MiB, depth 8", {false, false, 1 << 20, 8}, "read"},
    Case{"read random 128 KiB, depth 8", {false, true, 128 * 1024, 8}, "randread"},
    Case{"read random 4 KiB, depth 1", {false, true, 4096, 1}, "randread"},
    Case{"read random 4 KiB, depth 32", {false, true, 4096, 32}, "randread"},
    Case{"write sequential 1 MiB, depth 8", {true, false, 1 << 20, 8}, "write"}};

double peer_bytes_per_s(const Case& one, const std::string& file) {
  return fio_bytes_per_s(
      fmt::format("--filename={} --size={} --rw={} --bs={} --iodepth={} --ioengine=libaio "
                  "--direct=1 --time_based --runtime={} --norandommap --invalidate=0",
                  file,
                  file_bytes,
                  one.fio_rw,
                  one.load.block_bytes,
                  one.load.depth,
                  round_s),
      one.load.write ? "write" : "read");
}

}  // namespace

int main(int argc, char** argv) {
  const std::string folder = argc > 1 ? argv[1] : ".";
  const int rounds = argc > 2 ? std::atoi(argv[2]) : 3;
  if (!has_fio()) {
    std::puts("fio is not installed, so there is no peer: apt-get install fio");
    return 0;
  }
  DirectFile ours(folder + "/rightsize.bench", file_bytes);
  ours.fill();
  const auto theirs = folder + "/fio.bench";
  for (const auto& one : cases) {
    std::vector<double> mine;
    std::vector<double> fio;
    for (int round = 0; round < rounds; ++round) {
      mine.push_back(ours.run(one.load, round_s));
      fio.push_back(peer_bytes_per_s(one, theirs));
    }
    fmt::print("{:34} {:8.1f} MB/s   fio {:8.1f} MB/s   ratio {:.2f}\n",
               one.name,
               median(mine) / 1e6,
               median(fio) / 1e6,
               median(mine) / median(fio));
  }
  unlink(theirs.c_str());
  return 0;
}
