#include "advisor/report/moves_table.h"

#include <cmath>
#include <map>
#include <optional>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "advisor/report/option_columns.h"
#include "advisor/report/option_text.h"
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

// nullopt where today's machine cannot do the job, or nothing can.
std::optional<Paid> paid_of(const Recommendation& answer) {
  const auto& it = *answer.current;
  if (!it.current || (it.move && !answer.chosen)) {
    return std::nullopt;
  }
  const double runs = answer.query.serves() ? 1 : answer.query.runs_per_month.value_or(1);
  const double now = it.current->cost.value;
  const double then = it.move ? answer.chosen->cost.value : it.fewer ? it.fewer->cost.value : now;
  return Paid{now * runs, then * runs, 1};
}

std::map<Span, Paid> totals_of(const std::vector<NamedAnswer>& answers) {
  std::map<Span, Paid> totals;
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

std::string what_to_take(const Recommendation& answer) {
  const auto& it = *answer.current;
  return it.move && answer.chosen ? instance_label(*answer.chosen)
         : it.fewer               ? fmt::format("{} of them", it.fewer->nodes)
                                  : "—";
}

void add_row(Table& table, const NamedAnswer& named) {
  const auto& answer = named.answer;
  const auto& it = *answer.current;
  const auto paid = paid_of(answer);
  const auto span = span_of(answer.query);
  table.add({named.job(),
             it.current ? instance_label(*it.current) : it.name,
             it.move ? "Move" : "Stay",
             what_to_take(answer),
             span.month ? "month" : "run",
             paid ? about(paid->now, span.currency) : "—",
             paid ? about(paid->then, span.currency) : "—",
             paid ? saved_words(*paid, span.currency) : it.reason,
             fmt::format("{}{}{}",
                         to_string(it.finding),
                         it.reason_codes.empty() ? "" : ": ",
                         fmt::join(it.reason_codes, ", "))});
}

}  // namespace

std::string moves_sentence(const std::vector<NamedAnswer>& answers) {
  int asked = 0;
  int moves = 0;
  for (const auto& named : answers) {
    asked += named.answer.current ? 1 : 0;
    moves += named.answer.current && named.answer.current->move ? 1 : 0;
  }
  if (asked == 0) {
    return "";
  }
  std::vector<std::string> savings;
  for (const auto& [span, paid] : totals_of(answers)) {
    if (paid.now > paid.then) {
      savings.push_back(fmt::format("{} of {} a {} ({})",
                                    about(paid.now - paid.then, span.currency),
                                    about(paid.now, span.currency),
                                    span.month         ? "month"
                                    : paid.answers > 1 ? "run of each"
                                                       : "run",
                                    percent(1 - paid.then / paid.now)));
    }
  }
  return fmt::format(
      "{} of {} move{}; {} stay{}.",
      moves,
      asked,
      savings.empty() ? "" : fmt::format(", which saves {}", fmt::join(savings, " and ")),
      asked - moves,
      asked - moves == 1 ? "s" : "");
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
      add_row(table, named);
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
    return {"", "", "", "", ""};
  }
  const auto& it = *answer.current;
  const bool both = it.move && it.current && answer.chosen;
  const double saved = both       ? it.current->cost.value - answer.chosen->cost.value
                       : it.fewer ? it.current->cost.value - it.fewer->cost.value
                                  : 0;
  return {it.current ? instance_label(*it.current) : it.name,
          it.current ? plain_number(it.current->cost.value) : "",
          it.move ? "Move" : "Stay",
          it.current ? plain_number(saved) : "",
          std::string(to_string(it.finding))};
}

}  // namespace rightsize::report
