// The tree of explain(): every node repeats the formula that bill() used, with the numbers it used;
// what sets the pace hangs below (rate_tree).
#include <cmath>

#include <fmt/format.h>

#include "advisor/explain/cause_values.h"
#include "advisor/explain/explanation.h"
#include "advisor/explain/market_terms.h"
#include "advisor/explain/rate_tree.h"
#include "advisor/explain/spot_hours.h"

namespace rightsize {
namespace {

class Tree {
 public:
  Tree(const Query& query,
       const Model& model,
       const Appraisal& appraisal,
       const std::string& billing_basis)
      : query_(query),
        billing_basis_(billing_basis),
        option_(appraisal.option),
        candidate_(appraisal.candidate),
        prediction_(appraisal.prediction),
        throughput_(rate_tree(query, model, appraisal)) {}

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
      node.parts.push_back(machines_cause(query_, option_, throughput_));
      add_market_terms(node, query_, option_);
      return node;
    }
    if (option_.nodes > 1) {
      node.inputs.push_back(
          {"machines", static_cast<double>(option_.nodes), "", machines_tag(option_)});
    }
    add_billed(node);
    node.parts.push_back(hours());
    add_market_terms(node, query_, option_);
    const auto before = node.parts.size();
    for (const auto& line : option_.bill.lines) {
      if (line.kind == BillLine::Kind::storage || line.kind == BillLine::Kind::egress) {
        node.parts.push_back(data_line(line));
      }
    }
    if (node.parts.size() > before) {
      node.formula += " + where the data lie";
    }
    return node;
  }

 private:
  // Hours that are billed and not worked, which the parts of a price share, and the rate at which a
  // price of another currency counts.
  void add_billed(Cause& node) const {
    for (const auto& line : option_.bill.lines) {
      const double machine_hour = line.unit_price.approximate() * option_.nodes;
      if (line.kind != BillLine::Kind::machine || !(machine_hour > 0)) {
        continue;
      }
      const double unit_h = line.unit.starts_with("per month") ? hours_per_month : 1;
      const double billed = line.amount.approximate() / machine_hour * unit_h;
      if (std::abs(billed / option_.hours.value - 1) > 1e-3) {
        node.inputs.push_back({"billed", billed, "h", billing_basis_});
      }
      break;
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
            {{"price",
              line.unit_price.approximate(),
              currency + " " + line.unit,
              "published",
              line.unit_price.decimal()}},
            line.quantity,
            false,
            {},
            line.amount.decimal()};
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
      node.inputs.push_back({what, quantity, unit, "chosen"});
      node.inputs.push_back({"price",
                             price.approximate(),
                             fmt::format("{} per {} and month", currency, unit),
                             tag(option_.disk_source),
                             price.decimal()});
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
    Cause node{
        name,
        hours,
        "items / first epoch's rate + (epochs - 1) x items / throughput",
        {{"items", static_cast<double>(query_.items), "", "given"},
         {"epochs", query_.epochs, "", "given"},
         {"first epoch's rate", prediction_.cold_items_per_s, option_.throughput.unit, "fitted"}},
        "",
        false,
        {throughput_}};
    // A spot job's last checkpoint writes the state.
    const auto files =
        option_.spot ? candidate_.model_files.weights_alone() : candidate_.model_files;
    if (const double s = files.moving_s(candidate_.disk.speed, option_.nodes); s > 0) {
      node.parts.push_back(moving(files, s));
      node.formula += " + moving the model";
    }
    return node;
  }

  // The model's way from and to the disk.
  [[nodiscard]] Cause moving(const ModelFiles& files, double seconds) const {
    const std::string disk(to_string(option_.disk_source));
    Cause node{"moving the model",
               exact(seconds / 3600, "h", option_.disk_source),
               files.checkpoint_bytes <= 0 ? "weights / disk"
               : option_.nodes > 1         ? "(weights + state / machines) / disk"
                                           : "(weights + state) / disk",
               {{"weights", files.weights_bytes / 1e9, "GB", "derived"}},
               "",
               false,
               {}};
    if (files.checkpoint_bytes > 0) {
      node.inputs.push_back({"state", files.checkpoint_bytes / 1e9, "GB", "derived"});
    }
    if (option_.nodes > 1) {
      node.inputs.push_back(
          {"machines", static_cast<double>(option_.nodes), "", machines_tag(option_)});
    }
    node.inputs.push_back({"disk", candidate_.disk.speed.bytes_per_s / 1e6, "MB/s", disk});
    return node;
  }

  const Query& query_;
  const std::string& billing_basis_;  // "published" or "assumed"
  const Option& option_;
  const Candidate& candidate_;
  const Prediction& prediction_;
  Cause throughput_;
};

}  // namespace

Cause cost_tree(const Query& query,
                const Model& model,
                const Appraisal& appraisal,
                const std::string& billing_basis) {
  return Tree(query, model, appraisal, billing_basis).cost();
}

}  // namespace rightsize
