#include <cmath>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "advisor/calibration.h"
#include "advisor/cli/command.h"
#include "advisor/cli/evidence.h"
#include "advisor/query.h"
#include "advisor/report/answer.h"
#include "advisor/report/charts.h"
#include "advisor/report/study_charts.h"
#include "advisor/report/text_chart.h"
#include "advisor/search.h"
#include "advisor/study.h"

namespace rightsize::cli {
namespace {

namespace po = boost::program_options;

std::string names_of(const Recommendation& answer) {
  std::string names;
  for (const auto& option : answer.options) {
    names += option.provider + "/" + option.instance + "\n";
  }
  return names;
}

std::string charts_of(const Recommendation& answer,
                      const Knowledge& knowledge,
                      const report::Style& style) {
  const auto letters = report::locale_is_utf8() ? report::Letters::utf8 : report::Letters::ascii;
  std::string out = "\n" + report::text_chart(report::pareto_chart(answer), style, letters);
  Estimator estimator(
      knowledge.model, gpu_rates_with(knowledge.model), knowledge.cpu_speeds, knowledge.catalog);
  const auto studied = study(answer, knowledge.evidence(), estimator, false);
  if (studied && !studied->responses.empty()) {
    const auto chart = report::response_chart(answer, studied->responses.front(), std::nullopt);
    out += "\n" + report::text_chart(chart, style, letters);
  }
  return out;
}

}  // namespace

void add_query_options(Options& options) {
  options.add_options()("job", po::value<std::string>(), "the job file (TOML)")(
      "deadline", po::value<std::string>(), "finish within: 12h, 2d, 1:30:00")(
      "budget", po::value<std::string>(), "cost at most, in the job's currency")(
      "confidence", po::value<double>(), "wanted probability of meeting them (0.9)")(
      "market", po::value<std::vector<std::string>>(), "on-demand or spot; repeatable")(
      "infra", po::value<std::vector<std::string>>(), "provider/region pattern; repeatable")(
      "book", po::value<std::string>(), "price book: current, era-2017")(
      "gpus-min", po::value<double>(), "")("gpus-max", po::value<double>(), "")(
      "vcpus-min", po::value<double>(), "")("vcpus-max", po::value<double>(), "")(
      "memory-min", po::value<double>(), "GiB")("memory-max", po::value<double>(), "GiB")(
      "allow", po::value<std::string>(), "instances that match this regular expression only")(
      "deny", po::value<std::string>(), "no instances that match it");
}

Query query_from(const Values& values) {
  if (values.count("job") == 0) {
    throw UsageError("which job? usage: rightsize advise JOB.toml");
  }
  Query query = load_query(values["job"].as<std::string>());
  const auto text = [&](const char* name, auto&& use) {
    if (values.count(name) > 0) {
      use(values[name].as<std::string>());
    }
  };
  const auto number = [&](const char* name, std::optional<double>& target) {
    if (values.count(name) > 0) {
      target = values[name].as<double>();
      if (!(*target >= 0) || std::isinf(*target)) {
        throw UsageError(fmt::format("--{}: expected a number that is not negative", name));
      }
    }
  };
  text("deadline", [&](const auto& v) { query.deadline_s = parse_duration(v, "--deadline"); });
  text("budget", [&](const auto& v) {
    try {
      query.budget = Money::parse(v, query.currency);
    } catch (const PricingError& error) {
      throw UsageError(fmt::format("--budget: {}", error.what()));
    }
    if (query.budget->nanos() <= 0) {
      throw UsageError("--budget: expected more than nothing");
    }
  });
  text("book", [&](const auto& v) { query.book = v; });
  text("allow", [&](const auto& v) { query.allow = v; });
  text("deny", [&](const auto& v) { query.deny = v; });
  number("gpus-min", query.gpus_min);
  number("gpus-max", query.gpus_max);
  number("vcpus-min", query.vcpus_min);
  number("vcpus-max", query.vcpus_max);
  number("memory-min", query.memory_gib_min);
  number("memory-max", query.memory_gib_max);
  if (values.count("confidence") > 0) {
    query.confidence = values["confidence"].as<double>();
    if (!(query.confidence > 0 && query.confidence < 1)) {
      throw UsageError("--confidence: expected a number between 0 and 1");
    }
  }
  if (values.count("infra") > 0) {
    query.infra = values["infra"].as<std::vector<std::string>>();
  }
  if (values.count("market") > 0) {
    query.markets.clear();
    for (const auto& word : values["market"].as<std::vector<std::string>>()) {
      const auto market = parse_market(word);
      if (!market) {
        throw UsageError(fmt::format("--market {}: expected on-demand or spot", word));
      }
      query.markets.push_back(*market);
    }
  }
  return query;
}

int run_advise(Context& context, const std::vector<std::string>& arguments) {
  Options options("options");
  add_query_options(options);
  add_model_option(options);
  add_output_options(options);
  options.add_options()("chart",
                        "draw cost against time, and throughput against vCPUs with its knee")(
      "max-results", po::value<std::size_t>()->default_value(10), "options shown, 0 = all")(
      "seed", po::value<std::uint64_t>()->default_value(1), "of the draws behind \"cheapest\"");
  const auto values = parse(context, "advise", options, {"job"}, arguments);
  const auto format = output_format(values, {"table", "wide", "json", "csv", "md", "names"});
  const auto limit = values["max-results"].as<std::size_t>();
  const auto query = query_from(values);
  const auto knowledge = load_knowledge(values);
  SearchOptions search_options;
  search_options.seed = values["seed"].as<std::uint64_t>();
  const auto answer = search(query, knowledge.evidence(), search_options);
  const bool charted = values.count("chart") > 0;
  if (charted && format != "table" && format != "wide") {
    throw UsageError(
        "--chart: draws in the terminal, with -o table or wide; rightsize report "
        "makes charts for other forms");
  }
  emit(context,
       values,
       format == "json"  ? boost::json::serialize(to_json(answer)) + "\n"
       : format == "csv" ? report::option_data(answer).csv()
       : format == "md"  ? report::answer_markdown(answer, limit)
       : format == "names"
           ? names_of(answer)
           : report::answer_text(answer, context.out_style, limit, format == "wide") +
                 (charted ? charts_of(answer, knowledge, context.out_style) : ""));
  return answer.chosen ? exit_ok : exit_nothing_satisfies;
}

}  // namespace rightsize::cli
