// What large pictures cost in every epoch, and what making them smaller once would spare.
#include <string>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "support/program.h"
#include "support/temporary_folder.h"

using namespace rightsize;

namespace {

std::string answered(const std::string& bytes, const std::string& format) {
  const TemporaryFolder folder;
  const auto job = folder.write(
      "job.toml",
      fmt::format("[job]\nnetwork = \"resnet50\"\nepochs = 30\n[data]\nitems = 2000000\nbytes = "
                  "\"{}\"\nformat = \"{}\"\n",
                  bytes,
                  format));
  const auto result = test::run_without_model({"advise", job, "--infra", "aws", "-o", "md"});
  CAPTURE(result.err);
  REQUIRE(result.code == cli::exit_ok);
  return result.out;
}

bool is_told(const std::string& text) {
  return text.find("made smaller once") != std::string::npos;
}

}  // namespace

TEST_CASE("smaller pictures: where decoding megabytes limits, what smaller ones cost is said") {
  const auto large = answered("6TB", "jpeg");
  CHECK(is_told(large));
  CHECK(large.find("pictures of 3 MB each") != std::string::npos);
}

TEST_CASE("smaller pictures: nothing is said of usual ones, nor of what is not decoded") {
  CHECK(!is_told(answered("220GB", "jpeg")));
  CHECK(!is_told(answered("6TB", "lmdb")));
}
