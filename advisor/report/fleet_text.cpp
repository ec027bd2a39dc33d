#include "advisor/report/fleet_text.h"

#include <algorithm>
#include <map>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "advisor/full_name.h"
#include "advisor/report/fleet_table.h"
#include "advisor/report/option_text.h"
#include "advisor/report/units.h"

namespace rightsize::report {
namespace {

constexpr std::size_t width = 98;

}  // namespace

std::string works_of(const Fleet& fleet) {
  const auto services = static_cast<std::uint64_t>(
      std::count_if(fleet.answers.begin(), fleet.answers.end(), [](const Recommendation& answer) {
        return answer.query.serves();
      }));
  const auto jobs = fleet.answers.size() - services;
  return services == 0 ? count_of(jobs, "job")
         : jobs == 0   ? count_of(services, "service")
                       : count_of(services, "service") + " and " + count_of(jobs, "job");
}

std::string fleet_headline(const Fleet& fleet) {
  if (!fleet.total) {
    const auto unanswered =
        std::count_if(fleet.answers.begin(), fleet.answers.end(), [](const Recommendation& answer) {
          return planned_option(answer) == nullptr;
        });
    if (unanswered == 0) {
      return "No plan: more is asked of machines of your own than there are.";
    }
    const bool none = static_cast<std::size_t>(unanswered) == fleet.answers.size();
    return none ? fmt::format("Of {} none has a machine that satisfies its constraints.",
                              works_of(fleet))
                : fmt::format("{} of {} have no machine that satisfies their constraints.",
                              unanswered,
                              works_of(fleet));
  }
  const auto cost = fmt::format("{}: {}", works_of(fleet), sum_text(fleet.total->cost));
  return fleet.by_month
             ? cost + " a month."
             : fmt::format(
                   "{} in ~{} machine-hours.", cost, digits(fleet.total->machine_hours.value));
}

std::vector<std::string> fleet_warnings(const Fleet& fleet) {
  std::vector<std::string> texts;  // in the order they come
  std::map<std::string, std::vector<std::string>> jobs;
  for (const auto& answer : fleet.answers) {
    const auto* planned = planned_option(answer);  // what is warned of is the chosen one
    const bool chosen =
        planned != nullptr && answer.chosen && full_name(*planned) == full_name(*answer.chosen);
    for (const auto& warning : chosen ? answer.warnings : std::vector<std::string>()) {
      auto& warned = jobs[warning];
      if (warned.empty()) {
        texts.push_back(warning);
      }
      warned.push_back(job_label(answer.query));
    }
  }
  for (auto& text : texts) {
    const auto& warned = jobs[text];
    const bool all = warned.size() == fleet.answers.size();
    text = fmt::format("{}: {}", all ? "all" : fmt::format("{}", fmt::join(warned, ", ")), text);
  }
  return texts;
}

std::string fleet_names(const Fleet& fleet) {
  std::string names;
  for (const auto& answer : fleet.answers) {
    if (const auto* planned = planned_option(answer)) {
      names += full_name(*planned) + "\n";
    }
  }
  return names;
}

std::string fleet_text(const Fleet& fleet, const Style& style) {
  std::string text = style.bold(wrapped(fleet_headline(fleet), width, "  ")) + "\n" +
                     fleet_table(fleet).text(style) + "\n";
  for (const auto& sentence : fleet_sentences(fleet)) {
    text += wrapped(sentence, width, "  ");
  }
  text += wrapped(
      "~ marks an estimate; the ends of a sum are the sums of the ends, for errors that the jobs "
      "share.",
      width,
      "  ");
  for (const auto& warning : fleet_warnings(fleet)) {
    text += style.bad("warning: ") + warning + "\n";
  }
  return text;
}

std::string fleet_markdown(const Fleet& fleet) {
  std::string text = "**" + fleet_headline(fleet) + "**\n\n" + fleet_table(fleet).markdown() + "\n";
  for (const auto& sentence : fleet_sentences(fleet)) {
    text += "- " + sentence + "\n";
  }
  for (const auto& warning : fleet_warnings(fleet)) {
    text += "- warning: " + warning + "\n";
  }
  return text;
}

}  // namespace rightsize::report
