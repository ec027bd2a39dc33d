// `records`: look at what was measured, check it, carry it to another machine.
#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "advisor/cli/command.h"
#include "advisor/cli/evidence.h"
#include "advisor/cli/record_file.h"
#include "advisor/cli/records_check.h"
#include "advisor/query/usage_error.h"
#include "advisor/report/record_columns.h"
#include "advisor/report/run_sheet.h"
#include "advisor/report/units.h"
#include "profiler/exact_json.h"
#include "profiler/store/foreign.h"
#include "profiler/store/store.h"

namespace rightsize::cli {
namespace {

namespace po = boost::program_options;

std::string argument(const Values& values, std::string_view usage) {
  if (values.count("file") == 0) {
    throw UsageError(fmt::format("usage: rightsize records {}", usage));
  }
  return values["file"].as<std::string>();
}

int list(Context& context, const Values& values) {
  const auto format = output_format(values, {"table", "json", "jsonl", "csv", "md", "names"});
  std::vector<Record> records;
  if (values.count("file") > 0) {
    records = read_record_file(values["file"].as<std::string>()).records;
  } else {
    records = load_records(values);
  }
  emit(context, values, report::rendered_records(records, format, context.out_style));
  return exit_ok;
}

bool of_one_id(const std::vector<const Record*>& found) {
  return std::all_of(
      found.begin(), found.end(), [&](const Record* one) { return one->id == found[0]->id; });
}

// Of one run that several machines made: this one's, or the last that came.
Record own_or_last(const std::vector<const Record*>& found) {
  const auto this_machine = machine_key(describe_this_machine());
  const auto own = std::find_if(found.begin(), found.end(), [&](const Record* one) {
    return machine_key(one->machine) == this_machine;
  });
  return own != found.end() ? **own : *found.back();
}

// The one record whose id begins so, or whose name it is.
Record find_record(Context& context,
                   const std::vector<Record>& records,
                   const std::string& wanted) {
  std::vector<const Record*> found;
  for (const auto& record : records) {
    if (record.id.starts_with(wanted) || record.name == wanted) {
      found.push_back(&record);
    }
  }
  if (found.size() == 1) {
    return *found.front();
  }
  if (!found.empty() && of_one_id(found)) {
    auto record = own_or_last(found);
    context.err << fmt::format(
        "note: {} machines have made this run; this is that of {} (records list -o json has all)\n",
        found.size(),
        machine_key(record.machine));
    return record;
  }
  if (found.empty()) {
    throw UsageError(fmt::format(
        "no record's id begins with {}; rightsize records list -o names lists the ids", wanted));
  }
  std::string ids;
  for (std::size_t i = 0; i < std::min<std::size_t>(found.size(), 5); ++i) {
    ids += " " + found[i]->id;
  }
  throw UsageError(fmt::format("{} records match {}:{}", found.size(), wanted, ids));
}

int show(Context& context, const Values& values) {
  const auto format = output_format(values, {"table", "json"});
  const auto wanted = argument(values, "show ID");
  const auto record = find_record(context, load_records(values), wanted);
  emit(context,
       values,
       format == "json" ? boost::json::serialize(to_json(record)) + "\n"
                        : report::run_sheet(record, context.out_style));
  return exit_ok;
}

// Those that are records: what another rightsize would refuse to import is no export. Of a machine
// whose name has `machine` in it.
std::string sound_lines(const std::string& text, const std::string& machine) {
  std::istringstream in(text);
  std::string sound;
  for (std::string line; std::getline(in, line);) {
    const auto value = parse_exactly(line);
    if (!value || !value->is_object()) {
      continue;
    }
    try {
      const auto record = record_from_json(value->get_object());
      const bool wanted = machine_key(record.machine).find(machine) != std::string::npos;
      sound += wanted ? line + "\n" : "";
    } catch (const std::exception&) {
      continue;  // Store::problems() names it
    }
  }
  return sound;
}

int damaged(Context& context, const std::string& path, const std::vector<std::string>& problems) {
  for (const auto& problem : problems) {
    context.err << problem << "\n";
  }
  context.err << fmt::format(
      "{} in {}: what can be read was exported\n"
      "Rescue the rest, if it can be: sqlite3 {} .recover | sqlite3 rescued.db\n",
      report::count_of(problems.size(), "problem"),
      path,
      path);
  return exit_failed;
}

int export_to_file(Context& context, const Values& values) {
  const bool by_flag = values.count("out-file") > 0;
  if (by_flag && values.count("file") > 0) {
    throw UsageError("records export: FILE.jsonl or --out-file FILE.jsonl, one of them");
  }
  const auto file =
      by_flag ? values["out-file"].as<std::string>() : argument(values, "export FILE.jsonl");
  const auto path = store_path(values);
  if (!std::filesystem::exists(path)) {
    throw UsageError(fmt::format("{}: there is no store to export", path));
  }
  if (std::error_code none; std::filesystem::equivalent(file, path, none)) {
    throw UsageError(fmt::format(
        "records export {}: that is the store itself ({}), and would be written over; name another",
        file,
        path));
  }
  std::ostringstream text;
  const Store store(path, {Access::read});
  const auto problems = store.problems();
  store.export_jsonl(text);
  const auto machine = values["machine"].as<std::string>();
  const auto lines = sound_lines(text.str(), machine);
  if (lines.empty() && !machine.empty()) {
    throw UsageError(
        fmt::format("--machine {}: no record of {} is of such a machine; rightsize "
                    "records list -o json says which there are",
                    machine,
                    path));
  }
  if (file == "-") {
    context.out << lines;
  } else {
    write_file(file, lines);
  }
  return problems.empty() ? static_cast<int>(exit_ok) : damaged(context, path, problems);
}

FileRecords records_in(const std::string& file) {
  auto read = read_record_file(file);
  if (read.records.empty()) {
    throw UsageError(fmt::format("{}: there is no record in it", file));
  }
  return read;
}

int import_file(Context& context, const Values& values) {
  const auto file = argument(values, "import FILE (records, a store, hyperfine's or fio's JSON)");
  const auto read = records_in(file);
  auto store = open_store(values);
  const auto summary = store.merge(read.records);
  context.err << fmt::format(
      "{}{} added, {} replaced",
      read.kind == FileKind::records ? "" : fmt::format("{}: ", to_string(read.kind)),
      report::count_of(summary.added, "record"),
      summary.replaced);
  if (summary.unchanged > 0) {
    context.err << fmt::format(", {} already there", summary.unchanged);
  }
  if (summary.outdated > 0) {
    context.err << fmt::format(", {} older than what is there and left out", summary.outdated);
  }
  context.err << "\n";
  return exit_ok;
}

struct Action {
  std::string_view name;
  int (*run)(Context& context, const Values& values);
};
constexpr std::array actions{Action{"list", list},
                             Action{"show", show},
                             Action{"export", export_to_file},
                             Action{"import", import_file},
                             Action{"check", check_records}};

}  // namespace

int run_records(Context& context, const std::vector<std::string>& arguments) {
  Options options("options");
  add_output_options(options);
  add_store_option(options);
  options.add_options()("what",
                        po::value<std::string>()->default_value("list"),
                        "list, show, export, import or check")(
      "file", po::value<std::string>(), "the file to list, export, import or check; show: an id")(
      "machine",
      po::value<std::string>()->default_value(""),
      "export: only what was measured on machines with this in their name, such as EPYC");
  const auto values = parse(context, "records", options, {"what", "file"}, arguments);
  const auto what = values["what"].as<std::string>();
  if (what != "export" && !values["machine"].as<std::string>().empty()) {
    throw UsageError(fmt::format("--machine is of records export; records {} takes none", what));
  }
  for (const auto& action : actions) {
    if (action.name == what) {
      return action.run(context, values);
    }
  }
  throw UsageError(fmt::format("records {}: expected list, show, export, import or check", what));
}

}  // namespace rightsize::cli
