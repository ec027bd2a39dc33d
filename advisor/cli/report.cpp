#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>
#include <utility>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "advisor/cli/command.h"
#include "advisor/cli/evidence.h"
#include "advisor/cli/idle_flags.h"
#include "advisor/cli/money_options.h"
#include "advisor/cli/plan.h"
#include "advisor/cli/record_file.h"
#include "advisor/cli/report_outputs.h"
#include "advisor/recommendation_file.h"
#include "advisor/report/answer.h"
#include "advisor/report/fleet_page.h"
#include "advisor/report/fleet_table.h"
#include "advisor/report/fleet_text.h"
#include "advisor/report/html.h"
#include "advisor/report/markdown.h"
#include "advisor/report/record_columns.h"
#include "advisor/report/report_data.h"
#include "advisor/report/runs_page.h"
#include "advisor/report/side_by_side.h"
#include "advisor/report/units.h"
#include "advisor/right_sizing/right_sizing.h"
#include "advisor/search.h"
#include "advisor/study/study.h"
#include "profiler/command/user_command.h"

namespace rightsize::cli {
namespace {

namespace po = boost::program_options;

// A page lists this many options and the whole cost-time frontier; the catalog has thousands.
constexpr std::size_t listed_options = 60;
constexpr std::size_t searched_options = 100000;

const std::vector<std::string> usual_forms{"html", "md"};

std::string command_of(const std::vector<std::string>& arguments) {
  return "rightsize report " + shell_line(arguments);
}

// The records of the store, or none with the reason: a report without them is still an answer.
std::pair<std::vector<Record>, std::string> records_if_any(const Values& values) {
  const auto path = store_path(values);
  if (!std::filesystem::exists(path)) {
    return {{}, fmt::format("There is no store of records at {}.", path)};
  }
  auto records = load_records(values);
  auto note = records.empty()
                  ? fmt::format("The store {} holds no records.", path)
                  : fmt::format("{} from {}.", report::count_of(records.size(), "record"), path);
  return {std::move(records), std::move(note)};
}

std::string in_form(const report::ReportData& data, std::string_view form) {
  return form == "md"     ? report::markdown_report(data)
         : form == "csv"  ? report::option_data(data.answer).csv()
         : form == "json" ? boost::json::serialize(to_json(data.answer)) + "\n"
                          : report::html_report(data);
}

Recommendation answer_for(const Values& values, const Query& query, const Knowledge& knowledge) {
  SearchOptions options;
  options.max_options = searched_options;  // the fastest options are among the dearest
  options.seed = values["seed"].as<std::uint64_t>();
  return report::shortlisted(search(query, knowledge.evidence(), options), listed_options);
}

bool is_saved(const std::string& path) {
  return path.ends_with(".json");
}

// What is made from a file was asked before: nothing of the question can be changed any more.
void refuse_question_flags(const Values& values, std::string_view what) {
  static constexpr std::array<std::string_view, 8> of_page{
      "job", "jobs", "html", "md", "csv", "json", "output", "out-file"};
  for (const auto& [name, value] : values) {
    const bool fits = std::find(of_page.begin(), of_page.end(), name) != of_page.end();
    if (!fits && !value.empty() && !value.defaulted()) {
      throw UsageError(fmt::format(
          "--{} is of a question, and {} is reported on as it is: leave it out, or report on the "
          "job file",
          name,
          what));
    }
  }
}

// The files of saved answers that were named; empty when the question is a job.
std::vector<std::string> saved_files(const Values& values) {
  std::vector<std::string> files;
  if (values.count("job") > 0) {
    files.push_back(values["job"].as<std::string>());
  }
  if (values.count("jobs") > 0) {
    const auto& more = values["jobs"].as<std::vector<std::string>>();
    files.insert(files.end(), more.begin(), more.end());
  }
  if (files.empty() || (files.size() == 1 && !is_saved(files.front()))) {
    return {};
  }
  for (const auto& file : files) {
    if (!is_saved(file)) {
      throw UsageError(fmt::format(
          "{}: expected a saved answer (*.json) beside the others; several job files make a plan, "
          "and one's answer is saved by rightsize advise {} -o json --out-file answer.json",
          file,
          file));
    }
  }
  return files;
}

// Several job files that are no saved answers; empty where there are none, or only one.
std::vector<std::string> plan_files(const Values& values) {
  if (values.count("job") == 0 || values.count("jobs") == 0) {
    return {};
  }
  auto files = values["jobs"].as<std::vector<std::string>>();
  files.insert(files.begin(), values["job"].as<std::string>());
  return std::none_of(files.begin(), files.end(), is_saved) ? files : std::vector<std::string>();
}

int report_plan(Context& context,
                const Values& values,
                const std::vector<std::string>& files,
                const std::string& command) {
  const auto outputs = report_outputs(values, usual_forms);
  const auto fleet = planned(context, values, files);
  write_report(context, outputs, [&](std::string_view form) {
    return form == "md"     ? report::fleet_markdown(fleet)
           : form == "csv"  ? report::fleet_data(fleet).csv()
           : form == "json" ? boost::json::serialize(to_json(fleet)) + "\n"
                            : report::fleet_html(fleet, command);
  });
  context.err << report::fleet_headline(fleet) << "\n";
  return fleet.total ? exit_ok : exit_nothing_satisfies;
}

int report_one(Context& context,
               const std::vector<ReportOutput>& outputs,
               const report::ReportData& data) {
  write_report(context, outputs, [&](std::string_view form) { return in_form(data, form); });
  context.err << report::headline(data.answer) << "\n";
  return data.answer.chosen ? exit_ok : exit_nothing_satisfies;
}

int report_saved(Context& context,
                 const Values& values,
                 const std::vector<std::string>& files,
                 const std::string& command) {
  refuse_question_flags(values, "a saved answer");
  const auto outputs =
      report_outputs(values, files.size() == 1 ? usual_forms : std::vector<std::string>{"html"});
  std::vector<report::NamedAnswer> answers;
  for (const auto& file : files) {
    answers.push_back({file, read_recommendation(read_file(file), file)});
  }
  if (answers.size() == 1) {
    report::ReportData data;
    data.answer = std::move(answers.front().answer);
    data.records_note = "Made from the saved answer " + files.front() + ".";
    data.command = command;
    return report_one(context, outputs, data);
  }
  write_report(context, outputs, [&](std::string_view form) {
    return form == "md"     ? report::side_by_side_markdown(answers, command)
           : form == "csv"  ? report::side_by_side_data(answers).csv()
           : form == "json" ? report::side_by_side_json(answers)
                            : report::side_by_side_html(answers, command);
  });
  return exit_ok;
}

// Records, as rightsize records export writes them, instead of a job.
bool holds_records(const Values& values) {
  return values.count("job") > 0 && values["job"].as<std::string>().ends_with(".jsonl");
}

int report_runs(Context& context, const Values& values, const std::string& command) {
  if (values.count("jobs") > 0) {
    throw UsageError("one file of records makes a page; put them together by records import");
  }
  refuse_question_flags(values, "a file of records");
  const auto file = values["job"].as<std::string>();
  const auto outputs = report_outputs(values, usual_forms);
  report::RunsPage page{
      std::filesystem::path(file).filename().string(), read_record_file(file).records, command};
  if (page.records.empty()) {
    throw UsageError(fmt::format("{}: there is no record in it", file));
  }
  write_report(context, outputs, [&](std::string_view form) {
    return form == "html" ? report::runs_html(page)
           : form == "md" ? report::runs_markdown(page)
                          : report::rendered_records(page.records, form, {});
  });
  context.err << report::runs_headline(page.records) << "\n";
  return exit_ok;
}

}  // namespace

int run_report(Context& context, const std::vector<std::string>& arguments) {
  Options options("options");
  add_query_options(options);
  add_store_option(options);
  add_model_option(options);
  add_report_outputs(options);
  options.add_options()(
      "current", po::value<std::string>(), "the instance of today, for \"you are here\"")(
      "quick", "do not search where the choice would change, which takes seconds")(
      "seed", po::value<std::uint64_t>()->default_value(1), "of the draws behind \"cheapest\"")(
      "jobs",
      po::value<std::vector<std::string>>(),
      "more saved answers of advise -o json, to stand beside the first; or more jobs, for one "
      "plan");
  const auto values = parse(context, "report", options, {"job", "jobs..."}, arguments);
  if (holds_records(values)) {
    return report_runs(context, values, command_of(arguments));
  }
  if (const auto files = plan_files(values); !files.empty()) {
    return report_plan(context, values, files, command_of(arguments));
  }
  if (const auto files = saved_files(values); !files.empty()) {
    return report_saved(context, values, files, command_of(arguments));
  }
  const auto outputs = report_outputs(values, usual_forms);  // refused before seconds of search
  auto query = query_from(values, "report");
  auto knowledge = load_knowledge(context, values, {&query, 1});
  auto answer = answer_for(values, query, knowledge);
  const auto idle = idle_flags(values, query);
  answer.warnings.insert(answer.warnings.end(), idle.begin(), idle.end());
  if (!query.current.empty()) {
    answer.current = right_size(answer, knowledge.evidence(), query.current);
  }
  Estimator estimator(
      knowledge.model, knowledge.gpu_rates, knowledge.cpu_speeds, knowledge.catalog);
  auto studied = study(answer, knowledge.evidence(), estimator, values.count("quick") == 0);
  auto [records, note] = records_if_any(values);
  auto data = report::make_report_data(std::move(answer),
                                       std::move(knowledge.model),
                                       std::move(records),
                                       std::move(note),
                                       command_of(arguments));
  data.study = std::move(studied);
  if (data.answer.current) {
    data.current = data.answer.current->current;
  }
  return report_one(context, outputs, data);
}

}  // namespace rightsize::cli
