#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <utility>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "advisor/cli/command.h"
#include "advisor/cli/evidence.h"
#include "advisor/recommendation_file.h"
#include "advisor/report/answer.h"
#include "advisor/report/html.h"
#include "advisor/report/markdown.h"
#include "advisor/report/report_data.h"
#include "advisor/report/side_by_side.h"
#include "advisor/report/units.h"
#include "advisor/right_sizing.h"
#include "advisor/search.h"
#include "advisor/study/study.h"
#include "profiler/command/user_command.h"

namespace rightsize::cli {
namespace {

namespace po = boost::program_options;

// A page lists this many options and the whole cost-time frontier; the catalog has thousands.
constexpr std::size_t listed_options = 60;
constexpr std::size_t searched_options = 100000;

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

struct Target {
  const char* option;
  std::string (*render)(const report::ReportData& data);
};

std::string as_csv(const report::ReportData& data) {
  return report::option_data(data.answer).csv();
}

std::string as_json(const report::ReportData& data) {
  return boost::json::serialize(to_json(data.answer)) + "\n";
}

constexpr Target targets[] = {{"html", report::html_report},
                              {"md", report::markdown_report},
                              {"csv", as_csv},
                              {"json", as_json}};

// The second would take the first's place.
void refuse_same_file(const Values& values) {
  std::map<std::filesystem::path, std::string> taken;
  for (const auto& target : targets) {
    if (values.count(target.option) == 0) {
      continue;
    }
    const auto& name = values[target.option].as<std::string>();
    std::error_code unknown;
    // Of a name that is yet to be nothing is resolved unless it is absolute: "x" and "./x".
    const auto path =
        std::filesystem::weakly_canonical(std::filesystem::absolute(name, unknown), unknown);
    const auto [first, fresh] =
        taken.emplace(unknown ? std::filesystem::path(name) : path, target.option);
    const auto kind = std::filesystem::status(name, unknown).type();
    const bool replaced = kind == std::filesystem::file_type::regular ||
                          kind == std::filesystem::file_type::not_found;
    if (!fresh && replaced) {  // /dev/stdout takes both
      throw UsageError(fmt::format("--{} {}: that is the file of --{} too; name another",
                                   target.option,
                                   name,
                                   first->second));
    }
  }
}

// Writes what was asked for; report.html and report.md when nothing was.
void write_all(Context& context, const Values& values, const report::ReportData& data) {
  const auto asked = [&](const Target& target) { return values.count(target.option) > 0; };
  const bool none = std::none_of(std::begin(targets), std::end(targets), asked);
  for (const auto& target : targets) {
    const bool by_default =
        none && (target.render == report::html_report || target.render == report::markdown_report);
    if (!asked(target) && !by_default) {
      continue;
    }
    const auto path = by_default ? fmt::format("report.{}", target.option)
                                 : values[target.option].as<std::string>();
    const auto text = target.render(data);
    write_file(path, text);
    context.out << fmt::format("{}  {}\n", path, report::bytes(static_cast<double>(text.size())));
  }
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

// The files of saved answers that were named; empty when the question is a job.
std::vector<std::string> saved_files(const Values& values) {
  std::vector<std::string> files;
  if (values.count("job") > 0) {
    files.push_back(values["job"].as<std::string>());
  }
  if (values.count("saved") > 0) {
    const auto& more = values["saved"].as<std::vector<std::string>>();
    files.insert(files.end(), more.begin(), more.end());
  }
  if (files.empty() || (files.size() == 1 && !is_saved(files.front()))) {
    return {};
  }
  for (const auto& file : files) {
    if (!is_saved(file)) {
      throw UsageError(fmt::format(
          "{}: expected a saved answer (*.json); a job is reported on alone, and its answer is "
          "saved by rightsize advise {} -o json --out-file answer.json",
          file,
          file));
    }
  }
  return files;
}

// --out-file in the form of -o, or of the file's name.
std::string asked_form(const Values& values) {
  if (!values["output"].defaulted()) {
    return output_format(values, {"html", "md", "csv", "json"});
  }
  if (values.count("out-file") > 0) {
    const auto name = values["out-file"].as<std::string>();
    const auto dot = name.rfind('.');
    const auto ending = dot == std::string::npos ? "" : name.substr(dot + 1);
    for (const auto& target : targets) {
      if (ending == target.option) {
        return ending;
      }
    }
    throw UsageError(fmt::format(
        "--out-file {}: which form? name it .html, .md, .csv or .json, or give -o", name));
  }
  return "";
}

bool to_stream(const Values& values) {
  return values.count("out-file") > 0 || !values["output"].defaulted();
}

int report_one(Context& context, const Values& values, const report::ReportData& data) {
  if (to_stream(values)) {
    const auto form = asked_form(values);
    for (const auto& target : targets) {
      if (form == target.option) {
        emit(context, values, target.render(data));
      }
    }
  } else {
    write_all(context, values, data);
  }
  context.err << report::headline(data.answer) << "\n";
  return data.answer.chosen ? exit_ok : exit_nothing_satisfies;
}

int report_saved(Context& context,
                 const Values& values,
                 const std::vector<std::string>& files,
                 const std::string& command) {
  std::vector<report::NamedAnswer> answers;
  for (const auto& file : files) {
    answers.push_back({file, read_recommendation(read_file(file), file)});
  }
  if (answers.size() == 1) {
    report::ReportData data;
    data.answer = std::move(answers.front().answer);
    data.records_note = "Made from the saved answer " + files.front() + ".";
    data.command = command;
    return report_one(context, values, data);
  }
  const auto in_form = [&](std::string_view form) {
    return form == "md"     ? report::side_by_side_markdown(answers, command)
           : form == "csv"  ? report::side_by_side_data(answers).csv()
           : form == "json" ? report::side_by_side_json(answers)
                            : report::side_by_side_html(answers, command);
  };
  if (to_stream(values)) {
    emit(context, values, in_form(asked_form(values)));
    return exit_ok;
  }
  const bool any = std::any_of(std::begin(targets), std::end(targets), [&](const Target& target) {
    return values.count(target.option) > 0;
  });
  for (const auto& target : targets) {
    if (values.count(target.option) > 0 || (!any && std::string_view(target.option) == "html")) {
      const auto path = any ? values[target.option].as<std::string>() : "report.html";
      const auto text = in_form(target.option);
      write_file(path, text);
      context.out << fmt::format("{}  {}\n", path, report::bytes(static_cast<double>(text.size())));
    }
  }
  return exit_ok;
}

}  // namespace

int run_report(Context& context, const std::vector<std::string>& arguments) {
  Options options("options");
  add_query_options(options);
  add_store_option(options);
  add_model_option(options);
  options.add_options()("html", po::value<std::string>(), "write one self-contained page")(
      "md", po::value<std::string>(), "write Markdown, fit for a pull request")(
      "csv", po::value<std::string>(), "write the options as CSV")(
      "json", po::value<std::string>(), "write the answer as JSON")(
      "current", po::value<std::string>(), "the instance of today, for \"you are here\"")(
      "quick", "do not search where the choice would change, which takes seconds")(
      "seed", po::value<std::uint64_t>()->default_value(1), "of the draws behind \"cheapest\"");
  options.add_options()("saved",
                        po::value<std::vector<std::string>>(),
                        "more saved answers of advise -o json, to stand beside the first")(
      "output,o",
      po::value<std::string>()->default_value(""),
      "one form, to stdout or --out-file: html, md, csv or json")(
      "out-file", po::value<std::string>(), "write it there; its ending tells the form");
  const auto values = parse(context, "report", options, {"job", "saved..."}, arguments);
  refuse_same_file(values);
  if (const auto files = saved_files(values); !files.empty()) {
    return report_saved(context, values, files, command_of(arguments));
  }
  auto query = query_from(values, "report");
  auto knowledge = load_knowledge(context, values, {&query, 1});
  auto answer = answer_for(values, query, knowledge);
  if (values.count("current") > 0) {
    answer.current = right_size(answer, knowledge.evidence(), values["current"].as<std::string>());
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
  return report_one(context, values, data);
}

}  // namespace rightsize::cli
