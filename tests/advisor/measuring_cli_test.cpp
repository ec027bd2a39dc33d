// `profile`, `campaign`, `records` and `doctor` as their user meets them, mistakes included.
#include <fstream>
#include <sstream>

#include <boost/json.hpp>
#include <doctest/doctest.h>
#include <sqlite3.h>

#include "advisor/cli/command.h"
#include "advisor/report/differential_text.h"
#include "advisor/report/runs.h"
#include "pricing/import/csv.h"
#include "profiler/store/store.h"
#include "support/program.h"
#include "support/temporary_folder.h"

using namespace rightsize;
using test::Result;
using test::run;

namespace {

const std::string job = std::string(RIGHTSIZE_SOURCE_DIR) + "/examples/demo/job.toml";

}  // namespace

TEST_CASE(
    "cli: a limit above what the machine has is refused, and a campaign leaves such runs out") {
  const TemporaryFolder folder;
  const auto db = folder / "records.db";
  const auto cpus = run({"profile", "--cpus", "100000", "--db", db});
  CHECK(cpus.code == cli::exit_usage);
  CHECK(cpus.err.find("cpus = 100000: this machine has ") != std::string::npos);
  const auto memory = run({"profile", "--memory", "900000GiB", "--db", db});
  CHECK(memory.code == cli::exit_usage);
  CHECK(memory.err.find("memory = 9e+05 GiB: this machine has ") != std::string::npos);
  const auto file = folder / "c.toml";
  std::ofstream(file) << "[[run]]\nname = \"a\"\ncpus = 100000\n";
  const auto campaign = run({"campaign", file, "--db", db});
  CHECK(campaign.code == cli::exit_usage);
  CHECK(campaign.err.find("every run asks for more than this machine has") != std::string::npos);
}

TEST_CASE("cli: options that mean nothing together are refused with a sentence") {
  const TemporaryFolder folder;
  const auto file = folder / "c.toml";
  std::ofstream(file) << "[[run]]\nname = \"a\"\n";
  const auto refused = [](const std::vector<std::string>& words, const std::string& sentence) {
    const auto result = run(words);
    CAPTURE(result.err);
    return result.code == cli::exit_usage && result.err.find(sentence) != std::string::npos;
  };
  CHECK(refused({"profile", "--network", "resnet50", "--", "true"}, "--network says what our own"));
  CHECK(refused({"profile", "--engine", "cpu", "--", "true"}, "a program after -- brings its own"));
  CHECK(refused({"campaign", file, "--target", "5%"}, "--target goes with --plan adaptive"));
  CHECK(refused({"campaign", file, "--plan", "adaptive", "--slurm"}, "use one of them"));
  CHECK(refused({"doctor", "--bench-seconds", "1"}, "--bench-seconds goes with --bench"));
}

TEST_CASE("cli: mistakes are named in words of the file they are in") {
  const TemporaryFolder folder;
  const auto err = [](const std::vector<std::string>& words) {
    const auto result = run(words);
    CHECK(result.code == cli::exit_usage);
    return result.err;
  };
  CHECK(err({"profile", "--steps", "regex:(", "--", "true"}).find("no regular expression: ") !=
        std::string::npos);
  CHECK(err({"campaign", job}).find("ask it with rightsize advise " + job) != std::string::npos);
  std::ofstream(folder / "c.toml") << "[[run]]\nname = \"a\"\n";
  CHECK(err({"campaign", folder / "c.toml", "--set", "zzzzzzzzz=1"}).find("the keys are name, ") !=
        std::string::npos);
  std::ofstream(folder / "b.json") << "{\"cut\": ";
  const auto compared = err({"doctor", "--bench", "--compare", folder / "b.json"});
  CHECK(compared.find("not JSON, or cut short") != std::string::npos);
  CHECK(compared.find("boost") == std::string::npos);
  CHECK(err({"profile", "--disk", "gp3:abc", "-n"}).find("expected a size above 0") !=
        std::string::npos);
  CHECK(err({"profile", "--disk", "gp3:0GiB", "-n"}).find("saw \"0GiB\"") != std::string::npos);
  CHECK(run({"doctor", "--help"}).out.find("0.2999") == std::string::npos);
  CHECK(run({"profile", "--help"}).out.find("protocol (the default)") != std::string::npos);
}

// 500 GiB of st1 earn 40 x 500 / 1024 = 19.53 requests of 1 MiB a second: 20.48 MB/s.
TEST_CASE("profile --disk: a class that counts requests of 1 MiB is imposed as bytes") {
  const TemporaryFolder folder;
  const auto planned =
      run({"profile", "mnist-mlp", "--disk", "st1:500GiB", "-n", "--db", folder / "records.db"});
  CHECK(planned.code == cli::exit_ok);
  CHECK(planned.out.find("read 20.5 MB/s") != std::string::npos);
  CHECK(planned.out.find("IOPS") == std::string::npos);
  CHECK(planned.err.find("without its burst, 19.5 requests/s of 1 MiB") != std::string::npos);
}

TEST_CASE("cli: records for programs are plain numbers with the id first") {
  const auto file = std::string(RIGHTSIZE_SOURCE_DIR) + "/examples/measurements/demo.jsonl";
  const auto csv = parse_csv(run({"records", "list", file, "-o", "csv"}).out, "out");
  REQUIRE(csv.rows.size() > 10);
  CHECK(csv.header.front() == "id");
  const auto cell = [&](const char* column) {
    return csv.rows[0].fields.at(static_cast<std::size_t>(csv.column(column)));
  };
  CHECK(cell("id").size() == 16);
  for (const auto* column : {"throughput", "cpus", "seconds", "cpus_used"}) {
    CHECK(cell(column).find_first_not_of("0123456789.e-+") == std::string::npos);
    CHECK(std::stod(cell(column)) > 0);
  }
  const auto list = boost::json::parse(run({"records", "list", file, "-o", "json"}).out);
  REQUIRE(list.as_array().size() == csv.rows.size());
  CHECK(list.as_array()[0].as_object().at("id").as_string() == cell("id"));
}

TEST_CASE("cli: a damaged store exports what can be read, and says that it is not all") {
  const TemporaryFolder folder;
  const auto db = folder / "records.db";
  const auto file = std::string(RIGHTSIZE_SOURCE_DIR) + "/tests/data/foreign/hyperfine.json";
  REQUIRE(run({"records", "import", file, "--db", db}).code == cli::exit_ok);
  sqlite3* database = nullptr;
  REQUIRE(sqlite3_open(db.c_str(), &database) == SQLITE_OK);
  REQUIRE(sqlite3_exec(database,
                       "UPDATE records SET body = '{\"cut' WHERE sequence = 1",
                       nullptr,
                       nullptr,
                       nullptr) == SQLITE_OK);
  sqlite3_close(database);
  const auto exported = run({"records", "export", "-", "--db", db});
  CHECK(exported.code == cli::exit_failed);
  CHECK(exported.err.find("1 problem in " + db) != std::string::npos);
  std::istringstream lines(exported.out);
  CHECK(read_jsonl(lines, "out").size() == 1);
}

TEST_CASE("cli: a profile that is stored as failed says how to try again, before the program") {
  const TemporaryFolder folder;
  const auto db = folder / "records.db";
  const std::vector<std::string> words{"profile", "--db", db, "--steps", "exit", "--", "true"};
  auto asked = words;
  asked.insert(asked.begin() + 1, {"--dry-run", "-o", "json"});
  const auto plan = boost::json::parse(run(asked).out);
  Record record;
  record.id = plan.at("runs").at(0).at("id").as_string().c_str();
  record.machine = describe_this_machine();
  record.status = Status::failed;
  record.reason = "true ended with code 1";
  Store(db).append(record);
  const auto result = run(words);  // nothing is run: it is in the store
  CHECK(result.code == cli::exit_failed);
  CHECK(result.err.find("nothing to run, 1 already there") != std::string::npos);
  CHECK(result.err.find("Next: rightsize profile --db " + db +
                        " --steps exit --retry-failed -- true\n") != std::string::npos);
}

TEST_CASE("cli: one window has no spread, and none is shown") {
  Record record;
  record.throughput.median = record.throughput.low = record.throughput.high = 12;
  record.throughput.samples = 1;
  CHECK(report::rate_text(record) == "12.0 (one window) img/s");
  record.throughput.samples = 3;
  CHECK(report::rate_text(record).find("±") != std::string::npos);
}

TEST_CASE("cli: what is as far off above as below is told by ±, all else by its ends") {
  Record record;
  record.throughput.samples = 10;
  record.throughput.median = 387;
  record.throughput.low = 373;
  record.throughput.high = 401;
  CHECK(report::rate_text(record) == "387 ± 14.0 img/s");
  record.throughput.low = 386;
  record.throughput.high = 413;
  CHECK(report::rate_text(record) == "387 (386 … 413) img/s");
}

TEST_CASE("cli: a server is told apart from a batch job, and no mistake in it is measured") {
  const TemporaryFolder folder;
  const auto db = folder / "records.db";
  const auto server = run({"profile",
                           "mnist-cnn",
                           "--serve",
                           "--qps",
                           "20",
                           "--max-batch",
                           "4",
                           "--max-delay",
                           "500us",
                           "--dry-run",
                           "--db",
                           db});
  CHECK(server.code == cli::exit_ok);
  CHECK(
      server.out.find("mnist-cnn served on cpu, 20.0 requests/s, up to 4 together within 500 us") !=
      std::string::npos);
  const auto forgotten = run({"profile", "mnist-cnn", "--qps", "20", "--db", db});
  CHECK(forgotten.code == cli::exit_usage);
  CHECK(forgotten.err.find("describe a server; add serve") != std::string::npos);
  const auto larger =
      run({"profile", "resnet50", "--serve", "--qps", "2", "--as", "aws/p4d.24xlarge", "--db", db});
  CHECK(larger.code == cli::exit_usage);
  CHECK(larger.err.find("has other latencies") != std::string::npos);
}

TEST_CASE("cli: three parts of a differential are summed up under their table") {
  std::vector<Record> records(3);
  const char* parts[] = {"synthetic", "cached", "cold"};
  for (std::size_t i = 0; i < records.size(); ++i) {
    const double rate = 400.0 / static_cast<double>(1 << i);
    records[i].differential = "d";
    records[i].part = parts[i];
    records[i].status = Status::measured;
    records[i].throughput = {rate, rate, rate, 0, 9};
  }
  const auto text = report::differential_text(records);
  CHECK(text.find("75% of the time waits for data (the disk costs most") != std::string::npos);
  CHECK(text.find("fetch stall") != std::string::npos);
  CHECK(text.find("does the program") == std::string::npos);
  auto repeated = records;
  for (auto record : records) {
    record.repeat = 1;
    record.throughput.median *= record.part == "cold" ? 0.5 : 1;
    repeated.push_back(record);
  }
  const auto both = report::differential_text(repeated);
  CHECK(both.find(", repeat 0: 75% of the time") != std::string::npos);
  CHECK(both.find(", repeat 1: 88% of the time") != std::string::npos);
  for (auto& record : records) {
    record.command = "python3 train.py";
    record.seconds = 10;
  }
  records[2].disk_read_bytes = 100'000'000;
  records[0].disk_read_bytes = 28'600'000;  // it did not know what it was told
  CHECK(report::differential_text(records).find(
            "the synthetic part read 2.86 MB/s from the disk") != std::string::npos);
  records[0].disk_read_bytes = 500'000;
  CHECK(report::differential_text(records).find("the synthetic part read") == std::string::npos);
  records.pop_back();
  CHECK(report::differential_text(records).empty());
}

TEST_CASE("cli: what to type next is not the --steps that saw nothing, and doubt comes last") {
  const TemporaryFolder folder;
  const auto db = folder / "records.db";
  const auto told = [&](std::vector<std::string> words, Status status, const std::string& reason) {
    words.insert(words.begin(), {"profile", "--db", db});
    auto asked = words;
    asked.insert(asked.begin() + 1, {"--dry-run", "-o", "json"});
    const auto plan = boost::json::parse(run(asked).out);
    Record record;
    record.id = plan.at("runs").at(0).at("id").as_string().c_str();
    record.machine = describe_this_machine();
    record.status = status;
    record.reason = reason;
    Store(db).append(record);
    return run(words);
  };
  const auto unseen = told({"--steps", R"(regex:a step (\d+))", "--", "true"},
                           Status::failed,
                           "true ended without a step: no line that it printed matched");
  CHECK(unseen.err.find("Next: rightsize profile --db " + db + " --steps cpu -- true\n") !=
        std::string::npos);
  const auto doubted = told({"--steps", "exit", "--", "true"}, Status::untrusted, "noise");
  CHECK(doubted.code == cli::exit_ok);
  CHECK(doubted.err.ends_with(
      "note: nothing here is trusted, though the exit code is 0; --strict makes it 4\n"));
  std::istringstream words(run({"profile", "--help"}).out);  // wherever its lines are broken
  std::string help;
  for (std::string word; words >> word;) {
    help += word + " ";
  }
  CHECK(help.find("limit (a number of vCPUs like 1.5; 0 is no limit)") != std::string::npos);
}

TEST_CASE("cli: profile and campaigns take the names that hubs and people give networks") {
  const TemporaryFolder folder;
  const auto file = folder / "c.toml";
  std::ofstream(file) << "[[run]]\nname = \"a\"\nnetwork = \"openai-community/gpt2\"\n"
                         "data = \"synthetic\"\n[[run]]\nname = \"b\"\n"
                         "network = \"ResNet-50\"\ndata = \"synthetic\"\n";
  const auto listed = run({"campaign", file, "-n", "--no-throttle", "--db", folder / "r.db"});
  CAPTURE(listed.out + listed.err);
  CHECK(listed.code == cli::exit_ok);
  const auto one = run({"profile",
                        "openai-community/gpt2",
                        "--data",
                        "synthetic",
                        "-n",
                        "--no-throttle",
                        "--db",
                        folder / "r.db"});
  CAPTURE(one.out + one.err);
  CHECK(one.code == cli::exit_ok);
  const auto none = run({"profile", "nobody/resnet5O", "-n", "--db", folder / "r.db"});
  CHECK(none.code == cli::exit_usage);
}
