#include "advisor/report/comparison_text.h"

#include <fmt/format.h>

#include "advisor/judge/near_ties.h"
#include "advisor/judge/pair_chance.h"
#include "advisor/query/objective_words.h"
#include "advisor/report/option_text.h"
#include "advisor/report/pair_data.h"
#include "advisor/report/pair_table.h"
#include "advisor/report/service_text.h"
#include "advisor/report/token_text.h"
#include "advisor/report/units.h"
#include "kernels/longer_sequence.h"

namespace rightsize::report {
namespace {

std::string or_neither(const std::string& name) {
  return name.empty() ? "neither" : name;
}

std::string better_name(const Comparison& comparison) {
  return side_names(comparison)[comparison.better];
}

std::string other_name(const Comparison& comparison) {
  return side_names(comparison)[1 - comparison.better];
}

// Of fleets by another objective than their cost: both are said, and no chance, which is drawn of
// the cost alone.
std::string fleets_by_objective(const Comparison& comparison) {
  const auto& best = comparison.sides[comparison.better].option;
  const auto& other = comparison.sides[1 - comparison.better].option;
  const auto terms = [](const Option& option) {
    return fmt::format(
        "~{} a month, {}",
        money(option.cost.value, option.cost.unit),
        option.tokens ? waiting_words(*option.tokens) : "p99 ~" + latency(option.p99.value));
  };
  return fmt::format("Take {}: {} than {} ({} against {}).",
                     better_name(comparison),
                     comparative(comparison.query.objective),
                     other_name(comparison),
                     terms(best),
                     terms(other));
}

// A fleet is rented for the wanted confidence, and that is what it costs; how many machines its
// true speed would take is another question, and the other may then be as cheap.
std::string fleets_sentence(const Comparison& comparison, double p) {
  const auto& best = comparison.sides[comparison.better].option;
  const auto& other = comparison.sides[1 - comparison.better].option;
  const auto cost = [](const Option& option) {
    return "~" + money(option.cost.value, option.cost.unit);
  };
  return fmt::format(
      "Take {}: for {} confidence {} a month against {} for {}. Of as many as their true speed "
      "takes it is the cheaper with {}{}.",
      better_name(comparison),
      percent(comparison.query.confidence),
      cost(best),
      cost(other),
      other_name(comparison),
      chance(p),
      !cannot_be_told_apart(1 - p) ? ""
      : cannot_be_told_apart(p)
          ? ": by that it " + tie_words(comparison.query.objective, "the other")
          : ", so the other is the likelier");
}

// Of jobs that are both done as asked; `p` that the better one is so.
std::string odds_sentence(const Comparison& comparison, double p) {
  const auto best = better_name(comparison);
  const auto other = other_name(comparison);
  const auto& objective = comparison.query.objective;
  const auto& sides = comparison.sides;
  if (wins_near_tie(
          comparison.query, sides[comparison.better].option, sides[1 - comparison.better].option)) {
    return fmt::format("Take {}: {}; {} is {} with probability {}.",
                       best,
                       near_tie_words,
                       other,
                       comparative(objective),
                       chance(1 - p));
  }
  if (is_likelier(1 - p)) {
    return fmt::format(
        "Take {}{}: {} is {} with probability {}, and worse by more where it is not.",
        best,
        typically,
        other,
        comparative(objective),
        chance(1 - p));
  }
  if (cannot_be_told_apart(1 - p)) {
    return fmt::format("Take {}, which {}: {} with probability {}.",
                       best,
                       tie_words(objective, other),
                       comparative(objective),
                       chance(p));
  }
  return fmt::format(
      "Take {}: {} than {} with probability {}.", best, comparative(objective), other, chance(p));
}

std::string better_sentence(const Comparison& comparison) {
  const auto& best = comparison.sides[comparison.better].option;
  const auto& other = comparison.sides[1 - comparison.better].option;
  const auto best_name = better_name(comparison);
  const auto others_name = other_name(comparison);
  if (!best.satisfies) {
    return fmt::format("Neither meets the constraints: {} {}; {} {}.",
                       best_name,
                       best.shortfall,
                       others_name,
                       other.shortfall);
  }
  if (!other.satisfies) {
    return fmt::format("Take {}: {} {}.", best_name, others_name, other.shortfall);
  }
  if (!comparison.p_first_better) {
    return fleets_by_objective(comparison);
  }
  const double p =
      comparison.better == 0 ? *comparison.p_first_better : 1 - *comparison.p_first_better;
  if (comparison.query.serves()) {
    return fleets_sentence(comparison, p);
  }
  return odds_sentence(comparison, p);
}

std::string crossing_value(const Crossing& crossing, double value) {
  return crossing.unit == "s" ? duration(value) : digits(value) + " " + crossing.unit;
}

std::string tried(const Crossing& crossing) {
  return crossing.unit == "s" ? duration(crossing.low) + " to " + duration(crossing.high)
                              : fmt::format("{} to {} {}",
                                            four_digits(crossing.low),
                                            four_digits(crossing.high),
                                            crossing.unit);
}

std::string crossing_sentence(const Crossing& crossing) {
  const auto& what = crossing.what;
  if (crossing.flips.empty()) {
    return fmt::format(
        "By {}: {} is the better everywhere that was tried, a twentieth to twenty "
        "times today's.",
        what,
        or_neither(crossing.beyond));
  }
  std::string text = fmt::format("By {}, {}: ", what, tried(crossing));
  for (const auto& flip : crossing.flips) {
    text += fmt::format("under {} {}; ", crossing_value(crossing, flip.at), or_neither(flip.below));
  }
  return text + fmt::format("from there on {}.", or_neither(crossing.beyond));
}

std::string deadline_sentence(const Comparison& comparison) {
  if (comparison.deadline_flips.empty()) {
    return fmt::format("No deadline changes that: {} is the better at each.",
                       or_neither(comparison.at_any_deadline));
  }
  std::string text = "By deadline: ";
  for (const auto& flip : comparison.deadline_flips) {
    text += fmt::format("under {} h {}; ", digits(flip.at), or_neither(flip.below));
  }
  return text + fmt::format("from there on {}.", or_neither(comparison.at_any_deadline));
}

// Empty where no price within the range that was tried changes the answer.
std::string price_sentence(const Comparison& comparison, std::size_t side) {
  const auto& option = comparison.sides[side].option;
  for (const auto& flip : comparison.price_flips) {
    if (flip.option == side) {
      return fmt::format("{} is the better below {} (now {}).",
                         side_names(comparison)[side],
                         rent(option, flip.price_per_hour),
                         rent(option, option.price_per_hour.approximate()));
    }
  }
  return "";
}

}  // namespace

Table comparison_table(const Comparison& comparison) {
  const auto names = side_names(comparison);
  const auto& first = comparison.sides[0].option;
  const auto& second = comparison.sides[1].option;
  return pair_table(
      comparison.query, first, second, comparison.ratios, {names[0], names[1], "second / first"});
}

Table comparison_data(const Comparison& comparison) {
  return pair_data(comparison.sides[0].option,
                   comparison.sides[1].option,
                   comparison.ratios,
                   {"first", "second"});
}

std::vector<std::string> comparison_sentences(const Comparison& comparison) {
  std::vector<std::string> sentences = {better_sentence(comparison)};
  if (comparison.query.serves()) {
    for (const auto& crossing : comparison.crossings) {
      sentences.push_back(crossing_sentence(crossing));
    }
  } else {
    sentences.push_back(deadline_sentence(comparison));
  }
  for (const auto side : {comparison.better, 1 - comparison.better}) {
    if (auto sentence = price_sentence(comparison, side); !sentence.empty()) {
      sentences.push_back(std::move(sentence));
    }
  }
  if (comparison.price_flips.empty()) {
    sentences.push_back(
        "No price of either, between a hundredth and a hundred times today's, changes that.");
  }
  const auto& query = comparison.query;
  if (const auto trained = exceeded_length(query.network, query.sequence, query.phase)) {
    sentences.push_back(
        fmt::format("Sequences of {} tokens are longer than the {} of training: {}.",
                    query.sequence,
                    trained,
                    longer_positions));
  }
  return sentences;
}

std::string comparison_text(const Comparison& comparison, const Style& style) {
  const auto sentences = comparison_sentences(comparison);
  std::string out = style.bold(wrapped(sentences[0], 98, "  ")) + "\n" +
                    comparison_table(comparison).text(style) + "\n";
  for (std::size_t i = 1; i < sentences.size(); ++i) {
    out += wrapped(sentences[i], 98, "  ");
  }
  return out + wrapped(fmt::format("~ marks an estimate; ranges are {} intervals, those of ratios "
                                   "without the errors that both sides share.",
                                   percent(comparison.ratios.cost.confidence)),
                       98,
                       "  ");
}

std::string comparison_markdown(const Comparison& comparison) {
  std::string out;
  for (const auto& sentence : comparison_sentences(comparison)) {
    out +=
        (out.empty() ? "**" + sentence + "**\n\n" + comparison_table(comparison).markdown() + "\n"
                     : "- " + sentence + "\n");
  }
  return out;
}

}  // namespace rightsize::report
