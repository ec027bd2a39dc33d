// What predict says beside a rate: whose CPU it is of, and which thread ends it.
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "support/program.h"
#include "support/program_model.h"
#include "support/temporary_folder.h"

using namespace rightsize;
using test::run_without_model;

TEST_CASE("predict: by a model of another CPU, which is said") {
  const TemporaryFolder folder;
  auto model = test::made_model();
  model.cpu_model = "MOS 6502";
  const auto path = test::write_model(folder, model);
  const auto table = run_without_model({"predict", "--gpu-rate", "1400", "--model", path});
  CHECK(table.err.find("was fitted on MOS 6502") != std::string::npos);
  const auto json =
      run_without_model({"predict", "--gpu-rate", "1400", "--model", path, "-o", "json"});
  CHECK(json.out.find("was fitted on MOS 6502") != std::string::npos);
}

TEST_CASE("predict: where one thread writes a database, further vCPUs are said to be idle") {
  const auto asked = [](const std::vector<std::string>& machine) {
    std::vector<std::string> words{
        "predict", "--phase", "preprocess", "--data", "jpeg", "--preprocess-output", "lmdb"};
    words.insert(words.end(), machine.begin(), machine.end());
    const auto said = run_without_model(words);
    return (said.out + said.err).find("one thread writes") != std::string::npos;
  };
  CHECK(asked({"--cpus", "64", "--disk-read", "5GB/s"}));
  CHECK(asked({"--machine", "vcpus=64,disk=5GB/s"}));
  CHECK_FALSE(asked({"--cpus", "4", "--disk-read", "5GB/s"}));
  CHECK_FALSE(asked({"--cpus", "64", "--disk-read", "125MB/s"}));  // the disk limits
}
