#include "advisor/cli/tables.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "advisor/candidate/constraint.h"
#include "advisor/candidate/unknown_name.h"
#include "advisor/cli/custom_tables.h"
#include "advisor/cli/listed_currency.h"
#include "advisor/cli/own_machines.h"
#include "advisor/cli/table_cpu.h"
#include "advisor/cli/table_gpu.h"
#include "advisor/cli/table_provider.h"
#include "advisor/text_file.h"
#include "advisor/today.h"
#include "models/laws/gpu_name.h"
#include "pricing/book_name.h"
#include "pricing/check.h"
#include "pricing/custom_shape.h"
#include "pricing/monthly.h"
#include "pricing/on_prem.h"
#include "pricing/sold_as.h"
#include "profiler/campaign/toml_mistake.h"

namespace rightsize::cli {
namespace {

namespace po = boost::program_options;
namespace fs = std::filesystem;

// Prices of the user's own come in place of ours: of the same thing, or of their whole book where
// no other is asked for.
void replace_ours(const std::vector<Offer>& own, bool whole_books, Catalog& catalog) {
  std::set<SoldAs> sold;
  std::set<std::string> books;
  for (const auto& offer : own) {
    sold.insert(sold_as(offer));
    books.insert(offer.book);
  }
  catalog.shelve([&](const Offer& ours) {
    return whole_books ? books.contains(ours.book) : sold.contains(sold_as(ours));
  });
}

// What `prices check` would say of a row, for who chooses it. Its age and place are told of every
// chosen one anyway.
void note_doubts(const Catalog& shipped, ImportedTable& table) {
  const std::set<std::string> told{"AsOf", "Region", "Provider", "Currency"};
  CheckOptions options{today(), 30, 90, &shipped, {}};
  options.gpu_doubt = gpu_doubt();
  for (auto& issue : check_offers(table.offers, options)) {
    if (!told.contains(issue.field)) {
      table.note(issue.line, std::move(issue.field), std::move(issue.text));
    }
  }
}

// The names of the books that were added, with commas between.
std::string add_tables(const std::vector<std::string>& paths,
                       std::span<const Query> queries,
                       bool alone,
                       Catalog& catalog) {
  const auto shipped = catalog;
  std::set<std::string> books;
  std::vector<ImportedTable> tables;
  std::vector<Offer> own;
  for (const auto& path : paths) {
    for (const auto& file : table_files(path)) {
      if (is_custom_file(file)) {
        throw UsageError(fmt::format(
            "--prices {0}: it prices machines cut to measure; give it by --custom-prices {0}",
            file));
      }
      auto table = imported_table(file, {}, shipped);
      count_as_listed(table, queries, shipped);
      for (const auto& offer : table.offers) {
        books.insert(offer.book);
      }
      note_doubts(shipped, table);
      own.insert(own.end(), table.offers.begin(), table.offers.end());
      tables.push_back(std::move(table));
    }
  }
  replace_ours(own, alone, catalog);
  for (auto& table : tables) {
    catalog.add(std::move(table));
  }
  if (books.empty()) {
    throw UsageError(
        "--prices: no offer in these tables has a price; `rightsize prices check FILE` says why");
  }
  return fmt::format("{}", fmt::join(books, ","));
}

// Reserved offers where the tables have none: the on-demand ones of the query's books, less what
// the user says, but their own machine, which nobody lets them. They say "assumed" in their source.
void assume_reserved(const std::string& percent, const Query& query, Catalog& catalog) {
  std::vector<Offer> assumed;
  std::set<SoldAs> priced;
  for (const auto& offer : catalog.offers()) {
    priced.insert(sold_as(offer));
  }
  for (const auto& offer : catalog.offers()) {
    if (offer.market != Market::on_demand || is_monthly(offer) || is_own(offer) ||
        !names_book(query.book, offer.book)) {
      continue;
    }
    for (const auto market : {Market::reserved_1y, Market::reserved_3y}) {  // a name may ask for it
      auto reserved = sold_as(offer);
      std::get<Market>(reserved) = market;
      if (!priced.contains(reserved)) {
        assumed.push_back(offer);
        assumed.back().market = market;
        assumed.back().parts.clear();
        assumed.back().source = std::string(assumed_price) + "on demand, " + offer.source;
      }
    }
  }
  try {
    apply_discount(assumed, percent);
  } catch (const PricingError& error) {
    throw UsageError(fmt::format("--reserved-discount: {}", error.what()));
  }
  for (auto& offer : assumed) {
    catalog.add(std::move(offer));
  }
}

int whole_percent(const std::string& text) {
  int value = 0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  const std::string_view unit(rest, end);
  if (error != std::errc() || (!unit.empty() && unit != "%") || value < 1 || value > 100) {
    throw UsageError(
        fmt::format("--utilisation {}: expected a whole percentage such as 60%", text));
  }
  return value;
}

void add_custom_shapes(const std::vector<CustomFamily>& families, Catalog& catalog) {
  for (const auto& family : families) {
    for (auto& offer : custom_offers(family)) {
      catalog.add(std::move(offer));
    }
  }
}

}  // namespace

void add_price_files_option(Options& options) {
  options.add_options()("prices",
                        po::value<std::vector<std::string>>(),
                        "a price table of yours, or a folder of them; repeatable (any file that "
                        "`prices import` reads; --book current,NAME adds the shipped ones)");
}

void add_prices_option(Options& options) {
  add_price_files_option(options);
  add_on_prem_option(options);
  options.add_options()(
      "custom-shapes", po::bool_switch(), "also machines cut to measure (GCE: N1 and its GPUs)")(
      "reserved-discount",
      po::value<std::string>(),
      "assume this off on-demand prices, as 40%, where no table has a reserved price")(
      "utilisation",
      po::value<std::string>(),
      "of a reservation: the part of its hours there is work for; default: what --runs-per-month "
      "use, or 100%");
  add_custom_prices_option(options);
}

std::vector<std::string> table_files(const std::string& path) {
  std::error_code error;
  if (!fs::is_directory(path, error)) {
    return {path};
  }
  std::vector<std::string> files;
  for (const auto& entry : fs::directory_iterator(path)) {
    const auto ending = entry.path().extension();
    if (entry.is_regular_file() && (ending == ".csv" || ending == ".json" || ending == ".toml")) {
      files.push_back(entry.path().string());
    }
  }
  std::sort(files.begin(), files.end());
  if (files.empty()) {
    throw UsageError(fmt::format("{}: no .csv, .json or .toml file in this folder", path));
  }
  return files;
}

ImportedTable imported_table(const std::string& path,
                             ImportOptions options,
                             const Catalog& known,
                             const std::string& format) {
  check_readable(path);
  std::ifstream in(path, std::ios::binary);
  options.known = &known;
  options.gpu_name = canonical_gpu_name;
  options.cpu_name = imported_cpu_name();
  options.toml_words = toml_mistake;
  const bool provider_said = !options.provider.empty();
  if (!provider_said) {
    options.provider = provider_of(path);
  }
  try {
    auto table = import_prices(in, path, options, format);
    if (!provider_said) {
      doubt_provider(options.provider, known, table);
    }
    return table;
  } catch (const PricingError& error) {
    throw UsageError(error.what());
  }
}

std::string unpriced_rows(const ImportedTable& table) {
  return fmt::format("{} {} without a price {} left out, {}on line {}",
                     table.unpriced,
                     table.unpriced == 1 ? "row" : "rows",
                     table.unpriced == 1 ? "is" : "are",
                     table.unpriced == 1 ? "" : "the first ",
                     table.first_unpriced);
}

void add_price_files(const Values& values, std::span<Query> queries, Catalog& catalog) {
  if (values.count("prices") > 0) {
    const auto books = add_tables(values["prices"].as<std::vector<std::string>>(),
                                  queries,
                                  values.count("book") == 0,
                                  catalog);
    for (auto& query : queries) {
      query.book = values.count("book") > 0 ? query.book : books;
    }
  }
}

Catalog catalog_with_price_files(const Values& values) {
  auto catalog = shipped_catalog();
  if (values.count("prices") > 0) {
    static_cast<void>(
        add_tables(values["prices"].as<std::vector<std::string>>(), {}, false, catalog));
  }
  add_own_machines(values, {}, catalog);
  return catalog;
}

void add_own_tables(const Values& values, std::span<Query> queries, Catalog& catalog) {
  add_price_files(values, queries, catalog);
  add_own_machines(values, queries, catalog);
  if (values["custom-shapes"].as<bool>()) {
    add_custom_shapes(shipped_custom_families(), catalog);
  }
  const auto custom_books = add_custom_prices(values, catalog);
  const bool serve = std::all_of(
      queries.begin(), queries.end(), [](const Query& query) { return query.serves(); });
  if (values.count("utilisation") > 0 && serve && !queries.empty()) {
    throw UsageError(fmt::format(
        "--utilisation {}: it is of jobs, which share a reservation; a service that does not run "
        "all hours says how many: --hours-per-month 176",
        values["utilisation"].as<std::string>()));
  }
  for (auto& query : queries) {
    query.book += values.count("on-prem") > 0 ? "," + std::string(own_book) : "";
    for (const auto& book : custom_books) {
      query.book += values.count("book") > 0 || names_book(query.book, book) ? "" : "," + book;
    }
    if (values.count("utilisation") > 0 && !query.serves()) {
      query.utilisation_percent = whole_percent(values["utilisation"].as<std::string>());
    }
    if (values.count("reserved-discount") > 0) {
      assume_reserved(values["reserved-discount"].as<std::string>(), query, catalog);
    }
  }
}

void refuse_unknown_names(const Values& values,
                          std::span<const Query> queries,
                          const Catalog& catalog) {
  for (const auto& query : queries) {
    if (const auto words = unknown_name(query, values.count("region") > 0, catalog);
        !words.empty()) {
      throw UsageError(words);
    }
  }
}

}  // namespace rightsize::cli
