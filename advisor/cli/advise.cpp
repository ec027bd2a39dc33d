#include <cmath>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "advisor/cli/command.h"
#include "advisor/cli/evidence.h"
#include "advisor/cli/tables.h"
#include "advisor/fleet.h"
#include "advisor/option_order.h"
#include "advisor/query.h"
#include "advisor/report/answer.h"
#include "advisor/report/fleet_text.h"
#include "advisor/right_sizing.h"
#include "advisor/search.h"

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

}  // namespace

void add_query_options(Options& options) {
  add_prices_option(options);
  options.add_options()("job", po::value<std::string>(), "the job file (TOML)")(
      "deadline", po::value<std::string>(), "finish within: 12h, 2d, 1:30:00")(
      "budget", po::value<std::string>(), "cost at most, in the job's currency")(
      "objective", po::value<std::string>(), "what is best: cost, time, cost*0.7+time*0.3")(
      "confidence", po::value<double>(), "wanted probability of meeting them (0.9)")(
      "market",
      po::value<std::vector<std::string>>(),
      "on-demand, spot, reserved-1y or reserved-3y; repeatable")(
      "infra", po::value<std::vector<std::string>>(), "provider/region pattern; repeatable")(
      "book",
      po::value<std::string>(),
      "price books, by comma: current, era-2017, or those of --prices")(
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
  return query_from(values, values["job"].as<std::string>());
}

Query query_from(const Values& values, const std::string& job) {
  Query query = load_query(job);
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
  text("objective", [&](const auto& v) { query.objective = parse_objective(v, "--objective"); });
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
        throw UsageError(
            fmt::format("--market {}: expected on-demand, spot, reserved-1y or reserved-3y", word));
      }
      query.markets.push_back(*market);
    }
  }
  return query;
}

namespace {

// Several jobs at once: a machine for each, the sum, and one machine for all.
int advise_fleet(Context& context, const Values& values, const std::string& format) {
  for (const auto* single : {"current", "sort"}) {
    if (values.count(single) > 0 && !values[single].defaulted()) {
      throw UsageError(fmt::format("--{} is about one job; ask for each by itself", single));
    }
  }
  if (format != "table" && format != "json" && format != "csv" && format != "md") {
    throw UsageError(
        fmt::format("--output {}: for several jobs there are table, json, csv, md", format));
  }
  std::vector<Query> queries = {query_from(values)};
  for (const auto& job : values["jobs"].as<std::vector<std::string>>()) {
    queries.push_back(query_from(values, job));
  }
  const auto knowledge = load_knowledge(values, queries);
  const auto fleet = plan_fleet(queries, knowledge.evidence());
  emit(context,
       values,
       format == "json"  ? boost::json::serialize(to_json(fleet)) + "\n"
       : format == "csv" ? report::fleet_table(fleet).csv()
       : format == "md"  ? report::fleet_markdown(fleet)
                         : report::fleet_text(fleet, context.out_style));
  return fleet.total ? exit_ok : exit_nothing_satisfies;
}

}  // namespace

int run_advise(Context& context, const std::vector<std::string>& arguments) {
  Options options("options");
  add_query_options(options);
  add_model_option(options);
  add_output_options(options);
  options.add_options()("jobs", po::value<std::vector<std::string>>(), "more jobs, for one plan")(
      "current",
      po::value<std::string>(),
      "the instance the job runs on today: is it the right one?")(
      "runs-per-month", po::value<double>(), "of the job, for savings by the month")(
      "sort",
      po::value<std::string>()->default_value(""),
      "show them by cost, time, throughput, price, vcpus, memory or chance (:asc, :desc)")(
      "max-results", po::value<std::size_t>()->default_value(10), "options shown, 0 = all")(
      "seed", po::value<std::uint64_t>()->default_value(1), "of the draws behind \"cheapest\"");
  const auto values = parse(context, "advise", options, {"job", "jobs..."}, arguments);
  const auto format = output_format(values, {"table", "wide", "json", "csv", "md", "names"});
  if (values.count("jobs") > 0) {
    return advise_fleet(context, values, format);
  }
  const auto limit = values["max-results"].as<std::size_t>();
  auto query = query_from(values);
  if (values.count("runs-per-month") > 0) {
    query.runs_per_month = values["runs-per-month"].as<double>();
    if (!(*query.runs_per_month > 0) || std::isinf(*query.runs_per_month)) {
      throw UsageError("--runs-per-month: expected a number above 0");
    }
  }
  const auto knowledge = load_knowledge(values, {&query, 1});
  SearchOptions search_options;
  search_options.seed = values["seed"].as<std::uint64_t>();
  auto answer = search(query, knowledge.evidence(), search_options);
  sort_options(answer.options, values["sort"].as<std::string>());
  if (values.count("current") > 0) {
    answer.current = right_size(answer, knowledge.evidence(), values["current"].as<std::string>());
  }
  emit(context,
       values,
       format == "json"  ? boost::json::serialize(to_json(answer)) + "\n"
       : format == "csv" ? report::option_data(answer).csv()
       : format == "md"  ? report::answer_markdown(answer, limit)
       : format == "names"
           ? names_of(answer)
           : report::answer_text(answer, context.out_style, limit, format == "wide"));
  return answer.chosen ? exit_ok : exit_nothing_satisfies;
}

}  // namespace rightsize::cli
