#include <algorithm>
#include <filesystem>
#include <iterator>
#include <utility>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "advisor/calibration.h"
#include "advisor/cli/command.h"
#include "advisor/cli/evidence.h"
#include "advisor/report/answer.h"
#include "advisor/report/html.h"
#include "advisor/report/markdown.h"
#include "advisor/report/report_data.h"
#include "advisor/report/units.h"
#include "advisor/search.h"

namespace rightsize::cli {
namespace {

namespace po = boost::program_options;

// A page lists this many options and the whole cost-time frontier; the catalog has thousands.
constexpr std::size_t listed_options = 60;
constexpr std::size_t searched_options = 100000;

// One argument as a shell reads it back.
std::string quoted(const std::string& argument) {
  constexpr std::string_view plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:=,+@%";
  if (!argument.empty() && argument.find_first_not_of(plain) == std::string::npos) {
    return argument;
  }
  std::string out = "'";
  for (const char c : argument) {
    out += c == '\'' ? "'\\''" : std::string(1, c);
  }
  return out + "'";
}

std::string command_of(const std::vector<std::string>& arguments) {
  std::string command = "rightsize report";
  for (const auto& argument : arguments) {
    command += " " + quoted(argument);
  }
  return command;
}

// The records of the store, or none with the reason: a report without them is still an answer.
std::pair<std::vector<Record>, std::string> records_if_any(const Values& values) {
  const auto path = store_path(values);
  if (!std::filesystem::exists(path)) {
    return {{}, fmt::format("There is no store of records at {}.", path)};
  }
  auto records = load_records(values);
  auto note = records.empty() ? fmt::format("The store {} holds no records.", path)
                              : fmt::format("{} records from {}.", records.size(), path);
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

Recommendation answer_for(const Values& values, const Knowledge& knowledge) {
  const auto query = query_from(values);
  SearchOptions options;
  options.max_options = searched_options;  // the fastest options are among the dearest
  options.seed = values["seed"].as<std::uint64_t>();
  return report::shortlisted(search(query, knowledge.evidence(), options), listed_options);
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
      "quick", "do not search where the choice would change, which takes seconds")(
      "seed", po::value<std::uint64_t>()->default_value(1), "of the draws behind \"cheapest\"");
  const auto values = parse(context, "report", options, {"job"}, arguments);
  auto knowledge = load_knowledge(values);
  auto answer = answer_for(values, knowledge);
  Estimator estimator(knowledge.model,
                      gpu_rates_with(knowledge.model),
                      knowledge.cpu_speeds,
                      knowledge.catalog);
  auto studied = study(answer, knowledge.evidence(), estimator, values.count("quick") == 0);
  auto [records, note] = records_if_any(values);
  auto data = report::make_report_data(std::move(answer),
                                             std::move(knowledge.model),
                                             std::move(records),
                                             std::move(note),
                                             command_of(arguments));
  data.study = std::move(studied);
  write_all(context, values, data);
  context.err << report::answer_sentence(data.answer) << "\n";
  return data.answer.chosen ? exit_ok : exit_nothing_satisfies;
}

}  // namespace rightsize::cli
