#include "advisor/way_out/way_out.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "advisor/candidate/step_refusal.h"
#include "advisor/candidate/training_way.h"
#include "advisor/candidate/update_share.h"
#include "advisor/query/tuning_words.h"
#include "kernels/engine.h"
#include "kernels/networks/recommendation/recommendation.h"
#include "kernels/work.h"
#include "models/laws/toolchain.h"
#include "models/laws/tpu.h"

namespace rightsize {
namespace {

// Of the memory a step may fill by the law: what takes the rest fits one framework and not another
// (judge_memory calls it tight).
constexpr double safe_share = 0.9;

class WaysOut {
 public:
  WaysOut(const GpuRates& rates,
          const AcceleratorQuery& query,
          const GpuSpec& gpu,
          const std::set<std::string>& sold)
      : rates_(rates), query_(query), gpu_(gpu), sold_(sold), facts_(facts_with(query.tuning)) {}

  std::vector<WayOut> all() {
    smaller_batch();
    narrower_precision();
    if (has_backward(query_.phase) && facts_.transformer) {
      spared();
      more_gpus();
      narrower_state();
      adapters();
      shared_layers();
      divided_experts();
    } else if (query_.phase == Phase::decode || facts_.table_elements > 0) {
      more_gpus();
    }
    larger_gpu();
    return std::move(found_);
  }

 private:
  [[nodiscard]] NetworkFacts facts_with(const Tuning& tuning) const {
    return NetworkFacts(query_.network, query_.sequence, tuning, query_.phase);
  }

  void smaller_batch() {
    auto asked = query_;
    // As many an update, where no batch norm counts those that go through at once.
    const bool accumulates =
        query_.phase == Phase::train && facts_.transformer && !is_split_as_asked(query_);
    for (asked.batch = query_.batch / 2; asked.batch >= 1; asked.batch /= 2) {
      if (!fits_safely(facts_, asked, gpu_)) {
        continue;
      }
      auto flags = fmt::format("--batch {}", asked.batch);
      if (query_.global_batch > 0) {
        share_update(asked);
      } else if (accumulates && query_.batch % asked.batch == 0) {
        asked.accumulate = query_.accumulate * (query_.batch / asked.batch);
        flags += fmt::format(" --accumulate {}", asked.accumulate);
      }
      found_.push_back({flags + " fits", asked});
      return;
    }
  }

  // 32 bits are taken where nothing is said.
  void narrower_precision() {
    auto asked = query_;
    asked.precision = available_precision(gpu_, Precision::bf16);
    const bool wide = query_.precision == Precision::fp32 || query_.precision == Precision::tf32;
    const bool narrow = asked.precision == Precision::bf16 || asked.precision == Precision::fp16;
    if (wide && narrow && fits_safely(facts_, asked, gpu_)) {
      found_.push_back({fmt::format("--precision {0} fits (in a job file precision = \"{0}\")",
                                    to_string(asked.precision)),
                        asked});
    }
  }

  // With recomputation too where the query forbids it, and it takes that; all flags are named.
  bool name(const std::string& flags, AcceleratorQuery asked, const NetworkFacts& facts) {
    if (fits_safely(facts, asked, gpu_)) {
      found_.push_back({flags + " fits", asked});
      return true;
    }
    if (asked.recompute != false) {
      return false;
    }
    asked.recompute.reset();
    if (!fits_safely(facts, asked, gpu_)) {
      return false;
    }
    found_.push_back({flags + " --recompute true fits", asked});
    return true;
  }

  // What the query forbids.
  void spared() {
    if (query_.recompute == false) {
      auto asked = query_;
      asked.recompute.reset();
      if (fits_safely(facts_, asked, gpu_)) {
        found_.push_back({"--recompute true fits", asked});
        return;
      }
    }
    if (query_.exchange && *query_.exchange != Exchange::sharded && query_.pipeline_parallel == 1) {
      auto asked = query_;
      asked.exchange = Exchange::sharded;
      name("--exchange sharded", asked, facts_);
    }
  }

  // As few of the same in a machine, or in a slice of TPUs, as hold the parameters together.
  void more_gpus() {
    const int usual_most = of_tpus_ ? most_chips_of_slice(gpu_.name) : 8;
    const bool shards = query_.exchange.value_or(Exchange::sharded) == Exchange::sharded ||
                        facts_.table_elements > 0;  // which are divided by any exchange
    if (!shards || is_split_as_asked(query_)) {
      return;
    }
    auto asked = query_;
    for (asked.gpus_per_node *= 2; asked.gpus_per_node <= usual_most; asked.gpus_per_node *= 2) {
      if (fits_safely(facts_, asked, gpu_)) {
        found_.push_back({fmt::format("gpu={}:{} fits, whose {} share the {}",
                                      query_.gpu,
                                      asked.gpus_per_node,
                                      of_tpus_ ? "chips" : "GPUs",
                                      query_.phase == Phase::decode ? "network"
                                      : facts_.table_elements > 0   ? "tables"
                                                                    : "parameters"),
                          asked});
        more_fit_ = true;
        return;
      }
    }
  }

  // What fine-tuning on few GPUs does: no masters, then moments in 8 bits, then as factors; the
  // first that fits beyond what is asked for. Programs keep adapters' masters, few as they are.
  void narrower_state() {
    const bool adapters = query_.tuning.adapters.any();
    if (!adapters && (!keeps_bf16(query_.precision) ||
                      available_precision(gpu_, Precision::bf16) != Precision::bf16)) {
      return;
    }
    auto asked = query_;
    std::string flags;
    if (query_.tuning.state.masters && !adapters) {
      asked.tuning.state.masters = false;
      flags = "--master-weights none";
      if (name(flags, asked, facts_with(asked.tuning))) {
        return;
      }
    }
    for (const auto optimizer : {OptimizerChoice::adamw_8bit, OptimizerChoice::adafactor}) {
      asked.tuning.state.optimizer = optimizer;
      const auto way =
          fmt::format("{}{}--optimizer {}", flags, flags.empty() ? "" : " ", to_string(optimizer));
      if (optimizer != query_.tuning.state.optimizer &&
          name(way, asked, facts_with(asked.tuning))) {
        return;
      }
    }
  }

  // Where all parameters of a language model are trained, else on a narrower base, which changes
  // more.
  void adapters() {
    if (query_.tuning.adapters.narrow || is_split_as_asked(query_) || has_experts(facts_.network) ||
        has_latents(facts_.network) || facts_.looks_up || !facts_.network.reads_tokens()) {
      return;
    }
    constexpr int usual_rank = 16;
    const bool any = query_.tuning.adapters.any();
    auto asked = query_;
    asked.tuning.adapters.rank = any ? query_.tuning.adapters.rank : usual_rank;
    for (const bool narrow : {false, true}) {
      asked.tuning.adapters.narrow = narrow;
      const auto flag = fmt::format("--adapter {}{}",
                                    to_string(asked.tuning.adapters),
                                    any ? "" : " (adapters alone are trained)");
      if ((narrow || !any) && name(flag, asked, facts_with(asked.tuning))) {
        return;
      }
    }
  }

  // As few GPUs a copy as fit, whose micro-batches are their own affair.
  void shared_layers() {
    const bool sequences_alone =
        query_.context_parallel > 1 &&
        query_.tensor_parallel * query_.pipeline_parallel * query_.expert_parallel == 1;
    if ((is_split_as_asked(query_) && !sequences_alone) || query_.accumulate > 1 ||
        query_.exchange) {
      return;
    }
    auto asked = query_;
    for (int gpus = 2; gpus <= query_.gpus_per_node; gpus *= 2) {
      asked.tensor_parallel = gpus;
      if (name(fmt::format("--tensor-parallel {}", gpus), asked, facts_)) {
        return;
      }
    }
  }

  // As few copies as hold a mixture's experts between them.
  void divided_experts() {
    if (!has_experts(facts_.network) || query_.expert_parallel > 1) {
      return;
    }
    auto asked = query_;
    const int gpus = query_.gpus_per_node * query_.nodes;
    for (asked.expert_parallel = 2; asked.expert_parallel <= gpus; asked.expert_parallel *= 2) {
      if (name(fmt::format("--expert-parallel {}", asked.expert_parallel), asked, facts_)) {
        return;
      }
    }
  }

  // Of the GPUs of its maker that are sold in shapes of today the one with the least memory that
  // has enough. TPUs of more memory go before no larger slice.
  void larger_gpu() {
    if (of_tpus_ && more_fit_) {
      return;
    }
    const GpuSpec* least = nullptr;
    for (const auto& other : rates_.gpus()) {
      const bool larger = other.memory_gb > gpu_.memory_gb &&
                          (sold_.empty() || sold_.contains(other.name)) &&
                          of_one_maker(other, gpu_);
      auto asked = query_;
      asked.gpu = other.name;
      if (larger && is_ampere_or_later(other) &&
          (least == nullptr || other.memory_gb < least->memory_gb) &&
          fits_safely(facts_, asked, other)) {
        least = &other;
      }
    }
    if (least != nullptr) {
      auto asked = query_;
      asked.gpu = least->name;
      asked.gpu_memory_bytes.reset();
      found_.push_back(
          {fmt::format(
               "a {} of more memory does it, such as {}", of_tpus_ ? "chip" : "GPU", least->name),
           asked});
    }
  }

  const GpuRates& rates_;
  const AcceleratorQuery& query_;
  const GpuSpec gpu_;  // as sold
  const bool of_tpus_ = toolchain_of(gpu_) == Toolchain::xla;
  bool more_fit_ = false;  // of the same
  const std::set<std::string>& sold_;
  NetworkFacts facts_;
  std::vector<WayOut> found_;
};

}  // namespace

bool fits_safely(const NetworkFacts& facts, AcceleratorQuery query, GpuSpec gpu) {
  query.gpu_memory_bytes.reset();
  gpu.memory_gb *= safe_share;
  return why_unsupported(facts, query).empty() && why_unsupported_by(gpu, facts, query).empty() &&
         fits_gpu(facts, query, gpu, MemorySpared::as_needed);
}

std::vector<WayOut> memory_ways_out(const GpuRates& rates,
                                    const AcceleratorQuery& query,
                                    const std::set<std::string>& sold) {
  const auto* gpu = rates.find(query.gpu);
  if (gpu == nullptr) {
    return {};
  }
  return WaysOut(rates, query, gpu_as_sold(*gpu, query.gpu_memory_bytes), sold).all();
}

std::vector<std::string> ways_out_of_memory(const GpuRates& rates,
                                            const AcceleratorQuery& query,
                                            bool together,
                                            const std::set<std::string>& sold) {
  std::vector<std::string> words;
  for (auto& way : memory_ways_out(rates, query, sold)) {
    const bool divides_tables =
        is_recommendation(query.network) && way.asked.gpus_per_node > query.gpus_per_node;
    if (together || !divides_tables) {
      words.push_back(std::move(way.words));
    }
  }
  return words;
}

}  // namespace rightsize
