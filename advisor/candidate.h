// One thing to be judged: an offer with a disk and a batch, and the conditions it gives the job.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "advisor/accelerator.h"
#include "advisor/query.h"
#include "models/laws/cpu_speed.h"
#include "models/laws/gpu_rate.h"
#include "models/predict.h"
#include "models/setting.h"
#include "pricing/catalog.h"

namespace rightsize {

// Where the data lies: a priced volume, the machine's own disk, or nothing we were told about.
struct DiskChoice {
  const VolumeClass* volume = nullptr;
  std::int64_t gib = 0;
  DiskSpeed speed;
  double log_sd = 0;
  std::string label;
  Source source = Source::published;
  std::int64_t bought_iops = 0;  // of a class whose IOPS are bought apart
};

struct Candidate {
  const Offer* offer = nullptr;
  int batch = 0;
  DiskChoice disk;
  Setting setting;
  std::optional<Setting> alone;  // the same for minibatches of one; of services only
  SettingUncertainty uncertainty;
  double checkpoint_bytes = 0;  // of a job that learns
  Precision precision = Precision::fp32;
  Source rate_source = Source::assumed;
  std::string rate_provenance;
  Source cpu_source = Source::assumed;
  std::string cpu_provenance;

  // Supposes another speed of what computes, whatever the minibatch.
  void scale_gpu(double factor);
  void scale_cpu(double factor);
};

// Everything about the query that is the same for all offers, prepared once.
class CandidateMaker {
 public:
  // Throws UnknownNetwork.
  CandidateMaker(const Query& query,
                 const Catalog& catalog,
                 const GpuRates& gpu_rates,
                 const CpuSpeeds& cpu_speeds,
                 const std::string& measured_cpu_model);

  // The disks this offer could be rented with, each big enough for the data set.
  [[nodiscard]] std::vector<DiskChoice> disks(const Offer& offer) const;

  // A candidate, or the reason there is none ("GPU memory too small").
  [[nodiscard]] std::optional<Candidate> make(const Offer& offer,
                                              const DiskChoice& disk,
                                              int batch,
                                              std::string& reason);

  // The workload whose laws predict this kind of offer.
  [[nodiscard]] Workload workload(bool on_gpu, int batch) const;

 private:
  [[nodiscard]] DiskChoice volume_choice(const Offer& offer,
                                         const VolumeClass& volume,
                                         std::int64_t gib) const;
  [[nodiscard]] AcceleratorRate judge_accelerator(const Offer& offer, int batch) const;
  [[nodiscard]] const AcceleratorRate& accelerator(const Offer& offer, int batch);
  [[nodiscard]] const CpuSpeed& cpu_speed(const Offer& offer);
  [[nodiscard]] double host_memory(const Offer& offer, const Setting& setting, int batch);
  const Query& query_;
  const Catalog& catalog_;
  const GpuRates& gpu_rates_;
  const CpuSpeeds& cpu_speeds_;
  std::string measured_cpu_model_;
  NetworkFacts facts_;
  double checkpoint_bytes_ = 0;
  VolumeClass unlisted_volume_;  // stands for the disks of providers whose tables have none
  // What one kind of accelerator does for the job; the same for every offer that has it.
  std::map<std::tuple<std::string, double, double, int>, AcceleratorRate> accelerators_;
  std::map<std::pair<std::string, std::string>, CpuSpeed> cpu_speeds_seen_;
  std::map<int, double> cpu_memory_seen_;
};

}  // namespace rightsize
