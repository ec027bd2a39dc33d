#include "advisor/report/explanation_text.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "advisor/full_name.h"
#include "advisor/query/objective_words.h"
#include "advisor/report/break_even_text.h"
#include "advisor/report/cause_text.h"
#include "advisor/report/neighbour_text.h"
#include "advisor/report/option_text.h"
#include "advisor/report/service_text.h"
#include "advisor/report/token_explanation_text.h"
#include "advisor/report/units.h"

namespace rightsize::report {
namespace {

constexpr std::size_t width = 98;

std::string at_text(const Sensitivity& row, double value) {
  return row.unit == "1"            ? fmt::format("{:.3g} x", value)
         : row.unit == "h"          ? digits(value) + " h"
         : row.unit == "s"          ? duration(value)
         : row.unit.ends_with("/s") ? digits(value) + " " + row.unit
                                    : four_digits(value) + " " + row.unit;
}

std::string or_nothing(const std::string& name) {
  return name.empty() ? "nothing satisfies" : "take " + name;
}

// The flips next to where we are: with the deadline open, the last one.
std::string nearest_flips(const Sensitivity& row) {
  const Flip* below = nullptr;
  const Flip* above = nullptr;
  for (const auto& flip : row.flips) {
    if (!row.now || flip.at <= *row.now) {
      below = &flip;
    } else if (above == nullptr) {
      above = &flip;
    }
  }
  std::string out;
  if (below != nullptr) {
    out += fmt::format("under {} {}", at_text(row, below->at), or_nothing(below->below));
  }
  if (above != nullptr) {
    out += fmt::format(
        "{}from {} {}", out.empty() ? "" : "; ", at_text(row, above->at), or_nothing(above->above));
  }
  return out;
}

// For an option that is not the answer: where it would be.
std::string where_it_wins(const Sensitivity& row, const std::string& name) {
  for (const auto& flip : row.flips) {
    if (flip.below == name || flip.above == name) {
      return fmt::format(
          "; {} it is {} {}", name, flip.below == name ? "under" : "from", at_text(row, flip.at));
    }
  }
  return fmt::format("; never {}", name);
}

// Where this very instance ends, whatever the others do.
std::vector<std::string> limit_sentences(const Explanation& explanation) {
  if (explanation.tokens) {
    return token_limit_sentences(explanation);
  }
  if (!explanation.service) {
    return {};
  }
  const auto& margins = *explanation.service;
  const auto& option = explanation.option;
  const auto sure = percent(explanation.query.confidence);
  std::vector<std::string> sentences;
  if (margins.most_requests_per_s > 0) {
    sentences.push_back(fmt::format("{} x {} answer up to {} requests/s in time with {} confidence",
                                    option.service->machines,
                                    full_name(option),
                                    digits(margins.most_requests_per_s),
                                    sure));
  }
  sentences.push_back(
      fmt::format("no number of {}, in minibatches of at most {}, answers 99% within less than {} "
                  "with {} confidence",
                  full_name(option),
                  option.batch_per_gpu,
                  least_latency(margins.least_p99_s),
                  sure));
  return sentences;
}

// Why not this one, which satisfies.
std::string chosen_words(const Explanation& explanation) {
  return explanation.chosen_near_tie
             ? fmt::format("{} is taken: {}", explanation.chosen, near_tie_words)
             : fmt::format("{} is {}{}",
                           explanation.chosen,
                           comparative(explanation.query.objective),
                           explanation.chosen_typically ? typically : "");
}

// What the option is to the answer: it, as good but dearer, or not enough.
std::string standing(const Explanation& explanation, const std::string& costs) {
  const auto& option = explanation.option;
  const auto name = full_name(option);
  if (explanation.chosen == name) {
    return fmt::format(
        "{} is the answer{}{}: {}.",
        name,
        explanation.place.empty() ? "" : " in " + explanation.place,
        explanation.besides.empty() ? "" : " with " + explanation.besides + " besides",
        costs);
  }
  return option.satisfies
             ? fmt::format("{}: {}. It satisfies; {}.", name, costs, chosen_words(explanation))
             : fmt::format("{}: {}. It {}; {}.",
                           name,
                           costs,
                           option.shortfall,
                           explanation.chosen.empty() ? "nothing else satisfies either"
                                                      : explanation.chosen + " is the answer");
}

std::string service_verdict(const Explanation& explanation) {
  const auto& option = explanation.option;
  return standing(
      explanation,
      fmt::format("{} of it, ~{} a month, ~{} per million requests, p99 ~{}; limited by {}",
                  option.service->machines,
                  money(option.cost.value, option.cost.unit),
                  per_million(option),
                  latency(option.p99.value),
                  limited_by(option)));
}

std::string verdict(const Explanation& explanation) {
  const auto& option = explanation.option;
  if (explanation.tokens) {
    return standing(explanation, token_verdict(explanation));
  }
  if (option.service) {
    return service_verdict(explanation);
  }
  const auto several =
      option.nodes > 1 ? fmt::format("{} machines together, ", option.nodes) : std::string();
  return standing(explanation,
                  fmt::format("{}~{} h, ~{}; limited by {}",
                              several,
                              digits(option.hours.value),
                              money(option.cost.value, option.cost.unit),
                              limited_by(option)));
}

std::string interval_sentence(const Explanation& explanation) {
  std::string out = "The interval comes from ";
  for (std::size_t i = 0; i < explanation.spread.size(); ++i) {
    const auto& part = explanation.spread[i];
    out +=
        fmt::format("{}{} ±{} [{}]", i == 0 ? "" : ", ", part.name, percent(part.value), part.tag);
  }
  return out + fmt::format(", at {} confidence.", percent(explanation.option.hours.confidence));
}

// Headings with their lines, for text and Markdown alike.
std::vector<std::pair<std::string, std::vector<std::string>>> sections(
    const Explanation& explanation) {
  std::vector<std::string> used;
  for (const auto& row : explanation.substitutions) {
    used.push_back(fmt::format("{}: {} -> {} ({})", row.what, row.given, row.used, row.why));
  }
  std::vector<std::string> margins;
  for (const auto& row : explanation.neighbours) {
    margins.push_back(neighbour_sentence(row));
  }
  std::vector<std::string> steps;
  if (explanation.service) {
    for (const auto& step : explanation.service->steps) {
      steps.push_back(step_sentence(step, explanation.option));
    }
  }
  std::vector<std::string> ways;
  if (explanation.tokens) {
    steps = token_machine_sentences(explanation);
    ways = token_step_sentences(explanation);
  }
  return {{"Given and used", used},
          {"Rent or buy", break_even_sentences(explanation)},
          {"Would change the answer", flip_sentences(explanation)},
          {"Would be too much for it", limit_sentences(explanation)},
          {"One machine fewer or more", steps},
          {"The same machine, asked for something else", ways},
          {explanation.tokens ? "With more or fewer of the same GPU"
                              : "With the same GPUs and more or fewer vCPUs",
           margins}};
}

}  // namespace

std::vector<std::string> flip_sentences(const Explanation& explanation) {
  const auto name = full_name(explanation.option);
  std::vector<std::string> sentences;
  for (const auto& row : explanation.sensitivities) {
    const auto now = row.now && row.unit != "1" ? fmt::format(" (now {})", at_text(row, *row.now))
                                                : std::string();
    const auto near = nearest_flips(row);
    sentences.push_back(fmt::format(
        "{}{}: {}{}",
        row.what,
        now,
        near.empty()
            ? fmt::format(
                  "nothing between {} and {}", at_text(row, row.low), at_text(row, row.high))
            : near,
        explanation.chosen == name || near.find(name) != std::string::npos
            ? ""
            : where_it_wins(row, name)));
  }
  return sentences;
}

std::string explanation_text(const Explanation& explanation, const Style& style) {
  std::string out = style.bold(wrapped(verdict(explanation), width, "  ")) + "\n" +
                    cause_text(explanation.cost, style) + "\n" +
                    wrapped(interval_sentence(explanation), width, "  ");
  for (const auto& [heading, lines] : sections(explanation)) {
    if (!lines.empty()) {
      out += "\n" + style.bold(heading) + "\n";
    }
    for (const auto& line : lines) {
      out += "  " + wrapped(line, width - 2, "    ");
    }
  }
  return out;
}

std::string explanation_markdown(const Explanation& explanation) {
  std::string out = "**" + verdict(explanation) + "**\n\n```\n" + cause_text(explanation.cost, {}) +
                    "```\n\n" + interval_sentence(explanation) + "\n";
  for (const auto& [heading, lines] : sections(explanation)) {
    if (!lines.empty()) {
      out += "\n" + heading + ":\n\n";
    }
    for (const auto& line : lines) {
      out += "- " + line + "\n";
    }
  }
  return out;
}

}  // namespace rightsize::report
