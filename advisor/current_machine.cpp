#include "advisor/current_machine.h"

#include <algorithm>
#include <charconv>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "advisor/candidate/constraint.h"
#include "advisor/suppose/offer_name.h"

namespace rightsize {
namespace {

// "3 x g6.xlarge", "3xg6.xlarge": the number is taken off `name`. An instance may be called so.
std::optional<int> take_number(const Catalog& catalog, std::string& name) {
  const auto known = [&](const std::string& text) {
    return std::any_of(catalog.offers().begin(), catalog.offers().end(), [&](const Offer& offer) {
      return has_name(offer, text);
    });
  };
  const auto sign = name.find_first_not_of("+-");
  const auto digits = name.find_first_not_of("0123456789", sign);
  if (digits == sign || digits == std::string::npos || known(name)) {
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

// "g5.xlarge [Spot]", as the tables show it: the market is taken off `name`. What is rented today
// is rented on demand where nothing else is said and the question allows for it.
std::vector<Market> take_market(const std::vector<Market>& asked, std::string& name) {
  constexpr std::pair<std::string_view, Market> labels[] = {
      {"[Spot]", Market::spot}, {"[1y]", Market::reserved_1y}, {"[3y]", Market::reserved_3y}};
  for (const auto& [label, market] : labels) {
    if (name.ends_with(label)) {
      name.erase(name.size() - label.size());
      name.erase(name.find_last_not_of(' ') + 1);
      return {market};
    }
  }
  const bool on_demand = std::find(asked.begin(), asked.end(), Market::on_demand) != asked.end();
  return on_demand ? std::vector{Market::on_demand} : asked;
}

}  // namespace

CurrentMachine read_current(const Catalog& catalog,
                            const std::vector<Market>& asked,
                            const std::string& text) {
  CurrentMachine current{text, std::nullopt, {}};
  current.markets = take_market(asked, current.instance);
  current.machines = take_number(catalog, current.instance);
  return current;
}

void require_one_cpu(const Query& query,
                     const Catalog& catalog,
                     const std::string& current,
                     const std::string& name) {
  const OfferConstraints constraints(query);
  std::set<std::string> cpus;
  for (const auto& offer : catalog.offers()) {
    if (has_name(offer, name) && constraints.in_scope(offer)) {
      cpus.insert(offer.cpu);
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
