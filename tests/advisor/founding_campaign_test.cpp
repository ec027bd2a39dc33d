// Every campaign of examples/founding plans runs that this version can make, the index names every
// experiment, and two experiments are made for real in small: S22's export and S23's learning.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include <fmt/format.h>

#include "advisor/founding.h"
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

}  // namespace

TEST_CASE("founding: every campaign plans its runs, and says how long they take") {
  const TemporaryFolder folder;
  make_data(folder);
  int campaigns = 0;
  for (const auto& entry : fs::recursive_directory_iterator(founding(""))) {
    const auto name = entry.path().filename().string();
    if (name != "campaign.toml" && name != "gpu.toml") {
      continue;
    }
    const auto result = run({"campaign",
                             entry.path().string(),
                             "--data-root",
                             folder.path(),
                             "--db",
                             folder / "records.db",
                             "--dry-run"});
    CAPTURE(entry.path().string());
    CAPTURE(result.err);
    CHECK(result.code == cli::exit_ok);
    CHECK(result.out.find("plan: ") != std::string::npos);
    CHECK(result.out.find("at most ") != std::string::npos);
    ++campaigns;
  }
  CHECK(campaigns >= 12);
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
