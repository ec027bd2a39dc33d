// Words that are not this command's: each is answered with those that are, and where to say them.
#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "advisor/cli/command.h"
#include "support/program.h"
#include "support/temporary_folder.h"

using namespace rightsize;

namespace {

const std::string job = RIGHTSIZE_SOURCE_DIR "/examples/demo/job.toml";

test::Result run(const std::vector<std::string>& arguments) {
  return test::run_without_model(arguments);
}

bool holds(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

// What stderr says of it.
std::string refused(const std::vector<std::string>& arguments) {
  const auto result = run(arguments);
  CHECK(result.code == cli::exit_usage);
  return result.err;
}

}  // namespace

TEST_CASE("disks: a machine that takes Hyperdisk alone is offered it, and no other by name") {
  CHECK(holds(refused({"predict", job, "--machine", "gcp/g4-standard-48,disk=pd-balanced:500GiB"}),
              "g4-standard-48 attaches no pd-balanced; it takes hyperdisk-balanced, or say"));
  const auto answer = run({"advise", job, "--infra", "gcp", "--gpu", "RTX-PRO-6000", "-o", "csv"});
  CHECK(answer.code == cli::exit_ok);
  CHECK(holds(answer.out, "hyperdisk-balanced"));
  CHECK_FALSE(holds(answer.out, "pd-"));
}

TEST_CASE("disks: 20 TB are answered on AWS, and 100 TB are told what to do") {
  const TemporaryFolder folder;
  const auto of_bytes = [&](const std::string& bytes) {
    return folder.write(bytes + ".toml",
                        "[job]\nnetwork = \"resnet50\"\nphase = \"infer\"\nprecision = \"fp16\"\n"
                        "[data]\nitems = 100000000\nformat = \"jpeg\"\nbytes = \"" +
                            bytes + "\"\n");
  };
  const auto fits = run({"advise", of_bytes("20TB"), "--infra", "aws", "-o", "csv"});
  CHECK(fits.code == cli::exit_ok);
  CHECK(holds(fits.out, "gp3 1"));
  const auto none = run({"advise", of_bytes("100TB"), "--infra", "aws"});
  CHECK(none.code == cli::exit_nothing_satisfies);
  CHECK(holds(none.out + none.err, "volumes end at 64 TiB"));
}
