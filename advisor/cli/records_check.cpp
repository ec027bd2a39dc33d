#include "advisor/cli/records_check.h"

#include <filesystem>
#include <optional>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "advisor/query/usage_error.h"
#include "advisor/report/units.h"
#include "profiler/store/foreign.h"
#include "profiler/store/store.h"

namespace rightsize::cli {
namespace {

struct Checked {
  std::string where;
  std::optional<std::size_t> records;  // where all of them could be read
  std::vector<std::string> problems;
};

// Records as lines, as records export writes them.
Checked checked_lines(const std::string& file) {
  const auto text = read_file(file);
  try {
    return {file, read_records(text, file).records.size(), {}};
  } catch (const StoreError& error) {
    return {file, std::nullopt, {error.what()}};
  }
}

Checked checked_store(const std::string& path) {
  if (!std::filesystem::exists(path)) {
    throw UsageError(fmt::format("{}: there is no store to check", path));
  }
  const Store store(path, {Access::read});
  auto problems = store.problems();
  const auto records = problems.empty() ? std::optional(store.size()) : std::nullopt;
  return {path, records, std::move(problems)};
}

std::string document(const Checked& checked) {
  boost::json::object json{
      {"schema", "rightsize/check/1"},
      {"file", checked.where},
      {"sound", checked.problems.empty()},
      {"records", nullptr},
      {"problems", boost::json::array(checked.problems.begin(), checked.problems.end())}};
  if (checked.records) {
    json["records"] = *checked.records;
  }
  return boost::json::serialize(json) + "\n";
}

std::string words(const Checked& checked) {
  if (checked.problems.empty()) {
    return fmt::format(
        "{}: sound, {}\n", checked.where, report::count_of(*checked.records, "record"));
  }
  std::string lines;
  for (const auto& problem : checked.problems) {
    lines += problem + "\n";
  }
  return lines;
}

}  // namespace

int check_records(Context& context, const Values& values) {
  const auto format = output_format(values, {"table", "json"});
  const bool of_file = values.count("file") > 0;
  if (of_file && values.count("db") > 0) {
    throw UsageError("records check: a FILE of records or the store of --db, one at a time");
  }
  const auto checked =
      of_file ? checked_lines(values["file"].as<std::string>()) : checked_store(store_path(values));
  emit(context, values, format == "json" ? document(checked) : words(checked));
  if (checked.problems.empty()) {
    return exit_ok;
  }
  if (!of_file) {
    context.err << fmt::format(
        "{} in {}\nRescue what can be read: sqlite3 {} .recover | sqlite3 rescued.db\n",
        report::count_of(checked.problems.size(), "problem"),
        checked.where,
        checked.where);
  }
  return exit_check_failed;
}

}  // namespace rightsize::cli
