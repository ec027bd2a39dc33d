// The fitted model: a list of named positive parameters with their joint uncertainty, and what is
// known of its error. Pure data; JSON form is schema "rightsize/model/1".
#pragma once

#include <map>
#include <optional>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include <boost/json/fwd.hpp>

#include "kernels/workload.h"
#include "models/covariance.h"
#include "models/laws/cpu_speed.h"
#include "models/laws/disk.h"
#include "models/laws/gpu_rate.h"
#include "models/laws/host_cpu.h"
#include "models/laws/page_cache.h"
#include "models/laws/step_time.h"
#include "models/program_cpus.h"

namespace rightsize {

// Cannot go on with this model or these records; the message says what is missing and what to run.
class ModelError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct Parameter {
  std::string name;  // "cpu_s_per_item/recordio"
  std::string unit;
  double value = 0;      // > 0: the fit works on its logarithm
  double prior = 0;      // where the fit started
  double prior_sd = 1;   // of ln(value)
  double fitted_sd = 0;  // of ln(value) after the fit
};

struct Model {
  std::vector<Parameter> parameters;
  Covariance covariance;            // of the logarithms, same order
  double noise = 0.03;              // standard deviation of ln(measured / predicted) left over
  double cpu_noise = 0;             // more of it, where the CPUs set the pace
  double interval_factor = 1.6449;  // conformal: standard deviations of the model's own error
  double confidence = 0.9;

  // evidence
  int runs = 0;
  double measured_cpus = 2;  // the most vCPUs of a run: contention is not known beyond them
  double least_hits = 0;     // page-cache hit ratios of the runs that read, by the model itself
  double most_hits = 1;
  double cv_median_error = 0;
  double cv_p90_error = 0;
  double cv_coverage = 0;
  std::string machine;  // machine_key of the records
  std::string cpu_model;
  double core_links_per_s = 0;  // median over the records (laws/cpu_speed.h); 0: they do not say
  std::string measured_at;      // latest record
  std::string tool_version;
  std::vector<MeasuredRate> gpu_rates;  // of this machine's GPU, where it has one
  double picture_bytes = 0;  // of an encoded picture of the runs, the median; 0: none was decoded
  std::map<std::string, double> resident_bytes;  // host memory by workload key, largest seen
  std::map<std::string, ProgramCpus> programs;   // the user's own, by name
  std::optional<ProgramCpus> loader;  // the one that feeds GPUs (program_work.h); not written
  std::set<std::string> borrowed;     // parameters that are another model's (carry.h); not written

  [[nodiscard]] MeasuredCpu cpu() const { return {cpu_model, core_links_per_s}; }

  // -1 when there is no parameter of this name.
  [[nodiscard]] int index_of(const std::string& name) const;

  // False of a model that an older version fitted: it lacks parameters that laws have had since.
  [[nodiscard]] bool knows_all_laws() const;
};

// Names of the parameters a workload needs.
[[nodiscard]] std::string compute_key(const Workload& workload);  // "resnet50/train/fp32"
// "recordio", "lmdb-sequential", "preprocess-lmdb": format, order and direction cost differently.
[[nodiscard]] std::string data_key(const Workload& workload);

// vCPU-seconds of a record of whole numbers that is put into a batch, and of each byte that comes
// from the disk, where no run read such data: assumed; the latter is what LMDB in sequence takes in
// the shipped model.
inline constexpr double record_cpu_s = 0.05e-6;
inline constexpr double record_cpu_s_per_byte = 0.52e-9;
[[nodiscard]] bool are_assumed_records(const Model& model, const Workload& workload);

// Formats whose items are encoded pictures, which take the CPU by their size.
[[nodiscard]] bool holds_encoded_pictures(DataFormat format);
// What of it does not grow with the bytes: the crop, which is as large of every picture. Set to one
// run of this loader, with neighbours at work and so not to be trusted, on made pictures of 12
// megapixels, 19 times the bytes of ImageNet's: 14.6 times the CPU (2026-11-30).
inline constexpr double crop_share = 0.25;

// The laws with the numbers for one workload: everything predict() needs, no look-ups left.
struct Laws {
  StepTimeLaw compute;       // vCPU-seconds; zero when an accelerator does the network
  double data_cpu_s = 0;     // vCPU-seconds per item of the data path
  double picture_bytes = 0;  // of the encoded picture that this is of; 0: it goes by no size
  double serial_cpu_s = 0;   // of them, on one thread whatever the vCPUs: a database's only writer
  double read_cpu_s_per_byte = 0;  // on top, of what the page cache does not hold
  double copy_s = 0;  // per item, before an accelerator that does not overlap copies can start
  CpuScalingLaw scaling;
  // What a step costs however small it is passes over all parameters: bound by memory bandwidth,
  // which vCPUs share.
  CpuScalingLaw fixed_scaling;
  DiskLaw disk;
  DiskSpeed native_disk;  // of the measured machine
  PageCacheLaw cache;
  double sharpness = 8;
};

// `values` are parameter values in the model's order. Throws ModelError when the workload was never
// measured, naming the runs that would help.
[[nodiscard]] Laws laws_of(const Model& model,
                           const Workload& workload,
                           std::span<const double> values);
[[nodiscard]] Laws laws_of(const Model& model, const Workload& workload);
[[nodiscard]] std::vector<double> values_of(const Model& model);

[[nodiscard]] boost::json::object to_json(const Model& model);
// Throws ModelError naming the field.
[[nodiscard]] Model model_from_json(const boost::json::object& object);

}  // namespace rightsize
