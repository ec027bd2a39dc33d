#include "advisor/report/answer.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "advisor/report/option_text.h"
#include "advisor/report/right_sizing_text.h"
#include "advisor/report/service_text.h"
#include "advisor/report/units.h"
#include "advisor/report/work_words.h"

namespace rightsize::report {
namespace {

std::vector<std::string> next_commands(const Recommendation& answer, const AskedAgain& again) {
  std::vector<std::string> next = {fmt::format("rightsize advise {} -o wide", again.advise),
                                   fmt::format("rightsize advise {} -o json", again.advise)};
  next.push_back("rightsize report --html report.html --md report.md " + again.report);
  return next;
}

bool same_offer(const Option& a, const Option& b) {
  return a.provider == b.provider && a.instance == b.instance && a.region == b.region &&
         a.market == b.market;
}

std::string rejected_line(const Recommendation& answer) {
  std::size_t total = 0;
  std::vector<std::string> parts;
  for (const auto& rejection : answer.rejected) {
    total += rejection.count;
    parts.push_back(fmt::format("{} {}", rejection.count, rejection.reason));
  }
  if (total == 0) {
    return "";
  }
  return fmt::format("Rejected {} offers: {}.", count(total), fmt::join(parts, "; "));
}

std::string evidence_line(const Recommendation& answer) {
  return fmt::format(
      "Data path from {} runs on {} (cross-validated error {} median, {} P90); ~ marks an "
      "estimate, "
      "ranges are {} intervals.",
      answer.runs,
      answer.machine,
      percent(answer.model_error),
      percent(answer.model_p90_error),
      percent(answer.options.empty() ? 0.9 : answer.options.front().hours.confidence));
}

std::string prices_line(const Recommendation& answer) {
  return fmt::format("Prices: {} ({} book).",
                     answer.price_tables.empty()
                         ? "none used"
                         : fmt::format("{}", fmt::join(answer.price_tables, "; ")),
                     answer.query.book);
}

}  // namespace

std::string answer_sentence(const Recommendation& answer) {
  if (!answer.chosen) {
    if (answer.options.empty()) {
      return "No offer satisfies the constraints, and none comes near.";
    }
    const auto& closest = answer.options.front();
    if (closest.service) {
      return fmt::format(
          "No offer satisfies the constraints; closest: {} x {} in {}, ~{} a month, p99 ~{} ({}).",
          closest.service->machines,
          instance_label(closest),
          place(closest),
          money(closest.cost.value, closest.cost.unit),
          latency(closest.p99.value),
          closest.shortfall);
    }
    return fmt::format("No offer satisfies the constraints; closest: {} in {}, ~{} h, ~{} ({}).",
                       instance_label(closest),
                       place(closest),
                       digits(closest.hours.value),
                       money(closest.cost.value, closest.cost.unit),
                       closest.shortfall);
  }
  const auto& chosen = *answer.chosen;
  if (chosen.service) {
    return service_sentence(answer);
  }
  return fmt::format("Take {} ({}, {}): ~{} h ({}), ~{} ({} … {}) for {}; limited by {} ({}).",
                     instance_label(chosen),
                     gpu_label(chosen),
                     place(chosen),
                     digits(chosen.hours.value),
                     range(chosen.hours),
                     money(chosen.cost.value, chosen.cost.unit),
                     money(chosen.cost.low, chosen.cost.unit),
                     money(chosen.cost.high, chosen.cost.unit),
                     job_text(answer.query),
                     limited_by(chosen),
                     busy_text(chosen));
}

Table option_table(const Recommendation& answer, std::size_t limit, bool wide) {
  const bool by_cost = answer.query.objective == Objective{};
  std::vector<Column> columns = {{"", Align::left},
                                 {"instance", Align::left},
                                 {"where", Align::left, 6},
                                 {"gpu", Align::left},
                                 {"cpus", Align::right, 4},
                                 {"GiB", Align::right, 5},
                                 {std::string(words_of(answer.query).per_s), Align::right, 3},
                                 {"hours", Align::right},
                                 {"cost", Align::right},
                                 {by_cost ? "cheapest" : "best", Align::right, 1},
                                 {"limited by", Align::left, 2},
                                 {"speed", Align::left, 7}};
  if (wide) {
    for (const auto* title :
         {"disk", "batch", "precision", "$/h", "price as of", "gpu rate from"}) {
      columns.push_back({title, Align::left, 8});
    }
  }
  Table table(columns);
  for (std::size_t i = 0; i < answer.options.size(); ++i) {
    const auto& option = answer.options[i];
    if (limit > 0 && i >= limit && !option.own) {
      continue;
    }
    const bool chosen = answer.chosen && same_offer(option, *answer.chosen);
    const bool tied = std::find(answer.ties.begin(), answer.ties.end(), i) != answer.ties.end();
    std::vector<std::string> cells = {chosen ? "*"
                                      : tied ? "="
                                             : "",
                                      instance_label(option),
                                      place(option),
                                      gpu_label(option),
                                      digits(option.vcpus),
                                      digits(option.memory_gib),
                                      "~" + digits(option.throughput.value),
                                      range(option.hours),
                                      "~" + money(option.cost.value, option.cost.unit),
                                      option.satisfies ? chance(option.p_cheapest) : "—",
                                      std::string(limited_by(option)),
                                      std::string(to_string(option.throughput.source))};
    if (wide) {
      cells.insert(cells.end(),
                   {option.disk,
                    std::to_string(option.batch_per_gpu),
                    std::string(to_string(option.precision)),
                    option.price_per_hour.decimal() + " " + option.price_per_hour.currency(),
                    option.price_as_of,
                    option.rate_provenance});
    }
    table.add(std::move(cells));
  }
  return table;
}

Table shown_table(const Recommendation& answer, std::size_t limit, bool wide) {
  return answer.query.service ? service_table(answer, limit) : option_table(answer, limit, wide);
}

Table numbered_option_table(const Recommendation& answer, std::size_t limit) {
  const auto plain = shown_table(answer, limit, false);
  auto columns = plain.columns();
  columns.insert(columns.begin(), {"#", Align::right});
  Table table(columns);
  for (auto cells : plain.rows()) {
    cells.insert(cells.begin(), std::to_string(table.rows().size() + 1));
    table.add(std::move(cells));
  }
  return table;
}

namespace {

constexpr std::array service_columns{"machines",
                                     "machines_low",
                                     "machines_high",
                                     "p99_s",
                                     "p99_low_s",
                                     "p99_high_s",
                                     "p50_s",
                                     "utilisation",
                                     "max_requests_per_s",
                                     "p_in_time",
                                     "cost_per_1k_requests"};

// Empty cells for what never ends.
std::vector<std::string> service_cells(const Option& option) {
  const auto& fleet = *option.service;
  const auto number = [](double value) {
    return std::isinf(value) ? std::string() : fmt::format("{:.6g}", value);
  };
  return {std::to_string(fleet.machines),
          std::to_string(fleet.machines_low),
          fleet.machines_high == 0 ? "" : std::to_string(fleet.machines_high),
          number(option.p99.value),
          number(option.p99.low),
          number(option.p99.high),
          number(fleet.point.p50_s),
          number(fleet.point.utilisation),
          number(fleet.point.saturation_per_s),
          number(fleet.p_enough),
          number(option.cost_per_1k_requests)};
}

}  // namespace

Table option_data(const Recommendation& answer) {
  std::vector<Column> columns({{"rank"},
                               {"provider"},
                               {"instance"},
                               {"region"},
                               {"market"},
                               {"gpu"},
                               {"gpus"},
                               {"vcpus"},
                               {"memory_gib"},
                               {"disk"},
                               {"batch_per_gpu"},
                               {"items_per_s"},
                               {"items_per_s_low"},
                               {"items_per_s_high"},
                               {"hours"},
                               {"hours_low"},
                               {"hours_high"},
                               {"cost"},
                               {"cost_low"},
                               {"cost_high"},
                               {"currency"},
                               {"p_cheapest"},
                               {"bottleneck"},
                               {"source"},
                               {"price_as_of"}});
  if (answer.query.service) {
    for (const auto* title : service_columns) {
      columns.push_back({title});
    }
  }
  Table table(columns);
  for (std::size_t i = 0; i < answer.options.size(); ++i) {
    const auto& option = answer.options[i];
    const auto number = [](double value) { return fmt::format("{:.6g}", value); };
    std::vector<std::string> cells{std::to_string(i + 1),
                                   option.provider,
                                   option.instance,
                                   option.region,
                                   std::string(to_string(option.market)),
                                   option.gpu,
                                   number(option.gpus),
                                   number(option.vcpus),
                                   number(option.memory_gib),
                                   option.disk,
                                   std::to_string(option.batch_per_gpu),
                                   number(option.throughput.value),
                                   number(option.throughput.low),
                                   number(option.throughput.high),
                                   number(option.hours.value),
                                   number(option.hours.low),
                                   number(option.hours.high),
                                   fmt::format("{:.2f}", option.cost.value),
                                   fmt::format("{:.2f}", option.cost.low),
                                   fmt::format("{:.2f}", option.cost.high),
                                   option.cost.unit,
                                   number(option.p_cheapest),
                                   std::string(to_string(option.limited_by)),
                                   std::string(to_string(option.throughput.source)),
                                   option.price_as_of};
    if (option.service) {
      const auto more = service_cells(option);
      cells.insert(cells.end(), more.begin(), more.end());
    }
    table.add(std::move(cells));
  }
  return table;
}

namespace {

// Whoever had better stay is not told to take the first of the table.
bool stays(const Recommendation& answer) {
  return answer.current && answer.current->current && !answer.current->move && answer.chosen;
}

}  // namespace

std::string answer_text(const Recommendation& answer,
                        const Style& style,
                        std::size_t limit,
                        bool wide,
                        const AskedAgain& again) {
  std::string out = stays(answer) ? "" : style.bold(wrapped(answer_sentence(answer), 98, "  "));
  if (answer.current) {
    out += style.bold(wrapped(right_sizing_sentence(answer), 98, "  "));
    for (const auto& [name, text] : right_sizing_facts(answer)) {
      out += wrapped(fmt::format("{:<9}{}", name, text), 98, std::string(9, ' '));
    }
  }
  if (!answer.options.empty()) {
    out += "\n" + shown_table(answer, limit, wide).text(style);
  }
  const auto shown = limit == 0 ? answer.options.size() : std::min(limit, answer.options.size());
  if (answer.options.size() > shown) {
    out +=
        fmt::format("  NOTE: {} more, --max-results 0 shows them\n", answer.options.size() - shown);
  }
  if (!answer.ties.empty()) {
    out += fmt::format("  = cannot be told apart from the first on {}\n",
                       answer.query.objective == Objective{}
                           ? "cost"
                           : "the objective, " + to_string(answer.query.objective));
  }
  out += "\n";
  if (const auto rejected = rejected_line(answer); !rejected.empty()) {
    out += wrapped(rejected, 98, "  ");
  }
  out += wrapped(prices_line(answer), 98, "  ");
  out += wrapped(evidence_line(answer), 98, "  ");
  for (const auto& warning : answer.warnings) {
    out += style.bad("warning: ") + warning + "\n";
  }
  for (const auto& command : next_commands(answer, again)) {
    out += style.dim("Next: ") + command + "\n";
  }
  return out;
}

std::string answer_markdown(const Recommendation& answer, std::size_t limit) {
  std::string out = stays(answer) ? "" : "**" + answer_sentence(answer) + "**\n\n";
  if (answer.current) {
    out += "**" + right_sizing_sentence(answer) + "**\n\n";
    for (const auto& [name, text] : right_sizing_facts(answer)) {
      out += "- " + name + ": " + text + "\n";
    }
    out += "\n";
  }
  if (!answer.options.empty()) {
    out += shown_table(answer, limit, false).markdown() + "\n";
  }
  if (const auto rejected = rejected_line(answer); !rejected.empty()) {
    out += rejected + "\n\n";
  }
  out += prices_line(answer) + "\n\n" + evidence_line(answer) + "\n";
  for (const auto& warning : answer.warnings) {
    out += "\n> warning: " + warning + "\n";
  }
  out += "\n<details><summary>Assumptions</summary>\n\n";
  for (const auto& assumption : answer.assumptions) {
    out += "- " + assumption + "\n";
  }
  return out + "\n</details>\n";
}

}  // namespace rightsize::report
