// A store as lines of JSON, as files carry it from one machine to another.
#include <cmath>
#include <random>
#include <sstream>

#include <boost/json.hpp>
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "made_record.h"
#include "profiler/store/store.h"
#include "support/temporary_folder.h"

using namespace rightsize;
using test::make_record;

TEST_CASE("store: JSON lines carry everything from one store to another") {
  const TemporaryFolder folder;
  Store from(folder.path() + "/from.db");
  from.append(make_record("a"));
  from.append(make_record("b"));
  std::stringstream lines;
  from.export_jsonl(lines);
  Store to(folder.path() + "/to.db");
  to.append(make_record("b"));
  const auto summary = to.merge(read_jsonl(lines, "lines"));
  CHECK(summary.added == 1);
  CHECK(summary.unchanged == 1);
  std::stringstream back;
  to.export_jsonl(back);
  CHECK(to.merge(read_jsonl(back, "back")).unchanged == 2);  // nothing was lost on the way
  CHECK(to.size() == 2);
}

TEST_CASE("store: what was exported, imported and exported again is the same text") {
  std::mt19937_64 random(1);
  const TemporaryFolder folder;
  Store from(folder.path() + "/from.db");
  for (int i = 0; i < 300; ++i) {
    auto record = make_record(fmt::format("{}", i));
    record.cold_items_per_s = std::ldexp(static_cast<double>(random()), i % 60 - 50);
    from.append(record);
  }
  std::stringstream lines;
  from.export_jsonl(lines);
  const auto text = lines.str();
  Store to(folder.path() + "/to.db");
  to.merge(read_jsonl(lines, "lines"));
  std::stringstream back;
  to.export_jsonl(back);
  CHECK(back.str() == text);
}

TEST_CASE("store: a file that ends inside a line says how to read what stands before it") {
  std::stringstream lines;
  TemporaryFolder folder;
  Store from(folder.path() + "/from.db");
  from.append(make_record("a"));
  from.append(make_record("b"));
  from.export_jsonl(lines);
  const auto text = lines.str();
  std::stringstream cut(text.substr(0, text.size() - 100));
  CHECK_THROWS_WITH_AS(static_cast<void>(read_jsonl(cut, "cut.jsonl")),
                       doctest::Contains("cut.jsonl:2: not a record"),
                       StoreError);
  std::stringstream again(text.substr(0, text.size() - 100));
  CHECK_THROWS_WITH_AS(static_cast<void>(read_jsonl(again, "cut.jsonl")),
                       doctest::Contains("(head -n -1) the record before it can be read"),
                       StoreError);
  std::stringstream three(text + text.substr(0, text.size() - 100));
  CHECK_THROWS_WITH_AS(static_cast<void>(read_jsonl(three, "cut.jsonl")),
                       doctest::Contains("the 3 records before it can be read"),
                       StoreError);
}

TEST_CASE("store: only a last line that is cut, after records, is said to be cut") {
  const auto message_of = [](const std::string& text) {
    std::stringstream lines(text);
    try {
      static_cast<void>(read_jsonl(lines, "lines.jsonl"));
    } catch (const StoreError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const std::string foreign = R"({"schema":"rightsize/record/9"})";
  TemporaryFolder folder;
  Store from(folder.path() + "/from.db");
  from.append(make_record("a"));
  std::stringstream lines;
  from.export_jsonl(lines);
  for (const auto& text : {foreign, lines.str() + foreign, foreign.substr(0, 10)}) {
    CHECK(message_of(text).starts_with("lines.jsonl:"));
    CHECK(message_of(text).find("ends inside this line") == std::string::npos);
  }
}

TEST_CASE("store: of two records with one id the run that started last counts") {
  const TemporaryFolder folder;
  Store store(folder.path() + "/records.db");
  auto monday = make_record("a");
  monday.started_at = "2026-11-16T10:00:00Z";
  auto tuesday = monday;
  tuesday.started_at = "2026-11-17T10:00:00Z";
  tuesday.status = Status::failed;
  CHECK(store.merge({tuesday}).added == 1);
  CHECK(store.merge({monday}).outdated == 1);
  CHECK(store.all_of("a").back().status == Status::failed);
  tuesday.status = Status::measured;
  CHECK(store.merge({tuesday}).replaced == 1);
  CHECK(store.merge({tuesday, tuesday, monday}).unchanged == 2);
  CHECK(store.size() == 1);
}

TEST_CASE("store: a bad line imports nothing and is named") {
  const TemporaryFolder folder;
  Store store(folder.path() + "/records.db");
  std::stringstream lines;
  lines << boost::json::serialize(to_json(make_record("a"))) << "\n\n{\"schema\": 1}\n";
  CHECK_THROWS_WITH_AS(store.merge(read_jsonl(lines, "in.jsonl")),
                       doctest::Contains("in.jsonl:3: record.schema: expected a string"),
                       StoreError);
  CHECK(store.size() == 0);
}
