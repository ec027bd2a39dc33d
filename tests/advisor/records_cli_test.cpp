// Records as their user lists, imports and looks at them.
#include <fstream>
#include <string>

#include <boost/json.hpp>
#include <doctest/doctest.h>

#include "advisor/cli/command.h"
#include "support/program.h"
#include "support/temporary_folder.h"

using namespace rightsize;
using test::run;

TEST_CASE("cli: records list reads the file it is given") {
  const auto result = run(
      {"records", "list", std::string(RIGHTSIZE_SOURCE_DIR) + "/examples/measurements/demo.jsonl"});
  CHECK(result.code == cli::exit_ok);
  CHECK(result.out.find("decode cpus=0.5") != std::string::npos);
}

TEST_CASE("cli: records of another tool are imported once, listed, shown, and the store checked") {
  const TemporaryFolder folder;
  const auto db = folder / "records.db";
  const auto file = std::string(RIGHTSIZE_SOURCE_DIR) + "/tests/data/foreign/hyperfine.json";
  CHECK(run({"records", "import", file, "--db", db}).err ==
        "hyperfine: 2 records added, 0 replaced\n");
  CHECK(run({"records", "import", file, "--db", db}).err ==
        "hyperfine: 0 records added, 0 replaced, 2 already there\n");
  CHECK(run({"records", "list", "--db", db}).out.find("1.98 ± ") != std::string::npos);
  const auto ids = run({"records", "list", "--db", db, "-o", "names"}).out;
  const auto shown = run({"records", "show", ids.substr(0, 8), "--db", db});
  CHECK(shown.code == cli::exit_ok);
  CHECK(shown.out.find("command      python3 resize.py --threads 1\n") != std::string::npos);
  CHECK(shown.out.find("items/s   95 % interval") != std::string::npos);
  CHECK(run({"records", "show", "xyz", "--db", db}).code == cli::exit_usage);
  CHECK(run({"records", "show", "--db", db}).err.find("usage: rightsize records show ID") !=
        std::string::npos);
  CHECK(run({"records", "check", "--db", db}).out == db + ": sound, 2 records\n");
  CHECK(run({"records", "check", "--db", folder / "none.db"}).code == cli::exit_usage);
  CHECK(run({"records", "chekc", "--db", db}).code == cli::exit_usage);
  const auto copy = folder / "copy.jsonl";
  CHECK(run({"records", "export", copy, "--db", db}).code == cli::exit_ok);
  CHECK(run({"records", "import", copy, "--db", folder / "other.db"}).err ==
        "2 records added, 0 replaced\n");
  CHECK(run({"fit", copy}).code == cli::exit_failed);  // they are no runs of our kernels
}

TEST_CASE("cli: one campaign of two machines is two sets of records, and each can be had apart") {
  const TemporaryFolder folder;
  const auto db = folder / "records.db";
  const auto file = std::string(RIGHTSIZE_SOURCE_DIR) + "/examples/measurements/demo.jsonl";
  std::ifstream in(file);
  std::string theirs;
  std::string cpu;
  for (std::string line; std::getline(in, line);) {
    auto record = boost::json::parse(line).as_object();
    auto& model = record.at("machine").as_object().at("cpu_model");
    cpu = std::string(model.as_string());
    model = "Other CPU";
    theirs += boost::json::serialize(record) + "\n";
  }
  const auto other = folder.write("other.jsonl", theirs);
  CHECK(run({"records", "import", file, "--db", db}).err == "46 records added, 0 replaced\n");
  CHECK(run({"records", "import", other, "--db", db}).err == "46 records added, 0 replaced\n");
  CHECK(run({"records", "import", file, "--db", db}).err ==
        "0 records added, 0 replaced, 46 already there\n");
  const auto id = run({"records", "list", "--db", db, "-o", "names"}).out.substr(0, 16);
  const auto shown = run({"records", "show", id, "--db", db});
  CHECK(shown.code == cli::exit_ok);
  // Of the machine that asks, where it is one of them.
  CHECK(shown.err.find("note: 2 machines have made this run; this is that of ") == 0);
  const auto fitted = run({"fit", "--db", db, "--out-file", folder / "model.json"});
  CHECK(fitted.err.find("--machine NAME") != std::string::npos);
  const auto apart = folder / "apart.jsonl";
  CHECK(run({"records", "export", apart, "--db", db, "--machine", cpu}).code == cli::exit_ok);
  CHECK(run({"records", "import", apart, "--db", folder / "new.db"}).err ==
        "46 records added, 0 replaced\n");
  const auto none = run({"records", "export", apart, "--db", db, "--machine", "Cray"});
  CHECK(none.code == cli::exit_usage);
  CHECK(run({"records", "list", "--db", db, "--machine", cpu}).code == cli::exit_usage);
  CHECK(none.err.find("--machine Cray: no record of") != std::string::npos);
}

TEST_CASE("cli: a run is shown whole, its course over time as a line") {
  const TemporaryFolder folder;
  const auto file = std::string(RIGHTSIZE_SOURCE_DIR) + "/examples/measurements/demo.jsonl";
  const auto db = folder / "records.db";
  REQUIRE(run({"records", "import", file, "--db", db}).code == cli::exit_ok);
  const auto id = run({"records", "list", "--db", db, "-o", "names"}).out.substr(0, 16);
  const auto sheet = run({"records", "show", id, "--db", db}).out;
  CHECK(sheet.find("id           " + id) != std::string::npos);
  CHECK(sheet.find("█") != std::string::npos);
  CHECK(sheet.find("repro        rightsize profile") != std::string::npos);
  const auto document =
      boost::json::parse(run({"records", "show", id, "--db", db, "-o", "json"}).out);
  CHECK(document.as_object().at("id").as_string() == id);
}

TEST_CASE("cli: records check looks at the file that is named") {
  const TemporaryFolder folder;
  const auto demo = std::string(RIGHTSIZE_SOURCE_DIR) + "/examples/measurements/demo.jsonl";
  const auto sound = run({"records", "check", demo});
  CHECK(sound.code == cli::exit_ok);
  CHECK(sound.out.find("demo.jsonl: sound, ") != std::string::npos);
  const auto bad = folder.write("bad.jsonl", "{}\n");
  const auto damaged = run({"records", "check", bad});
  CHECK(damaged.code == cli::exit_check_failed);
  CHECK(damaged.out.find("bad.jsonl") != std::string::npos);
  const auto document = [&](const std::string& of) {
    return boost::json::parse(run({"records", "check", of, "-o", "json"}).out).as_object();
  };
  CHECK(document(demo).at("sound").as_bool());
  CHECK(document(demo).at("records").to_number<int>() == 46);
  CHECK(document(demo).at("problems").as_array().empty());
  CHECK_FALSE(document(bad).at("sound").as_bool());
  CHECK(document(bad).at("records").is_null());
  CHECK(document(bad).at("problems").as_array().size() == 1);
  CHECK(run({"records", "check", demo, "-o", "csv"}).code == cli::exit_usage);
  CHECK(run({"records", "check", folder / "none.jsonl"}).code == cli::exit_usage);
  CHECK(run({"records", "check", demo, "--db", folder / "records.db"}).code == cli::exit_usage);
}

TEST_CASE("cli: a file with a line that is no record is bad input, whoever reads it") {
  const TemporaryFolder folder;
  const auto bad = folder.write("bad.jsonl", "{}\n");
  const std::vector<std::vector<std::string>> readers{
      {"records", "list", bad}, {"records", "import", bad}, {"report", bad}, {"fit", bad}};
  for (const auto& reader : readers) {
    CAPTURE(reader.front());
    const auto refused = run(reader);
    CHECK(refused.code == cli::exit_usage);
    CHECK(refused.err.find("bad.jsonl") != std::string::npos);
  }
}

TEST_CASE("cli: validate --max-median takes a share that it can exceed") {
  for (const auto* most : {"nan", "-1", "inf"}) {
    const auto refused = run({"validate", "--published", "--max-median", most});
    CHECK(refused.code == cli::exit_usage);
    CHECK(refused.err.find("expected a share that is not negative") != std::string::npos);
  }
}

TEST_CASE("cli: runs of one setting are fitted, and no error is printed that nobody has seen") {
  const TemporaryFolder folder;
  std::ifstream in(std::string(RIGHTSIZE_SOURCE_DIR) + "/examples/measurements/demo.jsonl");
  std::string four;
  for (std::string line; std::getline(in, line) && four.empty();) {
    auto record = boost::json::parse(line).as_object();
    const bool fits = record.at("status") == "measured" && !record.at("hold_out").as_bool() &&
                      record.at("workload").at("engine") != "gpu";
    for (int run = 0; fits && run < 4; ++run) {
      record["id"] = "000000000000000" + std::to_string(run);
      record["name"] = "run " + std::to_string(run);
      four += boost::json::serialize(record) + "\n";
    }
  }
  const auto result =
      run({"fit", folder.write("four.jsonl", four), "--model", folder / "model.json"});
  CAPTURE(result.out + result.err);
  CHECK(result.code == cli::exit_ok);
  CHECK(result.out.starts_with(
      "Fitted 4 runs: no run could be predicted from others, so the error is not known.\n"));
  CHECK(result.err.find("all runs are of one setting") != std::string::npos);
}

TEST_CASE("cli: a fit that misses its own runs by far more than the shipped one is told") {
  const TemporaryFolder folder;
  const auto demo = std::string(RIGHTSIZE_SOURCE_DIR) + "/examples/measurements/demo.jsonl";
  const auto model = folder / "model.json";
  CHECK(run({"fit", demo, "--model", model}).err.find("Was the machine busy?") ==
        std::string::npos);
  std::ifstream in(demo);
  std::string busy;
  int row = 0;
  for (std::string line; std::getline(in, line);) {
    auto record = boost::json::parse(line).as_object();
    if (record.at("status") == "measured") {
      auto& rate = record.at("throughput").as_object();
      const double factor = ++row % 2 == 0 ? 1.0 : 0.6;
      for (const auto* part : {"median", "low", "high"}) {
        if (rate.contains(part) && rate.at(part).is_number()) {
          rate[part] = rate.at(part).to_number<double>() * factor;
        }
      }
    }
    busy += boost::json::serialize(record) + "\n";
  }
  const auto result = run({"fit", folder.write("busy.jsonl", busy), "--model", model});
  CAPTURE(result.err);
  CHECK(result.code == cli::exit_ok);
  CHECK(result.err.find("Was the machine busy?") != std::string::npos);
}

TEST_CASE("cli: a store is read where records are, exported by --out-file, and a mark is no line") {
  const TemporaryFolder folder;
  const auto file = std::string(RIGHTSIZE_SOURCE_DIR) + "/examples/measurements/demo.jsonl";
  const auto db = folder / "records.db";
  REQUIRE(run({"records", "import", file, "--db", db}).code == cli::exit_ok);
  CHECK(run({"records", "import", db, "--db", folder / "other.db"}).err ==
        "46 records added, 0 replaced\n");
  const auto lines = folder / "out.jsonl";
  CHECK(run({"records", "export", "--db", db, "--out-file", lines}).code == cli::exit_ok);
  CHECK(run({"records", "export", "--db", db, "--out-file", lines, lines}).code == cli::exit_usage);
  std::ifstream in(lines);
  const std::string text(std::istreambuf_iterator<char>(in), {});
  const auto marked = folder.write("marked.jsonl", "\xEF\xBB\xBF" + text);
  CHECK(run({"records", "check", marked}).out == marked + ": sound, 46 records\n");
  const auto other = folder.write("other.sqlite", std::string("SQLite format 3") + '\0');
  CHECK(run({"records", "import", other, "--db", db}).code == cli::exit_usage);
}
