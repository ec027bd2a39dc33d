#include "advisor/current_machine.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <set>
#include <string_view>

#include <boost/algorithm/string/predicate.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "advisor/candidate/constraint.h"
#include "advisor/market_label.h"
#include "advisor/suppose/offer_name.h"
#include "pricing/place.h"

namespace rightsize {
namespace {

// "3 x g6.xlarge", "3xg6.xlarge": the number is taken off `name`. An instance may be called so.
std::optional<int> take_number(const Catalog& catalog, std::string& name) {
  const auto sign = name.find_first_not_of("+-");
  const auto digits = name.find_first_not_of("0123456789", sign);
  if (digits == sign || digits == std::string::npos || !offers_named(catalog, name).empty()) {
    return std::nullopt;
  }
  const auto times = name.find_first_not_of(' ', digits);
  if (times == std::string::npos || name[times] != 'x') {
    return std::nullopt;
  }
  constexpr int most = 999'999;
  int number = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + digits, number);
  const auto rest = name.find_first_not_of(' ', times + 1);
  const bool read = error == std::errc() && end == name.data() + digits;
  if (!read || number < 1 || number > most || rest == std::string::npos) {
    throw UsageError(fmt::format(
        "--current {}: expected machines such as 3 x g6.xlarge, from 1 to {}", name, most));
  }
  name.erase(0, rest);
  return number;
}

std::string without_blanks(const std::string& text) {
  const auto begin = text.find_first_not_of(" \t");
  return begin == std::string::npos ? ""
                                    : text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

// "g5.xlarge [Spot]": the label is taken off `name`, however its letters are written. An instance
// may be called so.
std::optional<Market> take_market(const Catalog& catalog, std::string& name) {
  const auto begin = name.rfind('[');
  if (!name.ends_with(']') || begin == std::string::npos || !offers_named(catalog, name).empty()) {
    return std::nullopt;
  }
  const auto label = name.substr(begin);
  for (const auto market : all_markets) {
    const bool on_demand = market == Market::on_demand;
    if (boost::iequals(label, on_demand ? "[on-demand]" : market_label(market))) {
      name = without_blanks(name.substr(0, begin));
      return market;
    }
  }
  throw UsageError(fmt::format(
      "--current {}: {} is no market; expected [on-demand], [Spot], [1y] or [3y] behind the name",
      name,
      label));
}

// "aws/eu-west-1/g5.xlarge": the place is taken off `name`.
std::string take_place(const Catalog& catalog, std::string& name) {
  const auto before_cpu = std::string_view(name).substr(0, name.find('@'));
  const auto first = before_cpu.find('/');
  const auto last = before_cpu.rfind('/');
  if (first == last || !offers_named(catalog, name).empty()) {
    return "";
  }
  auto place = name.substr(0, last);
  if (place.find_first_of("*?[") != std::string::npos) {
    throw UsageError(fmt::format(
        "--current {}: expected the one place where it runs, such as aws/us-east-1/NAME", name));
  }
  name.erase(first, last - first);
  return place;
}

std::vector<const Offer*> in_scope(const std::vector<const Offer*>& named, const Query& query) {
  const OfferConstraints constraints(query);
  std::vector<const Offer*> found;
  std::copy_if(named.begin(), named.end(), std::back_inserter(found), [&](const Offer* offer) {
    return constraints.in_scope(*offer);
  });
  return found;
}

// "on-demand, spot", of all offers.
template <typename Part>
std::string all_of(const std::vector<const Offer*>& offers, Part part) {
  std::set<std::string> parts;
  for (const auto* offer : offers) {
    parts.emplace(part(*offer));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

// Of an instance that is not sold as `query` has it: in which market there, or else where, or else
// in which book.
std::string sold_otherwise(const std::vector<const Offer*>& named, Query query) {
  query.markets.assign(std::begin(all_markets), std::end(all_markets));
  if (const auto there = in_scope(named, query); !there.empty()) {
    return fmt::format("in {} it is sold {}",
                       query.infra.empty() ? "book " + query.book : query.infra.front(),
                       all_of(there, [](const Offer& offer) { return to_string(offer.market); }));
  }
  query.infra.clear();
  if (const auto elsewhere = in_scope(named, query); !elsewhere.empty()) {
    return "it is sold in " + all_of(elsewhere, [](const Offer& offer) {
             return place_name(offer.provider, offer.region);
           });
  }
  return "it is in the book " + all_of(named, [](const Offer& offer) { return offer.book; });
}

// Where and at which others is looked is no limit of today's; what a machine is to have is.
Query anywhere(Query query) {
  query.infra.clear();
  query.allow.clear();
  query.deny.clear();
  return query;
}

void set_machines(int number, const std::string& text, Query& query) {
  if (!query.serves()) {
    throw UsageError(fmt::format(
        "--current {}: a number of machines is a service's; of a job name one machine", text));
  }
  (query.tokens ? query.tokens->machines : query.service->machines) = number;
}

}  // namespace

CurrentMachine read_current(const Catalog& catalog, const Query& query, const std::string& text) {
  CurrentMachine current{without_blanks(text), "", anywhere(query)};
  const auto market = take_market(catalog, current.instance);
  if (const auto number = take_number(catalog, current.instance)) {
    set_machines(*number, text, current.query);
  }
  current.place = take_place(catalog, current.instance);
  if (current.instance.empty()) {
    throw UsageError("--current: expected the machine of today, such as g5.xlarge");
  }
  if (!current.place.empty()) {
    current.query.infra = {current.place};
  }
  const auto named = offers_named(catalog, current.instance);
  current.query.markets = {market.value_or(Market::on_demand)};
  if (!market && in_scope(named, current.query).empty()) {
    current.query.markets = query.markets;
  }
  if (!named.empty() && in_scope(named, current.query).empty()) {  // of none the judge says so
    throw UsageError(
        fmt::format("--current {}: not sold so; {}", text, sold_otherwise(named, current.query)));
  }
  return current;
}

void require_one_cpu(const Query& query,
                     const Catalog& catalog,
                     const std::string& current,
                     const std::string& name) {
  const OfferConstraints constraints(query);
  std::set<std::string> cpus;
  for (const auto* offer : offers_named(catalog, name)) {
    if (constraints.in_scope(*offer)) {
      cpus.insert(offer->cpu);
    }
  }
  cpus.erase("");
  if (cpus.size() < 2) {
    return;
  }
  std::string names;
  for (const auto& cpu : cpus) {  // after the number of machines, where one is given
    names += fmt::format("{}'{}@{}'", names.empty() ? "" : " or ", current, cpu);
  }
  throw UsageError(fmt::format(
      "--current {}: it is sold with {} CPUs: say which by {}", current, cpus.size(), names));
}

}  // namespace rightsize
