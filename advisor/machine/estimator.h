// Answers a Configuration: throughput with its interval, what limits it, and what was assumed on
// the way. Laws and published figures answer for machines nobody measured; the fitted model answers
// for the data path, and for the CPU where it measured this very network there.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "advisor/candidate/accelerator.h"
#include "advisor/candidate/disk_choice.h"
#include "advisor/candidate/network_facts.h"
#include "advisor/machine/configuration.h"
#include "advisor/machine/setting_sources.h"
#include "models/job_time.h"
#include "models/laws/cpu_compute.h"
#include "models/laws/cpu_speed.h"
#include "models/laws/energy.h"
#include "models/predict.h"
#include "pricing/catalog.h"

namespace rightsize {

// A whole job, from a disk that is rested when it begins.
struct JobTime {
  double epochs = 1;
  Estimate hours;
  double mean_items_per_s = 0;   // of all nodes together
  bool on_disk_credits = false;  // whether what the disk has saved up is part of it
  double moving_s = 0;           // part of it: the model from the disk, and its state to it
};

// What a disk's saved-up credits give where no job says for how long they are used.
struct DiskBurst {
  double items_per_s = 0;         // steady state, of all nodes together
  double cold_items_per_s = 0;    // of a first epoch
  std::optional<double> seconds;  // that a first epoch has of it; nullopt: for ever
};

struct Answer {
  Verdict verdict = Verdict::unsupported;
  std::string reason;                 // why not; empty for ok
  std::vector<std::string> ways_out;  // what would fit, of out_of_memory (way_out.h)
  std::string caution;     // of an ok that may be another on the machine itself, "; " between; also
                           // among the notes
  Estimate throughput;     // of all nodes together; unit "img/s", "sequences/s" or "tokens/s"
  Prediction prediction;   // all nodes together: bounds and busy shares
  std::string bottleneck;  // "gpu", "exchange", "cpu", "disk", ...
  std::string framework;   // whose rates answered; empty: any framework's
  int batch = 0;           // as used
  Precision precision = Precision::fp32;  // as the GPU has it
  double scaling_efficiency = 1;
  MemoryWay memory_way;            // how the GPUs' memory is spared
  GpuMemoryNeed gpu_memory;        // of each GPU; 0 without one
  std::optional<JobTime> job;      // where the epochs are stated
  std::optional<DiskBurst> burst;  // where they are not, and the disk bursts
  std::optional<Energy> energy;    // of the GPUs; nullopt without one or where its TDP is not known
  std::vector<std::string> notes;  // what was used and assumed, a sentence each

  // Another caution, which is a note too.
  void warn(const std::string& sentence) {
    caution += (caution.empty() ? "" : "; ") + sentence;
    notes.push_back(sentence);
  }
};

// "no run read tfrecord: ...", where the model's runs read only a relative of the workload's
// format, whose cost stands in (models/carry.h); "" else.
[[nodiscard]] std::string stand_in_note(const Model& measured, const Workload& workload);

class Estimator {
 public:
  // `model_note`: a sentence for answers that lean on the model ("shipped model, ..."), or "".
  Estimator(Model model,
            GpuRates gpu_rates,
            CpuSpeeds cpu_speeds,
            Catalog catalog,
            std::string model_note = "");

  // Never throws for a configuration that cannot be predicted: the answer says why. Throws
  // UsageError for a disk that is no disk.
  [[nodiscard]] Answer estimate(const Configuration& asked);
  // The same with a disk that is rented instead of named: asked.machine.disk is not read.
  [[nodiscard]] Answer estimate(const Configuration& asked, const DiskChoice& disk);

  // The laws and the setting of one node, for the simulator and for sizing. nullopt with the reason
  // in `answer` when there are none.
  struct Plan {
    std::optional<Model> model;  // where the fitted one had to be completed for this work
    Laws laws;
    Setting setting;
    SettingUncertainty uncertainty;
    SettingSources sources;
    Source source = Source::assumed;  // the weakest of all of them
    int nodes = 1;
    ModelFiles model_files;  // that lie on the disk beside the data
    std::string unit;
    bool host_matters = false;        // a data path with vCPUs or a disk to limit it
    std::optional<JobLength> length;  // of one node's share, where the epochs are stated

    // The time that the model's files take on this disk, of which `uncertainty` tells.
    void set_moving(const DiskSpeed& disk);
  };
  [[nodiscard]] std::optional<Plan> plan(const Configuration& asked, Answer& answer);

  // The model that `plan` leans on.
  [[nodiscard]] const Model& model_of(const Plan& plan) const;

  [[nodiscard]] const GpuRates& gpu_rates() const { return gpu_rates_; }

 private:
  [[nodiscard]] Answer answered(const Configuration& asked, const Plan& plan, Answer answer) const;
  void predict_host(const Plan& plan, Answer& answer) const;
  const NetworkFacts* facts(const Configuration& asked, Answer& answer);
  [[nodiscard]] std::optional<int> batch_that_fits(const Configuration& asked,
                                                   const NetworkFacts& facts) const;
  [[nodiscard]] std::vector<std::string> ways_to_fit(const Configuration& asked, int batch) const;
  std::optional<int> choose_batch(const Configuration& asked,
                                  const NetworkFacts& facts,
                                  Answer& answer);
  [[nodiscard]] int fastest_batch(const Configuration& asked);
  bool plan_gpu(const Configuration& asked, const NetworkFacts& facts, Plan& plan, Answer& answer);
  bool plan_cpu(const Configuration& asked, const NetworkFacts& facts, Plan& plan, Answer& answer);
  void complete_cpu_model(const Configuration& asked,
                          const NetworkFacts& facts,
                          Plan& plan,
                          Answer& answer) const;
  void plan_host(const Configuration& asked, Plan& plan, Answer& answer);
  void plan_disk(const Configuration& asked, Plan& plan, Answer& answer) const;
  void choose_disk(const Configuration& asked, Plan& plan, Answer& answer) const;
  void plan_data(const Configuration& asked, Plan& plan, Answer& answer);
  void place_preprocessing(const Configuration& asked,
                           DataFormat pictures,
                           const NetworkFacts& facts,
                           Plan& plan,
                           Answer& answer) const;
  std::optional<Plan> plan_network(const Configuration& asked, Answer& answer);
  std::optional<Plan> plan_preprocessing(const Configuration& asked, Answer& answer);
  std::optional<Plan> plan_program(const Configuration& asked, Answer& answer);
  [[nodiscard]] bool memory_suffices(const Configuration& asked,
                                     const NetworkFacts& facts,
                                     Plan& plan,
                                     Answer& answer) const;
  [[nodiscard]] static bool memory_holds(double bytes,
                                         const Configuration& asked,
                                         Plan& plan,
                                         Answer& answer);

  Model measured_;  // by which it is known what the model below was not fitted to
  Model model_;
  GpuRates gpu_rates_;
  CpuSpeeds cpu_speeds_;
  Catalog catalog_;
  std::string model_note_;
  using FactsKey = std::tuple<std::string, int, Tuning, bool>;  // whether it learns
  std::map<FactsKey, std::unique_ptr<NetworkFacts>> facts_;
};

}  // namespace rightsize
