#include "advisor/http/site.h"

#include <boost/json.hpp>
#include <doctest/doctest.h>

#include "support/temporary_folder.h"

using namespace rightsize;
using namespace rightsize::http;

namespace {

Request asking(const std::string& target, const std::string& accept) {
  Request request;
  request.method = "GET";
  request.target = target;
  request.host = "localhost";
  request.accept = accept;
  return request;
}

Response said(const Site& site, const Request& request) {
  auto read = site.read(request);
  auto* response = std::get_if<Response>(&read);
  REQUIRE(response != nullptr);
  return *response;
}

Question question_in(Form form) {
  Question question;
  question.asked = "advise";
  question.command = "advise";
  question.form = form;
  return question;
}

bool says(const Response& response, const std::string& part) {
  return response.body.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("site: exit codes of commands become statuses, with the errors alone") {
  const Site site({}, {});
  const auto text = question_in(Form::text);
  CHECK(site.answer(text, {0, "an answer\n", "note: n\n"}).body == "an answer\n\nnote: n\n");
  const auto wrong = site.answer(text, {2, "", "note: n\nerror: job.toml:1:2: what\n"});
  CHECK(wrong.status == 400);
  CHECK(wrong.body == "error: job.toml:1:2: what\n");
  CHECK(site.answer(text, {3, "", "error: none is fast enough\n"}).status == 422);
  const auto nothing = site.answer(text, {3, "Nothing satisfies\n", ""});
  CHECK(nothing.status == 200);
  CHECK(nothing.headers.front() == std::pair<std::string, std::string>{"Rightsize-Exit-Code", "3"});
  CHECK(site.answer(text, {1, "", ""}).status == 500);
  CHECK(site.answer(text, {1, "", "", true}).status == 503);
  const auto json = site.answer(question_in(Form::json), {2, "", "error: say \"what\"\n"});
  CHECK(json.type == "application/json; charset=utf-8");
  const auto document = boost::json::parse(json.body);
  CHECK(document.at("schema").as_string() == "rightsize/error/1");
  CHECK(document.at("error").as_string() == "say \"what\"");
}

TEST_CASE("site: what came from outside ends no tag of a page") {
  const Site site({}, {});
  const auto page = site.answer(question_in(Form::text_page), {0, "<script>x</script> & \"", ""});
  CHECK_FALSE(says(page, "<script>x"));
  CHECK(says(page, "&lt;script&gt;x&lt;/script&gt; &amp; &quot;"));
  const auto error =
      site.answer(question_in(Form::text_page), {2, "", "error: no <img src=x onerror=y>\n"});
  CHECK_FALSE(says(error, "<img"));
  const auto form =
      said(site, asking("/?name=%22%3E%3Cscript%3Ez&constraints.allow=%22%3E%3Cb%3E", "text/html"));
  CHECK_FALSE(says(form, "<script>z"));
  CHECK_FALSE(says(form, "\"><b>"));
}

TEST_CASE("site: the front is a form in a browser and a text elsewhere") {
  const TemporaryFolder folder;
  folder.write("a.toml", "[job]\nnetwork = \"vgg16\"\n");
  folder.write("deep/b.toml", "[job]\nnetwork = \"alexnet\"\n");
  folder.write("campaign.toml", "[defaults]\n");
  folder.write(".hidden/c.toml", "[job]\n");
  const Site site({}, {folder.path(), {}});
  const auto page = said(site, asking("/?job=a.toml&data.items=12", "text/html"));
  CHECK(page.status == 200);
  CHECK(says(page, "<option selected>a.toml</option>"));
  CHECK(says(page, "<option>deep/b.toml</option>"));
  CHECK_FALSE(says(page, "campaign.toml"));
  CHECK_FALSE(says(page, "c.toml</option>"));
  CHECK(says(page, "name=\"job.network\" value=\"\" placeholder=\"vgg16\""));
  CHECK(says(page, "name=\"data.items\" value=\"12\""));
  CHECK(says(page, "name=\"service.qps\""));  // every key of a job file has its field
  CHECK(says(page, "<a href=\"/measurements\">"));
  const auto text = said(site, asking("/", "*/*"));
  CHECK(text.type == "text/plain; charset=utf-8");
  CHECK(says(text, "/advise"));
}

TEST_CASE("site: every page leads to the measurements, and they need the token as others do") {
  const TemporaryFolder folder;
  const Site site({}, {folder.path(), {}, folder / "none.db"});
  CHECK(says(said(site, asking("/nowhere", "text/html")), "<a href=\"/measurements\">"));
  CHECK(says(site.answer(question_in(Form::text_page), {0, "x", ""}), "href=\"/measurements\""));
  CHECK(says(said(site, asking("/measurements", "text/html")), "<h1>Measurements</h1>"));
  CHECK(said(site, asking("/measurements?most=many&o=json", "*/*")).status == 400);
  CHECK(said(site, asking("/measurements/none", "*/*")).status == 404);
  CHECK(said(Site({"secret", {}}, {}), asking("/measurements", "*/*")).status == 401);
  folder.write("text.db", std::string(2000, 'x'));
  const Site other({}, {folder.path(), {}, folder / "text.db"});
  CHECK(said(other, asking("/measurements", "*/*")).status == 500);
  const auto busy = site.busy(question_in(Form::text));
  CHECK(busy.status == 503);
  CHECK(busy.headers.front() == std::pair<std::string, std::string>{"Retry-After", "5"});
}

TEST_CASE("site: what is wrong with a request is told in the form it asks for") {
  const Site site({}, {});
  CHECK(said(site, asking("/%zz", "*/*")).status == 400);
  CHECK(said(site, asking("/nowhere", "*/*")).status == 404);
  const auto json = said(site, asking("/advise?dedline=1&o=json", "*/*"));
  CHECK(json.status == 400);
  CHECK(boost::json::parse(json.body).at("error").as_string().find("deadline") !=
        std::string::npos);
  CHECK(says(said(site, asking("/nowhere", "text/html")), "<h1>Nothing is here</h1>"));
  CHECK(said(Site({"secret", {}}, {}), asking("/healthz", "*/*")).body == "ok\n");
  CHECK(said(Site({"secret", {}}, {}), asking("/", "*/*")).status == 401);
}
