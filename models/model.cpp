#include "models/model.h"

#include <fmt/format.h>

#include "models/seldom_measured.h"

namespace rightsize {

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

}  // namespace rightsize
