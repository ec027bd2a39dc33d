// prices check: what in a table is not used, or should be doubted.
#include <algorithm>
#include <ctime>
#include <iterator>
#include <vector>

#include <fmt/format.h>

#include "advisor/cli/prices.h"
#include "advisor/cli/tables.h"
#include "advisor/report/units.h"
#include "pricing/check.h"

namespace rightsize::cli {
namespace {

std::string today() {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&now, &utc);
  char text[16];
  std::strftime(text, sizeof text, "%Y-%m-%d", &utc);
  return text;
}

struct Checked {
  std::size_t offers = 0;
  std::size_t more = 0;  // issues beyond those kept
  std::size_t aged = 0;  // of ours, among the issues
  std::vector<PriceIssue> issues;
};

void check_file(const std::string& file,
                const std::string& format,
                const Catalog& shipped,
                Checked& checked) {
  const auto table = imported_table(file, {}, shipped, format);
  auto issues = check_offers(table.offers, {today(), 30, 90, &shipped});
  issues.insert(issues.end(), table.issues.begin(), table.issues.end());
  std::stable_sort(
      issues.begin(), issues.end(), [](const auto& a, const auto& b) { return a.line < b.line; });
  checked.offers += table.offers.size();
  checked.more += table.issue_count - table.issues.size();
  checked.issues.insert(checked.issues.end(), issues.begin(), issues.end());
}

// Ours were checked when they were made (catalog_test): what reading left out is left to say, and
// how old they have become. Books of a year long past are meant to be old.
void check_shipped(const Catalog& shipped, Checked& checked) {
  checked.offers = shipped.offers().size();
  checked.issues.assign(shipped.issues().begin(), shipped.issues().end());
  std::vector<Offer> current;
  std::copy_if(shipped.offers().begin(),
               shipped.offers().end(),
               std::back_inserter(current),
               [](const Offer& offer) { return offer.book == "current"; });
  for (auto& issue : check_offers(current, {today(), 30, 90, nullptr})) {
    if (issue.field == "AsOf") {
      issue.line = 0;  // it is the table's, not that of one row
      checked.issues.push_back(std::move(issue));
      ++checked.aged;
    }
  }
}

}  // namespace

int check_tables(Context& context, const Values& values, const std::string& format) {
  const auto shipped = shipped_catalog();
  Checked checked;
  if (values.count("file") > 0) {
    for (const auto& path : values["file"].as<std::vector<std::string>>()) {
      for (const auto& file : table_files(path)) {
        check_file(file, values["format"].as<std::string>(), shipped, checked);
      }
    }
  } else {
    check_shipped(shipped, checked);
  }
  const auto limit = values["max-results"].as<std::size_t>();
  report::Table table({{"table"}, {"line", report::Align::right}, {"field"}, {"what"}});
  for (const auto& issue : checked.issues) {
    if (limit == 0 || table.rows().size() < limit || format != "table") {
      table.add({issue.table,
                 issue.line > 0 ? std::to_string(issue.line) : "—",
                 issue.field,
                 issue.text});
    }
  }
  if (!table.empty()) {
    emit(context, values, report::rendered(table, format, context.out_style));
  }
  const auto total = checked.issues.size() + checked.more;
  const auto left = total - table.rows().size();
  if (left > 0) {
    context.err << fmt::format(
        "NOTE: {} more{}\n", left, checked.more > 0 ? "" : ", --max-results 0 shows them");
  }
  context.err << fmt::format("{} offers, {} {} to look at\n",
                             report::count(checked.offers),
                             total,
                             total == 1 ? "thing" : "things");
  // That ours have aged is to be known; it fails nothing that a user could mend in a file.
  const auto failing = values.count("file") > 0 ? total : total - checked.aged;
  return failing == 0 ? exit_ok : exit_check_failed;
}

}  // namespace rightsize::cli
