// The session behind the interactive shell, without a terminal.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <sstream>
#include <string>

#include <boost/json.hpp>
#include <doctest/doctest.h>
#include <unistd.h>

#include "advisor/cli/command.h"
#include "advisor/knowledge.h"
#include "advisor/query/usage_error.h"
#include "advisor/shell/session.h"
#include "advisor/shell/words.h"
#include "profiler/command/user_command.h"
#include "support/made_model.h"
#include "support/temporary_folder.h"

using namespace rightsize;

namespace {

// A session whose model is the made one; what it prints is kept.
struct Desk {
  Desk() {
    const auto path = std::filesystem::temp_directory_path() /
                      ("rightsize-shell-" + std::to_string(getpid()) + ".json");
    model = path.string();
    cli::write_file(model, boost::json::serialize(to_json(test::made_model())));
    setenv("RIGHTSIZE_MODEL", model.c_str(), 1);
  }
  ~Desk() {
    unsetenv("RIGHTSIZE_MODEL");
    std::filesystem::remove(model);
  }

  int run(const std::string& line) {
    out.str("");
    err.str("");
    return session.run(line);
  }

  std::string model;
  std::ostringstream out;
  std::ostringstream err;
  cli::Context context{out, err, {}, {}, false};
  shell::Session session{context};
};

const std::string job = std::string(RIGHTSIZE_SOURCE_DIR) + "/examples/demo/job.toml";

}  // namespace

TEST_CASE("shell words: quotes, backslashes, comments, and back") {
  using Words = std::vector<std::string>;
  CHECK(shell::split("set  infra 'aws/us-*' \"a b\" c\\ d") ==
        Words{"set", "infra", "aws/us-*", "a b", "c d"});
  CHECK(shell::split("top 3 # the best") == Words{"top", "3"});
  CHECK(shell::split("  ").empty());
  CHECK(shell::split("x ''") == Words{"x", ""});
  CHECK_THROWS_AS(static_cast<void>(shell::split("set job 'a")), UsageError);
  const Words odd = {"it's", "", "a b", "c\\d", "\"", "#x"};
  CHECK(shell::split(shell_line(odd)) == odd);
}

TEST_CASE("shell: settings are checked when they are set, shown in the prompt, and undone") {
  Desk desk;
  CHECK(desk.run("") == cli::exit_ok);
  CHECK(desk.run("advise") == cli::exit_usage);  // no job yet
  CHECK(desk.run("set job /nowhere.toml") == cli::exit_usage);
  CHECK(desk.session.prompt() == "rightsize> ");  // a refused setting changes nothing
  REQUIRE(desk.run("set job " + job) == cli::exit_ok);
  CHECK(desk.run("set deadline soon") == cli::exit_usage);
  REQUIRE(desk.run("set deadline 48h") == cli::exit_ok);
  REQUIRE(desk.run("filter infra aws gcp") == cli::exit_ok);
  CHECK(desk.session.prompt() == "rightsize job deadline=48h infra=aws,gcp> ");
  CHECK(desk.run("set dedline 3h") == cli::exit_usage);
  CHECK(desk.err.str().find("did you mean deadline?") != std::string::npos);
  CHECK(desk.run("undo") == cli::exit_ok);
  CHECK(desk.session.prompt() == "rightsize job deadline=48h> ");
  CHECK(desk.run("unset deadline") == cli::exit_ok);
  CHECK(desk.run("unset deadline") == cli::exit_usage);
  CHECK(desk.session.prompt() == "rightsize job> ");
}

TEST_CASE("shell: a place or a book that no table has is refused when it is set") {
  Desk desk;
  REQUIRE(desk.run("set job " + job) == cli::exit_ok);
  CHECK(desk.run("set infra mars") == cli::exit_usage);
  CHECK(desk.err.str().find("no offer is on-demand in mars") != std::string::npos);
  CHECK(desk.run("set region us-est-1") == cli::exit_usage);
  CHECK(desk.err.str().find("did you mean us-east-1?") != std::string::npos);
  CHECK(desk.run("set book era-2071") == cli::exit_usage);
  CHECK(desk.session.prompt() == "rightsize job> ");
  // Another setting can make these good.
  CHECK(desk.run("set book era-2017") == cli::exit_ok);
  CHECK(desk.run("set infra azure") == cli::exit_ok);
}

TEST_CASE("shell: a job that does not take a setting of before says which to unset") {
  Desk desk;
  const std::string service = std::string(RIGHTSIZE_SOURCE_DIR) + "/examples/llm/serve.toml";
  REQUIRE(desk.run("set job " + job) == cli::exit_ok);
  REQUIRE(desk.run("set batch 64") == cli::exit_ok);
  REQUIRE(desk.run("set infra aws") == cli::exit_ok);
  CHECK(desk.run("set job " + service) == cli::exit_usage);
  CHECK(desk.err.str().find("That is set batch 64, kept from before: unset batch first, then set "
                            "job " +
                            service) != std::string::npos);
  REQUIRE(desk.run("unset batch") == cli::exit_ok);
  CHECK(desk.run("set job " + service) == cli::exit_ok);
  REQUIRE(desk.run("set job " + job) == cli::exit_ok);
  REQUIRE(desk.run("set batch 64") == cli::exit_ok);
  REQUIRE(desk.run("set deadline 9h") == cli::exit_ok);
  CHECK(desk.run("set job " + service) == cli::exit_usage);  // it has no deadline either
  CHECK(desk.err.str().find("unset batch, unset deadline, unset infra first") != std::string::npos);
}

TEST_CASE("shell: set alone lists what is in force, and who said so") {
  Desk desk;
  REQUIRE(desk.run("set") == cli::exit_ok);
  CHECK(desk.out.str().find("no job yet: set job FILE.toml") != std::string::npos);
  REQUIRE(desk.run("set job " + job) == cli::exit_ok);
  REQUIRE(desk.run("set infra aws gcp") == cli::exit_ok);
  REQUIRE(desk.run("set net ib:100") == cli::exit_ok);
  REQUIRE(desk.run("set") == cli::exit_ok);
  std::istringstream lines(desk.out.str());
  std::map<std::string, std::string> rows;
  for (std::string line; std::getline(lines, line);) {
    rows[line.substr(0, line.find(' '))] = line;
  }
  CHECK(rows["infra"].find("aws gcp") != std::string::npos);
  CHECK(rows["infra"].ends_with("set here"));
  CHECK(rows["net"].ends_with("set here"));
  CHECK(rows["deadline"].find(" 48h ") != std::string::npos);
  CHECK(rows["deadline"].ends_with(job));
  CHECK(rows["market"].find("on-demand") != std::string::npos);
  CHECK(rows["market"].ends_with(job));  // which says what nobody saying it would be, too
  CHECK_FALSE(rows.contains("vcpus-max"));
  CHECK(rows["objective"].ends_with("default"));
  std::ifstream whole(job);
  std::string text{std::istreambuf_iterator<char>(whole), {}};
  text.insert(text.find("[constraints]\n") + 14, "objective = \"cost\"\n");
  const TemporaryFolder repeating;
  Desk stated;
  REQUIRE(stated.run("set job " + repeating.write("job.toml", text)) == cli::exit_ok);
  REQUIRE(stated.run("set") == cli::exit_ok);
  CHECK(std::regex_search(stated.out.str(), std::regex("objective +cost +[^ \n]*job.toml")));
  const TemporaryFolder folder;
  const auto decode = folder.write(
      "decode.toml",
      "[job]\nnetwork = \"llama-8b\"\nphase = \"decode\"\nframework = \"TensorRT-LLM\"\n"
      "precision = \"fp16\"\n[service]\nqps = 1\nprompt_tokens = 100\noutput_tokens = 100\n"
      "first_token = \"2s\"\ntoken = \"100ms\"\n");
  Desk writer;
  REQUIRE(writer.run("set job " + decode) == cli::exit_ok);
  REQUIRE(writer.run("set") == cli::exit_ok);
  CHECK(writer.out.str().find("TensorRT-LLM") != std::string::npos);
  CHECK(desk.run("set deadline") == cli::exit_usage);
  CHECK(desk.err.str().find("set deadline: to what?") != std::string::npos);
}

TEST_CASE("shell: a command before there is a job says how to name one") {
  Desk desk;
  for (const auto* line : {"advise", "explain 1", "what-if 1 vcpus=8", "compare 1 2", "export 1"}) {
    CAPTURE(line);
    CHECK(desk.run(line) == cli::exit_usage);
    CHECK(desk.err.str().find("job FILE.toml") != std::string::npos);
  }
  CHECK(desk.run("job") == cli::exit_usage);
  CHECK(desk.run("job " + job) == cli::exit_ok);
  CHECK(desk.session.prompt() == "rightsize job> ");
}

TEST_CASE("shell: rows have numbers that stand for instances") {
  Desk desk;
  REQUIRE(desk.run("set job " + job) == cli::exit_ok);
  REQUIRE(desk.run("set infra aws") == cli::exit_ok);
  CHECK(desk.run("what-if 1 price=-20%") == cli::exit_usage);  // no table yet
  REQUIRE(desk.run("top 3") == cli::exit_ok);
  const auto table = desk.out.str();
  CHECK(table.find("\n1  *") != std::string::npos);
  CHECK(table.find("\n3") != std::string::npos);
  CHECK(table.find("\n4") == std::string::npos);
  CHECK(table.find(" more, top 0 shows them") != std::string::npos);
  CHECK(desk.run("what-if 99999 price=-20%") == cli::exit_usage);
  CHECK(desk.run("what-if 1 price=-20%") == cli::exit_ok);  // in a process of its own
  CHECK(desk.run("compare 1 2") == cli::exit_ok);
  CHECK(desk.run("compare 1 1 1") == cli::exit_usage);
  CHECK(desk.run("explain g6e.xlarge [Spot]") == cli::exit_ok);  // as a table shows it
  CHECK(desk.run("explain g6e.xlarge [2y]") == cli::exit_usage);
  CHECK(desk.run("market spot") == cli::exit_usage);
  CHECK(desk.err.str().find("market is a setting: set market ...") != std::string::npos);
  CHECK(desk.run("set budget 470 USD") == cli::exit_ok);  // one word needs no quotes
  CHECK(desk.run("set budget 470 EUR") == cli::exit_usage);
  CHECK(desk.err.str().find("--fx EUR=RATE") != std::string::npos);
  CHECK(desk.run("unset budget") == cli::exit_ok);
  REQUIRE(desk.run("top 3") == cli::exit_ok);
  // Sorting changes what is shown first, not what is chosen.
  REQUIRE(desk.run("sort time") == cli::exit_ok);
  CHECK(desk.out.str().find("\n1  *") == std::string::npos);
  CHECK(desk.run("sort speed") == cli::exit_usage);
  CHECK(desk.run("set infra gcp") ==
        cli::exit_ok);  // another question: its rows have no numbers yet
  CHECK(desk.run("what-if 1 price=-20%") == cli::exit_usage);
}

TEST_CASE("shell: where nothing satisfies it says what would be enough") {
  Desk desk;
  REQUIRE(desk.run("set job " + job) == cli::exit_ok);
  REQUIRE(desk.run("set budget 1") == cli::exit_ok);
  CHECK(desk.run("advise") == cli::exit_nothing_satisfies);
  CHECK(desk.out.str().find("one does with --budget ") != std::string::npos);
  CHECK(desk.out.str().find("Rejected ") != std::string::npos);
}

TEST_CASE("shell: waits for tokens are named by the flags that set them") {
  Desk desk;
  REQUIRE(desk.run("set job " + std::string(RIGHTSIZE_SOURCE_DIR) + "/examples/llm/serve.toml") ==
          cli::exit_ok);
  REQUIRE(desk.run("set infra aws/us-east-1") == cli::exit_ok);
  REQUIRE(desk.run("set tpot 1ms") == cli::exit_ok);
  CHECK(desk.run("advise") == cli::exit_nothing_satisfies);
  CHECK(
      std::regex_search(desk.out.str(), std::regex("--ttft 1s\\s+--tpot [0-9.]+ms\\s+is within")));
}

TEST_CASE("shell: a job that a line names stands in the session job's place, under its settings") {
  Desk desk;
  const TemporaryFolder folder;
  const auto told = [&](const std::string& line) {  // commands run in a process of their own
    const auto file = folder / "told.json";
    std::filesystem::remove(file);
    CHECK(desk.run(line + " -o json --out-file " + file) == cli::exit_ok);
    std::ifstream in(file);
    return std::string(std::istreambuf_iterator<char>(in), {});
  };
  const auto other = std::string(RIGHTSIZE_SOURCE_DIR) + "/examples/fleet/vgg16.toml";
  for (const bool with_job : {false, true}) {
    CAPTURE(with_job);
    if (with_job) {
      REQUIRE(desk.run("set job " + job) == cli::exit_ok);
    }
    REQUIRE(desk.run("set infra gcp") == cli::exit_ok);  // the file says aws
    REQUIRE(desk.run("set deadline 1000h") == cli::exit_ok);
    const auto advised = boost::json::parse(told("advise " + other));
    CHECK(advised.at("schema").as_string() == "rightsize/recommendation/1");  // no plan of two
    CHECK(advised.at("query").at("network").as_string() == "vgg16");
    CHECK(advised.at("chosen").at("provider").as_string() == "gcp");
    for (const auto* flag : {"--sort=cost", "--sort cost", "--custom-shapes"}) {
      CAPTURE(flag);
      const auto line = "advise " + std::string(flag) + " " + other;
      CHECK(boost::json::parse(told(line)).at("query").at("network").as_string() == "vgg16");
    }
    const auto explained = boost::json::parse(told("explain " + other));
    CHECK(explained.at("option").at("provider").as_string() == "gcp");
    CHECK(boost::json::parse(told("advise " + job + " " + other)).at("schema").as_string() ==
          "rightsize/fleet/1");
  }
}

TEST_CASE("shell: a saved session is a script that makes the same session") {
  Desk desk;
  REQUIRE(desk.run("set job " + job) == cli::exit_ok);
  REQUIRE(desk.run("set allow '^g6e[.]'") == cli::exit_ok);
  REQUIRE(desk.run("set fx CNY=0.14") == cli::exit_ok);
  REQUIRE(desk.run("set budget 700 CNY") == cli::exit_ok);  // by a rate that has to come before
  REQUIRE(desk.run("show") == cli::exit_ok);
  const auto script = desk.out.str();
  Desk other;
  std::istringstream lines(script);
  for (std::string line; std::getline(lines, line);) {
    CHECK(other.run(line) == cli::exit_ok);
  }
  CHECK(other.session.prompt() == desk.session.prompt());
}

TEST_CASE("shell: Tab completes job files and folders, as they lie there") {
  Desk desk;
  using Words = std::vector<std::string>;
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "jobs");
  for (const auto* name : {"one.toml", "other.toml", "notes.txt", ".hidden.toml"}) {
    cli::write_file(folder / name, "");
  }
  const auto start = "set job " + folder.path() + "/";
  CHECK(desk.session.completions(start) ==
        Words{folder / "jobs/", folder / "one.toml", folder / "other.toml"});
  CHECK(desk.session.completions(start + "on") == Words{folder / "one.toml"});
  CHECK(desk.session.completions(start + "none").empty());
  CHECK(desk.session.completions("set job /nowhere/at/all/x").empty());
}

TEST_CASE("shell: Tab completes verbs, settings and the instances of the last table") {
  Desk desk;
  using Words = std::vector<std::string>;
  CHECK(desk.session.completions("adv") == Words{"advise"});
  CHECK(desk.session.completions("set de") == Words{"deadline", "deny"});
  REQUIRE(desk.run("set job " + job) == cli::exit_ok);
  REQUIRE(desk.run("set allow '^g6e[.]2xlarge$'") == cli::exit_ok);
  REQUIRE(desk.run("advise") == cli::exit_ok);
  CHECK(desk.session.completions("explain g6") == Words{"g6e.2xlarge"});
  CHECK(desk.session.completions("unset ") == Words{"allow"});
  CHECK(desk.session.completions("explain p3.2xl") == Words{"p3.2xlarge"});  // of the catalogue
  CHECK(desk.session.completions("what-if g6e.2xlarge vc") == Words{"vcpus="});
  CHECK(desk.session.completions("set market sp") == Words{"spot"});
  CHECK(desk.session.completions("set infra aws/us-east-") ==
        Words{"aws/us-east-1", "aws/us-east-2"});
  CHECK(desk.session.completions("export --to ku") == Words{"kubernetes"});
  CHECK(desk.session.completions("advise --dead") == Words{"--deadline"});
  CHECK(desk.session.completions("what-if g6e.xlarge first") == Words{"first-token="});
  CHECK(desk.session.completions("what-if g6e.xlarge gpus-") == Words{"gpus-per-replica="});
  CHECK(desk.run("shell") == cli::exit_usage);
  CHECK(desk.err.str().find("shell: this is it") != std::string::npos);
  CHECK(desk.run("advize") == cli::exit_usage);
  CHECK(desk.err.str().find("did you mean advise?") != std::string::npos);
}
