#include "models/program_cpus.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace rightsize {
namespace {

struct Use {
  double given = 0;   // vCPUs
  double used = 0;    // of them, in the mean
  bool idle = false;  // it had some to spare, and so had the machine
};

double given_cpus(const Record& record) {
  const double all = record.machine.cpus;
  return record.limits.cpus > 0 ? std::min(record.limits.cpus, all) : all;
}

// Nothing kept it from its vCPUs but others on the machine: no slow disk, no small memory.
bool is_free(const Record& record) {
  Limits of_cpus_alone;
  of_cpus_alone.cpus = record.limits.cpus;
  of_cpus_alone.isa = record.limits.isa;
  return record.limits == of_cpus_alone;
}

Use use_of(const Record& record) {
  constexpr double nearly_all = 0.9;
  constexpr double room = 0.25;
  const double given = given_cpus(record);
  const double left = record.machine.cpus - record.neighbour_cpus - record.achieved_cpus;
  const bool idle = record.achieved_cpus < nearly_all * given && left > room;
  return {given, record.achieved_cpus, idle};
}

// Of a program that leaves 1 - u / n of its n vCPUs idle as a share s of its work is serial
// (Amdahl, AFIPS 1967: u = 1 / (s + (1 - s) / n)): what it would use of any number, 1 / s. Where it
// uses less than one it waits besides, 1 / u - 1 / n of its time at the least, and uses of any
// number the inverse of that at the most. Infinite where one vCPU tells nothing.
double amdahl_limit(const Use& use) {
  constexpr double least_given = 1.2;
  if (use.given < least_given) {
    return std::numeric_limits<double>::infinity();
  }
  const double serial = (use.given / use.used - 1) / (use.given - 1);
  return serial < 1 ? 1 / serial : 1 / (1 / use.used - 1 / use.given);
}

// What it uses at the most: as much as on the most vCPUs it was given, if it used as good as that
// on far fewer, or if Amdahl's law leaves it little more on any. Else it grows: infinity.
double most_used(const std::vector<Use>& uses) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const auto by_given = [](const Use& a, const Use& b) {
    return std::pair(a.given, a.used) < std::pair(b.given, b.used);
  };
  const auto& widest = *std::max_element(uses.begin(), uses.end(), by_given);
  if (!widest.idle) {
    return infinity;
  }
  constexpr double as_good = 0.9;
  constexpr double far_fewer = 1.4;
  constexpr double little_more = 1.2;
  double most = 0;
  for (const auto& use : uses) {
    most = std::max(most, use.used);
  }
  const bool level = std::any_of(uses.begin(), uses.end(), [&](const Use& use) {
    return use.used >= as_good * most && far_fewer * use.given <= widest.given;
  });
  return level || amdahl_limit(widest) <= little_more * widest.used ? most : infinity;
}

// A run whose vCPUs say something of the program: not another tool's, of which nobody knows its
// limits, and none that is to be predicted.
bool tells(const Record& record) {
  return !record.command.empty() && !record.throttle.empty() && !record.hold_out &&
         record.throughput.samples > 0 && record.achieved_cpus > 0;
}

}  // namespace

std::map<std::string, ProgramCpus> program_cpus(std::span<const Record> records) {
  std::map<std::string, ProgramCpus> programs;
  std::map<std::string, std::vector<Use>> uses;
  for (const auto& record : records) {
    if (!tells(record)) {
      continue;
    }
    const auto& name = record.workload.network;
    auto& program = programs[name];
    if (is_usable(record)) {
      program.seen = std::max(program.seen, given_cpus(record));
      program.batch = std::max(program.batch, record.workload.batch);
      program.resident_bytes =
          std::max(program.resident_bytes, static_cast<double>(record.peak_anonymous_bytes));
      program.beside_gpu |= !record.machine.gpus.empty();
    }
    if (is_free(record)) {
      uses[name].push_back(use_of(record));
    }
  }
  for (const auto& [name, seen] : uses) {
    programs[name].most = most_used(seen);
  }
  return programs;
}

}  // namespace rightsize
