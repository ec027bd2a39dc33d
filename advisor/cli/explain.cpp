#include <boost/json.hpp>

#include "advisor/cli/command.h"
#include "advisor/cli/evidence.h"
#include "advisor/cli/flags_again.h"
#include "advisor/explain/explanation.h"
#include "advisor/full_name.h"
#include "advisor/report/explanation_text.h"
#include "advisor/suppose/offer_name.h"
#include "profiler/command/user_command.h"

namespace rightsize::cli {

namespace po = boost::program_options;

namespace {

// The answer beside the one explained, asked as this was; "" where they are one.
std::string next_command(const Values& values,
                         const Explanation& explanation,
                         const Catalog& catalog) {
  if (explanation.chosen.empty() || explanation.chosen == full_name(explanation.option)) {
    return "";
  }
  const auto& markets = explanation.query.markets;
  const auto explained = name_of(explanation.option);
  const auto chosen = read_offer_name(catalog, explanation.chosen, "");
  const bool a_month = explained.by_month.value_or(false) || chosen.by_month.value_or(false);
  const auto in_place = [&](OfferName name) {
    name.place = explanation.place;
    name.market = name.market.value_or(Market::on_demand);
    if (markets.size() == 1 && markets.front() == Market::on_demand && !a_month) {
      name.market.reset();  // goes without saying
    }
    return typed(name);
  };
  auto words = flags_again(values, {"instance"});
  words.insert(
      words.begin(),
      {"rightsize", "compare", explanation.query.file, in_place(chosen), in_place(explained)});
  return shell_line(words);
}

}  // namespace

int run_explain(Context& context, const std::vector<std::string>& arguments) {
  Options options("options");
  add_query_options(options);
  add_model_option(options);
  add_output_options(options);
  options.add_options()(
      "instance",
      po::value<std::string>()->default_value(""),
      "instance, as tables show it: 'g5.xlarge [Spot]', aws/us-west-2/g5.xlarge (the one advise "
      "takes)");
  const auto values = parse(context, "explain", options, {"job", "instance"}, arguments);
  const auto format = output_format(values, {"table", "json", "md"});
  auto query = query_from(values, "explain");
  const auto knowledge = load_knowledge(context, values, {&query, 1});
  const auto explanation =
      explain(query, knowledge.evidence(), values["instance"].as<std::string>());
  const auto next = next_command(values, explanation, knowledge.catalog);
  emit(context,
       values,
       format == "json" ? boost::json::serialize(to_json(explanation)) + "\n"
       : format == "md" ? report::explanation_markdown(explanation)
                        : report::explanation_text(explanation, context.out_style) +
                              (next.empty() ? "" : context.out_style.dim("Next: ") + next + "\n"));
  return explanation.chosen.empty() ? exit_nothing_satisfies : exit_ok;
}

}  // namespace rightsize::cli
