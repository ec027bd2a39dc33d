#include "advisor/report/comparison_text.h"

#include <cmath>
#include <functional>

#include <fmt/format.h>

#include "advisor/report/option_text.h"
#include "advisor/report/pair_data.h"
#include "advisor/report/service_text.h"
#include "advisor/report/units.h"
#include "advisor/report/work_words.h"

namespace rightsize::report {
namespace {

using Fact = std::function<std::string(const Option&)>;

struct Pair {
  const Option& first;
  const Option& second;
};

void add_fact(Table& table, const Pair& pair, const char* name, const Fact& fact) {
  table.add({name, fact(pair.first), fact(pair.second), ""});
}

// "1.42 x (1.29 … 1.57) faster": the side that is further from 1 is said in words.
std::string ratio_text(const Estimate& ratio, const char* more, const char* less) {
  if (digits(ratio.low) == "1.00" && digits(ratio.high) == "1.00") {
    return "the same";
  }
  const bool up = ratio.value >= 1;
  return fmt::format("{} x ({} … {}) {}",
                     digits(up ? ratio.value : 1 / ratio.value),
                     digits(up ? ratio.low : 1 / ratio.high),
                     digits(up ? ratio.high : 1 / ratio.low),
                     up ? more : less);
}

std::string with_range(const std::string& value, const std::string& low, const std::string& high) {
  return fmt::format("~{} ({} … {})", value, low, high);
}

std::string cost_text(const Option& option) {
  return with_range(money(option.cost.value, option.cost.unit),
                    money(option.cost.low, option.cost.unit),
                    money(option.cost.high, option.cost.unit));
}

std::string rate_text(const Option& option) {
  return with_range(digits(option.throughput.value),
                    digits(option.throughput.low),
                    digits(option.throughput.high));
}

std::string busy_cell(const Option& option, Bound bound) {
  const double busy = option.busy[static_cast<std::size_t>(bound)];
  if (busy == 0) {
    return "—";
  }
  return percent(busy) + (option.limited_by == bound ? " <= limits" : "");
}

// A fleet's: what it costs, how soon and how much it answers.
void add_fleets(Table& table, const Pair& pair, const Ratios& ratios) {
  const auto& [first, second] = pair;
  add_fact(table, pair, "machines", [](const Option& o) { return machines_text(*o.service); });
  table.add({"cost of a month",
             cost_text(first),
             cost_text(second),
             ratio_text(ratios.cost, "dearer", "cheaper")});
  add_fact(
      table, pair, "per million requests", [](const Option& o) { return "~" + per_million(o); });
  table.add({"p99",
             latency_text(first.p99),
             latency_text(second.p99),
             ratios.p99 ? ratio_text(*ratios.p99, "later", "sooner") : ""});
  add_fact(table, pair, "p50, p95", [](const Option& o) {
    const auto& point = o.service->point;
    return fmt::format("~{}, ~{}", latency(point.p50_s), latency(point.p95_s));
  });
  add_fact(table, pair, "load", [](const Option& o) {
    return percent(o.service->point.utilisation) +
           (o.service->point.regime == ServingRegime::knee ? ", near its knee" : "");
  });
  add_fact(table, pair, "most requests/s", [](const Option& o) {
    return "~" + digits(o.service->point.saturation_per_s);
  });
  table.add({"of one machine",
             rate_text(first),
             rate_text(second),
             ratio_text(ratios.throughput, "faster", "slower")});
}

void add_estimates(Table& table, const Query& query, const Pair& pair, const Ratios& ratios) {
  const auto& [first, second] = pair;
  table.add({fmt::format("throughput {}", words_of(query).per_s),
             rate_text(first),
             rate_text(second),
             ratio_text(ratios.throughput, "faster", "slower")});
  table.add(
      {"hours",
       with_range(digits(first.hours.value), digits(first.hours.low), digits(first.hours.high)),
       with_range(digits(second.hours.value), digits(second.hours.low), digits(second.hours.high)),
       ratio_text(ratios.hours, "longer", "shorter")});
  table.add({"cost of the job",
             cost_text(first),
             cost_text(second),
             ratio_text(ratios.cost, "dearer", "cheaper")});
}

std::string price(double amount, const std::string& currency) {
  return currency == "USD" ? fmt::format("${:.4g}/h", amount)
                           : fmt::format("{:.4g} {}/h", amount, currency);
}

std::string or_neither(const std::string& name) {
  return name.empty() ? "neither" : name;
}

std::string cheaper_sentence(const Comparison& comparison) {
  const auto& best = comparison.sides[comparison.better].option;
  const auto& other = comparison.sides[1 - comparison.better].option;
  if (!best.satisfies) {
    return fmt::format("Neither meets the constraints: {} {}; {} {}.",
                       full_name(best),
                       best.shortfall,
                       full_name(other),
                       other.shortfall);
  }
  const double p =
      comparison.better == 0 ? comparison.p_first_cheaper : 1 - comparison.p_first_cheaper;
  if (!other.satisfies) {
    return fmt::format("Take {}: {} {}.", full_name(best), full_name(other), other.shortfall);
  }
  return fmt::format("Take {}: cheaper than {} with probability {}.",
                     full_name(best),
                     full_name(other),
                     chance(p));
}

std::string crossing_value(const Crossing& crossing, double value) {
  return crossing.unit == "s" ? duration(value) : digits(value) + " " + crossing.unit;
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
  std::string text = fmt::format("By {}: ", what);
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
                         full_name(option),
                         price(flip.price_per_hour, flip.currency),
                         price(option.price_per_hour.approximate(), flip.currency));
    }
  }
  return "";
}

}  // namespace

Table pair_table(const Query& query,
                 const Option& first,
                 const Option& second,
                 const Ratios& ratios,
                 const std::array<std::string, 3>& titles) {
  const Pair pair{first, second};
  Table table({{""}, {titles[0], Align::right}, {titles[1], Align::right}, {titles[2]}});
  if (first.service && second.service) {
    add_fleets(table, pair, ratios);
  } else {
    add_estimates(table, query, pair, ratios);
  }
  add_fact(table, pair, "speed from", [](const Option& o) {
    return std::string(to_string(o.throughput.source));
  });
  add_fact(table, pair, "meets constraints", [](const Option& o) {
    return chance(o.p_deadline) + (o.satisfies ? "" : " too unlikely");
  });
  add_fact(table, pair, "price", [](const Option& o) {
    return price(o.price_per_hour.approximate(), o.price_per_hour.currency());
  });
  add_fact(table, pair, "where", [](const Option& o) {
    return o.region + (o.market == Market::spot ? ", spot" : "");
  });
  add_fact(table, pair, "gpu", gpu_label);
  add_fact(table, pair, "vCPUs, GiB", [](const Option& o) {
    return fmt::format("{}, {}", axis_number(o.vcpus), axis_number(o.memory_gib));
  });
  add_fact(table, pair, "disk", [](const Option& o) { return o.disk; });
  add_fact(table, pair, "batch, precision", [](const Option& o) {
    return fmt::format("{}, {}", o.batch_per_gpu, to_string(o.precision));
  });
  for (std::size_t i = 0; i < bound_count; ++i) {
    const auto bound = static_cast<Bound>(i);
    add_fact(
        table, pair, fmt::format("{} busy", to_string(bound)).c_str(), [bound](const Option& o) {
          return busy_cell(o, bound);
        });
  }
  return table;
}

Table comparison_table(const Comparison& comparison) {
  const auto& first = comparison.sides[0].option;
  const auto& second = comparison.sides[1].option;
  return pair_table(comparison.query,
                    first,
                    second,
                    comparison.ratios,
                    {full_name(first), full_name(second), "second / first"});
}

Table comparison_data(const Comparison& comparison) {
  return pair_data(comparison.sides[0].option,
                   comparison.sides[1].option,
                   comparison.ratios,
                   {"first", "second"});
}

std::vector<std::string> comparison_sentences(const Comparison& comparison) {
  std::vector<std::string> sentences = {cheaper_sentence(comparison)};
  if (comparison.query.service) {
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
