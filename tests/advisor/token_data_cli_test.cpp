// Texts as ids of tokens lie on a disk like any other data: what it gives limits a job that is
// fast enough, and one that is not does not notice.
#include <string>

#include <boost/json.hpp>
#include <doctest/doctest.h>

#include "support/approx.h"
#include "support/program.h"
#include "support/temporary_folder.h"

using namespace rightsize;
using test::run;

namespace {

// 300 million texts of 400 tokens, 1.6 kB each, once through a small encoder.
boost::json::value predicted(const std::string& disk) {
  const TemporaryFolder folder;
  const auto job = folder.write("embed.toml",
                                "[job]\nnetwork = \"minilm-l6\"\nphase = \"infer\"\n"
                                "sequence = 400\n[data]\nitems = 300000000\n"
                                "format = \"tokens\"\nbytes = \"480GB\"\n");
  const auto said = run({"predict",
                         job,
                         "--machine",
                         "gpu=A100:8,vcpus=96,memory=100GiB,disk=" + disk,
                         "-o",
                         "json"});
  REQUIRE_MESSAGE(said.code == cli::exit_ok, said.err);
  return boost::json::parse(said.out);
}

double rate_of(const boost::json::value& answer) {
  return answer.at("throughput").at("value").as_double();
}

}  // namespace

TEST_CASE("token data: a slow disk is what an encoder of eight GPUs waits for") {
  const auto slow = predicted("5MB/s");
  CHECK(slow.at("bottleneck").as_string() == "disk");
  CHECK(rate_of(slow) == test::approx(5e6 / 1600).epsilon(0.1));
}

TEST_CASE("token data: they are read in sequence, and a usual disk is no limit") {
  const auto usual = predicted("gp3:500GiB");
  CHECK(usual.at("bottleneck").as_string() == "gpu");
  CHECK(rate_of(usual) > 20 * rate_of(predicted("2MB/s")));
}
