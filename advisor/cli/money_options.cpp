#include "advisor/cli/money_options.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "advisor/candidate/constraint.h"
#include "advisor/query/exchanged_money.h"
#include "advisor/query/today_words.h"
#include "advisor/today.h"
#include "pricing/days.h"

namespace rightsize::cli {
namespace {

namespace po = boost::program_options;

// `budget_follows`: --budget, which stands in for the file's and is in the currency told here.
void read_currency(const std::string& code, bool budget_follows, Query& query) {
  if (!is_currency_code(code)) {
    throw UsageError(
        fmt::format("--currency {}: expected an ISO 4217 code such as USD, EUR or CNY", code));
  }
  if (code != query.currency) {
    const bool in_the_old = query.budget && query.budget->currency() == query.currency;
    if (in_the_old && !budget_follows) {
      throw UsageError(
          fmt::format("--currency {}: the budget of {} is in {}; leave --currency out, or say the "
                      "budget in {} with --budget",
                      code,
                      query.file,
                      query.currency,
                      code));
    }
    if (budget_follows) {
      query.budget.reset();
    }
    query.rates.clear();
  }
  query.currency = code;
  query.currency_stated = true;
}

// "CNY=0.14" and "CNY=0.14@2026-11-02".
void read_rate(const std::string& word, Query& query) {
  const auto fail = [&](const std::string& what) {
    throw UsageError(fmt::format("--fx {}: {}", word, what));
  };
  const auto equals = word.find('=');
  const auto from = word.substr(0, equals);
  if (equals == std::string::npos || !is_currency_code(from)) {
    fail(
        fmt::format("expected what one of another currency is in {}, and maybe of when: "
                    "CNY=0.14@2026-11-02",
                    query.currency));
  }
  if (from == query.currency) {
    fail(fmt::format("the answer is in {} already", from));
  }
  const auto at = std::min(word.find('@', equals), word.size());
  std::int64_t rate = 0;
  try {
    rate = Money::parse(word.substr(equals + 1, at - equals - 1), query.currency).nanos();
  } catch (const PricingError&) {
    rate = 0;
  }
  if (rate <= 0) {
    fail(fmt::format("expected a positive decimal: what 1 {} is in {}", from, query.currency));
  }
  const bool dated = at < word.size();
  const auto day = dated ? word.substr(at + 1) : "";
  if (dated && !is_day(day)) {
    fail(fmt::format("\"{}\" is no day: expected YYYY-MM-DD after the @, such as {}@2026-11-02",
                     day,
                     word.substr(0, at)));
  }
  if (dated && days_between(today(), day).value_or(0) > 1) {  // east of here it is tomorrow already
    fail(fmt::format("{} is yet to come, and nobody knows the rate of it", day));
  }
  query.rates[from] = {
      from, query.currency, rate, dated ? "of " + day : "as given by --fx, undated"};
}

// Then its currency is not ours to choose.
bool names_money(const Query& query) {
  return query.currency_stated || query.budget || !query.rates.empty();
}

// Of all offers the question asks about.
std::set<std::string> currencies_of(const Query& query, const Catalog& catalog) {
  const OfferConstraints constraints(query);
  std::set<std::string> currencies;
  for (const auto& offer : catalog.offers()) {
    if (constraints.in_scope(offer)) {
      currencies.insert(offer.price_per_hour.currency());
    }
  }
  return currencies;
}

// nullopt where there are several, or none.
std::optional<std::string> sole_currency(const Query& query, const Catalog& catalog) {
  const auto currencies = currencies_of(query, catalog);
  return currencies.size() == 1 ? std::optional(*currencies.begin()) : std::nullopt;
}

}  // namespace

void add_money_options(Options& options) {
  options.add_options()(
      "currency", po::value<std::string>(), "what the answer counts in: USD, CNY, ...")(
      "fx",
      po::value<std::vector<std::string>>(),
      "what 1 of another currency is in it, with the day it was so: CNY=0.14@2026-11-02; "
      "repeatable (offers in a currency without a rate are left out, and counted)")(
      "runs-per-month",
      po::value<double>(),
      "of the job: for savings by the month, and for what each run bears of machines that are "
      "reserved, rented by the month, or bought (--on-prem without utilisation=)");
}

namespace {

void read_runs_per_month(const Values& values, Query& query) {
  if (values.count("runs-per-month") == 0) {
    return;
  }
  // Then it is of the jobs among the services.
  const bool planned = values.count("jobs") > 0;
  if (query.serves() && planned) {
    return;
  }
  const double runs = values["runs-per-month"].as<double>();
  if (query.serves()) {
    throw UsageError(fmt::format("--runs-per-month {:g}: expected {}", runs, no_runs_of_service));
  }
  if (!is_runs_per_month(runs)) {
    throw UsageError(fmt::format(
        "--runs-per-month {:g}: expected runs a month {}", runs, runs_per_month_grammar));
  }
  query.runs_per_month = runs;
}

// Whether some of what the question asks about is in a currency with a rate, or there is nothing.
bool can_count(const Query& query, const std::set<std::string>& currencies) {
  return currencies.empty() ||
         std::any_of(currencies.begin(), currencies.end(), [&](const std::string& currency) {
           return rate_nanos(currency, query).has_value();
         });
}

// Where some of several jobs can be counted those are answered.
void require_rate(std::span<const Query> queries, const Catalog& catalog) {
  std::set<std::string> unknown;
  for (const auto& query : queries) {
    auto currencies = currencies_of(query, catalog);
    if (can_count(query, currencies)) {
      return;
    }
    unknown.merge(currencies);
  }
  if (!unknown.empty()) {
    throw UsageError(
        fmt::format("the answer counts in {0}, and all that is asked about is priced in {2}: --fx "
                    "{1}=RATE says "
                    "what 1 {1} is in {0} (in a job file {1} = \"RATE\" under [money.rates]), or "
                    "--currency {1}",
                    queries.front().currency,
                    *unknown.rbegin(),
                    fmt::join(unknown, ", ")));
  }
}

}  // namespace

void read_money_options(const Values& values, Query& query) {
  read_runs_per_month(values, query);
  if (values.count("currency") > 0) {
    read_currency(values["currency"].as<std::string>(), values.count("budget") > 0, query);
  }
  if (values.count("fx") > 0) {
    std::set<std::string> seen;
    for (const auto& word : values["fx"].as<std::vector<std::string>>()) {
      if (!seen.insert(word.substr(0, word.find('='))).second) {
        throw UsageError(fmt::format("--fx {}: its rate is told twice: which?", word));
      }
      read_rate(word, query);
    }
  }
}

void count_in_their_currency(std::span<Query> queries, const Catalog& catalog) {
  std::vector<std::string> alone;  // what each would count in
  for (const auto& query : queries) {
    alone.push_back(names_money(query) ? query.currency
                                       : sole_currency(query, catalog).value_or(query.currency));
  }
  if (std::set(alone.begin(), alone.end()).size() == 1) {
    for (auto& query : queries) {
      query.currency = alone.front();
    }
  }
  require_rate(queries, catalog);
}

}  // namespace rightsize::cli
