// prices import: other people's tables into ours; prices export: the other way.
#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "advisor/cli/out_file.h"
#include "advisor/cli/prices.h"
#include "advisor/cli/tables.h"
#include "advisor/report/units.h"
#include "pricing/days.h"
#include "pricing/offer_csv.h"

namespace rightsize::cli {
namespace {

namespace po = boost::program_options;

constexpr std::size_t shown_issues = 5;

std::string formats_help() {
  std::string text = "import: auto";
  for (const auto& format : import_formats()) {
    text += fmt::format(", {}", format.name);
  }
  return text + " (by content); export: table or skypilot";
}

std::vector<std::string> files_of(const Values& values) {
  std::vector<std::string> files;
  if (values.count("file") > 0) {
    for (const auto& path : values["file"].as<std::vector<std::string>>()) {
      const auto more = table_files(path);
      files.insert(files.end(), more.begin(), more.end());
    }
  }
  return files;
}

std::string payment_of(const Values& values) {
  const auto& word = values["payment"].as<std::string>();
  if (word == "savings-plan") {
    return "savings plan";
  }
  if (word != "no" && word != "partial" && word != "all") {
    throw UsageError(fmt::format(
        "--payment {}: expected no, partial or all (upfront), or savings-plan (Azure)", word));
  }
  return word + " upfront";
}

void require_date(const std::string& text) {
  if (!text.empty() && !is_day(text)) {
    throw UsageError(fmt::format("--as-of {}: expected a date such as 2026-11-02", text));
  }
}

ImportOptions import_options(const Values& values) {
  ImportOptions options;
  options.provider = values["provider"].as<std::string>();
  options.book = values["book"].as<std::string>();
  options.as_of = values["as-of"].as<std::string>();
  options.payment = payment_of(values);
  require_date(options.as_of);
  return options;
}

void discount(const Values& values, std::vector<Offer>& offers) {
  const auto& percent = values["discount"].as<std::string>();
  if (percent.empty()) {
    return;
  }
  try {
    apply_discount(offers, percent);
  } catch (const PricingError& error) {
    throw UsageError(fmt::format("--discount: {}", error.what()));
  }
}

void summarise(Context& context, const ImportedTable& table) {
  context.err << fmt::format("{}: {}, {} from {}, {} of other things\n",
                             table.file,
                             table.format,
                             report::count_of(table.offers.size(), "offer"),
                             report::count_of(table.rows, "row"),
                             report::count_of(table.left_out, "row"));
  if (table.unpriced > 0) {
    context.err << fmt::format("  {}\n", unpriced_rows(table));
  }
  const auto shown = std::min(shown_issues, table.issues.size());
  for (std::size_t i = 0; i < shown; ++i) {
    const auto& issue = table.issues[i];
    const auto place = issue.line > 0 ? fmt::format("{}:{}", issue.table, issue.line) : issue.table;
    context.err << fmt::format("  {}: {}: {}\n", place, issue.field, issue.text);
  }
  if (table.issue_count > shown) {
    context.err << fmt::format(
        "  NOTE: {} more like these, `rightsize prices check {}` lists them\n",
        table.issue_count - shown,
        table.file);
  }
}

// Nothing is written then: a file that is there already is better than one without offers.
int no_offers(Context& context, const Values& values) {
  context.err << fmt::format(
      "no offer came of it{}\n",
      !to_stdout(values) ? fmt::format(": {} was not written", values["out-file"].as<std::string>())
                         : "");
  return exit_failed;
}

// A table may have a million offers: none is copied.
void take(std::vector<Offer>&& more, std::vector<Offer>& offers) {
  if (offers.empty()) {
    offers = std::move(more);
  } else {
    std::move(more.begin(), more.end(), std::back_inserter(offers));
  }
}

}  // namespace

void add_import_options(Options& options) {
  options.add_options()(
      "format", po::value<std::string>()->default_value(""), formats_help().c_str())(
      "provider",
      po::value<std::string>()->default_value(""),
      "import: whose prices, where the file does not say (its name otherwise)")(
      "book",
      po::value<std::string>()->default_value(""),
      "list, show: only this book, or several with commas; import: the book's name (the file's); "
      "export: the book written (current)")(
      "as-of", po::value<std::string>()->default_value(""), "import: the date of the prices")(
      "discount", po::value<std::string>()->default_value(""), "import: off every price, as 12%")(
      "payment",
      po::value<std::string>()->default_value("no"),
      "import: which reservations, paid no, partial or all upfront; savings-plan: Azure's plans "
      "in place of its reservations");
}

int import_tables(Context& context, const Values& values, const std::string& format) {
  const auto files = files_of(values);
  if (files.empty()) {
    throw UsageError("which file? usage: rightsize prices import FILE... -o csv --out-file my.csv");
  }
  const auto known = shipped_catalog();
  std::vector<Offer> offers;
  for (const auto& file : files) {
    auto table =
        imported_table(file, import_options(values), known, values["format"].as<std::string>());
    summarise(context, table);
    take(std::move(table.offers), offers);
  }
  std::erase_if(offers, [&](const Offer& offer) { return !wanted(offer, values); });
  discount(values, offers);
  if (offers.empty()) {
    return no_offers(context, values);
  }
  if (format == "csv") {
    emit(context, values, to_offer_csv(offers));
  } else {
    std::size_t left = 0;
    const auto table = offer_table(offers, values, left);
    emit(context, values, report::rendered(table, format, context.out_style));
    if (left > 0) {
      context.err << fmt::format("NOTE: {} more, --max-results 0 shows them\n", left);
    }
  }
  if (!to_stdout(values) && format == "csv") {
    context.err << fmt::format("Next: rightsize advise JOB.toml --prices {}\n",
                               values["out-file"].as<std::string>());
  }
  return exit_ok;
}

namespace {

// Of the files that are named, or of a book of ours.
std::vector<Offer> exported(const Values& values) {
  const auto known = shipped_catalog();
  std::vector<Offer> offers;
  for (const auto& file : files_of(values)) {
    auto table = imported_table(file, import_options(values), known);
    take(std::move(table.offers), offers);
  }
  if (values.count("file") == 0) {
    const auto book = values["book"].as<std::string>().empty() ? std::string("current")
                                                               : values["book"].as<std::string>();
    std::copy_if(known.offers().begin(),
                 known.offers().end(),
                 std::back_inserter(offers),
                 [&](const Offer& offer) { return offer.book == book; });
  }
  const auto& provider = values["provider"].as<std::string>();
  std::erase_if(offers, [&](const Offer& offer) {
    return !wanted(offer, values) || (!provider.empty() && offer.provider != provider);
  });
  discount(values, offers);
  return offers;
}

}  // namespace

int export_tables(Context& context, const Values& values) {
  const auto offers = exported(values);
  if (offers.empty()) {
    return no_offers(context, values);
  }
  const auto& to = values["format"].as<std::string>();
  if (to == "table" || to.empty()) {
    emit(context, values, to_offer_csv(offers));
    return exit_ok;
  }
  if (to != "skypilot") {
    throw UsageError(fmt::format("prices export --format {}: expected table or skypilot", to));
  }
  const auto& provider = values["provider"].as<std::string>();
  if (provider.empty()) {
    throw UsageError("a SkyPilot catalogue is of one provider: add --provider aws");
  }
  std::size_t left_out = 0;
  const auto text = to_skypilot_csv(offers, provider, left_out);
  if (left_out == offers.size()) {
    return no_offers(context, values);
  }
  emit(context, values, text);
  context.err << fmt::format(
      "{} written; {} of other providers, currencies, reservations or whole months not\n",
      report::count_of(offers.size() - left_out, "offer"),
      report::count(left_out));
  return exit_ok;
}

}  // namespace rightsize::cli
