#include "advisor/cli/predict_batch.h"

#include <algorithm>
#include <array>
#include <iostream>
#include <iterator>
#include <map>
#include <optional>
#include <stdexcept>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "advisor/cli/asked.h"
#include "advisor/cli/machine_option.h"
#include "advisor/cli/tables.h"
#include "advisor/machine/batch_file.h"
#include "advisor/machine/named_disk.h"
#include "advisor/query/usage_error.h"
#include "advisor/report/estimate_text.h"
#include "advisor/report/table.h"
#include "kernels/network.h"
#include "kernels/onnx/onnx.h"
#include "models/laws/spelling.h"

namespace rightsize::cli {
namespace {

namespace json = boost::json;

constexpr std::array result_columns{"throughput",
                                    "low",
                                    "high",
                                    "unit",
                                    "bottleneck",
                                    "status",
                                    "reason",
                                    "source",
                                    "network_used"};

constexpr std::size_t rate_columns = 3;  // the first ones: numbers in JSON too

std::string read_rows(const std::string& path) {
  if (path == "-") {
    return {std::istreambuf_iterator<char>(std::cin), {}};
  }
  return read_file(path);
}

// Ours get another name where the file has a column of that name: its cells stay as they are.
std::vector<std::string> result_names(const std::vector<std::string>& header) {
  std::vector<std::string> names;
  for (const std::string name : result_columns) {
    const bool taken = std::find(header.begin(), header.end(), name) != header.end();
    names.push_back(taken ? "predicted_" + name : name);
  }
  return names;
}

Answer answer_row(Estimator& estimator, const BatchRow& row) {
  Answer answer;
  try {
    return estimator.estimate(row.asked);
  } catch (const std::runtime_error& error) {  // a disk that is none, a model that lacks this work
    answer.verdict = Verdict::unsupported;
    answer.reason = error.what();
  }
  return answer;
}

// The network that the row's words were taken for; "" where they mean none.
std::string network_used(const BatchRow& row) {
  const auto& name = row.asked.network;
  return is_network(without_form(name)) || is_network_file(name) ? name : "";
}

std::vector<std::string> result_cells(Estimator& estimator, const BatchRow& row) {
  if (!row.mistake.empty()) {
    return {"", "", "", "", "", "invalid", row.mistake, "", ""};
  }
  const auto answer = answer_row(estimator, row);
  const std::string status(report::status_word(answer.verdict));
  if (answer.verdict != Verdict::ok) {
    return {"", "", "", "", "", status, answer.reason, "", network_used(row)};
  }
  const auto& value = answer.throughput;
  return {fmt::format("{:.6g}", value.value),
          fmt::format("{:.6g}", value.low),
          fmt::format("{:.6g}", value.high),
          value.unit,
          answer.bottleneck,
          status,
          answer.caution,
          std::string(to_string(value.source)),
          network_used(row)};
}

// The CPU of a row as a table may have it: unknown ones stand for the usual host, and widen the
// interval; nobody means an instance that is spelt wrong.
void refuse_mistyped_cpus(BatchFile& batch, const std::string& file) {
  std::map<std::string, std::string> meant;
  for (auto& row : batch.rows) {
    const auto& cpu = row.asked.machine.cpu;
    if (!row.mistake.empty() || cpu.empty()) {
      continue;
    }
    const auto [found, fresh] = meant.try_emplace(cpu);
    if (fresh) {
      found->second = mistyped_instance(cpu);
    }
    if (!found->second.empty()) {
      row.mistake =
          fmt::format("{}:{}: cpu = \"{}\": no CPU or instance is called so; did you mean {}?",
                      file,
                      row.line,
                      cpu,
                      found->second);
    }
  }
}

// Where the file has its disks: ":4" of the fourth column.
std::string disk_column(const BatchFile& batch) {
  for (std::size_t i = 0; i < batch.header.size(); ++i) {
    const auto name = bare(batch.header[i]);
    if (name == "disk" || name == "storage") {
      return fmt::format(":{}", i + 1);
    }
  }
  return "";
}

// Which disks there are the price tables say, not the file's reader.
void refuse_unknown_disks(BatchFile& batch, const std::string& file, const Values& values) {
  std::optional<Catalog> catalog;
  for (auto& row : batch.rows) {
    const auto& disk = row.asked.machine.disk;
    if (!row.mistake.empty() || disk.empty()) {
      continue;
    }
    if (!catalog) {
      catalog = catalog_with_price_files(values);
    }
    try {
      static_cast<void>(disk_named(disk, *catalog, {}, "disk", book_of(row.asked.stack)));
    } catch (const UsageError& error) {
      row.mistake = fmt::format("{}:{}{}: {}", file, row.line, disk_column(batch), error.what());
    }
  }
}

// What looks like a column that is read has no part in the answers: said here, and in their rows.
std::string unread_columns(Context& context, const BatchFile& batch, const std::string& file) {
  std::string note;
  for (const auto& column : batch.mistyped) {
    context.err << context.err_style.bad("warning:")
                << fmt::format(" {}:1: column \"{}\" is not read, did you mean \"{}\"?\n",
                               file,
                               column.name,
                               column.meant);
    note += fmt::format("{}column \"{}\" is not read (\"{}\"?)",
                        note.empty() ? "" : "; ",
                        column.name,
                        column.meant);
  }
  return note;
}

std::string json_lines(const report::Table& table) {
  std::string text;
  const auto rows = json::parse(table.json());
  for (const auto& row : rows.as_array()) {
    text += json::serialize(row) + "\n";
  }
  return text;
}

// What rows say with their columns.
void refuse_flags_of_one(const Values& values) {
  static constexpr std::array<std::string_view, 8> of_all{
      "batch-file", "output", "out-file", "model", "store", "prices", "on-prem", "custom-prices"};
  for (const auto& [name, value] : values) {
    const bool fits = std::find(of_all.begin(), of_all.end(), name) != of_all.end();
    if (!fits && !value.empty() && !value.defaulted()) {
      throw UsageError(
          fmt::format("--{} is of one question, and each row of --batch-file is its own: leave it "
                      "out (most flags are columns too), or ask for one machine with --machine",
                      name));
    }
  }
}

// What goes in, and behind it what comes out.
std::vector<report::Column> columns_of(const std::vector<std::string>& header) {
  std::vector<report::Column> columns;
  for (const auto& name : header) {
    columns.push_back({name});
  }
  for (const auto& name : result_names(header)) {
    const bool number = columns.size() < header.size() + rate_columns;
    columns.push_back({name, number ? report::Align::right : report::Align::left});
  }
  return columns;
}

}  // namespace

int run_predict_batch(Context& context, const Values& values) {
  refuse_flags_of_one(values);
  // A table on a terminal would be too wide to read: CSV is what goes in, and what comes out.
  const auto format = values["output"].defaulted()
                          ? std::string("csv")
                          : output_format(values, {"csv", "table", "json", "jsonl", "md"});
  const auto path = values["batch-file"].as<std::string>();
  const auto file = path == "-" ? "stdin" : path;
  auto batch = parse_batch_file(read_rows(path), file);
  refuse_mistyped_cpus(batch, file);
  refuse_unknown_disks(batch, file, values);
  auto estimator = estimator_for(values, {});
  report::Table table(columns_of(batch.header));
  const auto unread = unread_columns(context, batch, file);
  int failed = 0;
  for (const auto& row : batch.rows) {
    auto cells = row.cells;
    auto results = result_cells(estimator, row);
    failed += results[5] == "ok" ? 0 : 1;
    auto& reason = results[6];
    reason += (reason.empty() || unread.empty() ? "" : "; ") + unread;
    cells.insert(cells.end(), results.begin(), results.end());
    table.add(std::move(cells));
  }
  emit(context,
       values,
       format == "jsonl" ? json_lines(table) : report::rendered(table, format, context.out_style));
  if (failed > 0) {
    context.err << fmt::format(
        "{} of {} rows could not be predicted: their status and reason say "
        "why\n",
        failed,
        batch.rows.size());
  }
  const bool none = failed > 0 && static_cast<std::size_t>(failed) == batch.rows.size();
  return none ? exit_failed : exit_ok;
}

}  // namespace rightsize::cli
