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

}  // namespace

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
