// Tables of the user's that price machines by their parts, as files.
#include <fstream>
#include <string>

#include <doctest/doctest.h>

#include "pricing/custom_family.h"
#include "support/program.h"
#include "support/temporary_folder.h"

using namespace rightsize;

namespace {

const std::string job = RIGHTSIZE_SOURCE_DIR "/examples/demo/job.toml";

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE(
    "cli: a column of machines cut to measure that is not read is named, as of other tables") {
  const TemporaryFolder folder;
  const test::ModelFile model;
  const auto table = folder / "parts.csv";
  std::ofstream(table) << "Provider,Family,Region,MaxGiBPerVcpu,MaxVcpus,VcpuPrice,GiBPrice,Gpu,"
                          "GpuVcpus,GpuPrice,Currency,Book,min_gib_per_vcp,Gpu Memory,Owner\n"
                          "mine,cut,r1,8,32,0.001,0.0001,A100,1:32,0.01,USD,mine,4,40,me\n";
  const std::string near = "\"min_gib_per_vcp\" is not read: did you mean MinGiBPerVcpu?";
  const auto checked = test::run({"prices", "check", table});
  CHECK(holds(checked.out, near));
  CHECK(holds(checked.out, "\"Gpu Memory\" is not read: "));
  CHECK_FALSE(holds(checked.out, "Owner"));
  const auto answer = test::run({"advise",
                                 job,
                                 "--model",
                                 model.path(),
                                 "--custom-prices",
                                 table,
                                 "--infra",
                                 "mine",
                                 "-o",
                                 "json"});
  CAPTURE(answer.err);
  CHECK(holds(answer.out, "min_gib_per_vcp"));
  const auto sized =
      test::run({"size", job, "--model", model.path(), "--gpu", "A100", "--custom-prices", table});
  CHECK(holds(sized.err, table + ":1: columns: " + near));
  // Nothing of the shipped table is passed over.
  CHECK(unread_custom_columns("Provider,Family,Region,MinGiBPerVcpu,MaxGiBPerVcpu,MaxVcpus,"
                              "VcpuPrice,GiBPrice,VcpuSpotPrice,GiBSpotPrice,Gpu,GpuMemoryGiB,"
                              "GpuVcpus,GpuPrice,GpuSpotPrice,Currency,Book,AsOf,Source,Cpu\n",
                              "custom.csv")
            .empty());
}
