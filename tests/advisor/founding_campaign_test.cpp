// Every campaign of examples/founding plans runs that this version can make, the index names every
// experiment, and two experiments are made for real in small: S22's export and S23's learning.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include <fmt/format.h>

#include "advisor/founding.h"
#include "profiler/measure/run_spec.h"
#include "support/temporary_folder.h"

using namespace rightsize;
using namespace rightsize::test;

namespace {

namespace fs = std::filesystem;

constexpr int experiments = 23;

std::string text_of(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

// Data of the shapes that the campaigns name, small.
void make_data(const TemporaryFolder& folder) {
  const auto make = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {"dataset", "make"});
    REQUIRE(run(words).code == cli::exit_ok);
  };
  make({folder / "data", "--items", "8"});
  make({folder / "ptb", "--kind", "ptb", "--items", "1000"});
  make({folder / "cifar", "--kind", "cifar", "--items", "256"});
  make({folder / "mnist", "--kind", "mnist", "--items", "256"});
  make({folder / "imdb", "--kind", "imdb", "--items", "20"});
}

// The campaigns of the founding experiments, of the demo and of the grid.
std::vector<std::string> campaign_files() {
  std::vector<std::string> files{
      std::string(RIGHTSIZE_SOURCE_DIR) + "/examples/demo/campaign.toml",
      std::string(RIGHTSIZE_SOURCE_DIR) + "/examples/adaptive/grid.toml"};
  for (const auto& entry : fs::recursive_directory_iterator(founding(""))) {
    const auto name = entry.path().filename().string();
    if (name == "campaign.toml" || name == "gpu.toml") {
      files.push_back(entry.path().string());
    }
  }
  return files;
}

// As a shell cuts a line whose only quotes are single ones.
std::vector<std::string> shell_words(const std::string& line) {
  std::vector<std::string> words(1);
  bool quoted = false;
  for (const char c : line) {
    if (c == '\'') {
      quoted = !quoted;
    } else if (c == ' ' && !quoted) {
      words.emplace_back();
    } else {
      words.back() += c;
    }
  }
  return words;
}

}  // namespace

TEST_CASE("founding: every campaign plans its runs, and says how long they take") {
  const TemporaryFolder folder;
  make_data(folder);
  fs::copy(folder / "data/train.rec", folder / "train.rec");
  const auto files = campaign_files();
  CHECK(files.size() >= 14);
  for (const auto& file : files) {
    const auto result = run({"campaign",
                             file,
                             "--data-root",
                             folder.path(),
                             "--db",
                             folder / "records.db",
                             "--dry-run"});
    CAPTURE(file);
    CAPTURE(result.err);
    CHECK(result.code == cli::exit_ok);
    CHECK(result.out.find("plan: ") != std::string::npos);
    CHECK(result.out.find("at most ") != std::string::npos);
  }
}

TEST_CASE("founding: the line that makes a run again makes that run, in every campaign") {
  const TemporaryFolder folder;
  make_data(folder);
  const auto planned = [&](std::vector<std::string> words) {
    words.insert(words.end(), {"--db", folder / "records.db", "--dry-run", "-o", "json"});
    const auto result = run(words);
    CAPTURE(result.err);
    REQUIRE(result.code == cli::exit_ok);
    return boost::json::parse(result.out).at("runs").as_array();
  };
  int lines = 0;
  for (const auto& file : campaign_files()) {
    for (const auto& value : planned({"campaign", file, "--data-root", folder.path()})) {
      const auto spec = run_spec_from_json(value.as_object());
      const auto line = repro_line(spec);
      if (spec.repeat > 0 || !spec.again.empty()) {
        continue;  // of three parts or of several repeats the line makes all
      }
      CAPTURE(file);
      CAPTURE(line);
      auto words = shell_words(line);
      words.erase(words.begin());  // rightsize
      const auto again = planned(words);
      REQUIRE(again.size() == 1);
      CHECK(again.at(0).at("id") == value.at("id"));
      ++lines;
    }
  }
  CHECK(lines > 200);
}

TEST_CASE("founding: the index names every experiment with a verdict and an entry that is there") {
  std::istringstream index(text_of(founding("README.md")));
  std::set<int> named;
  for (std::string line; std::getline(index, line);) {
    int number = 0;
    if (std::sscanf(line.c_str(), "| S%d |", &number) != 1) {
      continue;
    }
    CAPTURE(line);
    named.insert(number);
    const bool judged =
        line.find("agrees") != std::string::npos || line.find("does not") != std::string::npos;
    CHECK(judged);
    const auto open = line.find("](");
    REQUIRE(open != std::string::npos);
    const auto entry = line.substr(open + 2, line.find(')', open) - open - 2);
    CHECK(fs::exists(founding(entry)));
  }
  CHECK(named.size() == experiments);
}

TEST_CASE("founding: a README has at most 40 lines, and shows a command with its output") {
  for (const auto& entry : fs::directory_iterator(founding(""))) {
    if (!entry.is_directory()) {
      continue;
    }
    const auto text = text_of((entry.path() / "README.md").string());
    CAPTURE(entry.path().string());
    CHECK(std::count(text.begin(), text.end(), '\n') <= 40);
    CHECK(text.find("$ rightsize ") != std::string::npos);
    CHECK(text.find("**Conclusion") != std::string::npos);
  }
}

TEST_CASE(
    "founding S22: the chosen spec is launched by SkyPilot, Kubernetes, Terraform and Slurm") {
  const TemporaryFolder folder;
  const auto model = folder / "model.json";
  const auto root = std::string(RIGHTSIZE_SOURCE_DIR);
  REQUIRE(run({"fit", root + "/examples/measurements/demo.jsonl", "--model", model}).code ==
          cli::exit_ok);
  const std::vector<std::pair<std::string, std::string>> signs{{"skypilot", "resources:"},
                                                               {"kubernetes", "nvidia.com/gpu"},
                                                               {"terraform", "instance_type"},
                                                               {"slurm", "#SBATCH"}};
  for (const auto& [tool, sign] : signs) {
    const auto result = run({"export",
                             root + "/examples/demo/job.toml",
                             "--infra",
                             "aws",
                             "--to",
                             tool,
                             "--model",
                             model});
    CAPTURE(tool);
    CAPTURE(result.err);
    CHECK(result.code == cli::exit_ok);
    CHECK(result.out.find(sign) != std::string::npos);
  }
}
