#include "profiler/measure/run_spec.h"

#include <algorithm>
#include <cmath>

#include "profiler/json_fields.h"
#include "profiler/throttle/cpu_choice.h"

namespace rightsize {
namespace {

template <typename Visitor, typename Value>
void visit_spec(Visitor& field, Value& spec) {
  field("name", spec.name);
  field("campaign", spec.campaign);
  field("repeat", spec.repeat);
  field("hold_out", spec.hold_out);
  field("timeout_s", spec.timeout_s);
  field("seed", spec.seed);
  field("dataset_items", spec.dataset_items);
  field("dataset_bytes", spec.dataset_bytes);
  field("read_bytes_per_s", spec.read_bytes_per_s);
  field.optional("no_throttle", spec.no_throttle);
  field.optional("differential", spec.differential);
  field.optional("part", spec.part);
  field.optional("again", spec.again);
}

template <typename Visitor, typename Value>
void visit_stop(Visitor& field, Value& stop) {
  field("window_s", stop.window_s);
  field("max_warmup_s", stop.max_warmup_s);
  field("min_s", stop.min_s);
  field("max_s", stop.max_s);
  field("min_windows", stop.min_windows);
  field("min_epochs", stop.min_epochs);
  field("noise_target", stop.noise_target);
  field("noise_limit", stop.noise_limit);
  field.optional("max_epochs", stop.max_epochs);
  field.optional("whole_time", stop.whole_time);
}

int usable_cpus(const Limits& limits) {
  const int all = static_cast<int>(allowed_cpus().size());
  return limits.cpus > 0 ? std::clamp(static_cast<int>(std::ceil(limits.cpus)), 1, all) : all;
}

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
  line.add("network", work.network, work.phase != Phase::preprocess);
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
  line.add("data-path", "'" + work.data_path + "'", !work.data_path.empty());
  line.add("shuffle", work.shuffle, work.shuffle != usual.shuffle);
  line.add("loader-threads", work.loader_threads, work.loader_threads > 0);
  line.add(
      "prefetch-batches", work.prefetch_batches, work.prefetch_batches != usual.prefetch_batches);
  line.add(
      "preprocess-on", to_string(work.preprocess_on), work.preprocess_on != usual.preprocess_on);
}

void add_limits(const Limits& limits, OptionLine& line) {
  const auto rate = [](double bytes_per_s) { return fmt::format("{}B/s", bytes_per_s); };
  line.add("cpus", limits.cpus, limits.cpus > 0);
  line.add("memory", limits.memory_bytes, limits.memory_bytes > 0);
  line.add("disk-read", rate(limits.disk_read_bytes_per_s), limits.disk_read_bytes_per_s > 0);
  line.add("disk-write", rate(limits.disk_write_bytes_per_s), limits.disk_write_bytes_per_s > 0);
  line.add("disk-read-iops", limits.disk_read_iops, limits.disk_read_iops > 0);
  line.add("disk-write-iops", limits.disk_write_iops, limits.disk_write_iops > 0);
  line.add("isa", limits.isa, !limits.isa.empty());
  line.add("gpu-memory", fmt::format("{}B", limits.gpu_memory_bytes), limits.gpu_memory_bytes > 0);
  line.add("gpu-share", limits.gpu_share, limits.gpu_share > 0);
}

void add_stop(const StopOptions& stop, OptionLine& line) {
  const StopOptions usual;
  line.add("seconds", stop.max_s, stop.max_s != usual.max_s);
  line.add("min-seconds", stop.min_s, stop.min_s != usual.min_s);
  line.add("warmup", stop.max_warmup_s, stop.max_warmup_s != usual.max_warmup_s);
  line.add("window", stop.window_s, stop.window_s != usual.window_s);
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
  return "rightsize profile" + line.text + (spec.no_throttle ? " --no-throttle" : "") +
         (spec.command.empty() ? "" : " -- " + shell_line(spec.command.words));
}

double timeout_of(const RunSpec& spec) {
  constexpr double slack_s = 60;
  return spec.timeout_s > 0 ? spec.timeout_s : 3 * spec.stop.max_s + slack_s;
}

double first_step_timeout_of(const RunSpec& spec, double loading_s) {
  if (spec.timeout_s > 0 || spec.command.steps.source == StepSource::exit) {
    return timeout_of(spec);
  }
  const double cpus = spec.limits.cpus > 0 ? std::min(spec.limits.cpus, 1.0) : 1;
  return std::min(timeout_of(spec), spec.stop.max_s + loading_s / cpus);
}

int loader_threads_of(const RunSpec& spec) {
  return spec.workload.loader_threads > 0 ? spec.workload.loader_threads : usable_cpus(spec.limits);
}

int engine_threads_of(const RunSpec& spec) {
  return usable_cpus(spec.limits);
}

boost::json::object to_json(const RunSpec& spec) {
  FieldWriter writer;
  FieldWriter stop;
  visit_spec(writer, spec);
  visit_stop(stop, spec.stop);
  writer("workload", spec.workload);
  writer("limits", spec.limits);
  if (!spec.command.empty()) {
    writer("command", spec.command);
  }
  auto object = writer.take();
  object["stop"] = stop.take();
  return object;
}

RunSpec run_spec_from_json(const boost::json::object& object) {
  RunSpec spec;
  const FieldReader reader(object, "run");
  const FieldReader stop(reader.child("stop"), "run.stop");
  visit_spec(reader, spec);
  visit_stop(stop, spec.stop);
  spec.workload = workload_from_json(reader.child("workload"));
  spec.limits = limits_from_json(reader.child("limits"));
  if (object.contains("command")) {
    spec.command = user_command_from_json(reader.child("command"));
  }
  return spec;
}

}  // namespace rightsize
