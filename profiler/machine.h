// What hardware this is, or what hardware is asked about.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <boost/json/fwd.hpp>

namespace rightsize {

struct Gpu {
  std::string name;
  std::uint64_t memory_bytes = 0;
  std::string driver;
  std::string compute_capability;  // "9.0"

  bool operator==(const Gpu&) const = default;
};

struct Disk {
  std::string device;       // "vda"
  std::string mount_point;  // "/"
  std::string filesystem;   // "ext4"
  std::string model;
  bool rotational = false;
  std::uint64_t bytes = 0;
  std::uint64_t free_bytes = 0;

  bool operator==(const Disk&) const = default;
};

struct Machine {
  std::string cpu_model;
  int cpus = 0;  // logical CPUs this process may use
  int physical_cores = 0;
  double cpu_mhz = 0;
  std::string isa;                     // best of "sse41", "avx2", "avx512"
  std::vector<std::string> isa_flags;  // avx512_bf16, amx_tile, ...
  std::uint64_t l2_bytes = 0;
  std::uint64_t l3_bytes = 0;
  std::uint64_t memory_bytes = 0;
  std::string kernel;      // "6.18.44"
  std::string os;          // "Debian GNU/Linux 12 (bookworm)"
  std::string hypervisor;  // "kvm", "" on metal
  std::vector<Gpu> gpus;
  std::vector<Disk> disks;

  bool operator==(const Machine&) const = default;
};

// Reads /proc, /sys and, when present, NVML. Never throws: what cannot be read stays empty.
[[nodiscard]] Machine describe_this_machine();

// The same from a copy of /proc, /sys and /etc under `root`, for tests; GPUs are not asked for.
[[nodiscard]] Machine describe_machine_under(const std::string& root);

// A short stable name for grouping records: cpu model, cpus, memory, gpus.
[[nodiscard]] std::string machine_key(const Machine& machine);

[[nodiscard]] boost::json::object to_json(const Machine& machine);
[[nodiscard]] Machine machine_from_json(const boost::json::object& object);

}  // namespace rightsize
