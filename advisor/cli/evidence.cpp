#include "advisor/cli/evidence.h"

#include <filesystem>
#include <fstream>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "advisor/calibration.h"
#include "advisor/candidate/own_loader.h"
#include "advisor/candidate/own_program.h"
#include "advisor/cli/fitted_model.h"
#include "advisor/cli/money_options.h"
#include "advisor/cli/tables.h"
#include "advisor/premises.h"
#include "advisor/query/own_rate_words.h"
#include "advisor/text_file.h"
#include "advisor/today.h"
#include "profiler/store/database.h"
#include "profiler/store/store.h"

namespace rightsize::cli {
namespace {

// As it lies from where the user stands, else above this program, which a clone builds in
// build/bin;
// "" where it does not.
std::string demo_campaign() {
  namespace fs = std::filesystem;
  constexpr const char* name = "examples/demo/campaign.toml";
  std::error_code ignored;
  if (fs::exists(name, ignored)) {
    return name;
  }
  auto folder = fs::read_symlink("/proc/self/exe", ignored).parent_path();
  for (; folder.has_relative_path(); folder = folder.parent_path()) {
    if (fs::exists(folder / name, ignored)) {
      return (folder / name).string();
    }
  }
  return "";
}

// What a user pastes to measure this machine.
std::string how_to_measure() {
  const auto file = demo_campaign();
  return fmt::format(
      "; to measure this one{}:\n      rightsize dataset make data --items 800 && rightsize "
      "campaign {} --data-root data && rightsize fit\n",
      file.empty() ? ", in the folder of rightsize's source" : "",
      file.empty() ? "examples/demo/campaign.toml" : file);
}

}  // namespace

Knowledge load_knowledge(Context& context, const Values& values, std::span<Query> queries) {
  std::string note;
  auto model = model_or_shipped(values, note);
  if (!note.empty()) {
    context.err << context.err_style.bad("note:") << " " << note << how_to_measure();
  }
  for (auto& query : queries) {
    require_loader(model, query.loader);
    know_program(model, query);
    if (const auto stand_in = data_path_note(model, query); !stand_in.empty()) {
      context.err << context.err_style.bad("note:") << " " << stand_in << "\n";
    }
    for (const auto& sentence : own_rate_warnings(query)) {
      context.err << context.err_style.bad("warning:") << " " << sentence << "\n";
    }
  }
  auto knowledge = knowledge_with(std::move(model));
  if (queries.size() == 1) {  // of a plan each job has its own (fleet.h)
    add_own_rates(knowledge.gpu_rates, measured_rates(queries.front()));
  }
  add_own_tables(values, queries, knowledge.catalog);
  refuse_unknown_names(values, queries, knowledge.catalog);
  count_in_their_currency(queries, knowledge.catalog);
  if (values.count("retired") == 0) {
    knowledge.catalog.note_retired(today());
  }
  return knowledge;
}

std::vector<Record> load_records(const Values& values) {
  std::vector<Record> records;
  if (values.count("records") == 0) {
    const auto path = store_path(values);
    if (!std::filesystem::exists(path)) {
      throw UsageError(fmt::format(
          "{}: there are no records yet.\n       Run rightsize campaign FILE.toml, or name a JSONL "
          "file",
          path));
    }
    try {
      return Store(path, {Access::read}).all();
    } catch (const StoreUnavailable&) {
      throw;
    } catch (const StoreError& error) {  // another file than a store
      throw UsageError(error.what());
    }
  }
  for (const auto& file : values["records"].as<std::vector<std::string>>()) {
    check_readable(file);
    std::ifstream in(file);
    try {
      const auto more = read_jsonl(in, file);
      records.insert(records.end(), more.begin(), more.end());
    } catch (const StoreError& error) {  // a line that is no record
      throw UsageError(error.what());
    }
  }
  return records;
}

}  // namespace rightsize::cli
