#include "profiler/baseline/baseline.h"

#include <algorithm>
#include <ctime>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "profiler/baseline/compute_baseline.h"
#include "profiler/baseline/direct_file.h"
#include "profiler/baseline/disk_baseline.h"
#include "profiler/block_device.h"
#include "profiler/json_fields.h"
#include "profiler/measure/core_speed.h"
#include "profiler/measure/process_counters.h"
#include "profiler/measure/sampler.h"
#include "profiler/measure/statistics.h"

namespace rightsize {
namespace {

constexpr std::string_view schema = "rightsize/baseline/1";

template <typename Value, typename Plain>
concept Either = std::same_as<std::remove_const_t<Value>, Plain>;

// What runs are held against: measure/core_speed.h.
BaselineFigure core_speed(const BaselineOptions& options) {
  std::vector<double> speeds;
  for (int round = 0; round < options.rounds; ++round) {
    speeds.push_back(probe_core_speed());
  }
  return {core_speed_figure, "op/s", summarize(speeds)};
}

}  // namespace

// Found by argument-dependent lookup, so not in the unnamed namespace.
template <typename Visitor, Either<BaselineFigure> Value>
static void visit_fields(Visitor&& field, Value& figure) {
  field("name", figure.name);
  field("unit", figure.unit);
  field("value", figure.value);
}

const BaselineFigure* Baseline::find(const std::string& name) const {
  const auto found =
      std::find_if(figures.begin(), figures.end(), [&](const BaselineFigure& figure) {
        return figure.name == name;
      });
  return found == figures.end() ? nullptr : &*found;
}

Baseline measure_baseline(const BaselineOptions& options) {
  Baseline baseline;
  baseline.machine = describe_this_machine();
  baseline.measured_at = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
  baseline.tool_version = RIGHTSIZE_VERSION;
  const auto system = read_system_cpu();
  const auto ours = read_process_counters();
  SteadyClock clock;
  const double begin_s = clock.now_s();
  baseline.figures = measure_compute(options);
  baseline.figures.push_back(core_speed(options));
  try {
    const auto disk = measure_disk(options);
    const auto device = block_device_of(options.folder);
    baseline.disk_device = device ? device->name : "";
    baseline.figures.insert(baseline.figures.end(), disk.begin(), disk.end());
  } catch (const DirectFileError& error) {
    baseline.left_out.push_back(fmt::format("disk: {}", error.what()));
  }
  const double others_s =
      (read_system_cpu().busy_s - system.busy_s) - (read_process_counters().cpu_s - ours.cpu_s);
  baseline.neighbour_cpus = std::max(0.0, others_s / (clock.now_s() - begin_s));
  if (baseline.machine.gpus.empty()) {
    baseline.left_out.emplace_back("gpu: none found");
  } else {
    baseline.left_out.emplace_back(
        "gpu: not part of the baseline yet; rightsize profile --engine gpu measures networks on "
        "it");
  }
  return baseline;
}

boost::json::object to_json(const Baseline& baseline) {
  FieldWriter writer;
  writer("schema", std::string(schema));
  writer("machine", baseline.machine);
  writer("measured_at", baseline.measured_at);
  writer("tool_version", baseline.tool_version);
  writer("disk_device", baseline.disk_device);
  writer("figures", baseline.figures);
  writer("left_out", baseline.left_out);
  writer("neighbour_cpus", baseline.neighbour_cpus);
  return writer.take();
}

Baseline baseline_from_json(const boost::json::object& object) {
  const FieldReader reader(object, "baseline");
  if (const auto saw = reader.text("schema"); saw != schema) {
    throw RecordError(fmt::format("baseline.schema: expected \"{}\", saw \"{}\"", schema, saw));
  }
  Baseline baseline;
  baseline.machine = machine_from_json(reader.child("machine"));
  reader("measured_at", baseline.measured_at);
  reader("tool_version", baseline.tool_version);
  reader("disk_device", baseline.disk_device);
  reader("figures", baseline.figures);
  reader("left_out", baseline.left_out);
  reader("neighbour_cpus", baseline.neighbour_cpus);
  return baseline;
}

}  // namespace rightsize
