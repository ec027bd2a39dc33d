// The network that machines which train together have to be asked for.
#include "advisor/export/machine_network.h"

#include <cstdlib>
#include <fstream>

#include <boost/json.hpp>
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "advisor/export/exporter.h"
#include "advisor/export/node_allocatable.h"
#include "made_option.h"
#include "support/temporary_folder.h"

using namespace rightsize;

namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

Recommendation trained_on(const char* instance, const char* network) {
  Recommendation answer;
  answer.query.file = "job.toml";
  auto option = test::made_option(instance, "H100", 192, 2048);
  option.nodes = 2;
  option.gpus = 8;
  option.batch_per_gpu = 4;
  option.network = network;
  option.price_per_hour = Money::parse("1.006", "USD");
  answer.chosen = option;
  return answer;
}

Recommendation sold_by(const char* provider, const char* network) {
  auto answer = trained_on("big", network);
  answer.chosen->provider = provider;
  return answer;
}

}  // namespace

TEST_CASE("network: EFA interfaces are those of the type, where the time counts on EFA") {
  const auto interfaces = [](const Recommendation& answer) {
    return efa_interfaces(answer.query, *answer.chosen);
  };
  CHECK(interfaces(trained_on("p4d.24xlarge", "efa:400")) == 4);
  CHECK(interfaces(trained_on("p5.48xlarge", "efa:3200")) == 32);
  CHECK(interfaces(trained_on("p5en.48xlarge", "efa:3200")) == 16);
  CHECK(interfaces(trained_on("p6-b200.48xlarge", "efa:3200")) == 8);
  CHECK(interfaces(trained_on("g5.48xlarge", "efa:100")) == 1);
  CHECK(interfaces(trained_on("g5.xlarge", "ethernet:2.5")) == 0);
  CHECK(interfaces(trained_on("g5.xlarge", "")) == 0);
  auto answer = trained_on("p5.48xlarge", "efa:3200");
  answer.chosen->nodes = 1;  // which reaches none
  CHECK(interfaces(answer) == 0);
  answer.chosen->nodes = 2;
  answer.query.phase = Phase::infer;  // which exchanges nothing
  CHECK(interfaces(answer) == 0);
  answer.query.phase = Phase::train;
  answer.query.network_between = parse_network("ethernet:100", "--net");
  CHECK(interfaces(answer) == 0);
}

TEST_CASE("export: Pods of several machines ask for EFA and leave its pages alone") {
  const auto answer = trained_on("p5.48xlarge", "efa:3200");
  const auto text = write_kubernetes(answer, *answer.chosen);
  CAPTURE(text);
  CHECK(contains(text, "# The time counts on EFA 3200 Gb/s between the machines, which needs"));
  if (std::system("/usr/bin/python3 -c 'import yaml' 2>/dev/null") != 0) {
    MESSAGE("skipped: python3-yaml is not installed (./dev setup installs it)");
    return;
  }
  const TemporaryFolder folder;
  std::ofstream(folder / "pod.yaml") << text;
  std::ofstream(folder / "check.py")
      << "import sys, yaml\n"
         "job = list(yaml.safe_load_all(open(sys.argv[1])))[1]\n"
         "amounts = job['spec']['template']['spec']['containers'][0]['resources']\n"
         "for kind in ('requests', 'limits'):\n"
         "    of = amounts[kind]\n"
         "    assert of['vpc.amazonaws.com/efa'] == 32 and of['hugepages-2Mi'] == '5120Mi', of\n"
         "    assert of['memory'] == sys.argv[2] + 'Mi', of\n";
  CHECK(std::system(fmt::format("/usr/bin/python3 {} {} {}",
                                folder / "check.py",
                                folder / "pod.yaml",
                                allocatable_mib(*answer.chosen) - 2 * 5128)
                        .c_str()) == 0);
  auto alone = answer;
  alone.chosen->nodes = 1;
  const auto one = write_kubernetes(alone, *alone.chosen);
  CHECK_FALSE(contains(one, "efa"));
  CHECK_FALSE(contains(one, "hugepages"));
  CHECK(contains(one, fmt::format("memory: {}Mi", allocatable_mib(*answer.chosen))));
}

TEST_CASE("export: SkyPilot sets up the network where it does, and says so where not") {
  const auto task = [](const Recommendation& answer) {
    return write_skypilot(answer, *answer.chosen);
  };
  CHECK(contains(task(trained_on("p4d.24xlarge", "efa:400")),
                 "  network_tier: best  # The time counts on EFA 400 Gb/s"));
  CHECK(contains(task(sold_by("gcp", "tcpx:800")), "  network_tier: best"));
  CHECK(contains(task(sold_by("nebius", "ib:3200")), "  network_tier: best"));
  const auto azure = task(sold_by("azure", "ib:3200"));
  CHECK_FALSE(contains(azure, "network_tier"));
  CHECK(contains(azure, "# The time counts on InfiniBand 3200 Gb/s between the machines, which"));
  CHECK_FALSE(contains(task(trained_on("g5.xlarge", "ethernet:2.5")), "network_tier"));
}

TEST_CASE("export: what no manifest can hold of a network is said for every cloud") {
  const auto manifest = [](const Recommendation& answer) {
    return write_kubernetes(answer, *answer.chosen);
  };
  CHECK(contains(manifest(sold_by("gcp", "tcpx:800")), "networking.gke.io/interfaces"));
  CHECK(contains(manifest(sold_by("azure", "ib:3200")), "azure.github.io/aks-rdma-infiniband"));
  CHECK(contains(manifest(sold_by("oci", "roce:1600")), "RDMA device plugin"));
  CHECK_FALSE(contains(manifest(sold_by("gcp", "ethernet:100")), "The time counts on"));
}

TEST_CASE("export: Slurm and Terraform say which network the time counts on") {
  const auto answer = trained_on("p5.48xlarge", "efa:3200");
  CHECK(contains(write_slurm(answer, *answer.chosen), "# The time counts on EFA 3200 Gb/s"));
  auto variables = boost::json::parse(write_terraform(answer, *answer.chosen)).as_object();
  CHECK(variables.at("efa_interfaces").as_int64() == 32);
  const auto plain = trained_on("g5.xlarge", "ethernet:2.5");
  CHECK_FALSE(contains(write_slurm(plain, *plain.chosen), "The time counts on"));
  variables = boost::json::parse(write_terraform(plain, *plain.chosen)).as_object();
  CHECK(variables.at("efa_interfaces").is_null());
}
