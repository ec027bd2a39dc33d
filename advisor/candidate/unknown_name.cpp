#include "advisor/candidate/unknown_name.h"

#include <algorithm>
#include <regex>
#include <set>

#include <boost/algorithm/string.hpp>
#include <fmt/format.h>

#include "advisor/calibration.h"
#include "advisor/candidate/constraint.h"
#include "advisor/machine/gpu_words.h"
#include "advisor/query/either_of.h"
#include "advisor/query/gpu_choice.h"
#include "advisor/query/toml_fields.h"
#include "pricing/book_name.h"

namespace rightsize {
std::set<std::string> books_of(const Catalog& catalog) {
  std::set<std::string> books;
  for (const auto& offer : catalog.offers()) {
    books.insert(offer.book);
  }
  return books;
}

std::string book_of_no_table(const std::string& asked, const Catalog& catalog) {
  const auto books = books_of(catalog);
  std::vector<std::string> names;
  boost::split(names, asked, boost::is_any_of(","));
  for (auto& name : names) {
    boost::trim(name);
    const bool known =
        name.empty() || std::any_of(books.begin(), books.end(), [&](const auto& book) {
          return names_book(book, name);
        });
    if (!known) {
      return name;
    }
  }
  return "";
}

namespace {

std::string nearest_of(const std::string& word, const std::set<std::string>& names) {
  const auto near = nearest_word(word, {names.begin(), names.end()});
  return near.empty() ? "" : fmt::format(", did you mean {}?", near);
}

bool has_offers(const std::string& place, const Catalog& catalog) {
  const auto offers = catalog.offers();
  return std::any_of(offers.begin(), offers.end(), [&](const Offer& offer) {
    return matches_infra(place, offer);
  });
}

std::string provider_of(const std::string& place) {
  return place.substr(0, place.find('/'));
}

// "/us-east-1"; "" of a provider alone.
std::string region_of(const std::string& place) {
  const auto slash = place.find('/');
  return slash == std::string::npos ? "" : place.substr(slash);
}

// As --region has it: "us-east-1" of "*/us-east-1".
std::string without_any_provider(const std::string& place) {
  return place.starts_with("*/") ? place.substr(2) : place;
}

// Regions of its provider, or providers where that is nobody's name.
std::string nearest_place(const std::string& place, const Catalog& catalog) {
  const auto provider = provider_of(place);
  const bool known = has_offers(provider, catalog);
  std::set<std::string> names;
  for (const auto& offer : catalog.offers()) {
    if (known && matches_infra(provider, offer) && !offer.region.empty()) {
      names.insert(provider == "*" ? offer.region : offer.provider + "/" + offer.region);
    } else if (!known) {
      names.insert(offer.provider + region_of(place));
    }
  }
  return nearest_of(without_any_provider(place), names);
}

std::string unknown_place(const std::vector<std::string>& places,
                          bool crossed,
                          const Catalog& catalog) {
  std::vector<std::string> missing;
  std::set<std::string> found_regions;
  for (const auto& place : places) {
    if (has_offers(place, catalog)) {
      found_regions.insert(region_of(place));
    } else {
      missing.push_back(place);
    }
  }
  if (found_regions.empty()) {
    return "";
  }
  for (const auto& place : missing) {
    const bool elsewhere = crossed && found_regions.contains(region_of(place)) &&
                           has_offers(provider_of(place), catalog);
    if (!elsewhere) {
      const auto near = nearest_place(place, catalog);
      return fmt::format("{}: no table sells anything there{}",
                         without_any_provider(place),
                         near.empty() ? "; leave it out, or see rightsize prices list" : near);
    }
  }
  return "";
}

std::string unknown_instance(const std::string& allow, const Catalog& catalog) {
  const auto patterns = each_of(allow);
  if (patterns.size() < 2) {
    return "";
  }
  std::set<std::string> instances;
  for (const auto& offer : catalog.offers()) {
    instances.insert(offer.instance);
  }
  std::vector<std::string> missing;
  for (const auto& pattern : patterns) {
    const std::regex allowed(pattern);
    const bool found = std::any_of(instances.begin(), instances.end(), [&](const auto& name) {
      return std::regex_search(name, allowed);
    });
    if (!found) {
      missing.push_back(pattern);
    }
  }
  if (missing.empty() || missing.size() == patterns.size()) {
    return "";
  }
  return fmt::format("allow {}: no instance in the price tables is called so{}",
                     missing.front(),
                     nearest_of(missing.front(), instances));
}

// One that has a data sheet here, whether or not anybody rents it out.
bool is_known_gpu(std::string_view gpu) {
  const auto tables = shipped_rate_tables();
  return std::any_of(tables.gpus.begin(), tables.gpus.end(), [&](const GpuSpec& spec) {
    return spec.name == gpu;
  });
}

// One that no table's machine has, whatever else it has.
std::string unknown_gpu(const std::vector<std::string>& gpus, const Catalog& catalog) {
  for (const auto& name : gpus) {
    auto words = gpu_words(name);
    words.count.reset();
    std::set<std::string> sold;
    const GpuChoice choice(std::vector{words});
    const auto offers = catalog.offers();
    if (std::none_of(offers.begin(), offers.end(), [&](const Offer& offer) {
          sold.insert(offer.gpu);
          return choice.holds(offer);
        })) {
      const auto beside =
          is_known_gpu(words.gpu)
              ? "; a table of yours (--prices) or a machine (--on-prem) may"
              : nearest_of(words.gpu, sold) + "; rightsize gpus lists those there are";
      return fmt::format("gpu {}: no machine of the price tables has it{}", name, beside);
    }
  }
  return "";
}

// A name of several that is nobody's would take no part; one that stands alone the search hears of.
std::string unknown_book(const std::string& books, const Catalog& catalog) {
  const auto book = books.find(',') == std::string::npos ? "" : book_of_no_table(books, catalog);
  return book.empty()
             ? ""
             : fmt::format(
                   "book {}: no price table is in it{}", book, nearest_of(book, books_of(catalog)));
}

}  // namespace

std::string unknown_name(const Query& query, bool crossed, const Catalog& catalog) {
  for (auto& words : {unknown_place(query.infra, crossed, catalog),
                      unknown_book(query.book, catalog),
                      unknown_gpu(query.gpus, catalog),
                      unknown_instance(query.allow, catalog)}) {
    if (!words.empty()) {
      return words;
    }
  }
  return "";
}

}  // namespace rightsize
