#include "advisor/http/measurements.h"

#include <fstream>

#include <boost/json.hpp>
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "advisor/http/question.h"
#include "advisor/query/usage_error.h"
#include "profiler/made_record.h"
#include "profiler/store/store.h"
#include "support/temporary_folder.h"

using namespace rightsize;
using namespace rightsize::http;

namespace {

bool says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

Record flagged(const std::string& id, Status status, const std::string& reason) {
  auto record = test::make_record(id, "noisy");
  record.status = status;
  record.reason = reason;
  return record;
}

struct MadeStore {
  TemporaryFolder folder;
  std::string path = folder / "records.db";

  MadeStore() {
    Store store(path);
    auto first = test::make_record("a1");
    first.timeline = {{0.5, 1.5, 1, 2, 3, 4}};
    store.append(first);
    store.append(flagged("b2", Status::untrusted, "a neighbour <b>worked</b>"));
    store.append(flagged("c3", Status::out_of_memory, "it needed more than 1 GiB"));
  }
};

Response asked(const std::string& target, Form form, const std::string& store) {
  auto said = measurements(*read_target(target), form, "", store);
  REQUIRE(std::holds_alternative<Response>(said));
  return std::get<Response>(said);
}

Listening listening(const std::string& target, const std::string& last, const std::string& store) {
  auto said = measurements(*read_target(target), Form::text, last, store);
  REQUIRE(std::holds_alternative<Listening>(said));
  return std::get<Listening>(said);
}

}  // namespace

TEST_CASE("measurements: the page has the newest run first, counts, and reasons in words") {
  const MadeStore store;
  const auto page = asked("/measurements", Form::page, store.path).body;
  CHECK(says(page, "3 runs: 1 measured, 1 untrusted, 1 out_of_memory"));
  CHECK(says(page, "<a href=\"/measurements?campaign=noisy\">noisy</a>: 1 untrusted, 1 out_of"));
  CHECK(says(page, "<a href=\"/measurements/a1\">cell a1</a>"));
  CHECK(says(page, "400 ± 10.0 img/s"));
  CHECK(says(page, "<strong>! untrusted</strong>: a neighbour &lt;b&gt;worked&lt;/b&gt;</td>"));
  CHECK(page.find("cell c3") < page.find("cell b2"));
  CHECK(page.find("cell b2") < page.find("cell a1"));
  CHECK(says(page, "data-events=\"/measurements/events?after=3\""));
  const auto one = asked("/measurements?campaign=noisy", Form::page, store.path).body;
  CHECK_FALSE(says(one, "cell a1"));
  CHECK(says(one, "2 runs: 1 untrusted, 1 out_of_memory"));
  CHECK(says(one, "data-events=\"/measurements/events?after=3&amp;campaign=noisy\""));
}

TEST_CASE("measurements: for programs they are what records list writes, some at a time") {
  const MadeStore store;
  const auto json = asked("/measurements", Form::json, store.path);
  CHECK(json.type == "application/json; charset=utf-8");
  const auto list = boost::json::parse(json.body).as_array();
  REQUIRE(list.size() == 3);
  CHECK(list[0].at("id").as_string() == "c3");
  CHECK(list[2].at("timeline").as_array().size() == 1);  // as it was measured
  const auto first = asked("/measurements?most=2", Form::jsonl, store.path);
  CHECK(std::count(first.body.begin(), first.body.end(), '\n') == 2);
  REQUIRE(first.headers.size() == 1);
  CHECK(first.headers[0].second == "</measurements?before=2&most=2>; rel=\"next\"");
  const auto rest = asked("/measurements?before=2&most=2", Form::csv, store.path);
  CHECK(says(rest.body, "\na1,cell a1,demo,measured,"));
  CHECK_FALSE(says(rest.body, "b2"));
  CHECK(rest.headers.empty());
  CHECK(says(asked("/measurements", Form::markdown, store.path).body, "| cell b2 |"));
  const auto text = asked("/measurements?most=1", Form::text, store.path).body;
  CHECK(says(text, "3 runs: "));
  CHECK(says(text, "Older ones: /measurements?before=3&most=1"));
  CHECK(says(asked("/measurements?before=2", Form::page, store.path).body, "To the newest runs"));
}

TEST_CASE("measurements: one run is shown whole") {
  const MadeStore store;
  const auto sheet = asked("/measurements/b2", Form::text, store.path).body;
  CHECK(says(sheet, "a neighbour <b>worked</b>"));
  const auto page = asked("/measurements/b2", Form::page, store.path).body;
  CHECK(says(page, "&lt;b&gt;worked"));
  CHECK(says(page, "href=\"/measurements/b2?o=json\""));
  const auto json = asked("/measurements/a1", Form::json, store.path).body;
  CHECK(boost::json::parse(json).as_array().at(0).at("timeline").as_array().size() == 1);
  CHECK_THROWS_AS(asked("/measurements/zz", Form::text, store.path), NotFound);
  CHECK_THROWS_AS(asked("/measurements/a1/b2", Form::text, store.path), NotFound);
}

TEST_CASE("measurements: where no store is, how to measure is said, and nothing is made there") {
  const TemporaryFolder folder;
  const auto path = folder / "none.db";
  const auto page = asked("/measurements", Form::page, path).body;
  CHECK(says(page, "there is no such store yet"));
  CHECK(says(page, "rightsize campaign --db"));
  CHECK(says(page, "data-events=\"/measurements/events?after=0\""));
  CHECK(asked("/measurements", Form::json, path).body == "[]\n");
  CHECK(says(asked("/measurements", Form::text, path).body, "there is no such store yet"));
  CHECK_FALSE(std::ifstream(path).is_open());
  folder.write("empty.db", "");  // as before the first record of a campaign
  CHECK(says(asked("/measurements", Form::text, folder / "empty.db").body, "no such store"));
  folder.write("other.db", "this is no database, whatever its name says, and long enough for one");
  CHECK_THROWS_AS(asked("/measurements", Form::text, folder / "other.db"), StoreError);
}

TEST_CASE("measurements: what cannot be read of an address is said") {
  const MadeStore store;
  for (const auto* target : {"/measurements?most=0",
                             "/measurements?most=501",
                             "/measurements?before=x",
                             "/measurements?before=99999999999999999999",
                             "/measurements?limit=3",
                             "/measurements/events?after=-1"}) {
    CAPTURE(target);
    CHECK_THROWS_AS(measurements(*read_target(target), Form::text, "", store.path), UsageError);
  }
  CHECK_THROWS_AS(listening("/measurements/events", "x", store.path), UsageError);
  CHECK(listening("/measurements/events", "", store.path).after == 3);  // what comes from now on
  CHECK(listening("/measurements/events?after=1", "", store.path).after == 1);
  CHECK(listening("/measurements/events?after=1", "2", store.path).after == 2);
}

TEST_CASE("measurements: events tell what came since, once, and counts behind it") {
  const MadeStore store;
  Listening from{1, ""};
  const auto events = events_since(store.path, from);
  CHECK(says(events, "event: run\nid: 2\ndata: {\"id\":\"b2\""));
  CHECK(says(events, "event: run\nid: 3\n"));
  CHECK_FALSE(says(events, "id: 1\n"));
  CHECK(events.find("event: counts\n") > events.find("id: 3\n"));
  CHECK(events_since(store.path, from).empty());
  Store(store.path).append(test::make_record("b2", "noisy"));  // made again
  CHECK(says(events_since(store.path, from), "id: 4\ndata: {\"id\":\"b2\""));
  Listening demo{0, "demo"};
  const auto of_demo = events_since(store.path, demo);
  CHECK(says(of_demo, "\"id\":\"a1\""));
  CHECK_FALSE(says(of_demo, "\"id\":\"c3\""));
  CHECK(demo.after == 4);
  Listening of_another{100, ""};  // another store lay there
  CHECK(says(events_since(store.path, of_another), "event: anew\nid: 4\n"));
  CHECK(of_another.after == 4);
}

TEST_CASE("measurements: many runs that came at once are told in parts, none left out") {
  const TemporaryFolder folder;
  const auto path = folder / "records.db";
  std::vector<Record> many;
  for (int i = 0; i < 120; ++i) {
    many.push_back(test::make_record(fmt::format("r{}", i)));
  }
  Store(path).merge(many);
  Listening from;
  std::string all;
  for (std::string part; !(part = events_since(path, from)).empty();) {
    all += part;
  }
  for (int i = 0; i < 120; ++i) {
    CHECK(says(all, fmt::format("\"id\":\"r{}\"", i)));
  }
}
