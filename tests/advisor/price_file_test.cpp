// Price files as they come: not in the folder that names their cloud, with slips, of another year.
#include <doctest/doctest.h>

#include "support/program.h"

using namespace rightsize;
using test::ModelFile;
using test::run;

namespace {

const std::string job = std::string(RIGHTSIZE_SOURCE_DIR) + "/examples/demo/job.toml";

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("price file: GCE's prices of 2017 are advised, the K80 with the host it is priced with") {
  const ModelFile model;
  const auto result = run({"advise",
                           job,
                           "--model",
                           model.path(),
                           "--book",
                           "era-2017",
                           "--infra",
                           "gcp",
                           "--deadline",
                           "5000h",
                           "--confidence",
                           "0.5"});
  CAPTURE(result.out);
  CHECK(result.code == cli::exit_ok);
  CHECK(holds(result.out, "K80 instance (K80, gcp/not stated)"));
  CHECK_FALSE(holds(result.out, "not published:"));
}
