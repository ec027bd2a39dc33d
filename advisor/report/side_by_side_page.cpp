// Several saved answers as one document: a page, Markdown, JSON.
#include <boost/json.hpp>
#include <fmt/format.h>

#include "advisor/report/answer.h"
#include "advisor/report/answer_parts.h"
#include "advisor/report/escape.h"
#include "advisor/report/html.h"
#include "advisor/report/html_parts.h"
#include "advisor/report/html_table.h"
#include "advisor/report/moves_table.h"
#include "advisor/report/side_by_side.h"

namespace rightsize::report {
namespace {

std::vector<std::string> warnings_of(const std::vector<NamedAnswer>& answers) {
  std::vector<std::string> all;
  for (const auto& [name, answer] : answers) {
    for (const auto& warning : answer.warnings) {
      all.push_back(name + ": " + warning);
    }
  }
  return all;
}

// Of many answers more than a screen of them, before the first choice.
std::string warnings_part(const std::vector<NamedAnswer>& answers) {
  const auto warnings = warnings_of(answers);
  return warnings.size() <= answers.size()
             ? list(warnings, "warnings")
             : folded(fmt::format("{} warnings", warnings.size()), list(warnings, "warnings"));
}

}  // namespace

std::string side_by_side_html(const std::vector<NamedAnswer>& answers, const std::string& command) {
  PageParts parts;
  parts.title = fmt::format("{} answers", answers.size());
  const auto moves = moves_sentence(answers);
  parts.headline = moves.empty() ? "Saved answers of rightsize beside each other." : moves;
  parts.warnings = warnings_part(answers);
  parts.premises = paragraph(
      "Made from saved answers alone: their records, models and prices were not read again.");
  parts.options =
      (moves.empty() ? ""
                     : html_table(moves_table(answers),
                                  {"Today's machines and what to do", true, true, {}})) +
      html_table(side_by_side_table(answers), {"The choices", false, true, {}});
  add_answer_parts(answers, parts);
  parts.command = command;
  parts.json = side_by_side_json(answers);
  return page_of(parts);
}

std::string side_by_side_markdown(const std::vector<NamedAnswer>& answers,
                                  const std::string& command) {
  std::string out = fmt::format("# {} answers\n\n", answers.size());
  if (const auto moves = moves_sentence(answers); !moves.empty()) {
    out += "**" + moves + "**\n\n" + moves_table(answers).markdown() + "\n";
  }
  out += side_by_side_table(answers).markdown();
  for (const auto& [name, answer] : answers) {
    out += fmt::format(
        "\n**{}**: {}\n", escape_markdown(name), escape_markdown(answer_sentence(answer)));
  }
  for (const auto& warning : warnings_of(answers)) {
    out += "\n> Warning: " + escape_markdown(warning) + "\n";
  }
  return out + "\n```sh\n" + command + "\n```\n";
}

std::string side_by_side_json(const std::vector<NamedAnswer>& answers) {
  boost::json::array all;
  for (const auto& named : answers) {
    all.push_back(to_json(named.answer));
  }
  return boost::json::serialize(all) + "\n";
}

}  // namespace rightsize::report
