// The tree of explain(): every node repeats the formula that predict() and bill() used, with the
// numbers they used.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "advisor/cause_values.h"
#include "advisor/explanation.h"
#include "advisor/spot_hours.h"

namespace rightsize {
namespace {

class Tree {
 public:
  Tree(const Query& query, const Model& model, const Appraisal& appraisal)
      : query_(query),
        option_(appraisal.option),
        candidate_(appraisal.candidate),
        setting_(appraisal.candidate.setting),
        prediction_(appraisal.prediction),
        laws_(laws_of(model, setting_.workload)) {}

  [[nodiscard]] Cause cost() const {
    const bool with_disk = disk_line() != nullptr;
    Cause node{"cost",
               option_.cost,
               fmt::format("{}hours x {}, billed by the provider's rule",
                           option_.service || option_.nodes > 1 ? "machines x " : "",
                           with_disk ? "(price + disk)" : "price"),
               {},
               "",
               false,
               {price_cause(option_)}};
    if (with_disk) {
      node.parts.push_back(disk_price());
    }
    if (option_.service) {
      node.inputs = {{"hours of a month", option_.hours.value, "h", "given"},
                     {"a million requests",
                      1000 * option_.cost_per_1k_requests,
                      option_.cost.unit,
                      tag(option_.cost.source)}};
      node.parts.push_back(machines_cause(query_, option_, throughput()));
      return node;
    }
    if (option_.nodes > 1) {
      node.inputs.push_back({"machines", static_cast<double>(option_.nodes), "", "given"});
    }
    add_billed(node);
    node.parts.push_back(hours());
    for (const auto& line : option_.bill.lines) {
      if (line.kind == BillLine::Kind::storage || line.kind == BillLine::Kind::egress) {
        node.parts.push_back(data_line(line));
      }
    }
    if (node.parts.back().name != "hours") {
      node.formula += " + where the data lie";
    }
    return node;
  }

 private:
  // Hours that are billed and not worked, and the rate at which a price of another currency counts.
  void add_billed(Cause& node) const {
    for (const auto& line : option_.bill.lines) {
      const double machine_hour = line.unit_price.approximate() * option_.nodes;
      if (line.kind != BillLine::Kind::machine || !(machine_hour > 0)) {
        continue;
      }
      const double billed = line.amount.approximate() / machine_hour;
      if (std::abs(billed / option_.hours.value - 1) > 1e-3) {
        node.inputs.push_back({"billed", billed, "h", "published"});
      }
    }
    const auto& price = option_.price_per_hour;
    const double total = option_.bill.total.approximate();
    if (price.currency() != option_.cost.unit && total > 0) {
      node.inputs.push_back(
          {"1 " + price.currency(), option_.cost.value / total, option_.cost.unit, "given"});
    }
  }

  // What the data set costs where it lies, or on its way from there.
  [[nodiscard]] static Cause data_line(const BillLine& line) {
    const auto& currency = line.amount.currency();
    return {line.what,
            exact(line.amount.approximate(), currency, Source::published),
            line.unit.starts_with("per GiB and month") ? "GiB x time x price / 730 h"
                                                       : "quantity x price",
            {{"price", line.unit_price.approximate(), currency + " " + line.unit, "published"}},
            line.quantity,
            false,
            {}};
  }

  // What holds for one of several machines, for all of them.
  [[nodiscard]] std::string each(const std::string& formula) const {
    return option_.nodes > 1 && !option_.service ? "machines x " + formula : formula;
  }

  [[nodiscard]] const BillLine* disk_line() const {
    for (const auto& line : option_.bill.lines) {
      if (line.kind == BillLine::Kind::disk) {
        return &line;
      }
    }
    return nullptr;
  }

  [[nodiscard]] Cause disk_price() const {
    const auto& line = *disk_line();
    const auto& currency = line.unit_price.currency();
    Cause node{"disk", {}, "size x price / 730 h", {}, option_.disk, false, {}};
    double per_month = 0;
    const auto add = [&](const char* what, double quantity, const char* unit, const Money& price) {
      per_month += quantity * price.approximate();
      node.inputs.push_back({what, quantity, unit, "given"});
      node.inputs.push_back({"price",
                             price.approximate(),
                             fmt::format("{} per {} and month", currency, unit),
                             tag(option_.disk_source)});
    };
    add("size", static_cast<double>(option_.disk_gib), "GiB", line.unit_price);
    const auto& bought = candidate_.disk.bought;
    if (bought.iops > 0) {
      add("bought", static_cast<double>(bought.iops), "IOPS", *volume().price_per_iops_month);
    }
    if (bought.mbps > 0) {
      add("bought", static_cast<double>(bought.mbps), "MB/s", *volume().price_per_mbps_month);
    }
    node.formula =
        bought.iops + bought.mbps > 0 ? "(size x price + speed x price) / 730 h" : node.formula;
    node.value = exact(per_month / hours_per_month, currency + " per hour", option_.disk_source);
    return node;
  }

  [[nodiscard]] bool preprocesses() const { return query_.phase == Phase::preprocess; }
  [[nodiscard]] const VolumeClass& volume() const { return *candidate_.disk.volume; }

  [[nodiscard]] Cause hours() const {
    return option_.spot ? spot_hours_cause(query_, option_, undisturbed())
                        : undisturbed("hours", option_.hours);
  }

  // What it would take on machines that stay.
  [[nodiscard]] Cause undisturbed() const {
    return undisturbed("undisturbed",
                       exact(option_.spot->useful_h, option_.hours.unit, option_.hours.source));
  }

  [[nodiscard]] Cause undisturbed(const char* name, const Estimate& hours) const {
    Cause node{name,
               hours,
               "items / first epoch's rate + (epochs - 1) x items / throughput",
               {{"items", static_cast<double>(query_.items), "", "given"},
                {"epochs", query_.epochs, "", "given"},
                {"first epoch's rate", prediction_.cold_items_per_s, "items/s", "fitted"}},
               "",
               false,
               {}};
    node.parts.push_back(throughput());
    return node;
  }

  [[nodiscard]] Cause throughput() const {
    Cause node{"throughput",
               option_.throughput,
               "the slowest of these, less what near ties cost (cpu and loader are one)",
               {{"sharpness", laws_.sharpness, "", "fitted"}},
               "",
               false,
               {disk(), cpu(), loader(), copy(), accelerator()}};
    for (std::size_t i = 0; i < bound_count; ++i) {
      node.parts[i].binding = static_cast<Bound>(i) == option_.limited_by;
    }
    return node;
  }

  [[nodiscard]] Estimate bound(Bound which, Source source) const {
    return exact(prediction_.bounds[which], "items/s", source);
  }

  [[nodiscard]] Cause disk() const {
    const auto speed = effective_disk(laws_, setting_);
    Cause node{"disk", bound(Bound::disk, option_.disk_source), "", {}, "", false, {}};
    if (std::isinf(node.value.value)) {
      node.formula = "not used: the data is synthetic or fits in memory";
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
    if (speed.iops > 0) {
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
    Cause node{
        "cpu",
        bound(Bound::cpu, weaker(Source::fitted, candidate_.cpu_source)),
        each(alone ? "capacity x CPU speed / (data path + network per item), less its fixed work "
                     "per step"
                   : "capacity x CPU speed / data path per item"),
        {{"vCPUs", setting_.cpus, "", "published"},
         {"capacity", cpu_capacity(laws_.scaling, setting_.cpus), "vCPUs", "fitted"},
         {"CPU speed", setting_.cpu_speed, "x the measured one", tag(candidate_.cpu_source)},
         {"data path", data_path_s(), "vCPU-s", "fitted"}},
        option_.cpu_provenance,
        false,
        {}};
    if (laws_.serial_cpu_s > 0) {
      node.formula =
          each("CPU speed / (what one thread does alone + the rest of the data path / capacity)");
      node.inputs.push_back({"of it by one thread", laws_.serial_cpu_s, "vCPU-s", "fitted"});
    }
    if (alone) {
      node.inputs.push_back({"network", laws_.compute.per_item_s, "vCPU-s", "fitted"});
      node.inputs.push_back({"fixed per step", laws_.compute.fixed_s, "vCPU-s", "fitted"});
      node.inputs.push_back({"batch", static_cast<double>(option_.batch_per_gpu), "", "given"});
    }
    return node;
  }

  // Of the CPU, per item: with what reading the misses costs.
  [[nodiscard]] double data_path_s() const {
    return data_cpu_seconds(laws_, setting_, 1 - prediction_.hit_ratio);
  }

  [[nodiscard]] Cause loader() const {
    Cause node{"loader", bound(Bound::loader, Source::fitted), "", {}, "", false, {}};
    if (std::isinf(node.value.value)) {
      node.formula = "not used: nothing is read";
      return node;
    }
    node.formula = each("threads / (wait for the disk + decode) per item");
    node.inputs = {{"threads", static_cast<double>(setting_.loader_threads), "", "assumed"},
                   {"decode", data_path_s() / setting_.cpu_speed, "s", "fitted"}};
    node.provenance = "one loader thread for each vCPU";
    return node;
  }

  [[nodiscard]] Cause copy() const {
    Cause node{"copy", bound(Bound::copy, Source::assumed), "", {}, "", false, {}};
    node.formula = std::isinf(node.value.value)
                       ? "not used: there is no GPU to copy to"
                       : each("host-to-device bandwidth / bytes of an item");
    node.provenance = std::isinf(node.value.value) ? "" : "12 GB/s for each GPU";
    return node;
  }

  [[nodiscard]] Cause accelerator() const {
    Cause node{"gpu", bound(Bound::accelerator, candidate_.rate_source), "", {}, "", false, {}};
    if (std::isinf(node.value.value)) {
      node.formula =
          preprocesses() ? "not used: the CPU preprocesses" : "not used: the CPU does the network";
      return node;
    }
    const double gpus = option_.gpus * (option_.service ? 1 : option_.nodes);
    node.formula = gpus <= 1 ? "one GPU's rate"
                   : query_.phase == Phase::train
                       ? "one GPU's rate x GPUs, less exchanging gradients"
                       : "one GPU's rate x GPUs";
    node.inputs = {{"GPUs", gpus, option_.gpu, "published"},
                   {"batch", static_cast<double>(option_.batch_per_gpu), "per GPU", "given"}};
    node.provenance = option_.rate_provenance;
    add_memory(node);
    return node;
  }

  // What a step holds of each GPU's memory, and who carries the gradients.
  void add_memory(Cause& node) const {
    const auto& need = candidate_.gpu_memory;
    const auto add = [&](const char* what, double bytes) {
      node.inputs.push_back({what, bytes / 0x1p30, "GiB", "assumed"});
    };
    if (query_.phase != Phase::train || need.total() <= 0) {
      return;
    }
    add("memory of each", need.total());
    add(query_.adapters.any() ? "frozen parameters and adapters"
        : option_.sharded     ? "a part of parameters, gradients and optimizer"
                              : "parameters, gradients and optimizer",
        need.parameters_bytes);
    add(option_.recompute ? "blocks' inputs and one block's activations" : "activations",
        need.activations_bytes);
    if (query_.adapters.any()) {
      node.formula +=
          fmt::format("; {}: only the adapters are trained", to_string(query_.adapters));
    }
    if (option_.recompute) {
      node.formula += "; blocks are run again in the backward pass";
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
};

}  // namespace

Cause cost_tree(const Query& query, const Model& model, const Appraisal& appraisal) {
  return Tree(query, model, appraisal).cost();
}

}  // namespace rightsize
