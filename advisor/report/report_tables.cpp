#include "advisor/report/report_tables.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "advisor/report/charts.h"
#include "advisor/report/evidence_charts.h"
#include "advisor/report/option_text.h"
#include "advisor/report/service_text.h"
#include "advisor/report/token_text.h"
#include "advisor/report/units.h"
#include "pricing/place.h"

namespace rightsize::report {
namespace {

std::string cost_text(double amount, const Option& option) {
  return money(amount, option.cost.unit);
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
  if (query.serves()) {
    parts.push_back(job_text(query));
  }
  if (query.deadline_s) {
    parts.push_back("deadline " + duration(*query.deadline_s));
  }
  if (query.budget) {
    parts.push_back("budget " + exact(*query.budget));
  }
  return parts.empty() ? "none" : fmt::format("{}", fmt::join(parts, ", "));
}

// Of a saved answer what it says itself: the model of that day is not at hand.
std::string model_text(const ReportData& data) {
  const bool saved = data.model.runs == 0;
  const auto& answer = data.answer;
  const double error = saved ? answer.model_error : data.model.cv_median_error;
  return fmt::format("{}, latest {}; {}",
                     number_of(saved ? answer.runs : data.model.runs, "run"),
                     or_dash(saved ? answer.measured_at : data.model.measured_at),
                     error > 0 ? fmt::format("error {} median in cross-validation", percent(error))
                               : std::string("error not known: no run was predicted from others"));
}

// Difference to the chosen, "+43%".
std::string difference(double value, double reference) {
  const double share = value / reference - 1;
  return (share >= 0 ? "+" : "") + percent(share);
}

bool serves(const Option& option) {
  return option.service || option.tokens;
}

// What is waited for: a job's end, or a service's answer.
double time_of(const Option& option) {
  return serves(option) ? waited_for(option).value : option.hours.value;
}

void add_alternative(Table& table, const char* role, const Option& option, const Option& chosen) {
  table.add(
      {role,
       option_name(option),
       region_name(option.region),
       serves(option) ? "~" + latency(time_of(option)) : "~" + digits(option.hours.value) + " h",
       "~" + cost_text(option.cost.value, option),
       &option == &chosen ? "—" : difference(time_of(option), time_of(chosen)),
       &option == &chosen ? "—" : difference(option.cost.value, chosen.cost.value)});
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
  if (answer.query.tokens) {
    table.add({"Model", token_model});
  } else {
    table.add({"Model", model_text(data)});
    // The records here may be of another machine than the model's.
    const bool here = !data.records.empty() && machine_key(data.machine) == answer.machine;
    table.add({"Measured on", here ? machine_sentence(data.machine) : or_dash(answer.machine)});
  }
  table.add({"Tool", fmt::format("rightsize {}, {}", answer.tool_version, answer.generated_at)});
  return table;
}

Table alternatives_table(const Recommendation& answer) {
  const bool service = answer.query.serves();
  const std::string p99 = answer.query.tokens ? "p99 of a sequence" : "p99";
  Table table({{""},
               {"instance"},
               {"region"},
               {service ? p99 : "time", Align::right},
               {service ? "a month" : "cost", Align::right},
               {(service ? p99 : "time") + " vs chosen", Align::right},
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

Table bill_table(const Bill& bill) {
  Table table({{"item"},
               {"quantity", Align::right},
               {"unit price", Align::right},
               {"amount", Align::right}});
  for (const auto& line : bill.lines) {
    table.add(
        {line.what, line.quantity, exact(line.unit_price) + " " + line.unit, exact(line.amount)});
  }
  table.add({"total", "", "", exact(bill.total)});
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
    cells.emplace_back(bottleneck_of(option));
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
      "{} of offer, disk and batch {} judged; {} every constraint, {} "
      "rejected with a reason. Listed here: {}, each in its cheapest region.",
      count_of(answer.candidates, "combination"),
      answer.candidates == 1 ? "was" : "were",
      answer.options_total == 1 ? "1 satisfies" : count(answer.options_total) + " satisfy",
      count_of(rejected, "offer") + (rejected == 1 ? " was" : " were"),
      count_of(answer.options.size(), "option"));
}

}  // namespace rightsize::report
