#include "advisor/current_machine.h"

#include <algorithm>
#include <charconv>
#include <set>

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

// "g5.xlarge [Spot]": the label is taken off `name`, however its letters are written.
std::optional<Market> take_market(std::string& name) {
  const auto begin = name.rfind('[');
  if (!name.ends_with(']') || begin == std::string::npos) {
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
  const auto last = name.rfind('/');
  if (last == std::string::npos || name.find('/') == last || !offers_named(catalog, name).empty()) {
    return "";
  }
  auto place = name.substr(0, last);
  name = place.substr(0, place.find('/')) + name.substr(last);
  return place;
}

bool is_sold(const std::vector<const Offer*>& named, const Query& query) {
  const OfferConstraints constraints(query);
  return std::any_of(
      named.begin(), named.end(), [&](const Offer* offer) { return constraints.in_scope(*offer); });
}

// How and where it is, of an instance that is sold, but not as it was named.
[[noreturn]] void not_sold_so(const std::vector<const Offer*>& named,
                              const Query& query,
                              const std::string& text) {
  std::set<std::string> markets;
  std::set<std::string> places;
  for (const auto* offer : named) {
    markets.emplace(to_string(offer->market));
    places.insert(place_name(offer->provider, offer->region));
  }
  constexpr std::size_t most = 6;
  const std::vector<std::string> some(places.begin(),
                                      std::next(places.begin(), std::min(most, places.size())));
  throw UsageError(
      fmt::format("--current {}: it is not sold so in book {}; the tables have it {} in {}{}",
                  text,
                  query.book,
                  fmt::join(markets, ", "),
                  fmt::join(some, ", "),
                  places.size() > most ? fmt::format(" and {} more", places.size() - most) : ""));
}

}  // namespace

CurrentMachine read_current(const Catalog& catalog, const Query& query, const std::string& text) {
  CurrentMachine current{without_blanks(text), std::nullopt, "", query.markets};
  const auto market = take_market(current.instance);
  current.machines = take_number(catalog, current.instance);
  current.place = take_place(catalog, current.instance);
  if (current.instance.empty()) {
    throw UsageError("--current: expected the machine of today, such as g5.xlarge");
  }
  const auto named = offers_named(catalog, current.instance);
  Query today = query;
  if (!current.place.empty()) {
    today.infra = {current.place};
  }
  today.markets = {market.value_or(Market::on_demand)};
  if (market || is_sold(named, today)) {
    current.markets = today.markets;
  }
  today.markets = current.markets;
  if (!named.empty() && !is_sold(named, today)) {  // of no such instance the judge says so
    not_sold_so(named, today, text);
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
