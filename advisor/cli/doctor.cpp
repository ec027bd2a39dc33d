#include <boost/json.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "advisor/cli/baseline.h"
#include "advisor/cli/command.h"
#include "advisor/report/table.h"
#include "advisor/report/units.h"
#include "kernels/gpu/plugin_loader.h"
#include "profiler/machine.h"
#include "profiler/throttle/throttle.h"

namespace rightsize::cli {
namespace {

namespace json = boost::json;

std::string machine_text(const Machine& machine) {
  const auto size = [](std::uint64_t bytes) { return report::bytes(static_cast<double>(bytes)); };
  std::string out;
  out += fmt::format("cpu      {}, {} ({}), {:.0f} MHz, {}\n",
                     machine.cpu_model,
                     report::number_of(machine.cpus, "CPU"),
                     report::number_of(machine.physical_cores, "core"),
                     machine.cpu_mhz,
                     machine.isa.empty() ? "no SSE4.1" : machine.isa);
  out += fmt::format("caches   L2 {}, L3 {}\n", size(machine.l2_bytes), size(machine.l3_bytes));
  out += fmt::format("memory   {}\n", size(machine.memory_bytes));
  for (const auto& disk : machine.disks) {
    out += fmt::format("disk     {} on {} ({}), {} of {} free{}\n",
                       disk.device,
                       disk.mount_point,
                       disk.filesystem,
                       size(disk.free_bytes),
                       size(disk.bytes),
                       disk.rotational ? ", rotational" : "");
  }
  for (const auto& gpu : machine.gpus) {
    out += fmt::format("gpu      {}, {}, compute capability {}, driver {}\n",
                       gpu.name,
                       size(gpu.memory_bytes),
                       gpu.compute_capability,
                       gpu.driver);
  }
  if (machine.gpus.empty()) {
    out += "gpu      none found: GPU jobs are driven by the replay engine, at published speeds\n";
  }
  out += fmt::format("system   {}, Linux {}{}\n",
                     machine.os,
                     machine.kernel,
                     machine.hypervisor.empty() ? "" : " under " + machine.hypervisor);
  return out;
}

json::array capabilities_to_json(const std::vector<ThrottleCapability>& capabilities) {
  json::array list;
  for (const auto& capability : capabilities) {
    list.push_back(json::object{{"limit", capability.limit},
                                {"possible", capability.possible},
                                {"how", capability.how},
                                {"reason", capability.reason},
                                {"remedy", capability.remedy}});
  }
  return list;
}

json::object gpu_to_json(const GpuProbe& probe) {
  return {
      {"available", !probe.devices.empty()}, {"plugin", probe.plugin}, {"reason", probe.reason}};
}

// Whether GPU work can really run here: a device is not enough, the plugin and cuDNN must load.
std::string gpu_text(const GpuProbe& probe) {
  if (probe.devices.empty()) {
    return fmt::format("\ngpu engine  no: {}\n", probe.reason);
  }
  return fmt::format("\ngpu engine  yes: {} device{}, plugin {}\n",
                     probe.devices.size(),
                     probe.devices.size() == 1 ? "" : "s",
                     probe.plugin);
}

}  // namespace

int run_doctor(Context& context, const std::vector<std::string>& arguments) {
  Options options("options");
  add_output_options(options);
  add_baseline_options(options);
  const auto values = parse(context, "doctor", options, {}, arguments);
  const auto format = output_format(values, {"table", "json", "csv", "md"});
  if (values.count("bench") > 0) {
    return run_baseline(context, values, format);
  }
  refuse_bench_options(values);
  const auto machine = describe_this_machine();
  const auto capabilities = probe_throttles();
  const auto gpu = probe_gpu();
  if (format == "json") {
    emit(context,
         values,
         json::serialize(json::object{{"schema", "rightsize/doctor/1"},
                                      {"machine", to_json(machine)},
                                      {"throttles", capabilities_to_json(capabilities)},
                                      {"gpu_engine", gpu_to_json(gpu)}}) +
             "\n");
    return exit_ok;
  }
  report::Table table({{"limit"}, {"here"}, {"how, or why not"}});
  std::string remedies;
  for (const auto& capability : capabilities) {
    table.add({capability.limit,
               capability.possible ? "yes" : "no",
               capability.possible ? capability.how : capability.reason});
    if (!capability.possible && !capability.remedy.empty()) {
      remedies += fmt::format("  {}: {}\n", capability.limit, capability.remedy);
    }
  }
  if (format != "table") {
    emit(context, values, report::rendered(table, format, context.out_style));
    return exit_ok;
  }
  emit(context,
       values,
       machine_text(machine) + "\n" + table.text(context.out_style) + gpu_text(gpu) +
           (remedies.empty() ? "" : "\nremedies\n" + remedies));
  return exit_ok;
}

}  // namespace rightsize::cli
