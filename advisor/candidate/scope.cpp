#include "advisor/candidate/scope.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <vector>

#include <boost/algorithm/string.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "advisor/candidate/constraint.h"
#include "advisor/query/toml_fields.h"
#include "pricing/monthly.h"

namespace rightsize {
namespace {

// Up to `most` of them, those spelled most alike first, then the others as they come.
std::vector<std::string> likest_words(const std::string& word,
                                      std::set<std::string> words,
                                      std::size_t most) {
  std::vector<std::string> likest;
  while (likest.size() < most && !words.empty()) {
    const auto near = nearest_word(word, {words.begin(), words.end()});
    likest.push_back(near.empty() ? *words.begin() : near);
    words.erase(likest.back());
  }
  return likest;
}

// Of a region that no provider has: those that are spelled alike, or how each provider names one.
std::string regions_spelled_like(const std::string& word,
                                 const Query& query,
                                 const Catalog& catalog) {
  Query anywhere = query;
  anywhere.infra.clear();
  const OfferConstraints constraints(anywhere);
  std::set<std::string> regions;
  std::map<std::string, std::string> by_provider;
  for (const auto& offer : catalog.offers()) {
    if (constraints.in_scope(offer) && !offer.region.empty()) {
      regions.insert(offer.region);
      by_provider.try_emplace(offer.provider, offer.provider + "/" + offer.region);
    }
  }
  if (regions.empty()) {
    return "";
  }
  const auto near = nearest_word(word, {regions.begin(), regions.end()});
  if (!near.empty()) {
    return fmt::format("no region on offer is called {}, did you mean {}?", word, near);
  }
  std::vector<std::string> examples;
  for (const auto& [provider, example] : by_provider) {
    examples.push_back(example);
  }
  return fmt::format(
      "no region on offer is called {}; they are called so: {}; rightsize prices list shows "
      "the tables",
      word,
      fmt::join(examples, ", "));
}

// "aws has us-east-1, us-east-2 and 7 more", of the first pattern that names a provider; "" where
// no such provider sells anything in the market and book.
std::string regions_near(const Query& query, const Catalog& catalog) {
  constexpr std::size_t shown = 6;
  for (const auto& pattern : query.infra) {
    const auto slash = pattern.find('/');
    if (pattern.starts_with("*/")) {
      return regions_spelled_like(pattern.substr(slash + 1), query, catalog);
    }
    Query anywhere = query;
    anywhere.infra = {pattern.substr(0, slash)};
    const OfferConstraints constraints(anywhere);
    std::set<std::string> regions;
    bool unlisted = false;
    for (const auto& offer : catalog.offers()) {
      if (slash != std::string::npos && constraints.in_scope(offer)) {
        unlisted = unlisted || offer.region.empty();
        regions.insert(offer.region);
      }
    }
    regions.erase("");
    if (regions.empty() && unlisted) {
      return fmt::format(
          "the tables do not say in which regions {0} sells: --infra {0} takes it anywhere",
          anywhere.infra.front());
    }
    if (!regions.empty()) {
      const auto likest = likest_words(pattern.substr(slash + 1), regions, shown);
      const auto more = regions.size() - likest.size();
      return fmt::format("{} has {}{}",
                         anywhere.infra.front(),
                         fmt::join(likest, ", "),
                         more > 0 ? fmt::format(" and {} more", more) : "");
    }
  }
  return "";
}

// Providers as people call them, whose tables here go by another name.
struct Alias {
  std::string_view word;
  std::string_view provider;
};
constexpr std::array aliases{Alias{"google", "gcp"},
                             Alias{"gce", "gcp"},
                             Alias{"google-cloud", "gcp"},
                             Alias{"amazon", "aws"},
                             Alias{"ec2", "aws"},
                             Alias{"microsoft", "azure"},
                             Alias{"az", "azure"},
                             Alias{"oracle", "oci"},
                             Alias{"datacrunch", "verda"},
                             Alias{"aliyun", "alibaba"}};

// "did you mean gcp?", of the first place that names no provider but what one is also called, or a
// region; "" else.
std::string provider_meant(const Query& query, const Catalog& catalog) {
  const auto offers = catalog.offers();
  for (const auto& place : query.infra) {
    const auto provider = place.substr(0, place.find('/'));
    const auto lower = boost::to_lower_copy(provider);
    const auto* const alias = std::find_if(
        aliases.begin(), aliases.end(), [&](const Alias& row) { return row.word == lower; });
    if (alias != aliases.end()) {
      return fmt::format("{} is called {} here: did you mean {}{}?",
                         provider,
                         alias->provider,
                         alias->provider,
                         place.substr(provider.size()));
    }
    const auto region = std::find_if(offers.begin(), offers.end(), [&](const Offer& offer) {
      return !offer.region.empty() && boost::to_lower_copy(offer.region) == lower;
    });
    if (region != offers.end()) {
      return fmt::format(
          "{0} is a region: --region {0}, or --infra {1}/{0}", region->region, region->provider);
    }
  }
  return "";
}

std::string books_and_providers(const Query& query, const Catalog& catalog) {
  std::set<std::string> books;
  std::set<std::string> providers;
  for (const auto& offer : catalog.offers()) {
    books.insert(offer.book);
    providers.insert(offer.provider);
  }
  return fmt::format(
      "books: {}{}; providers: {}",
      fmt::join(books, ", "),
      books.contains(query.book) ? "" : " (--prices FILE: those of a table of yours)",
      fmt::join(providers, ", "));
}

// What to say of other markets, where the place and the book have offers in them; "" else.
std::string other_markets(const Query& query, const Catalog& catalog) {
  Query others = query;
  others.markets = {Market::on_demand, Market::spot, Market::reserved_1y, Market::reserved_3y};
  const OfferConstraints constraints(others);
  std::set<Market> sold;
  bool by_the_hour = false;
  for (const auto& offer : catalog.offers()) {
    if (constraints.in_scope(offer)) {
      sold.insert(offer.market);
      by_the_hour |= offer.market == Market::on_demand && !is_monthly(offer);
    }
  }
  const auto committed = std::find_if(query.markets.begin(), query.markets.end(), [](Market one) {
    return committed_hours(one) > 0;
  });
  if (committed != query.markets.end() && by_the_hour) {
    return fmt::format(
        "these tables have on-demand prices there: --reserved-discount 40% takes {} ones to be so "
        "much lower",
        to_string(*committed));
  }
  std::vector<std::string> flags;
  for (const auto market : sold) {
    flags.push_back(fmt::format("--market {}", to_string(market)));
  }
  return flags.empty() ? ""
                       : fmt::format("there are offers there with {}", fmt::join(flags, " or "));
}

}  // namespace

bool names_something(const Query& query, const Catalog& catalog) {
  const auto offers = catalog.offers();
  Query booked = query;
  booked.markets.assign(std::begin(all_markets), std::end(all_markets));
  booked.infra.clear();
  const OfferConstraints of_book(booked);
  const auto lies_there = [&](const Offer& offer) {
    return query.infra.empty() ||
           std::any_of(query.infra.begin(), query.infra.end(), [&](const auto& pattern) {
             return matches_infra(pattern, offer);
           });
  };
  return std::any_of(offers.begin(), offers.end(), lies_there) &&
         std::any_of(offers.begin(), offers.end(), [&](const Offer& offer) {
           return of_book.in_scope(offer);
         });
}

std::string nothing_in_scope(const Query& query, const Catalog& catalog) {
  std::vector<std::string_view> markets;
  for (const auto market : query.markets) {
    markets.push_back(to_string(market));
  }
  auto near = provider_meant(query, catalog);
  near = near.empty() ? other_markets(query, catalog) : near;
  near = near.empty() ? regions_near(query, catalog) : near;
  return fmt::format(
      "no offer is {} in {} of the book {}.\n       {}",
      fmt::join(markets, " or "),
      query.infra.empty() ? "any place" : fmt::format("{}", fmt::join(query.infra, ", ")),
      query.book,
      near.empty() ? books_and_providers(query, catalog) : near);
}

}  // namespace rightsize
