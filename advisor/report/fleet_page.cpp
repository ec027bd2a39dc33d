#include "advisor/report/fleet_page.h"

#include <set>
#include <vector>

#include <boost/json.hpp>

#include "advisor/report/answer_parts.h"
#include "advisor/report/fleet_table.h"
#include "advisor/report/fleet_text.h"
#include "advisor/report/html.h"
#include "advisor/report/html_parts.h"
#include "advisor/report/html_table.h"
#include "advisor/report/named_answer.h"

namespace rightsize::report {
namespace {

std::vector<NamedAnswer> named_answers(const Fleet& fleet) {
  std::vector<NamedAnswer> answers;
  for (const auto& answer : fleet.answers) {
    answers.push_back({job_label(answer.query), answer});
  }
  return answers;
}

// Each once: of one model, and of the same books.
std::vector<std::string> evidence_of(const Fleet& fleet) {
  std::vector<std::string> sentences;
  std::set<std::string> said;
  const auto say = [&](const std::string& sentence) {
    if (!sentence.empty() && said.insert(sentence).second) {
      sentences.push_back(sentence);
    }
  };
  for (const auto& answer : fleet.answers) {
    for (const auto& table : answer.price_tables) {
      say("Prices: " + table + ".");
    }
  }
  say("~ marks an estimate; the ends of a sum are the sums of the ends, for errors that the jobs "
      "share. What each answer takes for granted its own report says: rightsize report JOB.");
  return sentences;
}

}  // namespace

std::string fleet_html(const Fleet& fleet, const std::string& command) {
  const auto answers = named_answers(fleet);
  PageParts parts;
  parts.title = "A plan of " + works_of(fleet);
  parts.headline = fleet_headline(fleet);
  parts.tiles = list(fleet_sentences(fleet), "current");
  parts.warnings = list(fleet_warnings(fleet), "warnings");
  parts.premises = list(evidence_of(fleet), "premises");
  parts.options = html_table(fleet_table(fleet), {"What each job is to run on", true, true, {}});
  add_answer_parts(answers, parts);
  parts.command = command;
  parts.json = boost::json::serialize(to_json(fleet)) + "\n";
  return page_of(parts);
}

}  // namespace rightsize::report
