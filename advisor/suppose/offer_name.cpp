#include "advisor/suppose/offer_name.h"

#include <algorithm>
#include <iterator>
#include <set>

#include <boost/algorithm/string/predicate.hpp>
#include <boost/algorithm/string/trim.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "advisor/candidate/constraint.h"
#include "advisor/full_name.h"
#include "advisor/suppose/market_label.h"
#include "models/laws/spelling.h"
#include "pricing/monthly.h"
#include "pricing/on_prem.h"
#include "pricing/place.h"

namespace rightsize {
namespace {

// "g5.xlarge [Spot]": the label is taken off `name`, however its letters are written, and read
// into it. An instance may be called so.
void take_market(const Catalog& catalog, const std::string& said_by, OfferName& name) {
  auto& text = name.instance;
  const auto label = std::string(label_behind(text));
  if (label.empty() || !offers_named(catalog, text).empty()) {
    return;
  }
  if (const auto meant = parse_market_label(label)) {
    text = boost::trim_copy(text.substr(0, text.size() - label.size()));
    name.market = meant->market;
    if (meant->market == Market::on_demand) {
      name.by_month = meant->by_month;
    }
    return;
  }
  throw UsageError(fmt::format(
      "{}{}: {} is no market; expected [on-demand], [month], [Spot], [1y] or [3y] behind the name",
      said_by,
      text,
      label));
}

// "aws/eu-west-1/g5.xlarge": the place is taken off `name`.
std::string take_place(const Catalog& catalog, const std::string& said_by, std::string& name) {
  const auto before_cpu = std::string_view(name).substr(0, name.find('@'));
  if (!offers_named(catalog, name).empty()) {
    return "";
  }
  constexpr int parts_at_most = 3;
  if (std::count(before_cpu.begin(), before_cpu.end(), '/') >= parts_at_most ||
      before_cpu.starts_with('/') || before_cpu.ends_with('/') ||
      before_cpu.find("//") != std::string_view::npos) {
    throw UsageError(
        fmt::format("{}{}: expected NAME, PROVIDER/NAME or PROVIDER/REGION/NAME", said_by, name));
  }
  const auto first = before_cpu.find('/');
  const auto last = before_cpu.rfind('/');
  if (first == last) {
    return "";
  }
  auto place = name.substr(0, last);
  if (place.find_first_of("*?[") != std::string::npos) {
    throw UsageError(
        fmt::format("{}{}: expected one place, such as aws/us-east-1/NAME", said_by, name));
  }
  name.erase(first, last - first);
  return place;
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

std::string place_of(const Offer& offer) {
  return place_name(offer.provider, offer.region);
}

// Of one's own machine, whose name is ours and no provider's, however it is spelt: "own 8x H100".
bool is_instance(const Offer& offer, std::string_view name) {
  return name == offer.instance || (is_own(offer) && bare(name) == bare(offer.instance));
}

std::string names_of(const std::vector<Market>& markets) {
  std::vector<std::string_view> names;
  for (const auto market : markets) {
    names.push_back(to_string(market));
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

OfferName read_offer_name(const Catalog& catalog,
                          const std::string& text,
                          const std::string& said_by) {
  OfferName name{boost::trim_copy(text), "", {}, {}};
  take_market(catalog, said_by, name);
  name.place = take_place(catalog, said_by, name.instance);
  return name;
}

OfferName read_machine_name(const Catalog& catalog, const std::string& text) {
  const auto times = text.find(" x ");
  const auto one = times == std::string::npos ? "" : text.substr(times + 3);
  if (!one.empty() && text.find_first_not_of(" 0123456789") == times + 1 &&
      !offers_named(catalog, read_offer_name(catalog, one, "").instance).empty()) {
    throw UsageError(fmt::format(
        "\"{}\": how many of them it takes is found for each; name {} alone", text, one));
  }
  return read_offer_name(catalog, text, "");
}

OfferName name_of(const Option& option) {
  return {option.provider + "/" + with_cpu(option.instance, option.cpu),
          "",
          option.market,
          option.price_per_month.has_value()};
}

std::string typed(const OfferName& name) {
  auto text = name.instance;
  if (!name.place.empty()) {
    const auto slash = text.find('/');
    text = name.place + "/" + (slash < text.find('@') ? text.substr(slash + 1) : text);
  }
  const bool by_month = name.by_month.value_or(false);
  return !name.market && !by_month ? text
         : name.market.value_or(Market::on_demand) == Market::on_demand && !by_month
             ? text + " [on-demand]"
             : with_market(text, name.market.value_or(Market::on_demand), by_month);
}

Query reaching(Query query, const OfferName& name) {
  auto& markets = query.markets;
  if (name.market && std::find(markets.begin(), markets.end(), *name.market) == markets.end()) {
    markets.push_back(*name.market);
  }
  if (!name.place.empty()) {
    query.infra = {name.place};
  }
  return query;
}

std::vector<Reached> reached(const Query& query, const OfferName& name) {
  std::vector<Reached> all;
  const auto then = reaching(query, name);
  if (then.markets != query.markets) {
    all.push_back({"market",
                   names_of(query.markets),
                   names_of(then.markets),
                   fmt::format("the name asks for {} besides", to_string(*name.market))});
  }
  if (then.infra != query.infra) {
    all.push_back({"place",
                   query.infra.empty() ? "any" : fmt::format("{}", fmt::join(query.infra, ", ")),
                   name.place,
                   fmt::format("the name asks in {} alone", name.place)});
  }
  return all;
}

bool has_name(const Offer& offer, std::string_view name) {
  const auto at = name.find('@');
  if (at != std::string_view::npos) {
    if (name.substr(at + 1) != offer.cpu) {
      return false;
    }
    name = name.substr(0, at);
  }
  if (is_instance(offer, name)) {
    return true;
  }
  const auto slash = offer.provider.size();
  return name.size() > slash && name[slash] == '/' &&
         boost::iequals(name.substr(0, slash), offer.provider) &&
         is_instance(offer, name.substr(slash + 1));
}

std::string own_machines(const Catalog& catalog) {
  std::set<std::string> names;
  for (const auto& offer : catalog.offers()) {
    if (is_own(offer)) {
      names.insert(fmt::format("\"{}\"", offer.instance));
    }
  }
  return names.empty() ? "" : fmt::format("; machines of yours: {}", fmt::join(names, ", "));
}

std::vector<const Offer*> offers_named(const Catalog& catalog, std::string_view name) {
  std::vector<const Offer*> named;
  for (const auto& offer : catalog.offers()) {
    if (has_name(offer, name)) {
      named.push_back(&offer);
    }
  }
  return named;
}

std::vector<const Offer*> in_scope(const std::vector<const Offer*>& named,
                                   const Query& query,
                                   std::optional<bool> by_month) {
  const OfferConstraints constraints(query);
  std::vector<const Offer*> found;
  std::copy_if(named.begin(), named.end(), std::back_inserter(found), [&](const Offer* offer) {
    return constraints.in_scope(*offer) &&
           is_monthly(*offer) == by_month.value_or(is_monthly(*offer));
  });
  return found;
}

std::string sold_otherwise(const std::vector<const Offer*>& named, Query query) {
  query.markets.assign(std::begin(all_markets), std::end(all_markets));
  if (const auto there = in_scope(named, query); !there.empty()) {
    return fmt::format("in {} it is sold {}",
                       query.infra.empty() ? "book " + query.book : all_of(there, place_of),
                       all_of(there, [](const Offer& offer) {
                         return is_monthly(offer) ? "by the month" : to_string(offer.market);
                       }));
  }
  query.infra.clear();
  if (const auto elsewhere = in_scope(named, query); !elsewhere.empty()) {
    return "it is sold in " + all_of(elsewhere, place_of);
  }
  const auto books = all_of(named, [](const Offer& offer) { return offer.book; });
  return fmt::format("it is in the book {}: --book {},{} asks it too",
                     books,
                     query.book,
                     named.empty() ? books : named.front()->book);
}

}  // namespace rightsize
