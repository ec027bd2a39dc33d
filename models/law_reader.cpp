#include "models/law_reader.h"

#include <algorithm>

#include <fmt/format.h>

#include "models/seldom_measured.h"
#include "models/workload_parts.h"

namespace rightsize {
namespace {

// "; lmdb is known without", of the formats that runs wrote.
std::string outputs_known(const Model& model) {
  constexpr std::string_view written = "cpu_s_per_item/preprocess-";
  std::string known;
  for (const auto& parameter : model.parameters) {
    if (parameter.name.starts_with(written)) {
      known += (known.empty() ? "; " : ", ") + parameter.name.substr(written.size());
    }
  }
  return known.empty() ? "" : known + " is known without";
}

}  // namespace

LawReader::LawReader(const Model& model, const Workload& workload) {
  read_compute(model, workload);
  read_data(model, workload);
  read_machine(model);
  read_programs(model, workload);
}

LawReader::Value LawReader::value(const Model& model,
                                  const std::string& name,
                                  std::string_view remedy) {
  const int index = model.index_of(name);
  if (index < 0) {
    throw ModelError(fmt::format("{} (the model has no \"{}\")", remedy, name));
  }
  return {index, 0};
}

LawReader::Value LawReader::value_or(const Model& model,
                                     const std::string& name,
                                     double otherwise) {
  return {model.index_of(name), otherwise};
}

void LawReader::read_compute(const Model& model, const Workload& workload) {
  if (!computes_on_cpu(workload)) {
    return;
  }
  const auto key = compute_key(workload);
  const std::string remedy = "measure " + key + " on the CPU engine first (rightsize profile)";
  compute_fixed_s_ = value(model, "compute_fixed_s/" + key, remedy);
  compute_per_item_s_ = value(model, "compute_s_per_item/" + key, remedy);
}

void LawReader::read_data(const Model& model, const Workload& workload) {
  if (are_assumed_records(model, workload)) {
    data_cpu_s_.otherwise = record_cpu_s;
    read_cpu_s_per_byte_.otherwise = record_cpu_s_per_byte;
    waits_for_reads_ = false;  // a block at a time: nobody waits for a record's first byte
    return;
  }
  if (!has_data_path(workload)) {
    return;
  }
  const auto key = data_key(workload);
  data_cpu_s_ = value(
      model,
      "cpu_s_per_item/" + key,
      workload.phase == Phase::preprocess
          ? fmt::format("measure first how {0} is written: rightsize profile --phase preprocess "
                        "--data jpeg --data-path FOLDER --preprocess-output {0}, then rightsize "
                        "fit{1}",
                        to_string(workload.output),
                        outputs_known(model))
          : "measure a run with " + key + " data first (rightsize profile --data)");
  fixed_.picture_bytes = holds_encoded_pictures(workload.data) ? model.picture_bytes : 0;
  serial_cpu_s_ = value_or(model, "serial_s_per_item/" + key, 0);
  read_cpu_s_per_byte_ = value_or(model, "read_cpu_s_per_byte/" + key, 0);
  amplification_ = value_or(model, "read_amplification/" + key, 1);
}

// Whatever the workload.
void LawReader::read_machine(const Model& model) {
  const auto known = [&](const char* name) {
    return value(model, name, "the model file is incomplete, run rightsize fit again");
  };
  contention_ = known("cpu_contention");
  // The second is often the first one's other thread: the contention of two is known before it is
  // measured (as prior), that of more is not.
  fixed_.scaling.measured_cpus = std::max(2.0, model.measured_cpus);
  // Models of older versions do not say how it goes on, nor what a quota loses.
  beyond_ =
      value_or(model, std::string(contention_beyond_prior.name), contention_beyond_prior.value);
  quota_loss_ = value_or(model, std::string(quota_loss_prior.name), 0);
  fixed_contention_ = known("fixed_contention");
  copy_s_ = known("copy_s_per_item");
  disk_efficiency_ = known("disk_efficiency");
  disk_latency_s_ = known("disk_latency_s");
  native_disk_ = known("native_disk_bytes_per_s");
  protection_ = known("cache_protection");
  sharpness_ = known("pipeline_sharpness");
}

void LawReader::read_programs(const Model& model, const Workload& workload) {
  const bool on_cpu = workload.engine == EngineKind::cpu;
  const auto program = model.programs.find(workload.network);
  if (program != model.programs.end() && on_cpu) {
    fixed_.scaling.most_used = program->second.most;
    fixed_.scaling.seen_cpus = program->second.seen;
    fixed_.fixed_scaling.most_used = program->second.most;
  }
  if (model.loader && !on_cpu) {
    fixed_.scaling.most_used = model.loader->most;
    fixed_.scaling.seen_cpus = model.loader->seen;
  }
}

Laws LawReader::at(std::span<const double> values) const {
  Laws laws = fixed_;
  laws.compute.fixed_s = compute_fixed_s_.in(values);
  laws.compute.per_item_s = compute_per_item_s_.in(values);
  laws.data_cpu_s = data_cpu_s_.in(values);
  laws.serial_cpu_s = std::min(serial_cpu_s_.in(values), laws.data_cpu_s);
  laws.read_cpu_s_per_byte = read_cpu_s_per_byte_.in(values);
  laws.copy_s = copy_s_.in(values);
  laws.scaling.contention = std::min(1.0, contention_.in(values));
  laws.scaling.beyond = beyond_.in(values);
  laws.scaling.quota_loss = quota_loss_.in(values);
  laws.fixed_scaling.contention = std::min(1.0, fixed_contention_.in(values));
  laws.fixed_scaling.quota_loss = laws.scaling.quota_loss;
  laws.disk.efficiency = disk_efficiency_.in(values);
  laws.disk.read_latency_s = waits_for_reads_ ? disk_latency_s_.in(values) : 0;
  laws.disk.amplification = std::max(1.0, amplification_.in(values));
  laws.native_disk.bytes_per_s = native_disk_.in(values);
  laws.cache.protection = std::min(1.0, protection_.in(values));
  laws.sharpness = 1.0 + sharpness_.in(values);
  return laws;
}

Laws laws_of(const Model& model, const Workload& workload, std::span<const double> values) {
  return LawReader(model, workload).at(values);
}

Laws laws_of(const Model& model, const Workload& workload) {
  return laws_of(model, workload, values_of(model));
}

}  // namespace rightsize
