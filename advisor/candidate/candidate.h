// One thing to be judged: an offer with a disk and a batch, and the conditions it gives the job.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "advisor/candidate/accelerator.h"
#include "advisor/candidate/data_home.h"
#include "advisor/candidate/disk_choice.h"
#include "advisor/candidate/refusal.h"
#include "advisor/query/query.h"
#include "models/laws/cpu_speed.h"
#include "models/laws/gpu_rate.h"
#include "models/predict.h"
#include "models/setting.h"
#include "pricing/catalog.h"

namespace rightsize {

// What is chosen freely for an offer with a disk.
struct Way {
  int batch = 1;  // per GPU
  int nodes = 1;  // machines that train together
  bool preprocess_on_gpu = false;
  // GPUs that share a language model which writes tokens; 0: of other work.
  int gpus_each = 0;
  AttentionSharing attention = AttentionSharing::by_heads;
};

struct Candidate {
  const Offer* offer = nullptr;
  Way way;
  DiskChoice disk;
  Setting setting;  // of one node
  // The same for the minibatches whose times a service goes by (laws/minibatch_time.h); of
  // services only.
  std::vector<Setting> minibatches;
  std::optional<TokenServer> tokens;  // of a language model that writes tokens
  std::optional<TokenServer> texts;   // of one that works through a list of texts
  SettingUncertainty uncertainty;
  double checkpoint_bytes = 0;  // of a job that learns
  ModelFiles model_files;       // of a transformer
  double scaling_efficiency = 1;
  std::string exchange;            // how gradients travel; empty for one GPU
  MemoryWay memory_way;            // how its GPUs' memory is spared
  bool spared_for_memory = false;  // with nothing spared a step does not fit
  GpuMemoryNeed gpu_memory;        // of each GPU
  Precision precision = Precision::fp32;
  Source rate_source = Source::assumed;
  std::string rate_provenance;
  Source cpu_source = Source::assumed;
  std::string cpu_provenance;
  double cpu_supposed = 1;  // part of setting.cpu_speed: what its own CPU does times so much

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
                 const MeasuredCpu& measured_cpu);
  CandidateMaker(const CandidateMaker&) = delete;
  CandidateMaker& operator=(const CandidateMaker&) = delete;

  // The disks this offer could be rented with, each big enough for the data set.
  [[nodiscard]] std::vector<DiskChoice> disks(const Offer& offer) const {
    return disk_choices_.of(offer);
  }

  [[nodiscard]] std::vector<Way> ways(const Offer& offer);

  // Per GPU: what the job may use, or of a job that says none what fits so many of the offer's
  // machines (batch_choice.h); 1 where nothing does.
  [[nodiscard]] std::vector<int> batches(const Offer& offer, int nodes);

  // Every disk and way of the offer: the candidates, and `refusal` of the last of those that cannot
  // be, left as it is where all can.
  struct All {
    std::vector<Candidate> made;
    std::size_t tried = 0;
  };
  [[nodiscard]] All all(const Offer& offer, Refusal& refusal);

  // A candidate, or nullopt with the reason ("GPU memory too small").
  [[nodiscard]] std::optional<Candidate> make(const Offer& offer,
                                              const DiskChoice& disk,
                                              const Way& way,
                                              Refusal& refusal);

 private:
  // What an offer's CPU is to the job.
  struct Host {
    CpuSpeed speed;
    Precision precision = Precision::fp32;  // that it computes in, where it does
  };

  // The workload whose laws predict the offer.
  [[nodiscard]] Workload workload(const Offer& offer, int batch);
  [[nodiscard]] Refusal unfit(const Offer& offer) const;
  [[nodiscard]] Candidate outline(const Offer& offer, const DiskChoice& disk, const Way& way);
  [[nodiscard]] AcceleratorRate judge_accelerator(const Offer& offer, int batch, int nodes);
  [[nodiscard]] const AcceleratorRate& accelerator(const Offer& offer, int batch, int nodes);
  bool fill_accelerator(Candidate& candidate, Refusal& refusal);
  void fill_minibatches(Candidate& candidate);
  bool fill_tokens(Candidate& candidate, Refusal& refusal);
  void move_preprocessing(Candidate& candidate) const;
  [[nodiscard]] const Host& host(const Offer& offer);
  [[nodiscard]] double host_memory(const Offer& offer, const Setting& setting, int batch);
  const Query& query_;
  const GpuRates& gpu_rates_;
  const CpuSpeeds& cpu_speeds_;
  MeasuredCpu measured_cpu_;
  NetworkFacts facts_;
  GpuMemoryLaw memory_law_;  // of the facts' network
  double checkpoint_bytes_ = 0;
  std::vector<Way> gpu_ways_;
  std::vector<Way> cpu_ways_;
  std::optional<TokenServers> token_servers_;
  ModelFiles model_files_;
  DiskChoices disk_choices_;
  StoredDataPrices stored_data_;
  // What one kind of accelerator does for the job; the same for every offer that has it.
  using AcceleratorKey = std::tuple<std::string, double, double, int, int, std::string>;
  std::map<AcceleratorKey, AcceleratorRate, std::less<>> accelerators_;
  // By GPU, batch, the minibatches of an update and a copy's items of it, and how memory is spared.
  std::map<std::tuple<std::string, int, int, int, MemoryWay>, std::optional<GpuRate>> single_gpus_;
  // By batch and a copy's items of an update.
  std::map<std::tuple<int, int, MemoryWay>, GpuMemoryNeed> gpu_memory_seen_;
  // By instance, provider and the CPU that the price table names.
  using Hosts = std::map<std::tuple<std::string, std::string, std::string>, Host, std::less<>>;
  Hosts hosts_seen_;
  const Hosts::value_type* last_host_ = nullptr;  // of these: candidates of an offer come together
  std::map<std::pair<int, Precision>, double> cpu_memory_seen_;  // by batch
  // What fits, where no batch is said: by GPU, their number, their memory, machines and network.
  std::map<std::tuple<std::string, double, double, int, std::string>, int> batches_seen_;
};

}  // namespace rightsize
