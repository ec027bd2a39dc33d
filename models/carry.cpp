#include "models/carry.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "models/laws/gpu_step.h"
#include "models/predict.h"
#include "models/seldom_measured.h"

namespace rightsize {
namespace {

constexpr double nothing = 1e-12;  // parameters are positive

// Adds a parameter that depends on no other, or replaces the one of this name. Its uncertainty is
// stated as it is meant: the model's conformal factor, which stretches all, is taken out first.
void set_parameter(Model& model,
                   const std::string& name,
                   double value,
                   double stated_log_sd,
                   const char* unit = "vCPU s") {
  const double log_sd = stated_log_sd * normal_90 / model.interval_factor;
  int index = model.index_of(name);
  if (index < 0) {
    index = static_cast<int>(model.parameters.size());
    model.parameters.push_back({name, unit, value, value, log_sd, log_sd});
    model.covariance.append(0);
  }
  auto& parameter = model.parameters[static_cast<std::size_t>(index)];
  parameter.value = value;
  parameter.fitted_sd = log_sd;
  model.covariance.set_independent(static_cast<std::size_t>(index), log_sd * log_sd);
}

void set_to_prior(Model& model, const SeldomMeasured& prior) {
  set_parameter(model, std::string(prior.name), prior.value, prior.log_sd, "");
}

struct Relative {
  const char* format;
  std::array<const char*, 3> nearest;  // in this order
};

constexpr std::array relatives{
    Relative{"recordio", {"tfrecord", "jpeg", ""}},
    Relative{"jpeg", {"recordio", "tfrecord", ""}},
    Relative{"tfrecord", {"recordio", "jpeg", ""}},
    Relative{"recordio-sequential", {"recordio", "", ""}},
    Relative{"jpeg-sequential", {"jpeg", "", ""}},
    Relative{"tfrecord-sequential", {"tfrecord", "recordio", ""}},
    Relative{"lmdb-sequential", {"lmdb", "", ""}},
    Relative{"lmdb", {"lmdb-sequential", "", ""}},
};

}  // namespace

Model carried_model(const Model& model, const CarryOptions& options) {
  Model carried = model;
  const auto carry = [&](const std::string& cost, const char* unit) {
    for (const auto& relative : relatives) {
      for (const auto* near : relative.nearest) {
        const int known = carried.index_of(cost + near);
        if (carried.index_of(cost + relative.format) < 0 && known >= 0) {
          const double value = carried.parameters[static_cast<std::size_t>(known)].value;
          set_parameter(carried, cost + relative.format, value, options.relative_format_sd, unit);
        }
      }
    }
  };
  carry("cpu_s_per_item/", "vCPU s");
  carry("read_cpu_s_per_byte/", "vCPU s/B");
  if (carried.index_of(std::string(contention_beyond_prior.name)) < 0) {
    set_to_prior(carried, contention_beyond_prior);
  }
  if (options.other_cpu) {
    set_to_prior(carried, quota_loss_prior);
  }
  return carried;
}

std::string stand_in_format(const Model& model, const Workload& workload) {
  const std::string cost = "cpu_s_per_item/";
  const auto format = data_key(workload);
  if (workload.data == DataFormat::synthetic || model.index_of(cost + format) >= 0) {
    return "";
  }
  // One that was read itself; else one that was carried, whose own stand-in it is then.
  const auto relative = std::find_if(relatives.begin(), relatives.end(), [&](const Relative& one) {
    return one.format == format;
  });
  for (const auto* near :
       relative == relatives.end() ? decltype(Relative::nearest){} : relative->nearest) {
    if (near != nullptr && *near != '\0' && model.index_of(cost + near) >= 0) {
      return near;
    }
  }
  if (!format.ends_with("-sequential")) {
    return "";
  }
  auto shuffled = workload;
  shuffled.shuffle = true;
  return stand_in_format(model, shuffled);
}

Model with_data_costs_of(const Model& other, const Model& model, const CpuSpeed& speed) {
  constexpr std::string_view cost = "cpu_s_per_item/";
  constexpr std::array prefixes{
      cost, std::string_view("read_cpu_s_per_byte/"), std::string_view("serial_s_per_item/")};
  constexpr double other_loader_sd = 0.25;  // assumed
  const auto carried = carried_model(model);
  Model completed = model;
  for (const auto& parameter : other.parameters) {
    const auto prefix = std::find_if(prefixes.begin(), prefixes.end(), [&](auto one) {
      return parameter.name.starts_with(one);
    });
    if (prefix == prefixes.end()) {
      continue;
    }
    // All of a format or nothing: a cost that was measured whole has the reading in it.
    const auto key = std::string(cost) + parameter.name.substr(prefix->size());
    if (carried.index_of(key) < 0) {
      set_parameter(completed,
                    parameter.name,
                    parameter.value / speed.factor,
                    std::hypot(parameter.fitted_sd * other.interval_factor / normal_90,
                               other_loader_sd,
                               speed.log_sd),
                    parameter.unit.c_str());
      completed.borrowed.insert(parameter.name);
      completed.picture_bytes =
          completed.picture_bytes > 0 ? completed.picture_bytes : other.picture_bytes;
    }
  }
  return completed;
}

Model with_compute(const Model& model,
                   const Workload& workload,
                   const StepTimeLaw& law,
                   double log_sd) {
  Model completed = model;
  const auto key = compute_key(workload);
  set_parameter(completed, "compute_s_per_item/" + key, law.per_item_s, log_sd);
  set_parameter(completed,
                "compute_fixed_s/" + key,
                law.fixed_s > 0 ? law.fixed_s : nothing,
                law.fixed_s > 0 ? log_sd : 0);
  return completed;
}

Model with_cpu_law(const Model& model,
                   const Workload& workload,
                   const CpuWork& work,
                   const CpuAnchor& anchor,
                   const CpusByLaw& cpus) {
  const auto& cpu = cpus.kind;
  const auto law = cpu_compute_law(cpus.stack, workload.phase);
  const double step_s =
      cpu_step_seconds(law, work, cpu, cpus.vcpus, workload.batch, workload.precision) *
          anchor.ratio +
      work.host_s;
  Workload nothing;
  nothing.engine = EngineKind::replay;
  // In the model's own currency: vCPU-seconds of its machine, whatever these vCPUs deliver of them.
  const double capacity = cpu_capacity(laws_of(model, nothing).scaling, cpus.vcpus) * cpus.speed;
  // Of the units for BF16 Arm's were never measured.
  constexpr double other_units_log_sd = 0.3;  // assumed
  const bool other_units = workload.precision == Precision::bf16 && cpu.bf16_speed == bfmmla_speed;
  const double log_sd = std::hypot(anchor.log_sd > 0 ? anchor.log_sd : law.log_sd,
                                   cpu.assumed ? law.unknown_cpu_log_sd : 0,
                                   other_units ? other_units_log_sd : 0);
  return with_compute(model,
                      workload,
                      {0, step_s / workload.batch * capacity},
                      work.written.any() || workload.phase == Phase::decode
                          ? std::max(log_sd, writing_log_sd)
                          : log_sd);
}

Model with_data_cost(const Model& model, const Workload& workload, double factor, double log_sd) {
  const auto name = "cpu_s_per_item/" + data_key(workload);
  const int index = model.index_of(name);
  Model changed = model;
  if (index >= 0) {
    const double value = model.parameters[static_cast<std::size_t>(index)].value;
    set_parameter(changed, name, value * factor, log_sd);
  }
  return changed;
}

Model with_data_seconds(const Model& model,
                        const Workload& workload,
                        double seconds,
                        double log_sd) {
  Model changed = model;
  const auto key = data_key(workload);
  set_parameter(changed, "cpu_s_per_item/" + key, std::max(seconds, nothing), log_sd);
  changed.picture_bytes = 0;  // of what size these were nobody says
  for (const auto* part : {"serial_s_per_item/", "read_cpu_s_per_byte/"}) {
    if (changed.index_of(part + key) >= 0) {
      set_parameter(changed, part + key, nothing, 0);
    }
  }
  return changed;
}

bool measured_compute(const Model& model, const Workload& workload) {
  return model.index_of("compute_s_per_item/" + compute_key(workload)) >= 0;
}

}  // namespace rightsize
