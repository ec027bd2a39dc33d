#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <regex>
#include <sstream>
#include <vector>

#include <boost/json.hpp>
#include <doctest/doctest.h>

#include "advisor/report/escape.h"
#include "advisor/report/html.h"
#include "advisor/report/markdown.h"
#include "advisor/report_fixture.h"
#include "support/golden_text.h"

using namespace rightsize;
using namespace rightsize::report;

namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// The page less its scripts and styles, whose content is not HTML. By hand: std::regex recurses
// once per character, and the library is long.
std::string without_raw_text(std::string page) {
  for (const std::string tag : {"script", "style"}) {
    std::size_t at = 0;
    while ((at = page.find("<" + tag, at)) != std::string::npos) {
      const std::string end = "</" + tag + ">";
      const auto close = page.find(end, at);
      if (close == std::string::npos) {
        return page;  // and its tag is found open
      }
      page.erase(at, close + end.size() - at);
    }
  }
  return page;
}

// Empty when every tag is closed in the order of nesting; otherwise what is wrong.
std::string unbalanced(std::string page) {
  static const std::vector<std::string> empty_tags = {"meta", "link", "br", "hr", "img", "input"};
  page = without_raw_text(std::move(page));
  std::vector<std::string> open;
  std::size_t at = 0;
  while ((at = page.find('<', at)) != std::string::npos) {
    const auto end = page.find('>', at);
    if (end == std::string::npos) {
      return "an open < at the end";
    }
    const auto inside = page.substr(at + 1, end - at - 1);
    at = end + 1;
    if (inside.starts_with("!")) {
      continue;
    }
    if (contains(inside, "<")) {
      return "< inside a tag: " + inside;
    }
    const bool closes = inside.starts_with("/");
    const auto name =
        inside.substr(closes ? 1 : 0, inside.find_first_of(" \n\t/", 1) - (closes ? 1 : 0));
    if (inside.ends_with("/") || std::count(empty_tags.begin(), empty_tags.end(), name) > 0) {
      continue;
    }
    if (!closes) {
      open.push_back(name);
    } else if (open.empty() || open.back() != name) {
      return "</" + name + "> closes " + (open.empty() ? "nothing" : open.back());
    } else {
      open.pop_back();
    }
  }
  return open.empty() ? "" : "never closed: " + open.back();
}

}  // namespace

TEST_CASE("escape: nothing that means something to HTML, JSON in a script, or Markdown is left") {
  CHECK(escape_html("<script>\"it's\" & more") == "&lt;script&gt;&quot;it&#39;s&quot; &amp; more");
  CHECK(escape_html(std::string("a\0b\x1b", 4)) ==
        "a\xEF\xBF\xBD"
        "b\xEF\xBF\xBD");
  CHECK(escape_html("80 % … ± µ") == "80 % … ± µ");
  CHECK(escape_script("\"</script>\"") == "\"\\u003c/script\\u003e\"");
  CHECK(escape_markdown("<b>*x*_[a](b)`") == "&lt;b&gt;\\*x\\*\\_\\[a\\](b)\\`");
  CHECK(data_uri("text/csv", "a,b\r\n\"é") == "data:text/csv;charset=utf-8,a%2Cb%0D%0A%22%C3%A9");
}

TEST_CASE("filled: puts each value in once and does not look at what it put in") {
  CHECK(filled("<{{a}}|{{b}}>", {{"a", "{{b}}"}, {"b", "2"}}) == "<{{b}}|2>");
  CHECK_THROWS_AS(filled("{{nobody}}", {}), std::logic_error);
}

TEST_CASE("html: loads nothing from anywhere") {
  const auto page = html_report(test::small_report());
  static const std::regex load(R"((src|href|action|srcset|data)\s*=\s*["']?\s*(https?:|//|file:))",
                               std::regex::icase);
  CHECK_FALSE(std::regex_search(page, load));
  CHECK_FALSE(contains(page, "@import"));
  CHECK_FALSE(contains(page, "url("));
  CHECK_FALSE(contains(page, "eval("));
  CHECK_FALSE(contains(page, "fetch("));
  CHECK_FALSE(contains(page, "<script src"));
}

TEST_CASE("html: every tag is closed where it should be, hostile names or not") {
  CHECK(unbalanced(html_report(test::small_report())) == "");
  CHECK(unbalanced(html_report(test::hostile_report())) == "");
  CHECK(unbalanced(html_report(ReportData{})) == "");
  CHECK(unbalanced("<p><b></p></b>") != "");
}

TEST_CASE("html: a hostile name stays text") {
  const auto page = html_report(test::hostile_report());
  CHECK_FALSE(contains(page, "<script>alert"));
  CHECK_FALSE(contains(page, "<b x="));
  CHECK(contains(page, "&lt;script&gt;alert(1)"));
  const auto markdown = markdown_report(test::hostile_report());
  CHECK_FALSE(contains(markdown.substr(0, markdown.find("```sh")), "<script>"));
}

TEST_CASE("html: shows every option with its bill, and every reason of rejection") {
  const auto data = test::small_report();
  const auto page = html_report(data);
  const auto markdown = markdown_report(data);
  for (const auto& option : data.answer.options) {
    CHECK(contains(page, "Itemised bill of aws " + option.instance));
    CHECK(contains(markdown, option.instance));
  }
  for (const auto& rejection : data.answer.rejected) {
    CHECK(contains(page, rejection.reason));
    CHECK(contains(page, rejection.examples.front()));
    CHECK(contains(markdown, rejection.reason));
  }
  CHECK(contains(page, "73.44 USD"));
  CHECK(contains(page, data.command));
  CHECK(contains(page, "730 h"));
  CHECK(contains(page, "held run"));
}

TEST_CASE("html: the embedded JSON is the recommendation, whatever the names") {
  const auto data = test::hostile_report();
  const auto page = html_report(data);
  const std::string start = "id=\"recommendation\">";
  const auto at = page.find(start) + start.size();
  const auto json = boost::json::parse(page.substr(at, page.find("</script>", at) - at));
  CHECK(json == boost::json::parse(boost::json::serialize(to_json(data.answer))));
}

TEST_CASE("html: without records the measurement parts say so, and without options too") {
  auto data = test::small_report();
  data.records.clear();
  data.records_note = "There is no store of records at x.db.";
  CHECK(contains(html_report(data), "The measurements are absent from this report."));
  CHECK(contains(html_report(data), "There is no store of records at x.db."));
  CHECK(contains(html_report(ReportData{}), "No offer satisfies the constraints"));
}

TEST_CASE("report: who had better stay is told so first, and nowhere to take another") {
  auto data = test::small_report();
  RightSizing today;
  today.name = "p4d.24xlarge";
  today.current = data.answer.options.back();
  today.p_better = 0.4;
  data.answer.current = today;
  data.current = today.current;
  const auto page = without_raw_text(html_report(data));
  const auto text = markdown_report(data);
  for (const auto& form : {page, text}) {
    const auto stay = form.find("Stay on p4d.24xlarge");
    CHECK(stay != std::string::npos);
    CHECK(form.find("Take p3.2xlarge") == std::string::npos);
  }
  CHECK(contains(page, "<dt>Stay on</dt><dd><strong>aws p4d.24xlarge"));
  CHECK_FALSE(contains(page, "<dt>Rent</dt>"));
  data.answer.current->move = true;
  CHECK(contains(markdown_report(data), "**Take p3.2xlarge"));
  CHECK(contains(html_report(data), "<dt>Rent</dt>"));
}

TEST_CASE("report: a price of no known day is not said to be as of one") {
  auto data = test::small_report();
  data.answer.options[0].price_as_of = "undated (content suggests 2026)";
  CHECK(contains(markdown_report(data), "3.06 USD per hour, undated"));
  CHECK_FALSE(contains(markdown_report(data), "as of undated"));
}

TEST_CASE("report: the same data make the same bytes") {
  CHECK(html_report(test::small_report()) == html_report(test::small_report()));
  const auto markdown = markdown_report(test::small_report());
  CHECK(markdown == test::golden("report.md", markdown));
}

TEST_CASE("report: a shortlist keeps the best, the frontier, and the ties in place") {
  auto answer = test::small_report().answer;
  for (int i = 0; i < 200; ++i) {
    answer.options.insert(answer.options.end() - 1,
                          test::make_option("m" + std::to_string(i), 31 + i, 90 + i));
  }
  answer.ties = {1, 150};
  const auto shorter = shortlisted(answer, 10);
  CHECK(shorter.options.size() == 11);
  CHECK(shorter.options.back().instance == "p4d.24xlarge");
  CHECK(shorter.ties == std::vector<std::size_t>{1});
}

TEST_CASE("report: where nothing satisfies and no reason was saved, there are no empty brackets") {
  for (auto data : {test::small_report(), test::service_report()}) {
    data.answer.chosen.reset();
    for (auto& option : data.answer.options) {
      option.satisfies = false;
      option.shortfall.clear();
    }
    CHECK(markdown_report(data).find("()") == std::string::npos);
    CHECK(html_report(data).find(" ().") == std::string::npos);
    data.answer.options.front().shortfall = "misses the deadline";
    CHECK(markdown_report(data).find(" (misses the deadline).") != std::string::npos);
  }
}
