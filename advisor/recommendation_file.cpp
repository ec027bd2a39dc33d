#include "advisor/recommendation_file.h"

#include <algorithm>
#include <set>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "advisor/full_name.h"
#include "advisor/json_place.h"
#include "advisor/option_file.h"
#include "advisor/recommendation_query.h"
#include "advisor/right_sizing/right_sizing_file.h"

namespace rightsize {
namespace {

namespace json = boost::json;

Option read_ranked(const JsonPlace& place, const Query& query) {
  auto option = read_option(place, query);
  if (option.rank == 0) {
    place["rank"].refuse("a whole number from 1");
  }
  return option;
}

// Someone took options out, or the choice: what is left is no answer to the question.
void check_choice(const JsonPlace& root, const Recommendation& answer) {
  if (!answer.chosen) {
    if (std::any_of(answer.options.begin(), answer.options.end(), [](const Option& option) {
          return option.satisfies;
        })) {
      root["chosen"].refuse("one of the options, as some satisfy the constraints");
    }
    return;
  }
  const auto& chosen = *answer.chosen;
  if (!chosen.satisfies) {
    root["chosen"]["satisfies_constraints"].refuse("true of what is chosen");
  }
  if (std::none_of(answer.options.begin(), answer.options.end(), [&](const Option& option) {
        return full_name(option) == full_name(chosen) && option.region == chosen.region;
      })) {
    root["options"].refuse(
        fmt::format("{}/{}, which is chosen, among them", chosen.provider, chosen.instance));
  }
}

// It may have been saved as advise --sort showed it; what reads it takes the chosen one for the
// first.
void restore_rank_order(Recommendation& answer) {
  std::set<std::size_t> tied;
  for (const auto index : answer.ties) {
    tied.insert(answer.options[index].rank);
  }
  std::stable_sort(answer.options.begin(),
                   answer.options.end(),
                   [](const Option& a, const Option& b) { return a.rank < b.rank; });
  answer.ties.clear();
  for (std::size_t i = 0; i < answer.options.size(); ++i) {
    if (tied.count(answer.options[i].rank) > 0) {
      answer.ties.push_back(i);
    }
  }
}

void read_options(const JsonPlace& root, Recommendation& answer) {
  std::set<std::size_t> ranks;
  for (const auto& option : root["options"].items()) {
    answer.options.push_back(read_ranked(option, answer.query));
    if (!ranks.insert(answer.options.back().rank).second) {
      option["rank"].refuse("another rank than that of an option before it");
    }
    if (option.has("ties_with_chosen") &&
        option["ties_with_chosen"].flag()) {  // nor in earlier ones
      answer.ties.push_back(answer.options.size() - 1);
    }
  }
  if (!root["chosen"].is_null()) {
    answer.chosen = read_ranked(root["chosen"], answer.query);
  }
  restore_rank_order(answer);
  check_choice(root, answer);
  answer.options_total = root["options_total"].whole<std::size_t>();
  const auto satisfying =  // those listed where none does are not counted
      std::count_if(answer.options.begin(), answer.options.end(), [](const Option& option) {
        return option.satisfies;
      });
  if (answer.options_total < static_cast<std::size_t>(satisfying)) {
    root["options_total"].refuse(fmt::format("at least the {} listed", satisfying));
  }
}

void read_evidence(const JsonPlace& place, Recommendation& answer) {
  answer.runs = place["runs"].whole_from(0);
  answer.model_error = place["model_cv_error"].not_negative();
  answer.model_p90_error = place["model_cv_p90_error"].not_negative();
  answer.data_path_note =
      place.has("data_path_note") ? place["data_path_note"].text() : std::string();
  answer.machine = place["machine"].text();
  answer.measured_at = place["measured_at"].text();
  answer.price_tables = place["price_tables"].texts();
}

}  // namespace

Recommendation read_recommendation(const std::string& text, const std::string& name) {
  boost::system::error_code error;
  const auto document = json::parse(text, error);
  if (error) {
    throw UsageError(fmt::format("{}: not JSON: {}", name, error.message()));
  }
  const JsonPlace root(document, name + ": ");
  if (root["schema"].text() == "rightsize/fleet/1") {
    throw UsageError(fmt::format(
        "{}: a plan of several jobs, and reports are of single ones: save each job's own answer "
        "with rightsize advise JOB.toml -o json",
        name));
  }
  if (root["schema"].text() != "rightsize/recommendation/1") {
    root["schema"].refuse("rightsize/recommendation/1");
  }
  Recommendation answer;
  answer.query = read_saved_query(root["query"]);
  read_options(root, answer);
  if (root.says("current")) {
    answer.current = read_right_sizing(root["current"], [&](const JsonPlace& option) {
      return read_option(option, answer.query);
    });
  }
  if (root.has("options_ranked")) {  // answers of earlier versions do not say
    answer.options_ranked = root["options_ranked"].whole<std::size_t>();
  }
  answer.candidates = root["candidates"].whole<std::size_t>();
  for (const auto& rejection : root["rejected"].items()) {
    answer.rejected.push_back({rejection["reason"].text(),
                               rejection["count"].whole_from<std::size_t>(1),
                               rejection["examples"].texts()});
  }
  answer.assumptions = root["assumptions"].texts();
  answer.warnings = root["warnings"].texts();
  answer.generated_at = root["generated_at"].text();
  answer.tool_version = root["tool_version"].text();
  read_evidence(root["evidence"], answer);
  return answer;
}

}  // namespace rightsize
