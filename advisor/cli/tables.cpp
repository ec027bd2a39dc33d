#include "advisor/cli/tables.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "advisor/cli/custom_tables.h"
#include "advisor/cli/machine_option.h"
#include "advisor/cli/table_cpu.h"
#include "advisor/cli/table_provider.h"
#include "advisor/text_file.h"
#include "models/laws/gpu_name.h"
#include "pricing/custom_shape.h"
#include "pricing/monthly.h"
#include "pricing/on_prem.h"
#include "pricing/usual_prices.h"
#include "profiler/campaign/toml_mistake.h"

namespace rightsize::cli {
namespace {

namespace po = boost::program_options;
namespace fs = std::filesystem;

// What the provider's disks are priced in; the offer's own where none is listed. A machine and its
// disk make one bill.
std::string list_currency(const Offer& offer, const Catalog& catalog) {
  const auto volumes = catalog.volumes();
  const auto listed = std::find_if(volumes.begin(), volumes.end(), [&](const VolumeClass& volume) {
    return volume.provider == offer.provider && volume.price_per_gib_month;
  });
  return listed != volumes.end() ? listed->price_per_gib_month->currency()
                                 : offer.price_per_hour.currency();
}

// Of one unit of `currency` in the query's; none where nobody says.
std::optional<std::int64_t> rate_nanos(const std::string& currency, const Query& query) {
  constexpr std::int64_t one = 1'000'000'000;
  const auto rate = query.rates.find(currency);
  return currency == query.currency  ? std::optional(one)
         : rate == query.rates.end() ? std::nullopt
                                     : std::optional(rate->second.rate_nanos);
}

// What a price book says was agreed upon: to count none of it for want of a rate would be no
// answer.
std::int64_t required_rate(const std::string& currency,
                           const std::string& of_what,
                           const Offer& offer,
                           const Query& query) {
  const auto rate = rate_nanos(currency, query);
  if (!rate) {
    throw UsageError(
        fmt::format("{0}:{1}: {2} in {3}, and {4} counts in {5}: mend the currency, or add to the "
                    "job file [money.rates] with {3} = \"0.92\", what 1 {3} is in {5}",
                    offer.table,
                    offer.line,
                    of_what,
                    currency,
                    query.file,
                    query.currency));
  }
  return *rate;
}

// A price agreed in another currency than the provider's list is brought to that, by the rates of
// the first job; the others must have rates too, and say their total in their own.
void count_as_listed(ImportedTable& table, std::span<const Query> queries, const Catalog& shipped) {
  if (table.format != "book" || queries.empty()) {
    return;
  }
  for (auto& offer : table.offers) {
    const auto agreed = offer.price_per_hour.currency();
    const auto listed = list_currency(offer, shipped);
    for (const auto& query : queries) {
      static_cast<void>(required_rate(agreed, "a price", offer, query));
      static_cast<void>(required_rate(listed, offer.provider + "'s disks are", offer, query));
    }
    if (agreed == listed) {
      continue;
    }
    const double rate = static_cast<double>(*rate_nanos(agreed, queries[0])) /
                        static_cast<double>(*rate_nanos(listed, queries[0]));
    offer.source +=
        fmt::format("; {} {} at {:.6g} {}", offer.price_per_hour.decimal(), agreed, rate, listed);
    offer.price_per_hour =
        convert(offer.price_per_hour, {agreed, listed, std::llround(rate * 1e9), queries[0].file});
  }
}

// The names of the books that were added, with commas between.
std::string add_tables(const std::vector<std::string>& paths,
                       std::span<const Query> queries,
                       Catalog& catalog) {
  const auto shipped = catalog;
  const UsualPrices usual(shipped.offers());
  std::set<std::string> books;
  for (const auto& path : paths) {
    for (const auto& file : table_files(path)) {
      auto table = imported_table(file, {}, shipped);
      count_as_listed(table, queries, shipped);
      for (const auto& offer : table.offers) {
        books.insert(offer.book);
        if (auto doubt = usual.doubt(offer); !doubt.empty()) {  // said where it is chosen
          table.note(offer.line, std::string(to_string(offer.market)), std::move(doubt));
        }
      }
      catalog.add(std::move(table));
    }
  }
  if (books.empty()) {
    throw UsageError(
        "--prices: no offer in these tables has a price; `rightsize prices check FILE` says why");
  }
  return fmt::format("{}", fmt::join(books, ","));
}

void add_own_machine(const std::string& text, Catalog& catalog) {
  try {
    Offer offer = on_prem_offer(text);
    offer.gpu = offer.gpu.empty() ? "" : canonical_gpu_name(offer.gpu);
    check_cpu_name(offer.cpu, "--on-prem cpu");
    catalog.add(std::move(offer));
  } catch (const PricingError& error) {
    throw UsageError(fmt::format("--on-prem: {}", error.what()));
  }
}

// Reserved offers where the tables have none: the on-demand ones of the books asked for, less what
// the user says. They say "assumed" in their source.
void assume_reserved(std::string percent, const Query& query, Catalog& catalog) {
  if (percent.ends_with('%')) {
    percent.pop_back();
  }
  std::vector<Offer> assumed;
  std::set<std::string> priced;
  const auto key = [](const Offer& offer, Market market) {
    return fmt::format("{}/{}/{}/{}/{}",
                       offer.provider,
                       offer.instance,
                       offer.region,
                       offer.book,
                       to_string(market));
  };
  for (const auto& offer : catalog.offers()) {
    priced.insert(key(offer, offer.market));
  }
  for (const auto& offer : catalog.offers()) {
    for (const auto market : query.markets) {
      if (offer.market == Market::on_demand && !is_monthly(offer) && committed_hours(market) > 0 &&
          !priced.contains(key(offer, market))) {
        assumed.push_back(offer);
        assumed.back().market = market;
        assumed.back().parts.clear();
        assumed.back().source = "assumed: on demand, " + offer.source;
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
  char rest = 0;
  const int read = std::sscanf(text.c_str(), "%d%c", &value, &rest);
  if (read < 1 || (read == 2 && (rest != '%' || !text.ends_with('%'))) || value < 1 ||
      value > 100) {
    throw UsageError(
        fmt::format("--utilisation {}: expected a whole percentage such as 60%", text));
  }
  return value;
}

// Of "current,own".
bool names_book(const std::string& books, const std::string& book) {
  return ("," + books + ",").find("," + book + ",") != std::string::npos;
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
  options.add_options()(
      "on-prem",
      po::value<std::vector<std::string>>(),
      "a machine of yours beside them: gpu=A100:8,price=180000USD,years=4,power=6.5kW,kwh=0.15,"
      "utilisation=60%,vcpus=128,memory=1024GiB,disk=7680GiB")(
      "custom-shapes", po::bool_switch(), "also machines cut to measure (GCE: N1 and its GPUs)")(
      "reserved-discount",
      po::value<std::string>(),
      "assume this off on-demand prices, as 40%, where no table has a reserved price")(
      "utilisation",
      po::value<std::string>()->default_value("100%"),
      "of a reservation: the part of its hours there is work for");
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
    const auto books =
        add_tables(values["prices"].as<std::vector<std::string>>(), queries, catalog);
    for (auto& query : queries) {
      query.book = values.count("book") > 0 ? query.book : books;
    }
  }
}

void add_own_tables(const Values& values, std::span<Query> queries, Catalog& catalog) {
  add_price_files(values, queries, catalog);
  if (values.count("on-prem") > 0) {
    for (const auto& text : values["on-prem"].as<std::vector<std::string>>()) {
      add_own_machine(text, catalog);
    }
  }
  if (values["custom-shapes"].as<bool>()) {
    add_custom_shapes(shipped_custom_families(), catalog);
  }
  const auto custom_books = add_custom_prices(values, catalog);
  const int utilisation = whole_percent(values["utilisation"].as<std::string>());
  for (auto& query : queries) {
    query.book += values.count("on-prem") > 0 ? ",own" : "";
    for (const auto& book : custom_books) {
      query.book += values.count("book") > 0 || names_book(query.book, book) ? "" : "," + book;
    }
    query.utilisation_percent = utilisation;
    if (values.count("reserved-discount") > 0) {
      assume_reserved(values["reserved-discount"].as<std::string>(), query, catalog);
    }
  }
}

}  // namespace rightsize::cli
