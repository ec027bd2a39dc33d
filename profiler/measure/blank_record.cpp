#include "profiler/measure/blank_record.h"

#include <ctime>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "profiler/machine.h"

namespace rightsize {
namespace {

std::string now_rfc3339() {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
}

}  // namespace

Record blank_record(const RunSpec& spec, const RunOptions& options) {
  Record record;
  record.id = run_id(spec);
  record.name = spec.name;
  record.campaign = spec.campaign;
  record.started_at = now_rfc3339();
  record.repeat = spec.repeat;
  record.hold_out = spec.hold_out;
  record.workload = spec.workload;
  record.limits = spec.limits;
  record.command = shell_line(spec.command.words);
  for (const auto& [file, digest] : spec.command.files) {
    record.software["file " + file] = digest;
  }
  record.machine = options.machine ? *options.machine : describe_this_machine();
  record.dataset_items = spec.dataset_items;
  record.dataset_bytes = spec.dataset_bytes;
  record.tool_version = RIGHTSIZE_VERSION;
  record.repro = repro_line(spec);
  record.differential = spec.differential;
  record.part = spec.part;
  return record;
}

}  // namespace rightsize
