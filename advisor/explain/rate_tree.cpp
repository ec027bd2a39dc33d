#include "advisor/explain/rate_tree.h"

#include <cmath>

#include <fmt/format.h>

#include "advisor/candidate/cpu_law.h"
#include "advisor/candidate/disk_for_job.h"
#include "advisor/candidate/own_loader.h"
#include "advisor/candidate/training_way.h"
#include "advisor/explain/cause_values.h"
#include "advisor/explain/text_tree.h"
#include "advisor/full_name.h"
#include "advisor/query/job_defaults.h"
#include "advisor/query/tuning_words.h"
#include "advisor/update_batch.h"
#include "kernels/gibibyte.h"

namespace rightsize {
namespace {

class RateTree {
 public:
  RateTree(const Query& query, const Model& model, const Appraisal& appraisal)
      : query_(query),
        option_(appraisal.option),
        candidate_(appraisal.candidate),
        setting_(appraisal.candidate.setting),
        prediction_(appraisal.prediction),
        laws_(laws_of(model, setting_.workload)),
        framework_loads_(loaded_by(query) == LoadedBy::framework) {}

  [[nodiscard]] Cause throughput() const {
    Cause node{"throughput",
               option_.throughput,
               "the slowest of these, less what near ties cost (cpu and loader are one)",
               {{"sharpness", laws_.sharpness, "", "fitted"},
                {"which is 1 + pipeline_sharpness", laws_.sharpness - 1, "", "fitted"}},
               "",
               false,
               {disk(), cpu(), loader(), copy(), accelerator()}};
    for (std::size_t i = 0; i < bound_count; ++i) {
      node.parts[i].binding = static_cast<Bound>(i) == option_.limited_by;
    }
    return node;
  }

 private:
  // What holds for one of several machines, for all of them.
  [[nodiscard]] std::string each(const std::string& formula) const {
    return option_.nodes > 1 && !option_.service ? "machines x " + formula : formula;
  }

  [[nodiscard]] bool preprocesses() const { return query_.phase == Phase::preprocess; }

  [[nodiscard]] Estimate bound(Bound which, Source source) const {
    return exact(prediction_.bounds[which], option_.throughput.unit, source);
  }

  [[nodiscard]] Cause disk() const {
    const auto speed = effective_disk(laws_, setting_);
    Cause node{"disk", bound(Bound::disk, option_.disk_source), "", {}, "", false, {}};
    if (std::isinf(node.value.value)) {
      node.formula = "not used: no data is read, or all of it fits in memory";
      return node;
    }
    node.formula = each("bandwidth x efficiency / (bytes per item x amplification x misses)");
    node.inputs = {{"bandwidth", speed.bytes_per_s, "B/s", tag(option_.disk_source)},
                   {"efficiency", laws_.disk.efficiency, "", "fitted"},
                   {"bytes per item", bytes_per_item(setting_), "B", "given"},
                   {"amplification", laws_.disk.amplification, "", "fitted"},
                   {"misses", 1 - prediction_.hit_ratio, "", "fitted"}};
    if (preprocesses()) {
      node.formula = each("1 / (read / bandwidth + written / bandwidth) / efficiency");
      node.inputs.push_back({"written per item", written_bytes_per_item(setting_), "B", "given"});
    }
    if (speed.iops > 0 && reading_of(query_).in_sequence()) {  // counted in items
      node.formula += ", or what requests of several items bring if less";
      node.inputs.push_back({"items that requests bring", speed.iops, "1/s", "scaled"});
    } else if (speed.iops > 0) {
      node.formula += ", or requests per second if fewer";
      node.inputs.push_back({"requests", speed.iops, "1/s", tag(option_.disk_source)});
    }
    if (speed.burst_iops > 0) {
      node.formula += ", and what saved-up credits add on the job's average";
      node.inputs.push_back({"credits", speed.io_credits, "requests", tag(option_.disk_source)});
    }
    node.provenance = option_.disk;
    return node;
  }

  [[nodiscard]] Cause cpu() const {
    const bool alone = setting_.accelerator_items_per_s <= 0 && !preprocesses();
    if (std::isinf(prediction_.bounds[Bound::cpu])) {
      return {"cpu",
              bound(Bound::cpu, Source::fitted),
              "not used: what the network reads comes decoded",
              {},
              "",
              false,
              {}};
    }
    constexpr double least_s = 1e-9;  // what fits stop at is nothing
    const bool fixed = alone && laws_.compute.fixed_s > least_s;
    Cause node{
        "cpu",
        bound(Bound::cpu, weaker(data_path_source(), candidate_.cpu_source)),
        each(fixed   ? "capacity x CPU speed / (data path + network per item), less its fixed work "
                       "per step"
             : alone ? "capacity x CPU speed / (data path + network per item)"
                     : "capacity x CPU speed / data path per item"),
        {{"vCPUs", setting_.cpus, "", option_.own ? "given" : "published"},
         {"capacity", cpu_capacity(laws_.scaling, setting_.cpus), "vCPUs", "fitted"},
         {"CPU speed", setting_.cpu_speed, "x the measured one", tag(candidate_.cpu_source)},
         {"data path", data_path_s(), "vCPU-s", data_path_tag()}},
        option_.cpu_provenance,
        false,
        {}};
    if (framework_loads_) {
      node.inputs.push_back(
          {"of a framework's loader, by published rates, against the measured one's",
           loader_cost(query_.stack.value_or(Stack::current)),
           "x",
           data_path_tag()});
    }
    if (laws_.serial_cpu_s > 0) {
      node.formula =
          each("CPU speed / (what one thread does alone + the rest of the data path / capacity)");
      node.inputs.push_back({"of it by one thread", laws_.serial_cpu_s, "vCPU-s", "fitted"});
    }
    if (alone) {
      node.inputs.push_back({"network", laws_.compute.per_item_s, "vCPU-s", "fitted"});
    }
    if (fixed) {
      node.inputs.push_back({"fixed per step", laws_.compute.fixed_s, "vCPU-s", "fitted"});
      node.inputs.push_back(
          {"batch", static_cast<double>(option_.batch_per_gpu), "", batch_tag(query_)});
    }
    return node;
  }

  // Of the CPU, per item: with what reading the misses costs.
  [[nodiscard]] double data_path_s() const {
    return data_cpu_seconds(laws_, setting_, 1 - prediction_.hit_ratio);
  }

  // A framework's loader is some times as dear as the measured one, by published figures.
  [[nodiscard]] Source data_path_source() const {
    return framework_loads_ ? Source::scaled : Source::fitted;
  }
  [[nodiscard]] std::string data_path_tag() const { return tag(data_path_source()); }

  [[nodiscard]] Cause loader() const {
    Cause node{"loader", bound(Bound::loader, data_path_source()), "", {}, "", false, {}};
    if (std::isinf(node.value.value)) {
      node.formula = program_reads(query_, query_.loader)
                         ? "not used: how a program of your own reads is not known"
                         : "not used: nothing is read";
      return node;
    }
    node.formula = each("threads / (wait for the disk + decode) per item");
    node.inputs = {{"threads", static_cast<double>(setting_.loader_threads), "", "assumed"},
                   {"decode", data_path_s() / setting_.cpu_speed, "s", data_path_tag()}};
    node.provenance = "one loader thread for each vCPU";
    return node;
  }

  [[nodiscard]] Cause copy() const {
    Cause node{"copy", bound(Bound::copy, Source::assumed), "", {}, "", false, {}};
    node.formula = option_.gpus <= 0 ? "not used: there is no GPU to copy to"
                   : std::isinf(node.value.value)
                       ? "not used: nothing to speak of is copied"
                       : each("host-to-device bandwidth / bytes of an item");
    node.provenance = std::isinf(node.value.value) ? "" : "12 GB/s for each GPU";
    return node;
  }

  [[nodiscard]] Cause accelerator() const {
    if (candidate_.texts) {
      return texts_cause(
          query_, option_, *candidate_.texts, bound(Bound::accelerator, candidate_.rate_source));
    }
    Cause node{"gpu", bound(Bound::accelerator, candidate_.rate_source), "", {}, "", false, {}};
    if (std::isinf(node.value.value)) {
      node.formula =
          preprocesses() ? "not used: the CPU preprocesses" : "not used: the CPU does the network";
      return node;
    }
    const double gpus = option_.gpus * (option_.service ? 1 : option_.nodes);
    node.formula =
        gpus <= 1 ? "one GPU's rate"
        : query_.phase == Phase::train
            ? option_.expert_parallel > 1
                  ? "one GPU's rate x GPUs, less exchanging gradients and sending tokens "
                    "to experts and back"
                  : "one GPU's rate x GPUs, less exchanging gradients"
            : "one GPU's rate x GPUs";
    node.inputs = {{"GPUs", gpus, option_.gpu, option_.own ? "given" : "published"},
                   {"batch",
                    static_cast<double>(option_.batch_per_gpu),
                    "per " + batch_owner(option_, query_.phase),
                    batch_tag(query_)}};
    const auto network = network_of_job(query_.network_between, option_.network);
    if (option_.nodes > 1 && !option_.service && network.fabric_gbit_per_s > 0) {
      node.inputs.push_back({"network of each machine",
                             network.fabric_gbit_per_s,
                             "Gb/s",
                             query_.network_between.fabric ? "given"
                             : option_.network.empty()     ? "assumed"
                                                           : "published"});
    }
    node.provenance = option_.rate_provenance;
    add_memory(node);
    return node;
  }

  // What a step holds of each GPU's memory, and who carries the gradients.
  void add_memory(Cause& node) const {
    const auto& need = candidate_.gpu_memory;
    const auto add = [&](const char* what, double bytes) {
      node.inputs.push_back({what, bytes / bytes_per_gib, "GiB", "assumed"});
    };
    if (query_.phase != Phase::train || need.total() <= 0) {
      return;
    }
    add("memory of each", need.total());
    add(query_.tuning.adapters.any() ? "frozen parameters and adapters"
        : option_.sharded            ? "a part of parameters, gradients and optimizer"
                                     : "parameters, gradients and optimizer",
        need.parameters_bytes);
    add(option_.recompute ? "blocks' inputs and one block's activations" : "activations",
        need.activations_bytes);
    if (query_.tuning.adapters.any()) {
      node.formula +=
          fmt::format("; {}: only the adapters are trained", to_string(query_.tuning.adapters));
    }
    if (!query_.tuning.state.usual()) {
      node.formula += "; " + state_words(query_.tuning.state);
    }
    const auto update = update_batch(query_, option_);
    if (const int sharing = gpus_per_copy(option_); sharing == 1 && update.passes > 1) {
      node.formula += fmt::format("; updated after {} minibatches", update.passes);
    }
    if (option_.recompute) {
      node.formula += "; blocks are run again in the backward pass";
    }
    if (auto way = candidate_.memory_way; way.parallel.any() || way.expert_ranks() > 1) {
      way.recompute = false;  // said above
      node.formula += "; " + words_of(way);
    }
    if (!option_.exchange.empty()) {
      node.formula += "; " + option_.exchange;
    }
  }

  const Query& query_;
  const Option& option_;
  const Candidate& candidate_;
  const Setting& setting_;
  const Prediction& prediction_;
  Laws laws_;
  bool framework_loads_;
};

}  // namespace

Cause rate_tree(const Query& query, const Model& model, const Appraisal& appraisal) {
  return RateTree(query, model, appraisal).throughput();
}

}  // namespace rightsize
