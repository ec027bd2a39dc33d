#include "advisor/cli/prices.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "advisor/candidate/constraint.h"
#include "advisor/candidate/unknown_name.h"
#include "advisor/cli/custom_tables.h"
#include "advisor/query/place_words.h"
#include "advisor/query/usage_error.h"
#include "advisor/report/units.h"
#include "advisor/suppose/offer_name.h"
#include "models/laws/gpu_name.h"
#include "pricing/book_name.h"
#include "pricing/catalog.h"
#include "pricing/monthly.h"
#include "pricing/place.h"

namespace rightsize::cli {
namespace {

namespace po = boost::program_options;

std::string known(const std::optional<double>& value) {
  return value ? report::digits(*value) : "—";
}

// Of those asked for; a table that has none of them is left out.
std::size_t offers_of(const TableInfo& info, const Catalog& catalog, const Values& values) {
  const auto offers = catalog.offers();
  return static_cast<std::size_t>(std::count_if(offers.begin(), offers.end(), [&](const auto& o) {
    return o.table == info.name && wanted(o, values);
  }));
}

report::Table table_list(const Catalog& catalog, const Values& values) {
  const auto given = [&](const char* flag) { return !values[flag].as<std::string>().empty(); };
  const bool all = !given("infra") && !given("gpu") && !given("market") && !given("book");
  report::Table table({{"table"}, {"provider"}, {"offers", report::Align::right}, {"as of"}});
  for (const auto& info : catalog.tables()) {
    const auto offers = all ? info.offers : offers_of(info, catalog, values);
    if (all || offers > 0) {
      table.add({info.name, info.provider, report::count(offers), info.as_of});
    }
  }
  const auto storage = catalog.object_storage();
  const auto latest =
      std::max_element(storage.begin(), storage.end(), [](const auto& a, const auto& b) {
        return a.as_of < b.as_of;
      });
  if (all && latest != storage.end()) {  // what --data-at is billed by
    table.add({"object_storage.csv", "several", report::count(storage.size()), latest->as_of});
  }
  return table;
}

// The shipped tables, and those of --custom-prices.
Catalog known_catalog(const Values& values) {
  auto catalog = shipped_catalog();
  add_custom_prices(values, catalog);
  return catalog;
}

// A book that is in no table is misspelled, whatever else is asked.
void check_books(const Values& values, const Catalog& catalog) {
  const auto unknown = book_of_no_table(values["book"].as<std::string>(), catalog);
  if (!unknown.empty()) {
    throw UsageError(fmt::format("--book {}: no table has such a book; books: {}",
                                 unknown,
                                 fmt::join(books_of(catalog), ", ")));
  }
}

bool is_for_programs(const Values& values) {
  const auto& format = values["output"].as<std::string>();
  return format == "json" || format == "csv";
}

// With the CPUs only where a table names any. Programs read the exact price, and its currency
// apart.
std::vector<report::Column> offer_columns(bool cpus, bool for_programs) {
  std::vector<report::Column> columns{
      {"instance"},
      {"where"},
      {"gpu"},
      {"qty", report::Align::right},
      {"vcpus", report::Align::right},
      {"GiB", report::Align::right},
      {"market"},
      {for_programs ? "price_per_hour" : "price/h", report::Align::right},
      {"book"},
      {"as of"}};
  if (for_programs) {
    columns.push_back({"currency"});
  }
  if (cpus) {
    columns.push_back({"cpu"});
  }
  return columns;
}

std::vector<std::string> offer_row(const Offer& offer, bool cpus, bool for_programs) {
  const auto& currency = offer.price_per_hour.currency();
  std::vector<std::string> cells{
      offer.instance,
      place_name(offer.provider, offer.region),
      offer.gpu.empty() ? "—" : offer.gpu,
      offer.gpus > 0 ? report::digits(offer.gpus) : "—",
      known(offer.vcpus),
      known(offer.memory_gib),
      std::string(to_string(offer.market)),
      for_programs ? offer.price_per_hour.decimal() : price_as_told(offer) + " " + currency,
      offer.book,
      offer.as_of.empty() ? "—" : offer.as_of};
  if (for_programs) {
    cells.push_back(currency);
  }
  if (cpus) {
    cells.push_back(offer.cpu.empty() ? "—" : offer.cpu);
  }
  return cells;
}

int show(Context& context, const Values& values, const std::string& format) {
  const auto catalog = known_catalog(values);
  check_books(values, catalog);
  std::size_t left = 0;
  const auto table = offer_table(catalog.offers(), values, left);
  if (table.rows().empty()) {
    throw UsageError("no offer of these tables is called or placed so; rightsize prices list");
  }
  emit(context, values, report::rendered(table, format, context.out_style));
  if (left > 0) {
    context.err << fmt::format("NOTE: {} more, --max-results 0 shows them\n", left);
  }
  return exit_ok;
}

}  // namespace

bool wanted(const Offer& offer, const Values& values) {
  const auto& infra = values["infra"].as<std::string>();
  const auto& gpu = values["gpu"].as<std::string>();
  const auto& market = values["market"].as<std::string>();
  const auto& what = values["what"].as<std::string>();
  // Of an import it is the name the book is to have.
  const auto book = what == "import" ? std::string() : values["book"].as<std::string>();
  const auto& names = values.count("file") > 0 && what == "show"
                          ? values["file"].as<std::vector<std::string>>()
                          : std::vector<std::string>{};
  const bool named =
      names.empty() || std::any_of(names.begin(), names.end(), [&](const auto& name) {
        return has_name(offer, name);
      });
  return named && (infra.empty() || matches_infra(infra, offer)) &&
         (gpu.empty() || offer.gpu == canonical_gpu_name(gpu)) &&
         (market.empty() || parse_market(market) == offer.market) &&
         (book.empty() || names_book(book, offer.book));
}

// For people the first, for programs all, where nobody says.
std::size_t rows_wanted(const Values& values) {
  return is_for_programs(values) && values["max-results"].defaulted()
             ? 0
             : values["max-results"].as<std::size_t>();
}

report::Table offer_table(std::span<const Offer> offers, const Values& values, std::size_t& left) {
  const bool cpus = std::any_of(offers.begin(), offers.end(), [&](const Offer& offer) {
    return !offer.cpu.empty() && wanted(offer, values);
  });
  const bool for_programs = is_for_programs(values);
  report::Table table(offer_columns(cpus, for_programs));
  const auto limit = rows_wanted(values);
  left = 0;
  for (const auto& offer : offers) {
    if (!wanted(offer, values)) {
      continue;
    }
    if (limit > 0 && table.rows().size() >= limit) {
      ++left;
      continue;
    }
    table.add(offer_row(offer, cpus, for_programs));
  }
  return table;
}

namespace {

Values prices_options(Context& context, const std::vector<std::string>& arguments) {
  Options options("options");
  add_output_options(options);
  add_import_options(options);
  add_custom_prices_option(options);
  options.add_options()("what",
                        po::value<std::string>()->default_value("list"),
                        "list, show, import, export or check")(
      "file",
      po::value<std::vector<std::string>>(),
      "import, export, check: tables of yours; show: instances")(
      "infra", po::value<std::string>()->default_value(""), "only this provider/region pattern")(
      "gpu", po::value<std::string>()->default_value(""), "only this GPU")(
      "market",
      po::value<std::string>()->default_value(""),
      "only on-demand, spot, reserved-1y or reserved-3y")(
      "max-results",
      po::value<std::size_t>()->default_value(20),
      "rows shown, 0 = all; json and csv have all where it is not given");
  return parse(context, "prices", options, {"what", "file..."}, arguments);
}

void check_filters(const Values& values) {
  const auto& market = values["market"].as<std::string>();
  if (!market.empty() && !parse_market(market)) {
    throw UsageError(
        fmt::format("--market {}: expected on-demand, spot, reserved-1y or reserved-3y", market));
  }
  if (const auto& infra = values["infra"].as<std::string>(); !infra.empty()) {
    static_cast<void>(checked_places({infra}, "--infra"));
  }
}

int list(Context& context, const Values& values, const std::string& format) {
  if (values.count("file") > 0) {
    throw UsageError(fmt::format(
        "prices list {0}: it lists the tables of this program; rightsize prices check {0} reads "
        "one of yours",
        values["file"].as<std::vector<std::string>>().front()));
  }
  const auto catalog = known_catalog(values);
  check_books(values, catalog);
  const auto table = table_list(catalog, values);
  if (table.empty()) {
    throw UsageError("no offer of these tables is placed so; rightsize prices list");
  }
  emit(context, values, report::rendered(table, format, context.out_style));
  return exit_ok;
}

}  // namespace

int run_prices(Context& context, const std::vector<std::string>& arguments) {
  const auto values = prices_options(context, arguments);
  const auto format = output_format(values, {"table", "json", "csv", "md"});
  check_filters(values);
  const auto what = values["what"].as<std::string>();
  if (what == "check") {
    return check_tables(context, values, format);
  }
  if (what == "import") {
    return import_tables(context, values, format);
  }
  if (what == "export") {
    return export_tables(context, values);
  }
  if (what == "list") {
    return list(context, values, format);
  }
  if (what == "show") {
    return show(context, values, format);
  }
  throw UsageError(fmt::format("prices {}: expected list, show, import, export or check", what));
}

}  // namespace rightsize::cli
