// The hours that explain says are billed: once, and from where the rule is known.
#include <fstream>
#include <iterator>
#include <regex>
#include <string>

#include <doctest/doctest.h>

#include "support/program.h"
#include "support/temporary_folder.h"

using namespace rightsize;

namespace {

const std::string job = RIGHTSIZE_SOURCE_DIR "/examples/demo/job.toml";

std::ptrdiff_t times(const std::string& text, const std::string& pattern) {
  const std::regex wanted(pattern);
  return std::distance(std::sregex_iterator(text.begin(), text.end(), wanted), {});
}

}  // namespace

TEST_CASE("billed hours: a price of several parts is billed once, by a rule that is assumed") {
  const TemporaryFolder folder;
  const test::ModelFile model;
  const auto table = folder / "cut.csv";
  // Of a provider without a rule: whole hours are billed.
  std::ofstream(table)
      << "Provider,Family,Region,MinGiBPerVcpu,MaxGiBPerVcpu,MaxVcpus,VcpuPrice,GiBPrice,Gpu,"
         "GpuMemoryGiB,GpuVcpus,GpuPrice,Currency,Book,AsOf,Source\n"
         "mine,cut,r1,1,8,32,0.001,0.0001,A100-80GB,80,1:32,0.01,USD,mine,,quote\n";
  const auto result = test::run(
      {"explain", job, "--model", model.path(), "--infra", "mine", "--custom-prices", table});
  CAPTURE(result.err);
  CAPTURE(result.out);
  CHECK(result.code == cli::exit_ok);
  CHECK(times(result.out, "billed [0-9]") == 1);
  CHECK(times(result.out, "billed [0-9.]+ h \\[assumed\\]") == 1);
}
