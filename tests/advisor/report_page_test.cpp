// The page in a real browser, when one is installed: it opens offline, its scripts run, every chart
// is drawn, nothing is complained about on the console, and it reads without scripts too.
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "advisor/browser.h"
#include "advisor/page_texts.h"
#include "advisor/report/echarts_option.h"
#include "advisor/report/frontier.h"
#include "advisor/report/html.h"
#include "advisor/report/report_data.h"
#include "advisor/report/runs_page.h"
#include "advisor/report_fixture.h"
#include "advisor/text_file.h"
#include "profiler/store/foreign.h"
#include "support/temporary_folder.h"

using namespace rightsize;

namespace {

std::size_t occurrences(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size())) {
    ++n;
  }
  return n;
}

// A page in a folder of its own, opened by a browser that has no network: a proxy nobody listens on
// makes whatever the page would load fail, and be logged.
class OpenedPage {
 public:
  OpenedPage(const test::Browser& browser, const std::string& page) : browser_(browser) {
    std::ofstream(file("report.html")) << page;
  }

  [[nodiscard]] std::string dom(const std::string& flags = "") const {
    return run("--dump-dom " + flags);
  }

  // Where RIGHTSIZE_SCREENSHOTS names a folder, for people to look at.
  void screenshot(const std::string& name, const std::string& flags) const {
    if (const char* folder = std::getenv("RIGHTSIZE_SCREENSHOTS")) {
      (void)run(fmt::format("--screenshot='{}/{}' {}", folder, name, flags));
    }
  }

  // As a PDF's bytes.
  [[nodiscard]] std::string printed() const {
    (void)run("--no-pdf-header-footer --print-to-pdf='" + file("report.pdf") + "'");
    return read("report.pdf");
  }

  [[nodiscard]] std::string log() const { return browser_.log(); }

 private:
  [[nodiscard]] std::string file(const std::string& name) const {
    return std::string(folder_.path()) + "/" + name;
  }

  [[nodiscard]] std::string read(const std::string& name) const {
    std::ostringstream text;
    text << std::ifstream(file(name)).rdbuf();
    return text.str();
  }

  [[nodiscard]] std::string run(const std::string& flags) const {
    return browser_.run(flags, "file://" + file("report.html"));
  }

  const test::Browser& browser_;
  TemporaryFolder folder_;
};

void check_console(const OpenedPage& page) {
  std::istringstream log(page.log());
  for (std::string line; std::getline(log, line);) {
    CHECK_MESSAGE(line.find("CONSOLE") == std::string::npos, line);
  }
}

// Every figure that came with an option holds a drawing with strokes in it.
void check_drawn(const std::string& dom) {
  std::size_t drawn = 0;
  for (auto at = dom.find("<figure"); at != std::string::npos; at = dom.find("<figure", at + 1)) {
    const auto figure = dom.substr(at, dom.find("</figure>", at) - at);
    if (figure.find("class=\"option\"") == std::string::npos) {
      continue;
    }
    const auto live = figure.find("class=\"live\"");
    REQUIRE_MESSAGE(live != std::string::npos, figure.substr(0, 200));
    CHECK_MESSAGE(occurrences(figure.substr(live), "<path") >= 3, figure.substr(0, 200));
    CHECK_MESSAGE(occurrences(figure.substr(live), "<text") >= 2, figure.substr(0, 200));
    ++drawn;
  }
  CHECK(drawn == occurrences(dom, "class=\"option\""));
  CHECK(dom.find(fmt::format("data-charts=\"{}\"", drawn)) != std::string::npos);
}

}  // namespace

TEST_CASE("page: a browser without a network draws every chart and has nothing to complain about") {
  const test::Browser browser;
  if (!browser.is_here()) {
    MESSAGE("skipped: no chromium on this machine");
    return;
  }
  for (const auto& data : {test::small_report(), test::hostile_report(), test::service_report()}) {
    const OpenedPage page(browser, report::html_report(data));
    const auto dom = page.dom("--window-size=1200,900");
    check_console(page);
    CHECK(dom.find("<button type=\"button\">instance</button>") != std::string::npos);
    CHECK(dom.find("id=\"recommendation\"") != std::string::npos);
    if (report::echarts_library().empty()) {
      MESSAGE("no interactive charts: this rightsize was built without npm");
    } else {
      CHECK(occurrences(dom, "class=\"option\"") >= 5);
      check_drawn(dom);
    }
  }
}

TEST_CASE("page: of runs alone every chart is drawn too") {
  const test::Browser browser;
  if (!browser.is_here()) {
    MESSAGE("skipped: no chromium on this machine");
    return;
  }
  const auto demo = std::string(RIGHTSIZE_SOURCE_DIR) + "/examples/measurements/demo.jsonl";
  const OpenedPage page(
      browser,
      report::runs_html({"demo", read_records(read_text_file(demo), demo).records, "rightsize"}));
  const auto dom = page.dom("--window-size=1200,900");
  check_console(page);
  CHECK(dom.find("<button type=\"button\">run</button>") != std::string::npos);
  if (!report::echarts_library().empty()) {
    CHECK(occurrences(dom, "class=\"option\"") >= 5);
    check_drawn(dom);
  }
  page.screenshot("runs.png", "--window-size=1200,2400");
}

namespace {

// A frontier of which many points lie close together, under names as long as clouds have them.
report::ReportData crowded_report() {
  auto data = test::small_report();
  for (int i = 0; i < 14; ++i) {
    data.answer.options.push_back(test::make_option(
        fmt::format("Standard_ND{}isr_H200_v5", 90 + i), 1.5 + 0.15 * i, 150 - 3.0 * i));
  }
  return data;
}

bool has_line(const std::string& text, const std::string& line) {
  return ("\n" + text + "\n").find("\n" + line + "\n") != std::string::npos;
}

// Each is there by its name or by its number in the table of the frontier.
void check_named(const std::string& named, const Recommendation& answer) {
  const auto frontier = report::frontier_of(answer);
  REQUIRE(frontier.size() >= 14);
  for (std::size_t i = 0; i < frontier.size(); ++i) {
    const auto& name = answer.options[frontier[i]].instance;
    CHECK_MESSAGE((has_line(named, name) || has_line(named, std::to_string(i + 1))), name);
  }
}

}  // namespace

TEST_CASE("page: no text of a chart lies on another or is cut off, on wide screens and narrow") {
  const test::Browser browser;
  if (!browser.is_here()) {
    MESSAGE("skipped: no chromium on this machine");
    return;
  }
  for (const int pixels : {1400, 420}) {
    CAPTURE(pixels);
    for (const auto& data : {test::small_report(), test::service_report(), crowded_report()}) {
      const OpenedPage page(browser, test::judged(report::html_report(data), pixels));
      const auto dom = page.dom(fmt::format("--window-size={},900", pixels));
      CHECK_MESSAGE(test::left_in(dom, "findings").empty(), test::left_in(dom, "findings"));
      if (data.answer.options.size() >= 14 && !report::echarts_library().empty()) {
        check_named(test::left_in(dom, "named"), data.answer);
      }
    }
  }
}

TEST_CASE("page: without scripts every table and a static chart for each are there") {
  const test::Browser browser;
  if (!browser.is_here()) {
    MESSAGE("skipped: no chromium on this machine");
    return;
  }
  // A policy, as build servers and mail readers have one: --dump-dom itself needs scripts switched
  // on.
  auto html = report::html_report(test::small_report());
  html.insert(html.find("<meta charset"),
              "<meta http-equiv=\"Content-Security-Policy\" content=\"script-src 'none'\">\n");
  const OpenedPage page(browser, html);
  const auto dom = page.dom();
  CHECK(dom.find("<button") == std::string::npos);
  CHECK(dom.find("class=\"live\"") == std::string::npos);
  CHECK(occurrences(dom, "<table") == occurrences(html, "<table"));
  CHECK(occurrences(dom, "<table") >= 8);
  CHECK(occurrences(dom, "<svg class=\"chart\"") >= 5);
}

TEST_CASE("page: prints, and may be looked at in light, dark and narrow") {
  const test::Browser browser;
  if (!browser.is_here()) {
    MESSAGE("skipped: no chromium on this machine");
    return;
  }
  const OpenedPage page(browser, report::html_report(test::small_report()));
  const auto pdf = page.printed();
  CHECK(pdf.starts_with("%PDF-"));
  CHECK(pdf.size() > 20'000);
  page.screenshot("light.png", "--window-size=1200,6000");
  page.screenshot("dark.png", "--window-size=1200,6000 --blink-settings=preferredColorScheme=0");
  page.screenshot("narrow.png", "--window-size=500,9000");
  check_console(page);
}
