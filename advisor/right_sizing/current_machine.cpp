#include "advisor/right_sizing/current_machine.h"

#include <algorithm>
#include <charconv>
#include <set>

#include <fmt/format.h>

#include "advisor/candidate/constraint.h"
#include "advisor/right_sizing/against_today.h"
#include "advisor/suppose/offer_name.h"

namespace rightsize {
namespace {

// "3 x g6.xlarge", "3xg6.xlarge": the number is taken off `name`.
std::optional<int> take_number(const std::string& said_by, std::string& name) {
  const auto sign = name.find_first_not_of("+-");
  const auto digits = name.find_first_not_of("0123456789", sign);
  if (digits == sign || digits == std::string::npos) {
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
        "{} {}: expected machines such as 3 x g6.xlarge, from 1 to {}", said_by, name, most));
  }
  name.erase(0, rest);
  return number;
}

// Which others are looked at is no limit of today's; what a machine is to have is. A job that is
// named one machine runs on one, however many others may share it.
Query anywhere(Query query) {
  query.nodes_max = 1;
  query.infra.clear();
  query.allow.clear();
  query.deny.clear();
  return query;
}

// In the places of the question where it is sold there, else wherever it is.
std::vector<std::string> likely_places(const std::vector<const Offer*>& named,
                                       const Query& question,
                                       Query today,
                                       std::optional<bool> by_month) {
  today.infra = question.infra;
  return in_scope(named, today, by_month).empty() ? std::vector<std::string>() : question.infra;
}

void set_machines(int number, const std::string& text, Query& query) {
  if (!query.serves()) {
    throw UsageError(
        fmt::format("{} {}: a number of machines is a service's; of a job name one machine",
                    query.current_said_by,
                    text));
  }
  machines_of(query) = number;
}

}  // namespace

CurrentMachine read_current(const Catalog& catalog, const Query& query, const std::string& text) {
  const auto& said_by = query.current_said_by;
  auto name = read_offer_name(catalog, text, said_by + " ");
  CurrentMachine current{"", "", anywhere(query)};
  if (offers_named(catalog, name.instance).empty()) {  // an instance may be called as a number is
    auto rest = text.substr(std::min(text.find_first_not_of(" \t"), text.size()));
    if (const auto number = take_number(said_by, rest)) {
      set_machines(*number, text, current.query);
      name = read_offer_name(catalog, rest, said_by + " ");
    }
  }
  if (name.instance.empty()) {
    throw UsageError(said_by + ": expected the machine of today, such as g5.xlarge");
  }
  current.instance = name.instance;
  current.place = name.place;
  current.by_month = name.by_month;
  const auto named = offers_named(catalog, current.instance);
  if (!current.place.empty()) {
    current.query.infra = {current.place};
  }
  current.query.markets = {name.market.value_or(Market::on_demand)};
  if (!name.market && in_scope(named, current.query).empty()) {
    current.query.markets = query.markets;
  }
  if (current.place.empty()) {
    current.query.infra = likely_places(named, query, current.query, name.by_month);
  }
  if (!named.empty() &&
      in_scope(named, current.query, name.by_month).empty()) {  // of none the judge says so
    throw UsageError(
        fmt::format("{} {}: not sold so; {}", said_by, text, sold_otherwise(named, current.query)));
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
  throw UsageError(fmt::format("{} {}: it is sold with {} CPUs: say which by {}",
                               query.current_said_by,
                               current,
                               cpus.size(),
                               names));
}

}  // namespace rightsize
