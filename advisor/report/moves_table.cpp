#include "advisor/report/moves_table.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "advisor/report/option_columns.h"
#include "advisor/report/option_text.h"
#include "advisor/report/todays_advice.h"
#include "advisor/report/units.h"

namespace rightsize::report {
namespace {

// What is paid today and by the advice, of one answer or of several together.
struct Paid {
  double now = 0;
  double then = 0;
  int answers = 0;
};

// Bills of one currency and one span of time can be added up.
struct Span {
  std::string currency;
  bool month = false;

  auto operator<=>(const Span&) const = default;
};

Span span_of(const Query& query) {
  return {query.currency, query.serves() || query.runs_per_month.has_value()};
}

// nullopt where today's machine cannot do the job, and where nothing satisfies.
std::optional<Paid> paid_of(const Recommendation& answer) {
  const auto& it = *answer.current;
  const auto* take = todays_advice(answer).take;
  if (!it.current || take == nullptr) {
    return std::nullopt;
  }
  const double runs = answer.query.serves() ? 1 : answer.query.runs_per_month.value_or(1);
  return Paid{it.current->cost.value * runs, take->cost.value * runs, 1};
}

// One job asked about two clouds is two answers, of which one is taken: nothing to add up.
bool ask_of_one_job_twice(const std::vector<NamedAnswer>& answers) {
  std::set<std::pair<std::string, std::string>> jobs;
  return std::any_of(answers.begin(), answers.end(), [&](const NamedAnswer& named) {
    const auto& query = named.answer.query;
    return named.answer.current && !jobs.emplace(query.name, query.network).second;
  });
}

std::map<Span, Paid> totals_of(const std::vector<NamedAnswer>& answers) {
  std::map<Span, Paid> totals;
  if (ask_of_one_job_twice(answers)) {
    return totals;
  }
  for (const auto& named : answers) {
    const auto paid = named.answer.current ? paid_of(named.answer) : std::nullopt;
    if (paid) {
      auto& total = totals[span_of(named.answer.query)];
      total.now += paid->now;
      total.then += paid->then;
      ++total.answers;
    }
  }
  return totals;
}

std::string saved_words(const Paid& paid, const std::string& currency) {
  const double saved = paid.now - paid.then;
  return saved == 0 ? "—"
                    : fmt::format("{}~{}, {}",
                                  saved < 0 ? "none, " : "",
                                  money(std::abs(saved), currency) + (saved < 0 ? " more" : ""),
                                  percent(std::abs(saved) / paid.now));
}

std::string about(double amount, const std::string& currency) {
  return "~" + money(amount, currency);
}

// "4 x g6e.xlarge".
std::string machines_of(const Option& option) {
  const bool serves = option.service || option.tokens;  // else the label has them
  return serves && option.nodes > 1 ? fmt::format("{} x {}", option.nodes, instance_label(option))
                                    : instance_label(option);
}

std::string what_to_take(const Recommendation& answer) {
  const auto advice = todays_advice(answer);
  return advice.leaves() ? machines_of(*advice.take) : "—";
}

std::string today_of(const RightSizing& it) {
  return it.current ? machines_of(*it.current) : it.name;
}

std::string finding_of(const RightSizing& it) {
  const bool told = !it.current && !it.reason.empty();
  return fmt::format("{}{}{}",
                     to_string(it.finding),
                     told || !it.reason_codes.empty() ? ": " : "",
                     told ? it.reason : fmt::format("{}", fmt::join(it.reason_codes, ", ")));
}

// The job's name, and its file where others are called so too.
std::string job_of(const NamedAnswer& named, const std::vector<NamedAnswer>& answers) {
  const auto alike = std::count_if(answers.begin(), answers.end(), [&](const NamedAnswer& other) {
    return other.job() == named.job();
  });
  return alike > 1 && named.job() != named.name ? fmt::format("{} ({})", named.job(), named.name)
                                                : named.job();
}

void add_row(Table& table, const NamedAnswer& named, const std::vector<NamedAnswer>& answers) {
  const auto& answer = named.answer;
  const auto& it = *answer.current;
  const auto paid = paid_of(answer);
  const auto span = span_of(answer.query);
  table.add({job_of(named, answers),
             today_of(it),
             advice_words(answer),
             what_to_take(answer),
             span.month ? "month" : "run",
             paid ? about(paid->now, span.currency) : "—",
             paid ? about(paid->then, span.currency) : "—",
             paid ? saved_words(*paid, span.currency) : "—",
             finding_of(it)});
}

std::string count_words(const std::vector<NamedAnswer>& answers) {
  using Kind = TodaysAdvice::Kind;
  std::map<Kind, int> counts;
  int asked = 0;
  for (const auto& named : answers) {
    if (named.answer.current) {
      ++counts[todays_advice(named.answer).kind];
      ++asked;
    }
  }
  if (asked == 0) {
    return "";
  }
  auto words = fmt::format("{} of {} move", counts[Kind::move], asked);
  const auto add = [&](int count, const char* one, const char* many) {
    if (count > 0) {
      words += fmt::format(", {} {}", count, count == 1 ? one : many);
    }
  };
  add(counts[Kind::fewer], "keeps fewer machines", "keep fewer machines");
  add(counts[Kind::more], "takes more machines", "take more machines");
  add(counts[Kind::stay], "stays", "stay");
  add(counts[Kind::misses] + counts[Kind::unable],
      "has nothing that fits",
      "have nothing that fits");
  add(counts[Kind::not_judged], "was not judged", "were not judged");
  return words;
}

// Of what is left though it was signed for, which the sums have in them.
std::vector<std::string> signed_amounts(const std::vector<NamedAnswer>& answers) {
  std::map<Span, double> left;
  for (const auto& [name, answer] : answers) {
    const auto paid = answer.current ? paid_of(answer) : std::nullopt;
    if (paid && leaves_signed_for(answer)) {
      left[span_of(answer.query)] += paid->now;
    }
  }
  std::vector<std::string> amounts;
  for (const auto& [span, amount] : left) {
    amounts.push_back(
        fmt::format("{} a {}", about(amount, span.currency), span.month ? "month" : "run"));
  }
  return amounts;
}

}  // namespace

std::string moves_sentence(const std::vector<NamedAnswer>& answers) {
  const auto counts = count_words(answers);
  std::vector<std::string> sums;
  for (const auto& [span, paid] : totals_of(answers)) {
    if (paid.now != paid.then) {
      sums.push_back(fmt::format("{} {} {} a {} ({})",
                                 about(std::abs(paid.now - paid.then), span.currency),
                                 paid.now > paid.then ? "saved of" : "more than",
                                 about(paid.now, span.currency),
                                 span.month         ? "month"
                                 : paid.answers > 1 ? "run of each"
                                                    : "run",
                                 percent(std::abs(1 - paid.then / paid.now))));
    }
  }
  const auto paid = signed_amounts(answers);
  return counts.empty()
             ? ""
             : fmt::format("{}{}{}.{}",
                           counts,
                           sums.empty() ? "" : ": ",
                           fmt::join(sums, ", "),
                           paid.empty()
                               ? ""
                               : " " + signed_sentence(fmt::format("{}", fmt::join(paid, " and ")),
                                                       "moving"));
}

Table moves_table(const std::vector<NamedAnswer>& answers) {
  Table table({{"job"},
               {"today"},
               {"advice"},
               {"take"},
               {"per"},
               {"today's cost", Align::right},
               {"then", Align::right},
               {"saved", Align::right},
               {"finding"}});
  for (const auto& named : answers) {
    if (named.answer.current) {
      add_row(table, named, answers);
    }
  }
  for (const auto& [span, paid] : totals_of(answers)) {
    if (paid.answers > 1) {
      table.add({fmt::format("all {} by the {}", paid.answers, span.month ? "month" : "run"),
                 "",
                 "",
                 "",
                 span.month ? "month" : "run of each",
                 about(paid.now, span.currency),
                 about(paid.then, span.currency),
                 saved_words(paid, span.currency),
                 ""});
    }
  }
  return table;
}

std::vector<std::string> move_cells(const Recommendation& answer) {
  if (!answer.current) {
    return {"", "", "", "", "", ""};
  }
  const auto paid = paid_of(answer);
  return {today_of(*answer.current),
          advice_words(answer),
          span_of(answer.query).month ? "month" : "run",
          paid ? plain_number(paid->now) : "",
          paid ? plain_number(paid->then) : "",
          std::string(to_string(answer.current->finding))};
}

}  // namespace rightsize::report
