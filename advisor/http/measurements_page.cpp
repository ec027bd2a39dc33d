#include "advisor/http/measurements_page.h"

#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "advisor/http/pages.h"
#include "advisor/http/url.h"
#include "advisor/report/escape.h"
#include "advisor/report/html.h"
#include "advisor/report/html_parts.h"
#include "advisor/report/runs.h"
#include "advisor/report/units.h"
#include "profiler/command/user_command.h"
#include "rightsize_site.h"

namespace rightsize::http {
namespace {

using report::count_of;
using report::escape_html;

std::string cell(const std::string& text) {
  return fmt::format("<td>{}</td>", escape_html(text));
}

std::string link(const Url& url, const std::string& text) {
  return fmt::format("<a href=\"{}\">{}</a>", escape_html(target_of(url)), escape_html(text));
}

// In words beside the colour: numbers that are not to be believed, and runs without any.
std::string status_cell(const Record& record) {
  const auto status = escape_html(to_string(record.status));
  if (record.status == Status::measured) {
    return "<td>" + status + "</td>";
  }
  return fmt::format(
      "<td class=\"flagged\"><strong>! {}</strong>: {}</td>", status, escape_html(record.reason));
}

// "2026-11-29 18:25" of RFC 3339.
std::string minute_of(const std::string& time) {
  return time.size() >= 16 ? time.substr(0, 10) + " " + time.substr(11, 5) : time;
}

std::string table_of(const std::vector<RecentRun>& runs) {
  std::string out =
      "<div class=\"scroll\" role=\"region\" aria-label=\"Runs\" tabindex=\"0\"><table>"
      "<caption>Runs, the newest first; a run's name leads to all that was seen of it</caption>\n"
      "<thead><tr>";
  for (const auto* title :
       {"run", "status", "items/s", "work", "limits", "campaign", "begun (UTC)"}) {
    out += fmt::format("<th scope=\"col\">{}</th>", title);
  }
  out += "</tr></thead>\n<tbody>\n";
  for (const auto& run : runs) {
    out += run_row(run.record) + "\n";
  }
  return out + "</tbody></table></div>\n";
}

std::string runs_section(const RunsShown& shown) {
  if (shown.runs.empty()) {
    const auto what = shown.counts.empty()     ? nothing_measured(shown)
                      : shown.campaign.empty() ? "No run is older.\n"
                                               : "No run of this campaign is here.\n";
    return "<pre tabindex=\"0\">" + escape_html(what) + "</pre>\n";
  }
  auto out = table_of(shown.runs);
  if (!shown.older.empty()) {
    out += fmt::format("<p><a rel=\"next\" href=\"{}\">Older runs</a></p>\n",
                       escape_html(shown.older));
  }
  return out;
}

// Where the page hears of what comes; a page of older runs stays as it is.
std::string events_of(const RunsShown& shown) {
  if (!shown.latest) {
    return "";
  }
  Url events{{"measurements", "events"}, {{"after", std::to_string(shown.newest)}}};
  if (!shown.campaign.empty()) {
    events.parameters.push_back({"campaign", shown.campaign});
  }
  return fmt::format(" data-events=\"{}\"", escape_html(target_of(events)));
}

Url of_campaign(const std::string& campaign) {
  Url url{{"measurements"}, {}};
  if (!campaign.empty()) {
    url.parameters.push_back({"campaign", campaign});
  }
  return url;
}

std::string statuses(const std::map<Status, std::size_t>& numbers) {
  std::vector<std::string> parts;
  for (const auto& [status, number] : numbers) {
    parts.push_back(fmt::format("{} {}", number, to_string(status)));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

}  // namespace

std::string run_row(const Record& record) {
  const auto of_machine = record.id + " " + machine_key(record.machine);
  return fmt::format(
      "<tr data-run=\"{}\"><th scope=\"row\">{}</th>{}{}{}{}{}{}</tr>",
      escape_html(of_machine),
      link({{"measurements", record.id}, {}}, record.name + (record.hold_out ? " (held out)" : "")),
      status_cell(record),
      cell(report::rate_text(record)),
      cell(report::short_work_text(record)),
      cell(report::limits_text(record)),
      cell(record.campaign),
      cell(minute_of(record.started_at)));
}

std::string counts_text(const std::vector<RunCount>& counts, const std::string& campaign) {
  std::map<Status, std::size_t> numbers;
  std::size_t all = 0;
  for (const auto& one : counts) {
    if (campaign.empty() || one.campaign == campaign) {
      numbers[one.status] += one.runs;
      all += one.runs;
    }
  }
  return all == 0 ? "No runs yet" : fmt::format("{}: {}", count_of(all, "run"), statuses(numbers));
}

std::string counts_table(const std::vector<RunCount>& counts, const std::string& campaign) {
  std::map<std::string, std::map<Status, std::size_t>> by_campaign;
  for (const auto& one : counts) {
    by_campaign[one.campaign][one.status] += one.runs;
  }
  if (by_campaign.size() < 2) {
    return "";
  }
  std::string lines;
  for (const auto& [name, numbers] : by_campaign) {
    const bool chosen = !name.empty() && name == campaign;
    lines += fmt::format("<li>{}: {}{}</li>\n",
                         name.empty() ? "runs of no campaign" : link(of_campaign(name), name),
                         statuses(numbers),
                         chosen ? " (shown below)" : "");
  }
  lines += campaign.empty() ? "" : "<li>" + link(of_campaign(""), "all campaigns") + "</li>\n";
  constexpr std::size_t most_open = 8;
  return fmt::format("<details{}><summary>By campaign</summary>\n<ul>\n{}</ul></details>\n",
                     by_campaign.size() > most_open ? "" : " open",
                     lines);
}

std::string nothing_measured(const RunsShown& shown) {
  const auto store = shell_line({shown.store});
  return fmt::format(
      "{}: {}.\n\n"
      "Runs come from commands in a terminal, and appear here as they are stored:\n\n"
      "  rightsize profile --db {} --network resnet18 --batch 16 --cpus 1,2\n"
      "  rightsize profile --db {} -- your own command\n"
      "  rightsize campaign --db {} campaign.toml\n",
      shown.store,
      shown.has_store ? "nothing has been measured yet" : "there is no such store yet",
      store,
      store,
      store);
}

std::string measurements_page(const RunsShown& shown) {
  const auto title = shown.campaign.empty() ? "Measurements" : "Measurements of " + shown.campaign;
  const auto coming = shown.latest ? escape_html("Load this page again to see what came since.")
                                   : link(of_campaign(shown.campaign), "To the newest runs");
  const auto content =
      report::filled(embedded::measurements_html(),
                     {{"title", escape_html(title)},
                      {"headline", escape_html(counts_text(shown.counts, shown.campaign))},
                      {"events", events_of(shown)},
                      {"coming", coming},
                      {"campaigns", counts_table(shown.counts, shown.campaign)},
                      {"runs", runs_section(shown)}});
  return page_with(title,
                   other_forms_of(of_campaign(shown.campaign)),
                   content + fmt::format("<script>\n{}</script>\n", embedded::measurements_js()));
}

std::string run_page(const std::string& name, const std::string& sheet, const std::string& id) {
  const Url itself{{"measurements", id}, {}};
  return page_with(
      name,
      " · " + link({{"measurements"}, {}}, "measurements") + other_forms_of(itself),
      fmt::format(
          "<h1>{}</h1>\n<pre tabindex=\"0\">{}</pre>\n", escape_html(name), escape_html(sheet)));
}

}  // namespace rightsize::http
