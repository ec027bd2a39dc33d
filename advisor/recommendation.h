// The answer as a value: computed once, rendered many times. JSON form: schema
// "rightsize/recommendation/1".
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json/fwd.hpp>

#include "advisor/candidate/refusal.h"
#include "advisor/query/query.h"
#include "models/estimate.h"
#include "models/pipeline.h"
#include "pricing/bill.h"

namespace rightsize {

// One thing that can be rented, with what it would do to the job.
struct Option {
  std::size_t rank = 0;  // in its answer, from 1, however it is shown; 0: in none
  bool own = false;      // a machine the user owns (--on-prem): shown wherever it ranks
  std::string provider;
  std::string instance;
  std::string region;
  Market market = Market::on_demand;
  int nodes = 1;  // machines: that train together, or answer a service
  std::string gpu;
  double gpus = 0;
  std::string cpu;  // as the price table names it; empty where it names none
  double vcpus = 0;
  double memory_gib = 0;
  std::string disk;             // "pd-ssd 150 GiB", "local NVMe", "included (not stated)"
  std::string disk_class;       // of the price table; empty: the machine's own, or none
  std::int64_t disk_gib = 0;    // 0 likewise
  double disk_bytes_per_s = 0;  // as promised or assumed; 0: no data is read
  std::int64_t disk_iops = 0;   // of the volume, where they are bought apart from its size; else 0
  std::int64_t disk_mbps = 0;   // 10^6 bytes/s, likewise
  Source disk_source = Source::published;
  int batch_per_gpu = 0;
  Precision precision = Precision::fp32;
  bool preprocess_on_gpu = false;
  double scaling_efficiency = 1;  // of all GPUs together against so many alone
  std::string network;            // between its machines: "efa:400"; empty: no table says
  std::string exchange;           // of gradients: "nccl over NVLink 115 GB/s"; empty for one GPU
  bool sharded = false;           // the GPUs share the parameters (FSDP, ZeRO stage 3)
  bool recompute = false;         // activation checkpointing
  int tensor_parallel = 1;        // GPUs that share every layer
  // Of those that share a copy which writes texts.
  AttentionSharing attention = AttentionSharing::by_heads;
  int pipeline_parallel = 1;         // stages that share the layers
  int micro_batch = 0;               // items that pass through those together; 0: none share
  int expert_parallel = 1;           // copies that divide a mixture's experts
  int context_parallel = 1;          // GPUs that share every sequence
  int virtual_pipeline = 1;          // parts of the layers that each stage has
  double gpu_memory_needed_gib = 0;  // of each GPU, by the law; 0 without one

  Estimate throughput;  // items/s, steady state; of all nodes of a job, of one of a service
  Estimate hours;
  Estimate cost;  // unit = currency
  double cost_log_sd = 0;
  double score = 0;        // by the query's objective: the cost (of a job what it typically comes
                           // to, judge/bill_curve.h), the hours, or both weighted
  double p_deadline = 1;   // probability of meeting deadline and budget
  double miss = 0;         // how far the limits that it misses have to be moved (Standing)
  double p_cheapest = 0;   // of being the cheapest, or best by the objective, of all that satisfy
  bool satisfies = false;  // meets the constraints with the wanted confidence
  std::string shortfall;   // why not, in words, when it does not

  // Of a service: the machines that answer, `nodes` of them; hours are a month's.
  std::optional<ServerFleet> service;
  double cost_per_1k_requests = 0;
  Estimate p99;  // seconds; infinite where the machines are saturated

  // Of a language model that writes tokens, likewise.
  std::optional<TokenFleet> tokens;
  double cost_per_1m_tokens = 0;  // written; also of texts without a service

  // Of a spot machine: what interruptions do to the hours above, which hold their mean.
  std::optional<SpotTime> spot;

  Bound limited_by = Bound::accelerator;
  std::array<double, bound_count> busy{};
  double hit_ratio = 1;
  Bill bill;
  Money price_per_hour;                  // machine only
  std::optional<Money> price_per_month;  // of a machine that is rented by whole months
  std::string price_as_of;
  std::string price_source;
  std::string rate_provenance;  // where the GPU's speed comes from
  std::string cpu_provenance;
};

// "gpu", "cpu" ...; "exchange" where GPUs wait for one another's gradients most of the time.
[[nodiscard]] std::string_view bottleneck_of(const Option& option);

struct Rejection {
  std::string reason;
  std::size_t count = 0;
  std::vector<std::string> examples;   // up to three
  Lacking lacking = Lacking::nothing;  // not kept in files: only a fresh answer looks for ways out
};

// Findings in AWS Compute Optimizer's words, with these meanings: Underprovisioned misses the
// constraints otherwise than by its cost alone, or cannot do the job; Optimized cannot be told
// apart from the chosen one (chance.h); of the others Overprovisioned has something that could be
// halved without slowing the job, NotOptimized is merely the worse by the objective; NotJudged is
// none of them, as what was measured or published does not reach it (arm64).
enum class Finding { underprovisioned, overprovisioned, not_optimized, optimized, not_judged };

// The machine the job runs on today, held against the chosen one.
struct RightSizing {
  std::string name;               // as it was asked for
  std::string place;              // "aws/eu-west-1", of its name; "": wherever it costs least
  std::optional<Option> current;  // empty: it cannot do the job or be judged: `reason`
  std::string reason;
  bool counted = true;  // of a service: whether it was said how many run today
  // Of a service: as many of today's machine, rented as today, as it takes, where that is fewer.
  std::optional<Option> fewer;
  Finding finding = Finding::optimized;
  std::vector<std::string> reason_codes;  // "CPUOverprovisioned", "GPUMemoryUnderprovisioned"

  // P(the chosen one is the better by the objective); empty where that does not decide: it is the
  // chosen one, or misses the constraints.
  std::optional<double> p_better;

  // Of moving to the chosen one; only with one, and a finding that asks for it.
  bool move = false;
  std::optional<Estimate> savings_share;    // 1 - chosen / current, unit "1"
  double savings_per_job = 0;               // in the query's currency
  std::optional<double> savings_per_month;  // with the query's runs per month
  double p_missed = 0;                      // P(the chosen one misses the constraints)
  int risk = 0;                             // 0 under 1 %, 1 under 5 %, 2 under 15 %, 3 under 40 %
  std::string effort;                       // VeryLow, Low, Medium, High
  std::string effort_reason;
};

[[nodiscard]] std::string_view to_string(Finding finding);

struct Recommendation {
  Query query;
  std::optional<Option> chosen;
  std::vector<Option> options;  // ranked; one per provider, instance and market (best region)
  std::optional<RightSizing> current;  // with --current
  std::size_t options_total = 0;
  std::size_t options_ranked = 0;  // `options` before only the first were kept; of a file 0
  std::vector<std::size_t> ties;   // indices of options whose cost cannot be told from the chosen's
  std::vector<Rejection> rejected;
  std::size_t candidates = 0;
  std::vector<std::string> assumptions;
  std::vector<std::string> warnings;
  std::string generated_at;
  std::string tool_version;

  // evidence
  int runs = 0;
  double model_error = 0;      // cross-validated median
  double model_p90_error = 0;  // and P90
  // Whose data path it goes by where no run read such data (stand_in_note); else empty.
  std::string data_path_note;
  std::string machine;
  std::string measured_at;
  std::vector<std::string> price_tables;  // "aws.csv as of ..."
};

// The words of BillLine::Kind in documents, in its order.
constexpr std::array<std::string_view, 6> bill_line_kinds{
    "machine", "reservation", "discount", "disk", "storage", "egress"};

[[nodiscard]] boost::json::object to_json(const Recommendation& recommendation);
// One option as it stands in `options[]`; `rank` counts from 1, and is 0 of what is none of them:
// it has no rank there, and no chance of being the cheapest, which are null.
[[nodiscard]] boost::json::object to_json(const Option& option, std::size_t rank);

}  // namespace rightsize
