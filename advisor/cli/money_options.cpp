#include "advisor/cli/money_options.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "advisor/constraint.h"

namespace rightsize::cli {
namespace {

namespace po = boost::program_options;

bool is_currency(const std::string& code) {
  return code.size() == 3 &&
         std::all_of(code.begin(), code.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
}

void read_currency(const std::string& code, Query& query) {
  if (!is_currency(code)) {
    throw UsageError(
        fmt::format("--currency {}: expected an ISO 4217 code such as USD, EUR or CNY", code));
  }
  if (code != query.currency) {
    if (query.budget) {
      throw UsageError(
          fmt::format("--currency {}: the budget of {} is in {}; leave --currency out, or set the "
                      "budget in {} there",
                      code,
                      query.file,
                      query.currency,
                      code));
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
  if (equals == std::string::npos || !is_currency(from)) {
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
  const auto as_of = at < word.size() ? "of " + word.substr(at + 1) : "as given by --fx, undated";
  query.rates[from] = {from, query.currency, rate, as_of};
}

}  // namespace

void add_money_options(Options& options) {
  options.add_options()(
      "currency", po::value<std::string>(), "what the answer counts in: USD, CNY, ...")(
      "fx",
      po::value<std::vector<std::string>>(),
      "what 1 of another currency is in it, with the day it was so: CNY=0.14@2026-11-02; "
      "repeatable (offers in a currency without a rate are left out, and counted)");
}

void read_money_options(const Values& values, Query& query) {
  if (values.count("currency") > 0) {
    read_currency(values["currency"].as<std::string>(), query);
  }
  if (values.count("fx") > 0) {
    for (const auto& word : values["fx"].as<std::vector<std::string>>()) {
      read_rate(word, query);
    }
  }
}

void count_in_their_currency(Query& query, const Catalog& catalog) {
  if (query.currency_stated || query.budget || !query.rates.empty()) {
    return;
  }
  const OfferConstraints constraints(query);
  std::set<std::string> currencies;
  for (const auto& offer : catalog.offers()) {
    if (constraints.in_scope(offer)) {
      currencies.insert(offer.price_per_hour.currency());
    }
  }
  query.currency = currencies.size() == 1 ? *currencies.begin() : query.currency;
}

}  // namespace rightsize::cli
