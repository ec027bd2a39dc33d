#include <boost/json.hpp>
#include <fmt/format.h>

#include "advisor/cli/command.h"
#include "advisor/cli/evidence.h"
#include "advisor/explain/comparison.h"
#include "advisor/full_name.h"
#include "advisor/report/comparison_text.h"

namespace rightsize::cli {

namespace po = boost::program_options;

int run_compare(Context& context, const std::vector<std::string>& arguments) {
  Options options("options");
  add_query_options(options);
  add_model_option(options);
  add_output_options(options);
  options.add_options()("first",
                        po::value<std::string>(),
                        "instance, as tables show it: 'g5.xlarge [Spot]', aws/us-west-2/g5.xlarge")(
      "second", po::value<std::string>(), "the other one");
  const auto values = parse(context, "compare", options, {"job", "first", "second"}, arguments);
  const auto format = output_format(values, {"table", "json", "csv", "md"});
  if (values.count("second") == 0) {
    throw UsageError("which two instances? usage: rightsize compare JOB.toml A B");
  }
  auto query = query_from(values, "compare");
  const auto knowledge = load_knowledge(context, values, {&query, 1});
  const auto comparison = compare(query,
                                  knowledge.evidence(),
                                  values["first"].as<std::string>(),
                                  values["second"].as<std::string>());
  if (const auto names = side_names(comparison); names[0] == names[1]) {
    throw UsageError(fmt::format(
        "{} is named twice: compare needs two instances, or one in two markets or places; what-if "
        "compares one with itself changed",
        full_name(comparison.sides[0].option)));
  }
  emit(context,
       values,
       format == "json"  ? boost::json::serialize(to_json(comparison)) + "\n"
       : format == "csv" ? report::comparison_data(comparison).csv()
       : format == "md"  ? report::comparison_markdown(comparison)
                         : report::comparison_text(comparison, context.out_style));
  return comparison.sides[comparison.better].option.satisfies ? exit_ok : exit_nothing_satisfies;
}

}  // namespace rightsize::cli
