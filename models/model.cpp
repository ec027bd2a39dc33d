#include "models/model.h"

#include <algorithm>

#include <fmt/format.h>

#include "models/seldom_measured.h"
#include "models/workload_parts.h"

namespace rightsize {
namespace {

// Values of a model's parameters, by name.
struct NamedValues {
  const Model& model;
  std::span<const double> values;  // in the model's order

  [[nodiscard]] double value(const std::string& name, std::string_view remedy) const {
    const int index = model.index_of(name);
    if (index < 0) {
      throw ModelError(fmt::format("{} (the model has no \"{}\")", remedy, name));
    }
    return values[static_cast<std::size_t>(index)];
  }

  [[nodiscard]] double value_or(const std::string& name, double otherwise) const {
    const int index = model.index_of(name);
    return index < 0 ? otherwise : values[static_cast<std::size_t>(index)];
  }
};

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

// Whatever the workload.
void set_machine_laws(const NamedValues& named, Laws& laws) {
  const auto value = [&](const char* name) {
    return named.value(name, "the model file is incomplete, run rightsize fit again");
  };
  laws.scaling.contention = value("cpu_contention");
  // The second is often the first one's other thread: the contention of two is known before it is
  // measured (as prior), that of more is not.
  laws.scaling.measured_cpus = std::max(2.0, named.model.measured_cpus);
  // Models of older versions do not say how it goes on, nor what a quota loses.
  laws.scaling.beyond =
      named.value_or(std::string(contention_beyond_prior.name), contention_beyond_prior.value);
  laws.scaling.quota_loss = named.value_or(std::string(quota_loss_prior.name), 0);
  laws.fixed_scaling.contention = value("fixed_contention");
  laws.fixed_scaling.quota_loss = laws.scaling.quota_loss;
  laws.copy_s = value("copy_s_per_item");
  laws.disk.efficiency = value("disk_efficiency");
  laws.disk.read_latency_s = value("disk_latency_s");
  laws.native_disk.bytes_per_s = value("native_disk_bytes_per_s");
  laws.cache.protection = std::min(1.0, value("cache_protection"));
  laws.sharpness = 1.0 + value("pipeline_sharpness");
}

}  // namespace

// By the youngest of the parameters that every fit has.
bool Model::knows_all_laws() const {
  return index_of(std::string(quota_loss_prior.name)) >= 0;
}

int Model::index_of(const std::string& name) const {
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (parameters[i].name == name) {
      return static_cast<int>(i);
    }
  }
  return -1;
}

// Another sequence or prompt is other work.
std::string compute_key(const Workload& workload) {
  auto key = fmt::format(
      "{}/{}/{}", workload.network, to_string(workload.phase), to_string(workload.precision));
  if (workload.sequence > 0 || workload.prompt > 0) {
    key += fmt::format("/{}+{}", workload.prompt, workload.sequence);
  }
  return key;
}

std::string data_key(const Workload& workload) {
  if (workload.phase == Phase::preprocess) {
    return fmt::format("preprocess-{}", to_string(workload.output));
  }
  return fmt::format("{}{}", to_string(workload.data), workload.shuffle ? "" : "-sequential");
}

bool are_assumed_records(const Model& model, const Workload& workload) {
  return workload.data == DataFormat::tokens && workload.phase != Phase::preprocess &&
         model.index_of("cpu_s_per_item/" + data_key(workload)) < 0;
}

bool holds_encoded_pictures(DataFormat format) {
  return format == DataFormat::jpeg || format == DataFormat::recordio ||
         format == DataFormat::tfrecord;
}

std::vector<double> values_of(const Model& model) {
  std::vector<double> values;
  values.reserve(model.parameters.size());
  for (const auto& parameter : model.parameters) {
    values.push_back(parameter.value);
  }
  return values;
}

Laws laws_of(const Model& model, const Workload& workload, std::span<const double> values) {
  const NamedValues named{model, values};
  Laws laws;
  if (computes_on_cpu(workload)) {
    const auto key = compute_key(workload);
    const std::string remedy = "measure " + key + " on the CPU engine first (rightsize profile)";
    laws.compute.fixed_s = named.value("compute_fixed_s/" + key, remedy);
    laws.compute.per_item_s = named.value("compute_s_per_item/" + key, remedy);
  }
  const bool records = are_assumed_records(model, workload);
  if (records) {
    laws.data_cpu_s = record_cpu_s;
    laws.read_cpu_s_per_byte = record_cpu_s_per_byte;
  } else if (has_data_path(workload)) {
    const auto key = data_key(workload);
    laws.data_cpu_s = named.value(
        "cpu_s_per_item/" + key,
        workload.phase == Phase::preprocess
            ? fmt::format(
                  "measure first how {0} is written: rightsize profile --phase preprocess "
                  "--data jpeg --data-path FOLDER --preprocess-output {0}, then rightsize fit{1}",
                  to_string(workload.output),
                  outputs_known(model))
            : "measure a run with " + key + " data first (rightsize profile --data)");
    laws.picture_bytes = holds_encoded_pictures(workload.data) ? model.picture_bytes : 0;
    laws.serial_cpu_s = std::min(named.value_or("serial_s_per_item/" + key, 0), laws.data_cpu_s);
    laws.read_cpu_s_per_byte = named.value_or("read_cpu_s_per_byte/" + key, 0);
    laws.disk.amplification = std::max(1.0, named.value_or("read_amplification/" + key, 1));
  }
  set_machine_laws(named, laws);
  if (records) {
    laws.disk.read_latency_s = 0;  // a block at a time: nobody waits for a record's first byte
  }
  if (const auto program = model.programs.find(workload.network);
      program != model.programs.end() && workload.engine == EngineKind::cpu) {
    laws.scaling.most_used = program->second.most;
    laws.scaling.seen_cpus = program->second.seen;
    laws.fixed_scaling.most_used = program->second.most;
  }
  if (model.loader && workload.engine != EngineKind::cpu) {
    laws.scaling.most_used = model.loader->most;
    laws.scaling.seen_cpus = model.loader->seen;
  }
  return laws;
}

Laws laws_of(const Model& model, const Workload& workload) {
  return laws_of(model, workload, values_of(model));
}

}  // namespace rightsize
