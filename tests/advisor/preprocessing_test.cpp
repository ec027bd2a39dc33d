// Preprocessing as a job of its own: its vCPUs and its disk, which must hold what is read and what
// is written.
#include "advisor/candidate/preprocessing.h"

#include <fstream>

#include <boost/json.hpp>
#include <doctest/doctest.h>

#include "advisor/query/job_work.h"
#include "advisor/query/query.h"
#include "support/approx.h"
#include "support/program.h"
#include "support/temporary_folder.h"

using namespace rightsize;
using test::run;

namespace {

const std::string job =
    std::string(RIGHTSIZE_SOURCE_DIR) + "/examples/founding/s03-disks/preprocess.toml";

// The shipped model has measured it.
boost::json::value answer(std::vector<std::string> arguments) {
  arguments.insert(arguments.end(), {"-o", "json"});
  const auto result = test::run_without_model(arguments);
  CAPTURE(result.err);
  REQUIRE(result.code == cli::exit_ok);
  return boost::json::parse(result.out);
}

std::string refused(const std::string& text) {
  const TemporaryFolder folder;
  const auto path = folder / "job.toml";
  std::ofstream(path) << "[job]\nphase = \"preprocess\"\n" << text;
  try {
    static_cast<void>(load_query(path));
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

// 1,281,167 pictures of 3 x 256 x 256 bytes are 251.9 GB beside 140 GB of JPEG.
TEST_CASE("preprocessing: the disk holds what is read and what is written") {
  auto query = load_query(job);
  CHECK(bytes_held(query) == 140'000'000'000 + 1281167LL * 3 * 256 * 256);
  query.writes = DataFormat::recordio;  // the JPEG again
  CHECK(bytes_held(query) == test::approx(280e9).epsilon(1e-9));
  query.phase = Phase::train;
  CHECK(bytes_held(query) == 140'000'000'000);
}

TEST_CASE("preprocessing: advise takes a machine without a GPU, and predict agrees with it") {
  const auto advised = answer({"advise", job, "--infra", "aws", "--allow", "^c5.2xlarge$"});
  const auto& chosen = advised.at("chosen");
  CHECK(chosen.at("gpus").to_number<double>() == 0);
  CHECK(advised.at("query").at("writes").as_string() == "lmdb");
  const auto disk = std::string(chosen.at("disk").as_string());
  CAPTURE(disk);
  const auto rate = [&](const std::string& volume) {
    return answer({"predict", job, "--machine", "aws/c5.2xlarge,disk=" + volume})
        .at("throughput")
        .at("value")
        .to_number<double>();
  };
  // 392 GB and 20 GiB more: 385 GiB, of which what is written takes the larger part of the disk.
  CHECK(disk.find("385 GiB") != std::string::npos);
  const double half_as_fast = rate("st1:385GiB");
  const double chosen_rate = chosen.at("throughput").at("value").to_number<double>();
  CHECK(rate("gp3:385GiB") <= chosen_rate * 1.01);
  CHECK(half_as_fast < chosen_rate);
  const auto gpus = answer({"advise", job, "--infra", "aws"}).at("rejected").as_array();
  CHECK(gpus.front().at("reason").as_string() == no_gpu_preprocesses);
}

// An image is 109.3 kB read and 196.6 kB written.
TEST_CASE("preprocessing: a disk pays for what it reads and for what it writes") {
  const auto predicted = answer({"predict", job, "--machine", "vcpus=64,memory=64GiB,disk=80MB/s"});
  const double rate = predicted.at("throughput").at("value").to_number<double>();
  const double bytes = 140e9 / 1281167 + 3 * 256 * 256;
  CHECK(predicted.at("bottleneck").as_string() == "disk");
  CHECK(rate * bytes == test::approx(80e6).epsilon(0.15));  // the disk's efficiency, the cache
}

TEST_CASE("preprocessing: what such a job cannot have is refused by name") {
  const std::string data = "[data]\nitems = 1000\nbytes = \"110MB\"\n";
  CHECK(refused(data + "format = \"jpeg\"\n").empty());
  CHECK(refused(data + "format = \"tokens\"\n").find("data.format") != std::string::npos);
  CHECK(refused(data + "writes = \"cifar\"\n").find("writes = \"cifar\": expected lmdb") !=
        std::string::npos);
  CHECK(refused("epochs = 2\n" + data).find("job.epochs") != std::string::npos);
  CHECK(refused(data + "preprocess_on = \"gpu\"\n").find("data.preprocess_on") !=
        std::string::npos);
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"size", job},
        {"simulate", job, "--machine", "vcpus=4,memory=8GiB,disk=80MB/s"}}) {
    const auto result = run(arguments);
    CHECK(result.code == cli::exit_usage);
    CHECK(result.err.find("advise") != std::string::npos);
  }
  const auto gpu = test::run_without_model({"predict", job, "--machine", "gpu=T4,vcpus=4"});
  CHECK(gpu.code == cli::exit_nothing_satisfies);
  CHECK(gpu.out.find(no_gpu_preprocesses) != std::string::npos);
}
