#include "advisor/http/pages.h"

#include <algorithm>
#include <map>
#include <vector>

#include <fmt/format.h>

#include "advisor/cli/flags.h"
#include "advisor/http/ask_form.h"
#include "advisor/http/asked_job.h"
#include "advisor/http/option_questions.h"
#include "advisor/report/escape.h"
#include "advisor/report/html.h"
#include "rightsize_page.h"
#include "rightsize_site.h"

namespace rightsize::http {
namespace {

using report::escape_html;

std::string page(const std::string& title, const std::string& content) {
  return report::filled(embedded::site_html(),
                        {{"style", std::string(embedded::page_css())},
                         {"site_style", std::string(embedded::site_css())},
                         {"script", std::string(embedded::site_js())},
                         {"title", escape_html(title)},
                         {"content", content}});
}

// The same question in other forms, of which a program or a spreadsheet may be the reader.
std::string other_forms(const Question& question) {
  constexpr std::size_t longest_address = 8000;
  if (question.job.size() > longest_address) {
    return "";
  }
  return other_forms_of({{question.asked}, question.parameters});
}

std::string bar(const std::string& more) {
  return fmt::format(
      "<p class=\"site\"><a href=\"/\">rightsize</a> · <a href=\"/measurements\">measurements</a>"
      "{}</p>\n",
      more);
}

std::string asked_again(const Question& question, const Premises& premises) {
  return fmt::format(
      "<details class=\"again\"><summary>Ask again, with something changed</summary>\n{}"
      "</details>\n",
      ask_form(question.parameters, premises));
}

// Puts `what` before the first `where`; a report from elsewhere than page.html would have none.
void put_before(std::string& html, std::string_view where, std::string_view what) {
  const auto at = html.find(where);
  if (at == std::string::npos) {
    throw std::logic_error(fmt::format("the page of a report has no {}", where));
  }
  html.insert(at, what);
}

}  // namespace

std::string page_with(const std::string& title,
                      const std::string& more,
                      const std::string& content) {
  return page(title, bar(more) + content);
}

std::string other_forms_of(const Url& asked) {
  const std::vector<std::pair<const char*, const char*>> forms = {
      {"table", "text"}, {"json", "JSON"}, {"csv", "CSV"}, {"md", "Markdown"}};
  std::string links = " · the same as";
  for (const auto& [form, name] : forms) {
    auto url = asked;
    url.parameters.push_back({"o", form});
    links += fmt::format(" <a href=\"{}\">{}</a>", escape_html(target_of(url)), name);
  }
  return links;
}

std::string front_page(std::span<const Parameter> parameters, const Premises& premises) {
  std::string commands;
  for (const auto name : served_commands()) {
    commands += fmt::format("<li><a href=\"/{0}?help\">/{0}</a>: {1}</li>\n",
                            name,
                            escape_html(cli::visible_command(name)->summary));
  }
  return page("Which machine to rent",
              report::filled(embedded::front_html(),
                             {{"form", ask_form(parameters, premises)},
                              {"paste", paste_form(parameters)},
                              {"commands", commands}}));
}

std::string front_text() {
  std::string out =
      "rightsize: which machine to rent for a deep-learning job, with the evidence.\n\n";
  for (const auto name : served_commands()) {
    out += fmt::format("  /{:<10} {}\n", name, cli::visible_command(name)->summary);
  }
  out += fmt::format("  /{:<10} {}\n", "measurements", "the runs of the store, the newest first");
  return out +
         "\nParameters are the command's flags (/advise?help lists them) and the keys of a job "
         "file:\n"
         "  curl HERE'/advise?job=job.toml&infra=aws&deadline=12h'        a file of the folder\n"
         "  curl HERE'/advise?infra=aws' --data-binary @job.toml          one of yours\n"
         "  curl HERE'/advise?job.network=resnet50&data.items=1281167&data.bytes=140GB'\n"
         "  curl HERE'/advise?job=job.toml&o=json'                        or Accept: "
         "application/json\n"
         "  curl HERE'/what-if?job=job.toml&supposed=g6e.xlarge&supposed=vcpus=x2'\n";
}

std::string answer_page(std::string report, const Question& question, const Premises& premises) {
  constexpr std::string_view charts = "<section id=\"charts\">";
  if (report.find(charts) != std::string::npos) {  // of runs and of several answers there is none
    put_before(report, charts, option_questions(report, question));
  }
  put_before(report, "<header>", bar(other_forms(question)) + asked_again(question, premises));
  put_before(report, "</style>", embedded::site_css());
  put_before(report, "</body>", fmt::format("<script>\n{}</script>\n", embedded::site_js()));
  return report;
}

std::string text_page(std::string_view text, const Question& question, const Premises& premises) {
  return page(question.asked,
              bar("") +
                  fmt::format("<h1>{}</h1>\n<pre tabindex=\"0\">{}</pre>\n",
                              escape_html(question.asked),
                              escape_html(text)) +
                  (question.asked == "advise" ? asked_again(question, premises) : ""));
}

std::string error_page(unsigned status,
                       std::string_view what,
                       std::span<const Parameter> parameters,
                       const Premises& premises) {
  const auto* title = status == 404   ? "Nothing is here"
                      : status == 422 ? "Nothing satisfies this"
                                      : "This cannot be answered";
  // Of a file that was pasted, with no field beside, its text: it is what is wrong.
  const auto says = [&](auto is_meant) {
    return std::any_of(parameters.begin(), parameters.end(), [&](const Parameter& p) {
      return !p.value.empty() && is_meant(p.key);
    });
  };
  const bool pasted = says([](const std::string& key) { return key == "toml"; }) &&
                      !says([](const std::string& key) { return job_key_named(key) != nullptr; });
  const auto again = status == 404
                         ? ""
                         : "<h2>Ask again</h2>\n" +
                               (pasted ? paste_form(parameters) : ask_form(parameters, premises));
  return page(title,
              bar("") + fmt::format("<h1>{}</h1>\n<pre class=\"wrong\" tabindex=\"0\">{}</pre>\n{}",
                                    title,
                                    escape_html(what),
                                    again));
}

}  // namespace rightsize::http
