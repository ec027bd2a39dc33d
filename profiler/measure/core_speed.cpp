#include "profiler/measure/core_speed.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include <fmt/format.h>
#include <time.h>

#include "profiler/measure/statistics.h"

namespace rightsize {
namespace {

constexpr int pieces = 5;
constexpr int links = 4'000'000;  // of a piece's chain: about 5 ms
constexpr double worth_a_note = 0.05;
constexpr double not_to_be_believed = 0.25;

double thread_cpu_s() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

// Knuth's MMIX generator: each link needs the one before it.
std::uint64_t chain(std::uint64_t state) {
  for (int i = 0; i < links; ++i) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
  }
  return state;
}

bool is_same_processor(const Machine& a, const Machine& b) {
  return a.cpu_model == b.cpu_model && a.cpus == b.cpus && a.hypervisor == b.hypervisor;
}

}  // namespace

double probe_core_speed() {
  std::array<double, pieces> rates{};
  volatile std::uint64_t state = 1;  // read and written, so that the work cannot be left out
  for (auto& rate : rates) {
    const double begin_s = thread_cpu_s();
    state = chain(state);
    rate = links / (thread_cpu_s() - begin_s);
  }
  return median(rates);
}

std::optional<double> usual_core_speed(std::span<const Record> records, const Machine& machine) {
  constexpr std::size_t enough = 5;
  std::vector<double> seen;
  for (const auto& record : records) {
    if (record.core_speed && is_same_processor(record.machine, machine)) {
      seen.push_back(record.core_speed->before_per_s);
    }
  }
  return seen.size() >= enough ? std::optional(median(seen)) : std::nullopt;
}

std::optional<std::string> core_speed_note(const CoreSpeed& speed) {
  const auto slowdown = speed.slowdown();
  if (slowdown && *slowdown > worth_a_note) {
    return fmt::format("a core of this machine was {:.0f} % slower than usual", 100 * *slowdown);
  }
  const double change = speed.after_per_s / speed.before_per_s - 1;
  if (std::abs(change) > worth_a_note) {
    return fmt::format("a core of this machine was {:.0f} % {} after the run than before it",
                       100 * std::abs(change),
                       change < 0 ? "slower" : "faster");
  }
  return std::nullopt;
}

std::string core_speed_doubt(const CoreSpeed& speed) {
  const auto slowdown = speed.slowdown();
  return slowdown && *slowdown > not_to_be_believed
             ? fmt::format(
                   "a core of this machine was {:.0f} % slower than usual; run it again "
                   "with --retry-failed when the machine is quiet",
                   100 * *slowdown)
             : "";
}

}  // namespace rightsize
