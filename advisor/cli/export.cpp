#include <boost/json.hpp>
#include <fmt/format.h>

#include "advisor/cli/command.h"
#include "advisor/cli/evidence.h"
#include "advisor/cli/option_choice.h"
#include "advisor/cli/out_file.h"
#include "advisor/export/exporter.h"
#include "advisor/report/answer.h"
#include "advisor/search.h"
#include "profiler/command/user_command.h"

namespace rightsize::cli {
namespace {

namespace po = boost::program_options;

std::string as_json(const Exporter& exporter, const Option& option, std::string text) {
  return boost::json::serialize(boost::json::object{{"schema", "rightsize/export/1"},
                                                    {"to", exporter.name},
                                                    {"file", exporter.file},
                                                    {"option", to_json(option, option.rank)},
                                                    {"text", std::move(text)}}) +
         "\n";
}

// What the bill counts on and only Terraform can be told.
void note_bought_speed(Context& context, const Exporter& exporter, const Option& option) {
  if (exporter.name != "terraform" && option.disk_iops + option.disk_mbps > 0) {
    context.err << context.err_style.bad("note:") << " the bill and the speed count on a disk \""
                << option.disk << "\": set its IOPS and MB/s where it is made\n";
  }
}

std::string next_command(const Values& values,
                         const Exporter& exporter,
                         const Recommendation& answer,
                         const Option& option) {
  const auto& query = answer.query;
  const auto form = query.serves()                  ? exporter.next_of_service
                    : option.market == Market::spot ? exporter.next_on_spot
                                                    : exporter.next;
  return fmt::format(
      fmt::runtime(form),
      fmt::arg("file", shell_line({values["out-file"].as<std::string>()})),
      fmt::arg("command",
               query.serves() ? missing_variable(answer, option) : job_program(query).variable));
}

// Terraform knows this form of variables by their file's name alone.
void reject_unread_name(const po::variables_map& values, const Exporter& exporter) {
  if (exporter.file.ends_with(".tfvars.json") && !to_stdout(values) &&
      !values["out-file"].as<std::string>().ends_with(".json")) {
    throw UsageError(fmt::format(
        "--out-file {}: terraform reads this form from files named *.json alone, such as {}",
        values["out-file"].as<std::string>(),
        exporter.file));
  }
}

}  // namespace

int run_export(Context& context, const std::vector<std::string>& arguments) {
  Options options("options");
  add_query_options(options);
  add_model_option(options);
  add_output_options(options);
  options.add_options()("to",
                        po::value<std::string>()->default_value("skypilot"),
                        "skypilot, kubernetes, terraform or slurm")(
      "option",
      po::value<std::string>()->default_value("1"),
      "the N-th option of advise, or its machine's name, as p5.48xlarge");
  const auto values = parse(context, "export", options, {"job"}, arguments);
  const auto format = output_format(values, {"table", "json"});
  const auto& exporter = exporter_named(values["to"].as<std::string>());
  reject_unread_name(values, exporter);
  auto query = query_from(values, "export");
  const auto knowledge = load_knowledge(context, values, {&query, 1});
  SearchOptions search_options;
  search_options.max_options = every_option;
  const auto answer = search(query, knowledge.evidence(), search_options);
  if (!answer.chosen) {
    context.err << "error: nothing to export. " << report::answer_sentence(answer) << "\n";
    return exit_nothing_satisfies;
  }
  const auto& option = option_meant(answer, values["option"].as<std::string>());
  const auto text = exporter.write(answer, option);
  emit(context, values, format == "json" ? as_json(exporter, option, text) : text);
  note_bought_speed(context, exporter, option);
  if (!to_stdout(values) && format != "json") {
    if (text.find("REPLACE") != std::string::npos) {
      context.err << fmt::format("note: put your own where {} says REPLACE\n",
                                 values["out-file"].as<std::string>());
    }
    context.err << "Next: " << next_command(values, exporter, answer, option) << "\n";
  }
  return exit_ok;
}

}  // namespace rightsize::cli
