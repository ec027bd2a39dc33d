#include "advisor/report/answer.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "advisor/candidate/cpu_law.h"
#include "advisor/candidate/own_loader.h"
#include "advisor/report/option_text.h"
#include "advisor/report/right_sizing_text.h"
#include "advisor/report/service_text.h"
#include "advisor/report/sooner_text.h"
#include "advisor/report/table_notes.h"
#include "advisor/report/token_text.h"
#include "advisor/report/units.h"
#include "advisor/report/work_words.h"
#include "kernels/networks/program.h"

namespace rightsize::report {
namespace {

std::vector<std::string> next_commands(const std::string& again) {
  std::vector<std::string> next = {fmt::format("rightsize advise {} -o wide", again),
                                   fmt::format("rightsize advise {} -o json", again)};
  next.push_back("rightsize report --html report.html --md report.md " + again);
  return next;
}

// Which of them the vCPUs are counted by; nothing where no pictures are decoded.
std::string whose_loader(const Query& query) {
  switch (loaded_by(query)) {
    case LoadedBy::rightsize:
      return fmt::format(", by rightsize's own loader: a framework's takes some {:g} times its CPU",
                         loader_cost(Stack::current));
    case LoadedBy::framework:
      return fmt::format(
          ", a framework's loader counted as {:g} times the measured one's CPU (--loader {} counts "
          "that)",
          loader_cost(query.stack.value_or(Stack::current)),
          measured_loader);
    case LoadedBy::program:
      return fmt::format(", items loaded as {} did", query.loader);
    case LoadedBy::nobody:
      break;
  }
  return "";
}

std::string evidence_line(const Recommendation& answer) {
  if (answer.query.tokens) {
    return fmt::format("Times by {}; ~ marks an estimate, ranges are 90% intervals.", token_model);
  }
  if (!answer.data_path_note.empty()) {
    return fmt::format(
        "Fitted to {} on {}, but {}; ~ marks an estimate, ranges are {} intervals.",
        number_of(answer.runs, "run"),
        answer.machine,
        answer.data_path_note,
        percent(answer.options.empty() ? 0.9 : answer.options.front().hours.confidence));
  }
  return fmt::format(
      "{} {} on {} (cross-validated error {} median, {} P90){}; ~ marks an estimate, ranges "
      "are {} intervals.",
      program_named(answer.query.network) ? "Fitted to" : "Data path from",
      number_of(answer.runs, "run"),
      answer.machine,
      percent(answer.model_error),
      percent(answer.model_p90_error),
      whose_loader(answer.query),
      percent(answer.options.empty() ? 0.9 : answer.options.front().hours.confidence));
}

// "; 1 CNY = 0.14 USD, of 2026-11-02", of the rates that an option's price needed.
std::string rates_used(const Recommendation& answer) {
  std::string text;
  for (const auto& [from, rate] : answer.query.rates) {
    if (std::any_of(answer.options.begin(), answer.options.end(), [&](const Option& option) {
          return option.price_per_hour.currency() == from;
        })) {
      text += fmt::format("; 1 {} = {} {}, {}",
                          from,
                          Money(rate.rate_nanos, rate.to).decimal(),
                          rate.to,
                          rate.as_of);
    }
  }
  return text;
}

std::string prices_line(const Recommendation& answer) {
  return fmt::format("Prices: {} ({} book){}.",
                     answer.price_tables.empty()
                         ? "none used"
                         : fmt::format("{}", fmt::join(answer.price_tables, "; ")),
                     answer.query.book,
                     rates_used(answer));
}

}  // namespace

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
  return fmt::format("Rejected {}: {}.", count_of(total, "offer"), fmt::join(parts, "; "));
}

namespace {

// Where nothing satisfies: what comes closest.
std::string closest_sentence(const Recommendation& answer) {
  if (answer.options.empty()) {
    return "No offer satisfies the constraints, and none comes near.";
  }
  const auto& closest = answer.options.front();
  if (closest.tokens) {
    return token_closest(closest);
  }
  if (closest.service) {
    return fmt::format(
        "No offer satisfies the constraints; closest: {} x {} in {}, ~{} a month, p99 ~{}{}.",
        closest.service->machines,
        instance_label(closest),
        place(closest),
        money(closest.cost.value, closest.cost.unit),
        latency(closest.p99.value),
        in_brackets(closest.shortfall));
  }
  return fmt::format("No offer satisfies the constraints; closest: {} in {}, ~{} h, ~{}{}.",
                     instance_label(closest),
                     place(closest),
                     digits(closest.hours.value),
                     money(closest.cost.value, closest.cost.unit),
                     in_brackets(closest.shortfall));
}

}  // namespace

std::string answer_sentence(const Recommendation& answer) {
  if (!answer.chosen) {
    return closest_sentence(answer);
  }
  const auto& chosen = *answer.chosen;
  if (chosen.tokens) {
    return token_sentence(answer);
  }
  if (chosen.service) {
    return service_sentence(answer);
  }
  return fmt::format("Take {} ({}): ~{} h ({}), ~{} ({} … {}{}) for {}; limited by {} ({}).",
                     instance_label(chosen),
                     gpu_and_place(chosen),
                     digits(chosen.hours.value),
                     range(chosen.hours),
                     money(chosen.cost.value, chosen.cost.unit),
                     money(chosen.cost.low, chosen.cost.unit),
                     money(chosen.cost.high, chosen.cost.unit),
                     chosen.cost_per_1m_tokens > 0
                         ? fmt::format("; ~{} a million tokens written", per_million_tokens(chosen))
                         : "",
                     job_text(answer.query),
                     limited_by(chosen),
                     busy_text(chosen));
}

bool stays(const Recommendation& answer) {
  return answer.current && answer.current->current && !answer.current->move && answer.chosen;
}

std::string headline(const Recommendation& answer) {
  return stays(answer) ? right_sizing_sentence(answer) : answer_sentence(answer);
}

std::vector<std::string> current_lines(const Recommendation& answer) {
  std::vector<std::string> lines;
  if (!answer.current) {
    return lines;
  }
  if (!stays(answer)) {  // whose sentence leads
    lines.push_back(right_sizing_sentence(answer));
  }
  for (const auto& [name, text] : right_sizing_facts(answer)) {
    lines.push_back(name + ": " + text);
  }
  return lines;
}

std::string answer_text(const Recommendation& answer,
                        const Style& style,
                        std::size_t limit,
                        bool wide,
                        const std::string& again) {
  std::string out = style.bold(wrapped(headline(answer), 98, "  "));
  if (answer.current) {
    out += stays(answer) ? "" : style.bold(wrapped(right_sizing_sentence(answer), 98, "  "));
    for (const auto& [name, text] : right_sizing_facts(answer)) {
      out += wrapped(fmt::format("{:<9}{}", name, text), 98, std::string(9, ' '));
    }
  }
  if (!answer.options.empty()) {
    out += "\n" + shown_table(answer, limit, wide).text(style);
  }
  if (const auto left = options_left_out(answer, limit); left > 0) {
    out += fmt::format("  NOTE: {} more, --max-results 0 shows them\n", left);
  }
  for (const auto& note : table_notes(answer, limit)) {
    out += "  " + wrapped(note, 96, "    ");
  }
  out += "\n";
  if (const auto sooner = sooner_line(answer); !sooner.empty()) {
    out += wrapped(sooner, 98, "  ");
  }
  if (const auto rejected = rejected_line(answer); !rejected.empty()) {
    out += wrapped(rejected, 98, "  ");
  }
  out += wrapped(prices_line(answer), 98, "  ");
  out += wrapped(evidence_line(answer), 98, "  ");
  for (const auto& warning : answer.warnings) {
    out += style.bad("warning: ") + warning + "\n";
  }
  if (answer.chosen) {  // where nothing is chosen the warnings say what else to ask
    for (const auto& command : next_commands(again)) {
      out += style.dim("Next: ") + command + "\n";
    }
  }
  return out;
}

std::string answer_markdown(const Recommendation& answer, std::size_t limit) {
  std::string out = "**" + headline(answer) + "**\n\n";
  if (answer.current) {
    out += stays(answer) ? "" : "**" + right_sizing_sentence(answer) + "**\n\n";
    for (const auto& [name, text] : right_sizing_facts(answer)) {
      out += "- " + name + ": " + text + "\n";
    }
    out += "\n";
  }
  if (!answer.options.empty()) {
    out += shown_table(answer, limit, false).markdown() + "\n";
    for (const auto& note : table_notes(answer, limit)) {
      out += note + "\n\n";
    }
  }
  if (const auto sooner = sooner_line(answer); !sooner.empty()) {
    out += sooner + "\n\n";
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
