// Which nodes a Pod lies on: labels that a cluster takes, and none of machines it has no label for.
#include "advisor/export/node_choice.h"

#include <doctest/doctest.h>

#include "advisor/export/exporter.h"
#include "made_option.h"

using namespace rightsize;

namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("nodes: a rented machine is chosen by its type and region") {
  const auto text = node_selector(test::made_option("p5.48xlarge", "H100", 192, 2048));
  CHECK(text ==
        "  nodeSelector:\n"
        "    node.kubernetes.io/instance-type: \"p5.48xlarge\"\n"
        "    topology.kubernetes.io/region: \"us-east-1\"\n");
}

TEST_CASE("nodes: one's own machine has no type and no region, but a GPU") {
  auto option = test::made_option("own 8x H100", "H100", 192, 2048);
  option.own = true;
  option.region = "own";
  const auto text = node_selector(option);
  CHECK(contains(text, "# nodeSelector: {nvidia.com/gpu.product: REPLACE}"));
  CHECK_FALSE(contains(text, "own 8x H100"));
  CHECK_FALSE(contains(text, "topology.kubernetes.io"));
  CHECK(text.starts_with("  # "));
  option.gpu = "MI300X";
  CHECK(contains(node_selector(option), "# nodeSelector: {amd.com/gpu.product-name: REPLACE}"));
  CHECK(contains(tolerations(option), "{key: amd.com/gpu, operator: Exists"));
  option.gpu.clear();
  CHECK_FALSE(contains(node_selector(option), "nvidia.com"));
}

TEST_CASE("nodes: what is no value of a label is left to the user") {
  auto option = test::made_option("big one", "H100", 192, 2048);
  option.region = std::string(64, 'a');
  const auto text = node_selector(option);
  CHECK(contains(text, "    # node.kubernetes.io/instance-type: REPLACE, for \"big one\" is no"));
  CHECK(contains(text, "    # topology.kubernetes.io/region: REPLACE"));
  option.region = "eu_west.1-a";
  CHECK(contains(node_selector(option), "    topology.kubernetes.io/region: \"eu_west.1-a\"\n"));
  option.region = "-a";
  CHECK(contains(node_selector(option), "# topology"));
}
