#include <algorithm>
#include <cmath>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "advisor/cli/command.h"
#include "advisor/cli/evidence.h"
#include "advisor/cli/flags_again.h"
#include "advisor/cli/idle_flags.h"
#include "advisor/cli/money_options.h"
#include "advisor/cli/option_choice.h"
#include "advisor/cli/plan.h"
#include "advisor/cli/tables.h"
#include "advisor/full_name.h"
#include "advisor/option_order.h"
#include "advisor/query/job_keys.h"
#include "advisor/query/query.h"
#include "advisor/report/answer.h"
#include "advisor/report/charts.h"
#include "advisor/report/fleet_table.h"
#include "advisor/report/fleet_text.h"
#include "advisor/report/right_sizing_text.h"
#include "advisor/report/service_charts.h"
#include "advisor/report/study_charts.h"
#include "advisor/report/table.h"
#include "advisor/report/text_chart.h"
#include "advisor/right_sizing/right_sizing.h"
#include "advisor/search.h"
#include "advisor/study/study.h"
#include "profiler/command/user_command.h"

namespace rightsize::cli {
namespace {

namespace po = boost::program_options;

// For pipes, in which the exit code is lost: none where nothing satisfies, though some come near.
std::string names_of(const Recommendation& answer) {
  std::string names;
  if (!answer.chosen) {
    return names;
  }
  for (const auto& option : answer.options) {
    names += full_name(option) + "\n";
  }
  return names;
}

// An option a line.
std::string lines_of(const Recommendation& answer) {
  std::string lines;
  for (std::size_t i = 0; i < answer.options.size(); ++i) {
    lines += boost::json::serialize(to_json(answer.options[i], i + 1)) + "\n";
  }
  return lines;
}

// "job.toml --infra aws --deadline 12h"
std::string asked_again(const Values& values) {
  auto words = flags_again(values, {});
  words.insert(words.begin(), values["job"].as<std::string>());
  return shell_line(words);
}

// Several jobs at once: a machine for each, the sum, and one machine for all.
int advise_fleet(Context& context, const Values& values, const std::string& format) {
  if (format == "wide" || format == "jsonl") {
    throw UsageError(fmt::format(
        "--output {}: for several jobs there are table, json, csv, md and names", format));
  }
  auto files = values["jobs"].as<std::vector<std::string>>();
  files.insert(files.begin(), values["job"].as<std::string>());
  const auto fleet = planned(context, values, files);
  emit(context,
       values,
       format == "json"    ? boost::json::serialize(to_json(fleet)) + "\n"
       : format == "csv"   ? report::fleet_data(fleet).csv()
       : format == "names" ? report::fleet_names(fleet)
       : format == "md"    ? report::fleet_markdown(fleet)
                           : report::fleet_text(fleet, context.out_style));
  return fleet.total ? exit_ok : exit_nothing_satisfies;
}

std::string charts_of(const Recommendation& answer,
                      const Knowledge& knowledge,
                      const report::Style& style) {
  const auto letters = report::locale_is_utf8() ? report::Letters::utf8 : report::Letters::ascii;
  const auto current = answer.current ? answer.current->current : std::nullopt;
  if (answer.query.serves()) {  // what its time is, and no vCPUs bear on tokens
    return "\n" + report::text_chart(report::latency_cost_chart(answer, current), style, letters) +
           "\n" + report::text_chart(report::load_chart(answer), style, letters);
  }
  std::string out =
      "\n" + report::text_chart(report::pareto_chart(answer, current), style, letters);
  Estimator estimator(
      knowledge.model, knowledge.gpu_rates, knowledge.cpu_speeds, knowledge.catalog);
  const auto studied = study(answer, knowledge.evidence(), estimator, false);
  if (studied && !studied->responses.empty()) {
    const auto chart = report::response_chart(answer, studied->responses.front(), std::nullopt);
    out += "\n" + report::text_chart(chart, style, letters);
  }
  return out;
}

// Of a job file.
report::Table field_table() {
  report::Table table({{"table"}, {"key"}, {"meaning"}, {"value"}, {"goes with"}});
  for (const auto& key : job_keys()) {
    const bool several = key.table == "measured";
    table.add({key.table.empty() ? "at the top"
               : several         ? "[[measured]]"
                                 : fmt::format("[{}]", key.table),
               std::string(key.key),
               std::string(key.meaning),
               std::string(key.value),
               key.with.empty() ? "—" : std::string(key.with)});
  }
  return table;
}

void add_advise_options(Options& options) {
  add_query_options(options);
  add_model_option(options);
  add_output_options(options);
  options.add_options()("jobs", po::value<std::vector<std::string>>(), "more jobs, for one plan")(
      "current",
      po::value<std::string>(),
      "the instance the job runs on today, or 3 x NAME of a service; PROVIDER/REGION/NAME and "
      "[Spot], [1y] or [3y] behind it where it is not on demand wherever that is cheapest: Move, "
      "where it misses the constraints or the chosen one is better by the objective with over 70 % "
      "(what is not marked \"=\"), or else Stay")(
      "sort",
      po::value<std::string>()->default_value(""),
      "show them by cost, time, throughput, price, vcpus, memory or chance (:asc, :desc)")(
      "chart",
      "draw cost against time, and throughput against vCPUs with its knee; of tokens their cost by "
      "load")("max-results",
              po::value<std::size_t>(),
              "options in every form of the answer, 0 = all; default: 10 for people, 50 in json, "
              "csv and names")(
      "seed", po::value<std::uint64_t>()->default_value(1), "of the draws behind \"cheapest\"")(
      "fields", "list what a job file may say, and advise nothing");
}

// For people the first, for programs as many as the search keeps, where nobody says.
std::size_t options_wanted(const Values& values, const std::string& format) {
  const bool for_people = format == "table" || format == "wide" || format == "md";
  return values.count("max-results") > 0 ? values["max-results"].as<std::size_t>()
         : for_people                    ? 10
                                         : SearchOptions{}.max_options;
}

// What the form itself has no room to say; the table says it below.
void note_left_out(Context& context,
                   const Recommendation& answer,
                   const std::string& format,
                   std::size_t limit) {
  const auto left = report::options_left_out(answer, limit);
  if (left > 0 && answer.chosen && format != "table" && format != "wide") {
    context.err << fmt::format("NOTE: {} more, --max-results 0 shows them\n", left);
  }
}

// One job's answer in the form asked for; `charts` are drawn below it.
std::string form_of(const Recommendation& answer,
                    const Values& values,
                    const std::string& format,
                    const report::Style& style,
                    const std::string& charts) {
  const auto limit = options_wanted(values, format);
  if (format == "json") {
    return boost::json::serialize(to_json(answer)) + "\n";
  }
  if (format == "jsonl") {
    return lines_of(answer);
  }
  if (format == "csv") {
    return report::option_data(answer).csv();
  }
  if (format == "md") {
    return report::answer_markdown(answer, limit);
  }
  if (format == "names") {
    return names_of(answer);
  }
  return report::answer_text(answer, style, limit, format == "wide", asked_again(values)) + charts;
}

}  // namespace

int run_advise(Context& context, const std::vector<std::string>& arguments) {
  Options options("options");
  add_advise_options(options);
  const auto values = parse(context, "advise", options, {"job", "jobs..."}, arguments);
  if (values.count("fields") > 0) {
    const auto as = output_format(values, {"table", "json", "csv", "md"});
    emit(context, values, report::rendered(field_table(), as, context.out_style));
    return exit_ok;
  }
  const auto format =
      output_format(values, {"table", "wide", "json", "jsonl", "csv", "md", "names"});
  if (values.count("jobs") > 0) {
    return advise_fleet(context, values, format);
  }
  const bool charted = values.count("chart") > 0;
  if (charted && format != "table" && format != "wide") {
    throw UsageError(
        "--chart: draws in the terminal, with -o table or wide; rightsize report "
        "makes charts for other forms");
  }
  auto query = query_from(values, "advise");
  const auto knowledge = load_knowledge(context, values, {&query, 1});
  const auto limit = options_wanted(values, format);
  SearchOptions search_options;
  search_options.seed = values["seed"].as<std::uint64_t>();
  search_options.max_options =
      limit == 0 ? every_option : std::max(search_options.max_options, limit);
  auto answer = search(query, knowledge.evidence(), search_options);
  const auto idle = idle_flags(values, query);
  answer.warnings.insert(answer.warnings.end(), idle.begin(), idle.end());
  if (!query.current.empty()) {
    answer.current = right_size(answer, knowledge.evidence(), query.current);
  }
  const auto charts = charted ? charts_of(answer, knowledge, context.out_style) : std::string();
  sort_options(answer, values["sort"].as<std::string>());  // charts go by rank
  note_left_out(context, answer, format, limit);
  if (format == "json" || format == "jsonl" || format == "csv" || format == "names") {
    report::keep_shown(answer, limit);
  }
  if (answer.current && (format == "csv" || format == "names")) {  // which have no place for it
    context.err << context.err_style.bold("note: ") << report::right_sizing_sentence(answer)
                << " (-o table, md and json have it)\n";
  }
  emit(context, values, form_of(answer, values, format, context.out_style, charts));
  return answer.chosen ? exit_ok : exit_nothing_satisfies;
}

}  // namespace rightsize::cli
