// Machines by the names under which they are sold, and names nobody knows.
#include "advisor/cli/machine_option.h"

#include <fstream>

#include <boost/json.hpp>
#include <doctest/doctest.h>

#include "advisor/knowledge.h"
#include "advisor/query/usage_error.h"
#include "support/approx.h"
#include "support/program.h"
#include "support/temporary_folder.h"

using namespace rightsize;

namespace {

void refused(const std::vector<std::string>& asked, const char* reason) {
  const auto result = test::run_without_model(asked);
  CHECK(result.code == cli::exit_usage);
  CAPTURE(result.err);
  CHECK(result.err.find(reason) != std::string::npos);
}

}  // namespace

TEST_CASE("machine: an instance's name stands for its parts, and keys change them") {
  const auto named = cli::machine_option("aws/g5.12xlarge", shipped_catalog());
  const auto parts = parse_machine_spec("gpu=A10G:4,vcpus=48,memory=192GiB,cpu=g5.12xlarge");
  CHECK(to_text(named) == to_text(parts));
  CHECK(cli::machine_option("c5.4xlarge", shipped_catalog()).gpu.empty());
  // As much memory as advise counts: an L40S of AWS is sold with 44.7 GiB.
  const auto catalog = shipped_catalog();
  for (const auto* name : {"aws/g6e.xlarge", "aws/g5.xlarge", "aws/p4de.24xlarge"}) {
    CAPTURE(name);
    const auto& offer = cli::offer_named(catalog, name, "--machine");
    const auto memory = cli::machine_option(name, shipped_catalog()).gpu_memory_gib;
    CHECK(memory.value_or(*offer.gpu_memory_gib) == test::approx(*offer.gpu_memory_gib));
  }
  const auto changed = cli::machine_option("g5.xlarge,vcpus=8,disk=gp3:500GiB", shipped_catalog());
  CHECK(changed.gpu == "A10G");
  CHECK(changed.vcpus == 8);
  CHECK(changed.disk == "gp3:500GiB");
  const auto asked = [](const std::string& machine) {
    return test::run_without_model({"predict", "--machine", machine, "-o", "json"}).out;
  };
  CHECK(asked("aws/g5.xlarge,disk=nvme") ==
        asked("gpu=A10G:1,vcpus=4,memory=16GiB,cpu=g5.xlarge,disk=nvme"));
}

TEST_CASE("machine: an instance has the disks of its own provider") {
  for (const auto* command : {"predict", "simulate"}) {
    CAPTURE(command);
    refused({command, "--machine", "aws/g5.xlarge,disk=pd-ssd:600GiB"},
            "--machine aws/g5.xlarge: disk = pd-ssd:600GiB: pd-ssd is a disk of gcp; aws has gp2, "
            "gp3, io2, sc1, st1");
    refused({command, "--machine", "a2-highgpu-1g,disk=EBS gp3 500GiB"},
            "gp3 is a disk of aws; gcp has pd-balanced, pd-ssd, pd-standard");
    refused({command, "--machine", "gpu_1x_a10,disk=gp3:500GiB"},
            "of lambda none is known here, say its speed");
  }
  for (const auto* disk : {"gp3:500GiB", "ssd:500GiB", "ssd", "nvme", "80MB/s", "hdd"}) {
    CAPTURE(disk);
    CHECK(cli::machine_option(std::string("aws/g5.xlarge,disk=") + disk, shipped_catalog()).disk ==
          disk);
  }
  CHECK(cli::machine_option("gpu=A100,disk=pd-ssd:600GiB", shipped_catalog()).disk ==
        "pd-ssd:600GiB");
}

TEST_CASE("machine: names that nobody knows are refused with the nearest, in every command") {
  for (const auto* command : {"predict", "simulate"}) {
    CAPTURE(command);
    refused({command, "--machine", "aws/g5.xlarg"}, "did you mean aws/g5.xlarge?");
    refused({command, "--machine", "gpu=A10H"}, "did you mean A10");
    refused({command, "--machine", "gpu=V100,vcpus=4,cpu=nosuch"}, "is called \"nosuch\"");
    refused({command, "--machine", "gpu=V100,vcpus=4,cpu=g5xlarge"}, "did you mean g5.xlarge?");
  }
  refused({"size", "--gpu", "V1000"}, "did you mean V100?");
  refused({"size", "--gpu", "V100", "--cpu", "nosuch"}, "--cpu: no CPU");
  for (const auto* known : {"Skylake",
                            "Intel(R) Xeon(R) E5-2686 v4 @ 2.30GHz",
                            "p3",
                            "g4dn.xlarge",
                            "AMD EPYC 7R13",
                            "n1-standard-8",
                            ""}) {
    CAPTURE(known);
    CHECK_NOTHROW(cli::check_cpu_name(known, "--cpu"));
  }
}

TEST_CASE("machine: a name that two providers sell is refused, naming both") {
  Catalog catalog;
  Offer offer;
  offer.instance = "gpu-1";
  offer.vcpus = 8;
  offer.memory_gib = 32;
  for (const auto* provider : {"first", "second"}) {
    offer.provider = provider;
    catalog.add(offer);
    catalog.add(offer);  // in another region
  }
  CHECK(cli::offer_named(catalog, "second/gpu-1", "--machine").provider == "second");
  std::string why;
  try {
    static_cast<void>(cli::offer_named(catalog, "gpu-1", "--machine"));
  } catch (const UsageError& error) {
    why = error.what();
  }
  CHECK(why ==
        "--machine gpu-1: both first and second sell one; say which, as first/gpu-1 or "
        "second/gpu-1");
}

TEST_CASE("batch file: an unknown framework is named by its column, with the nearest first") {
  const TemporaryFolder folder;
  const auto path = folder / "rows.csv";
  std::ofstream(path) << "network,gpu,framework,stack\n"
                         "resnet50,V100,pytroch,\n"
                         "resnet50,V100,MXNet,2018\n"
                         "resnet50,V100,,nonsense\n";
  const auto rows =
      boost::json::parse(
          test::run_without_model({"predict", "--batch-file", path, "-o", "json"}).out)
          .as_array();
  const auto reason = [&](std::size_t row) {
    return std::string(rows.at(row).at("reason").as_string());
  };
  CHECK(reason(0).find(":2:3: framework = \"pytroch\": expected PyTorch, ") != std::string::npos);
  CHECK(rows.at(1).at("status").as_string() == "ok");
  CHECK(reason(2).find(":4:4: stack = \"nonsense\"") != std::string::npos);
}

TEST_CASE("job file: an unknown framework lists the nearest first, as flags do") {
  refused({"predict", "--machine", "gpu=V100", "--framework", "mxnte"}, "expected MXNet, PyTorch");
}

TEST_CASE("machine: a path that is no TOML file is called so, not a mistyped instance") {
  const TemporaryFolder folder;
  std::ofstream(folder / "machine.txt") << "gpu = \"V100\"\n";
  refused({"predict", "--machine", folder.path()}, "is a folder; expected gpu=");
  refused({"predict", "--machine", folder / "machine.txt"}, "is a file, but not called .toml");
  refused({"predict", "--machine", "./none"}, "there is no such file; expected gpu=");
}

TEST_CASE("machine: a shared core is the part of a vCPU that it is") {
  CHECK(cli::machine_option("gcp/f1-micro", shipped_catalog()).vcpus == 0.2);
  CHECK(cli::machine_option("gcp/g1-small", shipped_catalog()).vcpus == 0.5);
}

TEST_CASE("machine: what a price table of the user's own sells has a name too, beside ours") {
  const TemporaryFolder folder;
  std::ofstream(folder / "lab.csv")
      << "Provider,InstanceType,vCPUs,MemoryGiB,AcceleratorName,AcceleratorCount,Region,Price,"
         "Currency,AsOf\n"
         "lab,pod-2xl40s,48,384,L40S,2,berlin,2.10,EUR,2026-11-01\n";
  const auto asked = [&](const std::string& machine, bool with_table) {
    std::vector<std::string> words{
        "predict", "--network", "resnet50", "--data", "synthetic", "--batch", "64", "-o", "json"};
    words.insert(words.end(), {"--machine", machine});
    if (with_table) {
      words.insert(words.end(), {"--prices", folder / "lab.csv"});
    }
    return test::run_without_model(words);
  };
  const auto named = asked("lab/pod-2xl40s", true);
  CAPTURE(named.err);
  REQUIRE(named.code == cli::exit_ok);
  const auto rate = [](const test::Result& result) {
    return boost::json::parse(result.out).at("throughput").at("value").as_double();
  };
  CHECK(rate(named) == rate(asked("gpu=L40S:2,vcpus=48,memory=384GiB", false)));
  CHECK(asked("aws/g5.xlarge", true).code == cli::exit_ok);
  CHECK(asked("lab/pod-2xl40s", false).err.find("no such instance") != std::string::npos);
  // The place to look is the provider's that is meant, as far as the name says whose it is.
  const auto told = [&](const std::string& machine) {
    const auto err = asked(machine, false).err;
    return err.substr(std::min(err.find("see rightsize"), err.size()));
  };
  CHECK(told("gcp/a2-highgpu-3g").starts_with("see rightsize prices show --infra 'gcp/*'"));
  CHECK(told("aws/g5.xlargo").starts_with("see rightsize prices show --infra 'aws/*'"));
  CHECK(told("a2-highgpu-1h").starts_with("see rightsize prices show --infra 'gcp/*'"));
  CHECK(told("lab/pod-2xl40s").starts_with("see rightsize prices show --infra PROVIDER"));
}
