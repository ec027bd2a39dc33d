// The command that makes a run again: the options that are not the defaults.
#include <cmath>

#include <fmt/format.h>

#include "profiler/measure/run_spec.h"

namespace rightsize {
namespace {

// Options that differ from the defaults.
struct OptionLine {
  std::string text;

  template <typename T>
  void add(std::string_view option, const T& value, bool differs) {
    if (differs) {
      text += fmt::format(" --{} {}", option, value);
    }
  }
};

void add_work(const Workload& work, OptionLine& line) {
  const Workload usual;
  line.add("phase", to_string(work.phase), work.phase != usual.phase);
  // Preprocessing has none, but the name is part of the run's id.
  line.add("network",
           shell_line({work.network}),
           work.phase != Phase::preprocess || work.network != usual.network);
  line.add("engine", to_string(work.engine), work.engine != usual.engine);
  line.add("precision", to_string(work.precision), work.precision != usual.precision);
  line.add("batch", work.batch, work.batch != usual.batch && !work.requests);
  line.add("sequence", work.sequence, work.sequence > 0);
  line.add("prompt", work.prompt, work.prompt > 0);
  line.add("ranks", work.ranks, work.ranks != 1);
  line.add(
      "exchange", to_string(work.exchange), work.ranks != 1 && work.exchange != usual.exchange);
  line.add("compression", to_string(work.compression), work.compression != usual.compression);
  line.add("replay-items-per-s", work.replay_items_per_s, work.replay_items_per_s > 0);
  if (work.requests) {
    const auto& load = *work.requests;
    line.text += " --serve";
    line.add("qps", load.per_s, load.per_s > 0);
    line.add("arrivals", shell_line({load.arrivals}), load.arrivals != Requests{}.arrivals);
    line.add("max-batch", work.batch, true);
    line.add("max-delay", fmt::format("{}s", load.max_delay_s), load.max_delay_s > 0);
  }
  line.add("preprocess-output", to_string(work.output), work.phase == Phase::preprocess);
}

void add_data(const Workload& work, OptionLine& line) {
  const Workload usual;
  line.add("data", to_string(work.data), work.data != usual.data);
  line.add("data-path", shell_line({work.data_path}), !work.data_path.empty());
  line.add("shuffle", work.shuffle, work.shuffle != usual.shuffle);
  line.add("loader-threads", work.loader_threads, work.loader_threads > 0);
  line.add(
      "prefetch-batches", work.prefetch_batches, work.prefetch_batches != usual.prefetch_batches);
  line.add(
      "preprocess-on", to_string(work.preprocess_on), work.preprocess_on != usual.preprocess_on);
}

// "40MB/s", or every digit where that would round.
std::string rate(double bytes_per_s) {
  return std::fmod(bytes_per_s, 1e6) == 0 ? fmt::format("{}MB/s", bytes_per_s / 1e6)
                                          : fmt::format("{}B/s", bytes_per_s);
}

// "16GiB", likewise.
std::string size(std::uint64_t bytes) {
  constexpr std::uint64_t mib = 1U << 20;
  constexpr std::uint64_t gib = 1U << 30;
  return bytes % gib == 0   ? fmt::format("{}GiB", bytes / gib)
         : bytes % mib == 0 ? fmt::format("{}MiB", bytes / mib)
                            : fmt::format("{}B", bytes);
}

void add_limits(const Limits& limits, OptionLine& line) {
  line.add("cpus", limits.cpus, limits.cpus > 0);
  line.add("memory", size(limits.memory_bytes), limits.memory_bytes > 0);
  line.add("disk-read", rate(limits.disk_read_bytes_per_s), limits.disk_read_bytes_per_s > 0);
  line.add("disk-write", rate(limits.disk_write_bytes_per_s), limits.disk_write_bytes_per_s > 0);
  line.add("disk-read-iops", limits.disk_read_iops, limits.disk_read_iops > 0);
  line.add("disk-write-iops", limits.disk_write_iops, limits.disk_write_iops > 0);
  line.add("isa", limits.isa, !limits.isa.empty());
  line.add("gpu-memory", size(limits.gpu_memory_bytes), limits.gpu_memory_bytes > 0);
  line.add("gpu-share", limits.gpu_share, limits.gpu_share > 0);
}

void add_stop(const StopOptions& stop, OptionLine& line) {
  const StopOptions usual;
  line.add("seconds", stop.max_s, stop.max_s != usual.max_s);
  line.add("min-seconds", stop.min_s, stop.min_s != usual.min_s);
  line.add("warmup", stop.max_warmup_s, stop.max_warmup_s != usual.max_warmup_s);
  line.add("window", stop.window_s, stop.window_s != usual.window_s);
  line.add("min-windows", stop.min_windows, stop.min_windows != usual.min_windows);
  line.add("min-epochs", stop.min_epochs, stop.min_epochs != usual.min_epochs);
  line.add("max-noise", stop.noise_target, stop.noise_target != usual.noise_target);
  line.add("noise-limit", stop.noise_limit, stop.noise_limit != usual.noise_limit);
}

}  // namespace

std::string repro_line(const RunSpec& spec) {
  if (!spec.again.empty()) {
    return spec.again;
  }
  OptionLine line;
  if (spec.command.empty()) {
    add_work(spec.workload, line);
  } else {
    line.add("steps", shell_line({to_string(spec.command.steps)}), true);
    const int items = spec.command.items_per_step;
    line.add("items-per-step", items, items != 1);
  }
  add_data(spec.workload, line);
  add_limits(spec.limits, line);
  add_stop(spec.stop, line);
  line.add("timeout", spec.timeout_s, spec.timeout_s > 0);
  line.add("seed", spec.seed, spec.seed != RunSpec{}.seed);
  return "rightsize profile" + line.text + (spec.no_throttle ? " --no-throttle" : "") +
         (spec.command.empty() ? "" : " -- " + shell_line(spec.command.words));
}

}  // namespace rightsize
