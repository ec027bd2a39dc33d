// The pages of `rightsize serve` in a real browser, when one is installed.
#include <csignal>
#include <fstream>
#include <sstream>
#include <string>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "advisor/browser.h"
#include "profiler/made_record.h"
#include "profiler/store/store.h"
#include "support/running_server.h"
#include "support/temporary_folder.h"

using namespace rightsize;
using test::RunningServer;

namespace {

const std::string examples = std::string(RIGHTSIZE_SOURCE_DIR) + "/examples";

void check_console(const test::Browser& browser) {
  std::istringstream log(browser.log());
  for (std::string line; std::getline(log, line);) {
    CHECK_MESSAGE(line.find("CONSOLE") == std::string::npos, line);
  }
}

bool says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// The page as a file whose addresses lead to the server, with a script behind it that does what a
// user would: the browser takes no orders otherwise.
std::string with_user(std::string page, int port, const std::string& script) {
  const std::string head = "<head>\n";
  page.insert(page.find(head) + head.size(),
              fmt::format("<base href=\"http://127.0.0.1:{}/\">\n", port));
  const std::string end = "</body>";
  return page.insert(page.rfind(end), "<script>" + script + "</script>");
}

}  // namespace

TEST_CASE("pages: the server's pages are shown under its own rules, and complain about nothing") {
  const test::Browser browser;
  if (!browser.is_here()) {
    MESSAGE("skipped: no chromium on this machine");
    return;
  }
  const TemporaryFolder home;
  const RunningServer server({examples, "--quiet"}, {"XDG_DATA_HOME=" + home.path()});
  const auto token = server.address().substr(server.address().find('?'));
  const auto at = [&](const std::string& target) {
    return fmt::format("http://127.0.0.1:{}{}", server.port(), target);
  };
  const auto front = browser.run("--dump-dom", at("/" + token));  // by way of the cookie
  CHECK(says(front, "Which machine to rent"));
  CHECK(says(front, "<option>demo/job.toml</option>"));
  const auto answer =
      browser.run("--dump-dom", at("/advise" + token + "&job=demo/job.toml&infra=aws"));
  CHECK(says(answer, "ResNet-50 on ImageNet"));
  CHECK(says(answer, "aria-label=\"vcpus, as a factor\""));  // the script gave it a slider
  const bool charts = says(answer, "class=\"option\"");
  CHECK((!charts || says(answer, "data-charts=\"")));  // drawn, whatever the rules forbid
  const auto service =
      browser.run("--dump-dom", at("/advise" + token + "&job=llm/serve.toml&infra=aws"));
  CHECK(says(service, "id=\"ask-more\""));
  CHECK(says(browser.run("--dump-dom", at("/explain" + token + "&job=demo/job.toml")), "<pre"));
  check_console(browser);
  for (const auto& [name, width] : {std::pair{"wide.png", 1280}, std::pair{"phone.png", 360}}) {
    if (const char* folder = std::getenv("RIGHTSIZE_SCREENSHOTS")) {
      (void)browser.run(
          fmt::format("--screenshot='{}/{}' --window-size={},2400", folder, name, width),
          at("/" + token));
    }
  }
}

TEST_CASE("pages: a slider that is moved is answered in place, and a form without its blanks") {
  const test::Browser browser;
  if (!browser.is_here()) {
    MESSAGE("skipped: no chromium on this machine");
    return;
  }
  const TemporaryFolder home;
  RunningServer server({examples, "--no-auth"}, {"XDG_DATA_HOME=" + home.path()});
  const auto page = server.get("/advise?job=demo/job.toml&infra=aws", "Accept: text/html\r\n").body;
  const TemporaryFolder folder;
  const auto file = folder.write("page.html",
                                 with_user(page,
                                           server.port(),
                                           "const slider = document.querySelector("
                                           "'[aria-label=\"vcpus, as a factor\"]');"
                                           "slider.value = '4';"
                                           "slider.dispatchEvent(new Event('input'));"));
  const auto dom = browser.run("--dump-dom --disable-web-security", "file://" + file);
  const auto said = dom.find("class=\"said\"");
  REQUIRE(said != std::string::npos);
  CHECK(says(dom.substr(said, 2000), "as supposed"));
  CHECK(server.stop(SIGTERM) == 0);
  CHECK(says(server.err(),
             "GET /what-if?job=demo%2Fjob.toml&infra=aws&supposed=aws%2Fus-east-1%2Fg6e.2xlarge&"
             "supposed.vcpus=x2 200"));
}

TEST_CASE("pages: a run that is stored while the page is open appears without loading it again") {
  const test::Browser browser;
  if (!browser.is_here()) {
    MESSAGE("skipped: no chromium on this machine");
    return;
  }
  const TemporaryFolder folder;
  const auto store = folder / "records.db";
  Store(store).append(test::make_record("a1"));
  RunningServer server({examples, "--no-auth", "--limit", "4", "--db", store});
  const auto at = fmt::format("http://127.0.0.1:{}/measurements", server.port());
  const auto page = server.get("/measurements", "Accept: text/html\r\n").body;
  // What is given up after four seconds keeps the page from being loaded so long.
  const auto file =
      folder.write("page.html",
                   with_user(page,
                             server.port(),
                             "const slow = new Image();"
                             "slow.src = '/simulate?gpu-rate=100000&data=recordio&"
                             "cpus=64&memory=512GiB&batch=1&simulated-items=90000000';"
                             "document.body.append(slow);"));
  auto untrusted = test::make_record("b2");
  untrusted.status = Status::untrusted;
  untrusted.reason = "a <i>neighbour</i> worked";
  Store(store).append(untrusted);  // the page is made already
  const auto dom = browser.run_when_loaded("--dump-dom --disable-web-security", "file://" + file);
  CHECK(says(dom, "! untrusted</strong>: a &lt;i&gt;neighbour&lt;/i&gt; worked"));
  CHECK(dom.find(">cell b2<") < dom.find(">cell a1<"));
  CHECK(says(dom, "2 runs: 1 measured, 1 untrusted"));
  CHECK(says(dom, "Live: 1 run has come since this page was loaded."));
  // Under the server's own rules, which let it listen, nothing is complained about.
  CHECK(says(browser.run_when_loaded("--dump-dom", at), ">cell b2<"));
  CHECK_FALSE(says(browser.log(), "Content Security Policy"));
  for (const auto& [name, width] :
       {std::pair{"runs-wide.png", 1280}, std::pair{"runs-phone.png", 360}}) {
    if (const char* shots = std::getenv("RIGHTSIZE_SCREENSHOTS")) {
      (void)browser.run_when_loaded(
          fmt::format("--screenshot='{}/{}' --window-size={},1400", shots, name, width), at);
    }
  }
  CHECK(server.stop(SIGTERM) == 0);
  CHECK(says(server.err(), "GET /measurements/events?after=1 200"));
}
