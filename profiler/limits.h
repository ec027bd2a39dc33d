// The limits a run is to be measured under. 0 or empty means "not limited".
#pragma once

#include <cstdint>
#include <string>

#include <boost/json/fwd.hpp>

namespace rightsize {

struct Limits {
  double cpus = 0;                 // vCPU quota; 1.5 is one and a half cores
  std::uint64_t memory_bytes = 0;  // resident memory and page cache together
  double disk_read_bytes_per_s = 0;
  double disk_write_bytes_per_s = 0;
  double disk_read_iops = 0;
  double disk_write_iops = 0;
  std::string isa;                     // "sse41", "avx2", "avx512": oneDNN's dispatch limit
  std::uint64_t gpu_memory_bytes = 0;  // of the GPU engine's own allocations: a smaller GPU
  double gpu_share = 0;                // of its multiprocessors, in (0, 1): likewise

  bool operator==(const Limits&) const = default;
};

[[nodiscard]] boost::json::object to_json(const Limits& limits);
[[nodiscard]] Limits limits_from_json(const boost::json::object& object);

}  // namespace rightsize
