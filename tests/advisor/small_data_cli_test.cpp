// Data sets that are smaller than what all GPUs take in an update.
#include <fstream>
#include <string>

#include <boost/json.hpp>
#include <doctest/doctest.h>

#include "advisor/candidate/epoch.h"
#include "support/program.h"
#include "support/temporary_folder.h"

using namespace rightsize;
namespace json = boost::json;

namespace {

class SmallJob {
 public:
  explicit SmallJob(const std::string& items) {
    std::ofstream(folder_ / "job.toml")
        << "[job]\nnetwork = \"resnet50\"\nepochs = 10\nbatch_per_gpu = 128\n[data]\nitems = "
        << items << "\nbytes = \"100MB\"\n";
  }
  [[nodiscard]] std::string ask(std::vector<std::string> words) const {
    words.insert(words.begin() + 1, folder_ / "job.toml");
    const auto result = test::run_without_model(words);
    CAPTURE(result.err);
    return result.out;
  }

 private:
  TemporaryFolder folder_;
};

const std::string many = "aws/p4d.24xlarge,nodes=16";

}  // namespace

TEST_CASE("small data: an epoch of training is a step at the least, and that of others its items") {
  CHECK(items_of_epoch(1000, 16, Phase::train, 1024) == 1024);
  CHECK(items_of_epoch(1000, 16, Phase::infer, 1024) == 62.5);
  CHECK(items_of_epoch(1'000'000, 2, Phase::train, 1024) == 500'000);
  CHECK(update_beyond_data(1000, Phase::train, 1000).empty());
  CHECK(update_beyond_data(1000, Phase::infer, 1001).empty());
}

TEST_CASE("small data: predict says that an update takes more, and counts ten whole steps") {
  const SmallJob job("1000");
  const auto text = job.ask({"predict", "--machine", many});
  CAPTURE(text);
  CHECK(text.find("an update takes 16384 items and the data set has 1000") != std::string::npos);
  CHECK(text.find(" h (") == std::string::npos);  // of 2.4e-4 h nobody reads anything
  const auto answer = json::parse(job.ask({"predict", "--machine", many, "-o", "json"}));
  const double step_s = 16384 / answer.at("throughput").at("value").to_number<double>();
  CHECK(3600 * answer.at("job").at("hours").at("value").to_number<double>() > 9.99 * step_s);
}

TEST_CASE("small data: advise warns of it, and not where the data fill an update") {
  const auto warned = [](const std::string& items) {
    const auto text =
        SmallJob(items).ask({"advise", "--infra", "aws/us-east-1", "--allow", "p4d", "-o", "json"});
    CAPTURE(text);
    return text.find("an update takes 1024 items") != std::string::npos;
  };
  CHECK(warned("1000"));
  CHECK_FALSE(warned("100000"));
}
