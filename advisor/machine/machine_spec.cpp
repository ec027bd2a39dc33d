#include "advisor/machine/machine_spec.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "advisor/machine/gpu_words.h"
#include "advisor/machine/machine_keys.h"
#include "advisor/query/query.h"
#include "advisor/query/toml_fields.h"
#include "kernels/gibibyte.h"

namespace rightsize {
namespace {

constexpr int most_nodes = 100'000;

[[noreturn]] void fail(const std::string& place,
                       const std::string& key,
                       const std::string& value,
                       const std::string& expected) {
  throw UsageError(fmt::format("{}: {}={}: expected {}", place, key, value, expected));
}

std::optional<double> number(const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = error == std::errc{} && end == text.data() + text.size();
  return whole && std::isfinite(value) ? std::optional(value) : std::nullopt;
}

int count(const std::string& place, const std::string& key, const std::string& text, int most) {
  const auto value = number(text);
  if (!value || *value < 1 || *value > most || *value != std::floor(*value)) {
    fail(place, key, text, fmt::format("a whole number from 1 to {}", most));
  }
  return static_cast<int>(*value);
}

void set_gpu(MachineSpec& machine, const std::string& place, const std::string& value) {
  const auto words = gpu_words(value);
  if (!words.expected.empty()) {
    fail(place, "gpu", value, words.expected);
  }
  if (!words.gpu.empty()) {
    machine.gpu = words.gpu;
    machine.gpu_memory_gib = words.memory_gib;
    machine.gpus_per_node = words.count.value_or(1);
  }
}

void merge_words(MachineSpec& machine,
                 const std::string& place,
                 const std::string& key,
                 const std::string& value) {
  const auto words = parse_interconnect(value);
  const bool is_link = key == "link";
  if (!words || (is_link ? !words->link : !words->fabric)) {
    fail(place,
         key,
         value,
         is_link ? "nvlink, xgmi (Infinity Fabric), pcie, pcie-p2p or \"pcie 4.0 x16\""
                 : "a network such as ib:100, roce:25, ethernet:10 or efa:100 (Gb/s of a node)");
  }
  auto& unread = machine.unread_interconnect;
  const auto also = unread_interconnect(value);
  unread += (unread.empty() || also.empty() ? "" : "; ") + also;
  if (is_link) {
    machine.interconnect.link = words->link;
    machine.interconnect.link_bytes_per_s = words->link_bytes_per_s;
  } else {
    machine.interconnect.fabric = words->fabric;
    machine.interconnect.fabric_gbit_per_s = words->fabric_gbit_per_s;
  }
}

void set(MachineSpec& machine,
         const std::string& place,
         const std::string& key,
         const std::string& value) {
  if (key == "gpu") {
    set_gpu(machine, place, value);
  } else if (key == "vcpus") {
    const auto vcpus = number(value);
    if (!vcpus || *vcpus <= 0 || *vcpus > 10'000) {
      fail(place, key, value, "a number of vCPUs of one node, above 0 and at most 10000");
    }
    machine.vcpus = vcpus;
  } else if (key == "memory") {
    const auto gib = number(value);  // bare, as --memory-min takes it
    machine.memory_gib =
        gib && *gib > 0 ? gib
                        : std::optional(static_cast<double>(parse_size(value, place + ": memory")) /
                                        bytes_per_gib);
  } else if (key == "disk") {
    machine.disk = value;
  } else if (key == "nodes") {
    machine.nodes = count(place, key, value, most_nodes);
  } else if (key == "cpu") {
    machine.cpu = value;
  } else {
    merge_words(machine, place, key, value);
  }
}

MachineSpec from_file(const std::string& path) {
  const auto table = load_toml(path);
  TomlFields fields(&table, path, "");
  MachineSpec machine;
  for (const auto& key : machine_keys()) {
    const auto* node = table.get(key);
    if (node == nullptr) {
      static_cast<void>(fields.has(key));
      continue;
    }
    const auto& begin = node->source().begin;
    const auto place = fmt::format("{}:{}:{}", path, begin.line, begin.column);
    set(machine,
        place,
        key,
        node->is_number() ? fmt::format("{}", *fields.number(key)) : *fields.text(key));
  }
  fields.reject_unknown();
  return machine;
}

[[noreturn]] void refuse_key(const std::string& key,
                             const std::string& text,
                             const std::string& place) {
  const auto meant = machine_key_meant(key);
  const auto near = meant.empty() ? nearest_word(key, machine_keys()) : "";
  throw UsageError(fmt::format("{} {}: unknown key \"{}\"{}; the keys are {}",
                               place,
                               text,
                               key,
                               !meant.empty() ? fmt::format("; it is said as {}", meant)
                               : near.empty() ? ""
                                              : fmt::format(", did you mean \"{}\"?", near),
                               "gpu=NAME:COUNT, vcpus, memory, disk, link, nodes, net and cpu"));
}

std::string trimmed(const std::string& text) {
  const auto begin = text.find_first_not_of(' ');
  return begin == std::string::npos ? ""
                                    : text.substr(begin, text.find_last_not_of(' ') - begin + 1);
}

}  // namespace

MachineSpec parse_machine_spec(const std::string& text, const std::string& place) {
  if (text.ends_with(".toml")) {
    return from_file(text);
  }
  MachineSpec machine;
  std::set<std::string> seen;
  std::size_t begin = 0;
  while (begin <= text.size()) {
    const auto end = std::min(text.find(',', begin), text.size());
    const auto part = trimmed(text.substr(begin, end - begin));
    begin = end + 1;
    const auto equals = part.find('=');
    const auto key = trimmed(part.substr(0, equals));
    if (std::find(machine_keys().begin(), machine_keys().end(), key) == machine_keys().end()) {
      refuse_key(key, text, place);
    }
    if (equals == std::string::npos || trimmed(part.substr(equals + 1)).empty()) {
      throw UsageError(fmt::format("{}: {} has no value: expected {}=...", place, key, key));
    }
    if (!seen.insert(key).second) {
      throw UsageError(fmt::format("{} {}: {} stands there twice", place, text, key));
    }
    set(machine, place, key, trimmed(part.substr(equals + 1)));
  }
  return machine;
}

std::string to_text(const MachineSpec& machine) {
  std::string text = machine.nodes > 1 ? fmt::format("{} nodes of ", machine.nodes) : "";
  text +=
      machine.gpu.empty() ? "CPU only" : fmt::format("{} x {}", machine.gpus_per_node, machine.gpu);
  text += machine.vcpus ? fmt::format(", {:g} vCPU", *machine.vcpus) : "";
  text += machine.memory_gib ? fmt::format(", {:.4g} GiB", *machine.memory_gib) : "";
  text += machine.disk.empty() ? "" : ", disk " + machine.disk;
  text += machine.cpu.empty() ? "" : ", " + machine.cpu;
  return text;
}

}  // namespace rightsize
