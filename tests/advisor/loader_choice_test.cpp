// Whose loader vCPUs are counted by: a framework's, unless rightsize's own is asked for.
#include <regex>
#include <string>
#include <vector>

#include <boost/json.hpp>
#include <doctest/doctest.h>

#include "support/approx.h"
#include "support/job_desk.h"

using namespace rightsize;

namespace json = boost::json;

namespace {

// ResNet-50 on stored pictures, or those prepared; `loader` is a line of [data].
std::string pictures_job(const std::string& loader, const std::string& phase) {
  return "[job]\nphase = \"" + phase + "\"\n" +
         (phase == "preprocess"
              ? "[data]\nwrites = \"lmdb\"\n"
              : "network = \"resnet50\"\nprecision = \"fp16\"\nbatch_per_gpu = 128\n"
                "epochs = 2\n[data]\n") +
         "items = 1281167\nformat = \"jpeg\"\nbytes = \"140GB\"\n" + loader;
}

class Desk : public test::JobDesk {
 public:
  explicit Desk(const std::string& loader = "", const std::string& phase = "train")
      : JobDesk(pictures_job(loader, phase), test::made_model()) {}
};

const std::vector<std::string> few_vcpus{"predict", "--machine", "gpu=H100,vcpus=4,memory=64GiB"};

std::vector<std::string> with(std::vector<std::string> words, std::vector<std::string> more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

double rate_of(const json::value& answer) {
  return answer.at("throughput").at("value").to_number<double>();
}

}  // namespace

TEST_CASE("loader: GPUs are a framework's where nobody says whose, and so is the loader") {
  const Desk unsaid;
  const auto usual = unsaid.told(few_vcpus);
  CHECK(usual.at("bottleneck") != "gpu");
  CHECK(json::serialize(usual.at("notes")).find("frameworks' loaders of the current stack take") !=
        std::string::npos);
  CHECK(rate_of(unsaid.told(with(few_vcpus, {"--framework", "PyTorch"}))) ==
        test::approx(rate_of(usual)));
  const auto own = unsaid.told(with(few_vcpus, {"--loader", "rightsize"}));
  CHECK(json::serialize(own.at("notes")).find("the loader is rightsize's own, as measured") !=
        std::string::npos);
  CHECK(rate_of(own) / rate_of(usual) == test::approx(2.8).epsilon(0.12));
  CHECK(rate_of(Desk("loader = \"rightsize\"\n").told(few_vcpus)) == test::approx(rate_of(own)));
}

TEST_CASE("loader: an answer says whose it counts, and keeps it when saved") {
  const std::vector<std::string> advise{"advise", "--infra", "aws"};
  const auto says = [&](const Desk& desk, const std::string& words) {
    const auto text = std::regex_replace(desk.ask(advise).out, std::regex("\n  "), " ");
    return text.find(words) != std::string::npos;
  };
  CHECK(says(Desk(), "a framework's loader counted as 2.8 times the measured one's CPU"));
  const Desk own("loader = \"rightsize\"\n");
  CHECK(says(own, "by rightsize's own loader"));
  CHECK(own.told(advise).at("query").at("loader") == "rightsize");
  CHECK(Desk().told(advise).at("query").at("loader").is_null());
}

TEST_CASE("loader: pictures may be resized on the GPU behind rightsize's own") {
  const Desk own("loader = \"rightsize\"\npreprocess_on = \"gpu\"\n");
  CHECK(own.ask(few_vcpus).code == cli::exit_ok);
}

TEST_CASE("loader: preprocessing is rightsize's own, and nothing has to say so") {
  const Desk unsaid("", "preprocess");
  const std::vector<std::string> words{"predict", "--machine", "vcpus=4,memory=16GiB"};
  CHECK(json::serialize(unsaid.told(words).at("notes")).find("frameworks' loaders") ==
        std::string::npos);
  const auto refused = unsaid.ask(with(words, {"--loader", "rightsize"}));
  CHECK(refused.code == cli::exit_usage);
  CHECK(refused.err.find("rightsize's own loader and nothing else; leave it out") !=
        std::string::npos);
}
