#include "models/program_cpus.h"

#include <algorithm>
#include <set>

namespace rightsize {
namespace {

double given_cpus(const Record& record) {
  const double all = record.machine.cpus;
  return record.limits.cpus > 0 ? std::min(record.limits.cpus, all) : all;
}

// It had vCPUs to spare, and so had the machine: neither others nor a slow disk kept it from them.
bool could_use_no_more(const Record& record) {
  Limits of_cpus_alone;
  of_cpus_alone.cpus = record.limits.cpus;
  of_cpus_alone.isa = record.limits.isa;
  if (record.limits != of_cpus_alone) {
    return false;
  }
  constexpr double nearly_all = 0.9;
  constexpr double room = 0.25;
  const double left = record.machine.cpus - record.neighbour_cpus - record.achieved_cpus;
  return record.achieved_cpus < nearly_all * given_cpus(record) && left > room;
}

}  // namespace

std::map<std::string, ProgramCpus> program_cpus(std::span<const Record> records) {
  std::map<std::string, ProgramCpus> programs;
  std::map<std::string, double> used;
  std::set<std::string> idle;
  for (const auto& record : records) {
    if (record.command.empty() || record.throughput.samples == 0 || record.achieved_cpus <= 0) {
      continue;
    }
    const auto& name = record.workload.network;
    auto& program = programs[name];
    if (is_usable(record)) {
      program.seen = std::max(program.seen, given_cpus(record));
    }
    used[name] = std::max(used[name], record.achieved_cpus);
    if (could_use_no_more(record)) {
      idle.insert(name);
    }
  }
  for (const auto& name : idle) {
    programs[name].most = used[name];
  }
  return programs;
}

}  // namespace rightsize
