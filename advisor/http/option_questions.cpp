#include "advisor/http/option_questions.h"

#include <algorithm>
#include <array>
#include <vector>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "advisor/cli/flags.h"
#include "advisor/export/exporter.h"
#include "advisor/http/ask_form.h"
#include "advisor/report/escape.h"

namespace rightsize::http {
namespace {

using report::escape_html;

constexpr std::size_t offered_options = 40;

std::string text(const boost::json::object& option, const char* key) {
  const auto* value = option.if_contains(key);
  return value != nullptr && value->is_string() ? std::string(value->as_string()) : "";
}

// "aws/us-east-1/g6e.xlarge", and how it is rented where that is not on demand: names that explain,
// compare, what-if and export take.
std::string name_of(const boost::json::object& option) {
  const auto market = text(option, "market");
  return fmt::format("{}/{}/{}{}",
                     text(option, "provider"),
                     text(option, "region"),
                     text(option, "instance"),
                     market == "spot" ? " [Spot]" : "");
}

std::vector<std::string> names_in(std::string_view report) {
  constexpr std::string_view open = "id=\"recommendation\">";
  const auto at = report.find(open);
  const auto end = at == std::string_view::npos ? at : report.find("</script>", at);
  if (end == std::string_view::npos) {
    return {};
  }
  const auto json = report.substr(at + open.size(), end - at - open.size());
  std::vector<std::string> names;
  const auto answer = boost::json::parse({json.data(), json.size()}).as_object();
  for (const auto& option : answer.at("options").as_array()) {
    names.push_back(name_of(option.as_object()));
    if (names.size() == offered_options) {
      break;
    }
  }
  return names;
}

std::string choice(const char* label, const char* name, const std::vector<std::string>& words) {
  std::string options;
  for (const auto& word : words) {
    options += fmt::format("<option>{}</option>", escape_html(word));
  }
  return fmt::format(
      "<label><span>{}</span> <select name=\"{}\">{}</select></label>\n", label, name, options);
}

// Fields of what-if with factors, which a script gives sliders.
std::string supposed_fields() {
  static constexpr std::array<std::array<const char*, 2>, 6> fields{{{"vcpus", "24, +8 or x2"},
                                                                     {"memory", "128, +64 or x2"},
                                                                     {"batch", "64 or x2"},
                                                                     {"price", "-20% or x0.8"},
                                                                     {"gpu-speed", "x1.3"},
                                                                     {"disk", "gp3:500GiB"}}};
  std::string out;
  for (const auto& [key, example] : fields) {
    out += fmt::format(
        "<label><span>{0}</span> <input name=\"supposed.{0}\" placeholder=\"{1}\"{2} "
        "autocomplete=\"off\"></label>\n",
        key,
        example,
        std::string_view(key) == "disk" ? "" : " data-slider");
  }
  return out;
}

// The parameters of the question that `command` has too.
std::vector<Parameter> shared_with(const Question& question, const std::string& command) {
  const auto options = cli::options_of(command);
  std::vector<Parameter> shared;
  for (const auto& parameter : question.parameters) {
    const bool flag = std::any_of(options.begin(), options.end(), [&](const cli::Flag& one) {
      return one.name == "--" + parameter.key;
    });
    if (flag || parameter.key == "toml" || parameter.key.find('.') != std::string::npos ||
        parameter.key == "name") {
      shared.push_back(parameter);
    }
  }
  return shared;
}

std::string form(const Question& question,
                 const std::string& command,
                 const std::string& fields,
                 const char* button) {
  const auto shared = shared_with(question, command);
  const bool sends_job =
      std::any_of(shared.begin(), shared.end(), [](const Parameter& p) { return p.key == "toml"; });
  return fmt::format(
      "<form class=\"asks\" action=\"/{}\" method=\"{}\">\n{}<div class=\"fields\">\n{}"
      "<button>{}</button></div>\n</form>\n",
      command,
      sends_job ? "post" : "get",  // an address has its length
      hidden_fields(shared),
      fields,
      button);
}

}  // namespace

std::string option_questions(std::string_view report, const Question& question) {
  const auto names = names_in(report);
  if (names.empty()) {
    return "";
  }
  std::vector<std::string> programs;
  for (const auto& exporter : exporters()) {
    programs.emplace_back(exporter.name);
  }
  auto others = names;
  std::rotate(others.begin(), others.begin() + (others.size() > 1 ? 1 : 0), others.end());
  return "<section id=\"ask-more\">\n<h2>Ask about an option</h2>\n" +
         form(
             question, "what-if", choice("of", "supposed", names) + supposed_fields(), "What if?") +
         form(question, "explain", choice("of", "instance", names), "Why?") +
         form(question,
              "compare",
              choice("this", "first", names) + choice("and that", "second", others),
              "Compare") +
         form(question,
              "export",
              choice("of", "option", names) + choice("for", "to", programs),
              "Export") +
         "<output class=\"said\" aria-live=\"polite\"></output>\n</section>\n";
}

}  // namespace rightsize::http
