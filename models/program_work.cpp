#include "models/program_work.h"

#include <cmath>
#include <limits>
#include <vector>

#include <fmt/format.h>

#include "models/carry.h"
#include "models/predict.h"

namespace rightsize {
namespace {

// "compute_s_per_item/load.py/train/fp32", in whichever phase it was profiled; -1: in none.
int index_of_program(const Model& model, const std::string& quantity, const std::string& program) {
  const auto prefix = quantity + "/" + program + "/";
  for (std::size_t i = 0; i < model.parameters.size(); ++i) {
    if (model.parameters[i].name.starts_with(prefix)) {
      return static_cast<int>(i);
    }
  }
  return -1;
}

// What is behind the program's name in that of the parameter.
void read_phase(const std::string& parameter, ProgramWork& work) {
  const auto precision = parameter.rfind('/');
  const auto phase = parameter.rfind('/', precision - 1);
  work.phase = parse_phase(parameter.substr(phase + 1, precision - phase - 1)).value_or(work.phase);
  work.precision = parse_precision(parameter.substr(precision + 1)).value_or(work.precision);
}

}  // namespace

std::optional<ProgramWork> program_work(const Model& model, const std::string& program) {
  const auto seen = model.programs.find(program);
  const int each = index_of_program(model, "compute_s_per_item", program);
  if (seen == model.programs.end() || seen->second.batch < 1 || each < 0) {
    return std::nullopt;
  }
  ProgramWork work;
  work.cpus = seen->second;
  const auto item = static_cast<std::size_t>(each);
  read_phase(model.parameters[item].name, work);
  work.cpu_s_per_item = model.parameters[item].value;
  std::vector<double> weights(model.parameters.size());
  weights[item] = model.parameters[item].value;
  if (const int fixed = index_of_program(model, "compute_fixed_s", program); fixed >= 0) {
    const auto step = static_cast<std::size_t>(fixed);
    weights[step] = model.parameters[step].value / work.cpus.batch;
    work.cpu_s_per_item += weights[step];
  }
  // d ln(sum) / d ln(part) is the part's share.
  for (auto& weight : weights) {
    weight /= work.cpu_s_per_item;
  }
  work.log_sd =
      model.interval_factor / normal_90 * std::sqrt(model.covariance.variance_of(weights));
  return work;
}

Model with_program_loader(const Model& model,
                          const Workload& workload,
                          const std::string& program,
                          int processes) {
  const auto work = program_work(model, program);
  if (!work) {
    throw ModelError(fmt::format("no run of {} is in this model", program));
  }
  auto loaded = with_data_seconds(model, workload, work->cpu_s_per_item, work->log_sd);
  auto cpus = work->cpus;
  cpus.most = cpus.beside_gpu ? std::numeric_limits<double>::infinity() : cpus.most * processes;
  cpus.seen *= processes;
  loaded.loader = cpus;
  return loaded;
}

Model with_program_reading(const Model& model, const Workload& workload) {
  return workload.data == DataFormat::synthetic ? model : with_data_seconds(model, workload, 0, 0);
}

}  // namespace rightsize
