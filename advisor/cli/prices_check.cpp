// prices check: what in a table is not used, or should be doubted.
#include <algorithm>
#include <iterator>
#include <vector>

#include <fmt/format.h>

#include "advisor/cli/custom_tables.h"
#include "advisor/cli/prices.h"
#include "advisor/cli/table_cpu.h"
#include "advisor/cli/table_gpu.h"
#include "advisor/cli/tables.h"
#include "advisor/report/units.h"
#include "advisor/today.h"
#include "pricing/check.h"

namespace rightsize::cli {
namespace {

struct Checked {
  std::size_t offers = 0;
  std::size_t more = 0;               // issues beyond those kept
  std::size_t aged = 0;               // of ours, among the issues; or retired
  std::vector<std::string> unpriced;  // a sentence for each table with such rows
  std::vector<PriceIssue> issues;
};

void check_table(const ImportedTable& table, const Catalog& shipped, Checked& checked) {
  auto issues = check_offers(
      table.offers, {today(), 30, 90, &shipped, shipped.retirements(), cpu_doubt(), gpu_doubt()});
  // Of a field that could not be read it was said while reading; what is noted of a price then is
  // of another row, and hides no doubt of the price itself.
  std::erase_if(issues, [&](const PriceIssue& issue) {
    return !parse_market(issue.field) &&
           std::any_of(table.issues.begin(), table.issues.end(), [&](const PriceIssue& read) {
             return read.line == issue.line && read.field == issue.field;
           });
  });
  if (table.unpriced > 0) {
    checked.unpriced.push_back(fmt::format("{}: {}", table.file, unpriced_rows(table)));
  }
  issues.insert(issues.end(), table.issues.begin(), table.issues.end());
  if (table.offers.empty() && table.issue_count == 0) {
    issues.push_back({table.file,
                      0,
                      "",
                      table.unpriced > 0 ? "none of its rows has a price" : "it lists no offer"});
  }
  std::stable_sort(
      issues.begin(), issues.end(), [](const auto& a, const auto& b) { return a.line < b.line; });
  checked.offers += table.offers.size();
  checked.more += table.issue_count - table.issues.size();
  checked.issues.insert(checked.issues.end(), issues.begin(), issues.end());
}

// Ours were checked when they were made (catalog_test): what reading left out is left to say, and
// how old they have become, and what has been retired since. Books of a year long past are meant to
// be old.
void check_shipped(const Catalog& shipped, Checked& checked) {
  checked.offers = shipped.offers().size();
  checked.issues.assign(shipped.issues().begin(), shipped.issues().end());
  std::vector<Offer> current;
  std::copy_if(shipped.offers().begin(),
               shipped.offers().end(),
               std::back_inserter(current),
               [](const Offer& offer) { return offer.book == "current"; });
  for (auto& issue : check_offers(current, {today(), 30, 90, nullptr, shipped.retirements()})) {
    if (issue.field == "AsOf" || issue.field == "InstanceType") {
      issue.line = issue.field == "AsOf" ? 0 : issue.line;  // the table's, not that of one row
      checked.issues.push_back(std::move(issue));
      ++checked.aged;
    }
  }
}

ImportOptions to_be_checked() {
  ImportOptions options;
  options.note_malformed = true;  // one slip must not hide the others
  return options;
}

// The tables named, those of --custom-prices among them. False when none is.
bool check_files(const Values& values, const Catalog& shipped, Checked& checked) {
  const auto& format = values["format"].as<std::string>();
  const auto named = [&](const char* option) {
    return values.count(option) > 0 ? values[option].as<std::vector<std::string>>()
                                    : std::vector<std::string>{};
  };
  for (const auto& path : named("file")) {
    for (const auto& file : table_files(path)) {
      const bool custom = format.empty() && is_custom_file(file);
      check_table(
          custom ? custom_samples(file) : imported_table(file, to_be_checked(), shipped, format),
          shipped,
          checked);
    }
  }
  for (const auto& path : named("custom-prices")) {
    check_table(custom_samples(path), shipped, checked);
  }
  return !named("file").empty() || !named("custom-prices").empty();
}

}  // namespace

int check_tables(Context& context, const Values& values, const std::string& format) {
  const auto shipped = shipped_catalog();
  Checked checked;
  const bool of_user = check_files(values, shipped, checked);
  if (!of_user) {
    check_shipped(shipped, checked);
  }
  const auto limit = rows_wanted(values);
  report::Table table({{"table"}, {"line", report::Align::right}, {"field"}, {"what"}});
  for (const auto& issue : checked.issues) {
    if (limit == 0 || table.rows().size() < limit || format != "table") {
      table.add({issue.table,
                 issue.line > 0 ? std::to_string(issue.line) : "—",
                 issue.field,
                 issue.text});
    }
  }
  if (!table.empty() || format == "json") {
    emit(context, values, report::rendered(table, format, context.out_style));
  }
  const auto total = checked.issues.size() + checked.more;
  const auto left = total - table.rows().size();
  if (left > 0) {
    context.err << fmt::format(
        "NOTE: {} more{}\n", left, checked.more > 0 ? "" : ", --max-results 0 shows them");
  }
  for (const auto& sentence : checked.unpriced) {
    context.err << fmt::format("NOTE: {}\n", sentence);
  }
  context.err << fmt::format("{} {}, {} {} to look at\n",
                             report::count(checked.offers),
                             checked.offers == 1 ? "offer" : "offers",
                             total,
                             total == 1 ? "thing" : "things");
  // That ours have aged is to be known; it fails nothing that a user could mend in a file.
  const auto failing = of_user ? total : total - checked.aged;
  return failing == 0 ? exit_ok : exit_check_failed;
}

}  // namespace rightsize::cli
