#include "advisor/report/table_notes.h"

#include <algorithm>

#include <fmt/format.h>

#include "advisor/query/objective_words.h"
#include "advisor/report/option_text.h"
#include "advisor/report/units.h"

namespace rightsize::report {
namespace {

// By another that is shown.
bool is_outdone(const Recommendation& answer, std::size_t limit) {
  for (std::size_t i = 0; i < answer.options.size(); ++i) {
    if (is_shown(answer, i, limit) && answer.options[i].p_cheapest > answer.chosen->p_cheapest) {
      return true;
    }
  }
  return false;
}

// Whether costs as shown, of jobs in the order of their ranks, do not rise with them, but what they
// typically come to does.
bool ranks_otherwise(const Recommendation& answer, std::size_t limit) {
  if (answer.query.serves() || !(answer.query.objective == Objective{})) {
    return false;
  }
  const Option* before = nullptr;
  for (std::size_t i = 0; i < answer.options.size(); ++i) {
    const auto& option = answer.options[i];
    if (!is_shown(answer, i, limit) || !option.satisfies) {
      continue;
    }
    if (before != nullptr && before->rank < option.rank && before->score <= option.score &&
        before->cost.value > option.cost.value) {
      return true;
    }
    before = &option;
  }
  return false;
}

}  // namespace

std::vector<std::string> table_notes(const Recommendation& answer, std::size_t limit) {
  const auto& query = answer.query;
  std::vector<std::string> notes;
  if (query.serves() && answer.chosen) {
    notes.push_back(fmt::format(
        "if resized: chance to be the {} once each fleet is cut or grown to its true speed; rank "
        "and prices are of fleets for {} confidence{}",
        query.objective == Objective{} ? "cheapest" : "best",
        percent(query.confidence),
        is_outdone(answer, limit) ? ", so that the first may have the lesser chance" : ""));
  }
  const bool marked = std::any_of(answer.ties.begin(), answer.ties.end(), [&](std::size_t i) {
    return is_shown(answer, i, limit);
  });
  if (marked) {
    const bool in_rank_order = answer.options.front().rank <= 1;  // or sorted by something else
    notes.push_back("= " +
                    tie_words(query.objective, in_rank_order ? "the first" : "the one marked *"));
  }
  if (ranks_otherwise(answer, limit)) {
    notes.emplace_back("ranked by what each typically costs, over the times that it may take");
  }
  if (auto time = time_words(query); !time.empty() && !answer.options.empty()) {
    notes.push_back(std::move(time));
  }
  return notes;
}

}  // namespace rightsize::report
