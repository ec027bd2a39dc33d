#include "profiler/machine.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include <sched.h>
#include <sys/statvfs.h>
#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

#include "kernels/gibibyte.h"
#include "profiler/block_device.h"
#include "profiler/json_fields.h"
#include "profiler/nvml.h"

namespace rightsize {
namespace {

namespace fs = std::filesystem;

std::string first_line(const fs::path& path) {
  std::ifstream in(path);
  std::string line;
  std::getline(in, line);
  while (!line.empty() && (line.back() == ' ' || line.back() == '\n')) {
    line.pop_back();
  }
  return line;
}

// "32768K" -> 33554432
std::uint64_t parse_size(const std::string& text) {
  std::istringstream in(text);
  std::uint64_t value = 0;
  char unit = ' ';
  in >> value >> unit;
  return unit == 'K' ? value << 10 : unit == 'M' ? value << 20 : unit == 'G' ? value << 30 : value;
}

std::string best_isa(const std::set<std::string>& flags) {
  const auto all = [&](std::initializer_list<const char*> names) {
    return std::all_of(
        names.begin(), names.end(), [&](const char* name) { return flags.contains(name); });
  };
  if (all({"avx512f", "avx512bw", "avx512dq", "avx512vl"})) {
    return "avx512";
  }
  if (all({"avx2", "fma"})) {
    return "avx2";
  }
  return all({"sse4_1"}) ? "sse41" : "";
}

// Extensions that change the speed of low-precision arithmetic.
std::vector<std::string> notable(const std::set<std::string>& flags) {
  std::vector<std::string> kept;
  for (const auto& flag : flags) {
    if (flag.starts_with("avx512") || flag.starts_with("amx") || flag == "avx_vnni" ||
        flag == "avx2" || flag == "fma") {
      kept.push_back(flag);
    }
  }
  return kept;
}

struct CpuGeneration {
  std::string family;
  std::string model;
};

// Some hypervisors hide the product; family and model still tell the generation.
void name_generation(const CpuGeneration& generation, Machine& machine) {
  if (machine.cpu_model.find_first_of("0123456789") == std::string::npos &&
      !generation.family.empty()) {
    machine.cpu_model += " (family " + generation.family + " model " + generation.model + ")";
  }
}

void read_cpuinfo(const fs::path& root, Machine& machine) {
  std::ifstream in(root / "proc/cpuinfo");
  std::set<std::string> flags;
  std::set<std::pair<std::string, std::string>> cores;
  std::string package;
  CpuGeneration generation;
  for (std::string line; std::getline(in, line);) {
    const auto colon = line.find(':');
    if (colon == std::string::npos) {
      continue;
    }
    const auto key = line.substr(0, line.find_last_not_of(" \t", colon - 1) + 1);
    const auto value = colon + 2 <= line.size() ? line.substr(colon + 2) : "";
    if (key == "processor") {
      ++machine.cpus;
    } else if (key == "model name" && machine.cpu_model.empty()) {
      machine.cpu_model = value;
    } else if (key == "cpu family") {
      generation.family = value;
    } else if (key == "model") {
      generation.model = value;
    } else if (key == "cpu MHz") {
      machine.cpu_mhz = std::max(machine.cpu_mhz, std::strtod(value.c_str(), nullptr));
    } else if (key == "physical id") {
      package = value;
    } else if (key == "core id") {
      cores.emplace(package, value);
    } else if (key == "flags" && flags.empty()) {
      std::istringstream words(value);
      flags = {std::istream_iterator<std::string>(words), {}};
    }
  }
  name_generation(generation, machine);
  machine.physical_cores = cores.empty() ? machine.cpus : static_cast<int>(cores.size());
  machine.isa = best_isa(flags);
  machine.isa_flags = notable(flags);
}

void read_caches(const fs::path& root, Machine& machine) {
  std::error_code error;
  for (const auto& entry :
       fs::directory_iterator(root / "sys/devices/system/cpu/cpu0/cache", error)) {
    const auto level = first_line(entry.path() / "level");
    const auto size = parse_size(first_line(entry.path() / "size"));
    if (level == "2") {
      machine.l2_bytes = size;
    } else if (level == "3") {
      machine.l3_bytes = size;
    }
  }
}

void read_memory(const fs::path& root, Machine& machine) {
  std::ifstream in(root / "proc/meminfo");
  std::string key;
  std::uint64_t kib = 0;
  if (in >> key >> kib && key == "MemTotal:") {
    machine.memory_bytes = kib << 10;
  }
}

void read_system(const fs::path& root, Machine& machine) {
  machine.kernel = first_line(root / "proc/sys/kernel/osrelease");
  std::ifstream in(root / "etc/os-release");
  const std::string key = "PRETTY_NAME=";
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with(key)) {
      machine.os = line.substr(key.size());
      std::erase(machine.os, '"');
    }
  }
}

void read_disks(const fs::path& root, Machine& machine) {
  std::set<std::string> seen;
  for (const auto& mount : read_mounts(root.string())) {
    const auto disk = whole_disk(mount.device_number, root.string());
    if (!disk || mount.root != "/" || !seen.insert(mount.device_number).second) {
      continue;
    }
    const auto block = root / "sys/block" / disk->name;
    Disk entry;
    entry.device = disk->name;
    entry.mount_point = mount.mount_point;
    entry.filesystem = mount.filesystem;
    entry.model = first_line(block / "device/model");
    entry.rotational = first_line(block / "queue/rotational") == "1";
    struct statvfs info {};
    if (statvfs(mount.mount_point.c_str(), &info) == 0) {
      entry.bytes = static_cast<std::uint64_t>(info.f_blocks) * info.f_frsize;
      entry.free_bytes = static_cast<std::uint64_t>(info.f_bavail) * info.f_frsize;
    }
    machine.disks.push_back(std::move(entry));
  }
}

// The signature at CPUID leaf 0x40000000, present when bit 31 of leaf 1's ECX says so.
std::string hypervisor_name() {
#if defined(__x86_64__) || defined(__i386__)
  unsigned a = 0;
  unsigned b = 0;
  unsigned c = 0;
  unsigned d = 0;
  if (__get_cpuid(1, &a, &b, &c, &d) == 0 || (c & (1U << 31U)) == 0) {
    return "";
  }
  __cpuid(0x40000000, a, b, c, d);
  std::string signature;
  for (const unsigned part : {b, c, d}) {
    for (unsigned shift = 0; shift < 32; shift += 8) {
      signature += static_cast<char>((part >> shift) & 0xFFU);
    }
  }
  signature.erase(signature.find_last_not_of('\0') + 1);
  return signature == "KVMKVMKVM"      ? "kvm"
         : signature == "Microsoft Hv" ? "hyperv"
         : signature == "VMwareVMware" ? "vmware"
         : signature == "XenVMMXenVMM" ? "xen"
                                       : signature;
#else
  return "";
#endif
}

}  // namespace

// Found by argument-dependent lookup, so not in the unnamed namespace.
template <typename Visitor, typename Value>
static void visit_fields(Visitor&& field,
                         Value& gpu) requires std::same_as<std::remove_const_t<Value>, Gpu> {
  field("name", gpu.name);
  field("memory_bytes", gpu.memory_bytes);
  field("driver", gpu.driver);
  field("compute_capability", gpu.compute_capability);
}

template <typename Visitor, typename Value>
static void visit_fields(Visitor&& field,
                         Value& disk) requires std::same_as<std::remove_const_t<Value>, Disk> {
  field("device", disk.device);
  field("mount_point", disk.mount_point);
  field("filesystem", disk.filesystem);
  field("model", disk.model);
  field("rotational", disk.rotational);
  field("bytes", disk.bytes);
  field("free_bytes", disk.free_bytes);
}

namespace {

template <typename Visitor, typename Value>
void visit_machine(Visitor& field, Value& machine) {
  field("cpu_model", machine.cpu_model);
  field("cpus", machine.cpus);
  field("physical_cores", machine.physical_cores);
  field("cpu_mhz", machine.cpu_mhz);
  field("isa", machine.isa);
  field("isa_flags", machine.isa_flags);
  field("l2_bytes", machine.l2_bytes);
  field("l3_bytes", machine.l3_bytes);
  field("memory_bytes", machine.memory_bytes);
  field("kernel", machine.kernel);
  field("os", machine.os);
  field("hypervisor", machine.hypervisor);
  field("gpus", machine.gpus);
  field("disks", machine.disks);
}

}  // namespace

Machine describe_machine_under(const std::string& root) {
  Machine machine;
  read_cpuinfo(root, machine);
  read_caches(root, machine);
  read_memory(root, machine);
  read_system(root, machine);
  read_disks(root, machine);
  return machine;
}

Machine describe_this_machine() {
  auto machine = describe_machine_under("/");
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof(allowed), &allowed) == 0) {
    machine.cpus = CPU_COUNT(&allowed);
  }
  machine.hypervisor = hypervisor_name();
  machine.gpus = list_gpus();
  return machine;
}

std::string machine_key(const Machine& machine) {
  auto key = fmt::format("{}/{}cpu/{:.0f}GiB",
                         machine.cpu_model,
                         machine.cpus,
                         static_cast<double>(machine.memory_bytes) / bytes_per_gib);
  for (const auto& gpu : machine.gpus) {
    key += "/" + gpu.name;
  }
  return key;
}

boost::json::object to_json(const Machine& machine) {
  FieldWriter writer;
  visit_machine(writer, machine);
  return writer.take();
}

Machine machine_from_json(const boost::json::object& object) {
  Machine machine;
  const FieldReader reader(object, "machine");
  visit_machine(reader, machine);
  return machine;
}

}  // namespace rightsize
