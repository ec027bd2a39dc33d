#include "advisor/report/report_tables.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "advisor/report/charts.h"
#include "advisor/report/evidence_charts.h"
#include "advisor/report/service_text.h"
#include "advisor/report/units.h"
#include "models/setting.h"

namespace rightsize::report {
namespace {

std::string cost_text(double amount, const Option& option) {
  return money(amount, option.cost.unit);
}

std::string with_interval(const Estimate& estimate) {
  return fmt::format("~{} {} ({} … {}), {}",
                     digits(estimate.value),
                     estimate.unit,
                     digits(estimate.low),
                     digits(estimate.high),
                     to_string(estimate.source));
}

std::string cost_with_interval(const Option& option) {
  return fmt::format("~{} ({} … {}), {}",
                     cost_text(option.cost.value, option),
                     cost_text(option.cost.low, option),
                     cost_text(option.cost.high, option),
                     to_string(option.cost.source));
}

std::string exact(const Money& amount) {
  return amount.decimal() + " " + amount.currency();
}

std::string or_dash(const std::string& text) {
  return text.empty() ? "—" : text;
}

std::string markets_text(const Query& query) {
  std::vector<std::string> words;
  for (const auto market : query.markets) {
    words.emplace_back(to_string(market));
  }
  return fmt::format("{}", fmt::join(words, ", "));
}

std::string limits_text(const Query& query) {
  std::vector<std::string> parts;
  if (query.service) {
    parts.push_back(service_words(query));
  }
  if (query.deadline_s) {
    parts.push_back("deadline " + duration(*query.deadline_s));
  }
  if (query.budget) {
    parts.push_back("budget " + exact(*query.budget));
  }
  return parts.empty() ? "none" : fmt::format("{}", fmt::join(parts, ", "));
}

std::string model_text(const ReportData& data) {
  return fmt::format("{} runs, latest {}; error {} median in cross-validation",
                     data.model.runs,
                     or_dash(data.model.measured_at),
                     percent(data.model.cv_median_error));
}

// Difference to the chosen, "+43%".
std::string difference(double value, double reference) {
  const double share = value / reference - 1;
  return (share >= 0 ? "+" : "") + percent(share);
}

// What is waited for: a job's end, or a service's answer.
double time_of(const Option& option) {
  return option.service ? option.p99.value : option.hours.value;
}

void add_alternative(Table& table, const char* role, const Option& option, const Option& chosen) {
  table.add(
      {role,
       option_name(option),
       option.region,
       option.service ? "~" + latency(option.p99.value) : "~" + digits(option.hours.value) + " h",
       "~" + cost_text(option.cost.value, option),
       &option == &chosen ? "—" : difference(time_of(option), time_of(chosen)),
       &option == &chosen ? "—" : difference(option.cost.value, chosen.cost.value)});
}

std::string gpu_text(const Option& option) {
  return option.gpu.empty() ? "none" : fmt::format("{} x {}", axis_number(option.gpus), option.gpu);
}

}  // namespace

Table premises_table(const ReportData& data) {
  const auto& answer = data.answer;
  const double confidence =
      answer.options.empty() ? data.model.confidence : answer.options.front().hours.confidence;
  Table table({{"premise"}, {"value"}});
  table.add({"Prices",
             answer.price_tables.empty()
                 ? "none used"
                 : fmt::format("{}", fmt::join(answer.price_tables, "; "))});
  table.add({"Price book, market", answer.query.book + ", " + markets_text(answer.query)});
  table.add({"Currency, month",
             fmt::format("{}; a month is {} h", answer.query.currency, hours_per_month)});
  table.add({"Constraints",
             fmt::format("{}; to be met with {} confidence",
                         limits_text(answer.query),
                         percent(answer.query.confidence))});
  table.add({"Intervals", percent(confidence) + "; ~ marks an estimate"});
  table.add({"Model", model_text(data)});
  table.add({"Measured on",
             data.records.empty() ? or_dash(answer.machine) : machine_sentence(data.machine)});
  table.add({"Tool", fmt::format("rightsize {}, {}", answer.tool_version, answer.generated_at)});
  return table;
}

Table alternatives_table(const Recommendation& answer) {
  const bool service = answer.query.service.has_value();
  Table table({{""},
               {"instance"},
               {"region"},
               {service ? "p99" : "time", Align::right},
               {service ? "a month" : "cost", Align::right},
               {service ? "p99 vs chosen" : "time vs chosen", Align::right},
               {"cost vs chosen", Align::right}});
  if (!answer.chosen || answer.options.empty()) {
    return table;
  }
  const auto& options = answer.options;
  const auto& chosen = options.front();
  add_alternative(table, "chosen", chosen, chosen);
  const auto add_first = [&](const char* role, const std::function<bool(const Option&)>& wanted) {
    const auto found = std::find_if(options.begin(), options.end(), wanted);
    if (found != options.end()) {
      add_alternative(table, role, *found, chosen);
    }
  };
  add_first("next with another GPU", [&](const auto& o) { return o.gpu != chosen.gpu; });
  add_first("next of another provider",
            [&](const auto& o) { return o.provider != chosen.provider; });
  const auto fastest =
      std::min_element(options.begin(), options.end(), [](const auto& a, const auto& b) {
        return time_of(a) < time_of(b);
      });
  if (fastest != options.begin()) {
    add_alternative(table, service ? "soonest listed" : "fastest listed", *fastest, chosen);
  }
  return table;
}

Table bill_table(const Option& option) {
  Table table({{"item"},
               {"quantity", Align::right},
               {"unit price", Align::right},
               {"amount", Align::right}});
  for (const auto& line : option.bill.lines) {
    table.add(
        {line.what, line.quantity, exact(line.unit_price) + " " + line.unit, exact(line.amount)});
  }
  table.add({"total", "", "", exact(option.bill.total)});
  return table;
}

namespace {

void add_service_facts(Table& table, const Option& option) {
  const auto& fleet = *option.service;
  table.add({"Machines", machines_text(fleet)});
  table.add({"99th percentile",
             latency_text(option.p99) + ", " + std::string(to_string(option.p99.source))});
  table.add({"Median, 95th percentile",
             "~" + latency(fleet.point.p50_s) + ", ~" + latency(fleet.point.p95_s)});
  table.add({"Load",
             fmt::format("{} of ~{} requests/s{}; mean minibatch {}",
                         percent(fleet.point.utilisation),
                         digits(fleet.point.saturation_per_s),
                         fleet.point.regime == ServingRegime::knee ? ", near the knee" : "",
                         digits(fleet.point.mean_batch))});
  table.add({"A million requests", "~" + per_million(option)});
}

}  // namespace

Table facts_table(const Option& option) {
  Table table({{"fact"}, {"value"}});
  table.add({"Shape",
             fmt::format("{} vCPUs, {} GiB, GPU: {}",
                         axis_number(option.vcpus),
                         axis_number(option.memory_gib),
                         gpu_text(option))});
  table.add({"Where",
             fmt::format("{} {}, {}", option.provider, option.region, to_string(option.market))});
  table.add({"Disk", or_dash(option.disk)});
  table.add({"Batch, precision",
             fmt::format("{} per GPU, {}", option.batch_per_gpu, to_string(option.precision))});
  table.add({"Throughput", with_interval(option.throughput)});
  if (option.service) {
    add_service_facts(table, option);
  } else {
    table.add({"Time", with_interval(option.hours)});
  }
  table.add({"Cost", cost_with_interval(option)});
  table.add({"Meets the constraints",
             fmt::format("{} probable{}",
                         chance(option.p_deadline),
                         option.satisfies ? "" : "; " + option.shortfall)});
  table.add({"Cheapest of all", option.satisfies ? chance(option.p_cheapest) : "—"});
  table.add({"Limited by", std::string(to_string(option.limited_by))});
  table.add({"Page cache serves", percent(option.hit_ratio) + " of the reads after one epoch"});
  table.add(
      {"Machine price",
       fmt::format(
           "{} per hour, as of {}", exact(option.price_per_hour), or_dash(option.price_as_of))});
  table.add({"Price from", or_dash(option.price_source)});
  table.add({"GPU speed from", or_dash(option.rate_provenance)});
  table.add({"CPU speed from", or_dash(option.cpu_provenance)});
  return table;
}

Table rejection_table(const Recommendation& answer) {
  Table table({{"offers", Align::right}, {"reason"}, {"for example"}});
  for (const auto& rejection : answer.rejected) {
    table.add({count(rejection.count),
               rejection.reason,
               fmt::format("{}", fmt::join(rejection.examples, ", "))});
  }
  return table;
}

Table busy_table(const Recommendation& answer, std::size_t limit) {
  std::vector<Column> columns{{"option"}};
  for (std::size_t b = 0; b < bound_count; ++b) {
    columns.push_back({std::string(to_string(static_cast<Bound>(b))), Align::right});
  }
  columns.push_back({"limited by"});
  Table table(columns);
  for (std::size_t i = 0; i < std::min(limit, answer.options.size()); ++i) {
    const auto& option = answer.options[i];
    std::vector<std::string> cells{option_name(option)};
    for (const double share : option.busy) {
      cells.push_back(percent(share));
    }
    cells.emplace_back(to_string(option.limited_by));
    table.add(std::move(cells));
  }
  return table;
}

std::string scope_sentence(const Recommendation& answer) {
  std::size_t rejected = 0;
  for (const auto& rejection : answer.rejected) {
    rejected += rejection.count;
  }
  return fmt::format(
      "{} combinations of offer, disk and batch were judged; {} satisfy every constraint, {} "
      "offers were rejected with a reason. Listed here: {} options, each in its cheapest region.",
      count(answer.candidates),
      count(answer.options_total),
      count(rejected),
      count(answer.options.size()));
}

}  // namespace rightsize::report
