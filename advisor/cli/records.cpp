#include <fstream>
#include <sstream>

#include <fmt/format.h>

#include "advisor/cli/command.h"
#include "advisor/cli/evidence.h"
#include "advisor/query.h"
#include "advisor/report/runs.h"
#include "profiler/store/store.h"

namespace rightsize::cli {

namespace po = boost::program_options;

int run_records(Context& context, const std::vector<std::string>& arguments) {
  Options options("options");
  add_output_options(options);
  add_store_option(options);
  options.add_options()("what",
                        po::value<std::string>()->default_value("list"),
                        "list, export or import")("file", po::value<std::string>(), "JSONL file");
  const auto values = parse(context, "records", options, {"what", "file"}, arguments);
  const auto format = output_format(values, {"table", "json", "csv", "md"});
  const auto what = values["what"].as<std::string>();
  if (what == "list") {
    std::vector<Record> records;
    if (values.count("file") > 0) {
      std::ifstream in(values["file"].as<std::string>());
      if (!in) {
        throw UsageError(fmt::format("{}: cannot open the file; does it exist?",
                                     values["file"].as<std::string>()));
      }
      records = read_jsonl(in, values["file"].as<std::string>());
    } else {
      records = load_records(values);
    }
    const auto table = report::run_table(records);
    emit(context, values, report::rendered(table, format, context.out_style));
    return exit_ok;
  }
  if (what != "export" && what != "import") {
    throw UsageError(fmt::format("records {}: expected list, export or import", what));
  }
  if (values.count("file") == 0) {
    throw UsageError(fmt::format("usage: rightsize records {} FILE.jsonl", what));
  }
  const auto file = values["file"].as<std::string>();
  if (what == "export") {
    std::ostringstream text;
    Store(store_path(values)).export_jsonl(text);
    write_file(file, text.str());
    return exit_ok;
  }
  std::ifstream in(file);
  if (!in) {
    throw UsageError(fmt::format("{}: cannot open the file; does it exist?", file));
  }
  Store store(store_path(values));
  const auto summary = store.import_jsonl(in, file);
  context.err << fmt::format("{} records added, {} replaced\n", summary.added, summary.replaced);
  return exit_ok;
}

}  // namespace rightsize::cli
