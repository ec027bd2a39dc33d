#include <boost/json.hpp>

#include "advisor/cli/command.h"
#include "advisor/cli/evidence.h"
#include "advisor/explain/explanation.h"
#include "advisor/report/explanation_text.h"

namespace rightsize::cli {

namespace po = boost::program_options;

int run_explain(Context& context, const std::vector<std::string>& arguments) {
  Options options("options");
  add_query_options(options);
  add_model_option(options);
  add_output_options(options);
  options.add_options()("instance",
                        po::value<std::string>()->default_value(""),
                        "instance, or provider/instance (the one advise takes)");
  const auto values = parse(context, "explain", options, {"job", "instance"}, arguments);
  const auto format = output_format(values, {"table", "json", "md"});
  auto query = query_from(values, "explain");
  const auto knowledge = load_knowledge(context, values, {&query, 1});
  const auto explanation =
      explain(query, knowledge.evidence(), values["instance"].as<std::string>());
  emit(context,
       values,
       format == "json" ? boost::json::serialize(to_json(explanation)) + "\n"
       : format == "md" ? report::explanation_markdown(explanation)
                        : report::explanation_text(explanation, context.out_style));
  return explanation.chosen.empty() ? exit_nothing_satisfies : exit_ok;
}

}  // namespace rightsize::cli
