// What is exported to Kubernetes, read by a YAML parser that is not ours.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "advisor/export/exporter.h"
#include "exported_job.h"

using namespace rightsize;
using namespace rightsize::test;

TEST_CASE("export: a Pod fits its node, asks for the GPU, and may use every vCPU") {
  if (!python_has("yaml")) {
    MESSAGE("skipped: python3-yaml is not installed (./dev setup installs it)");
    return;
  }
  auto answer = answer_named("pod");
  const auto text = write_kubernetes(answer, *answer.chosen);
  // Of 16 GiB Karpenter reckons with 15155.2 MiB, less 255 + 58 x 11 + 100, 100 and the agents'
  // 512. 4 vCPUs keep 0.06 + 0.01 + 0.01 + 0.25 = 0.33.
  CHECK(python_agrees(
      yaml_reader,
      text,
      "assert it['kind'] == 'Pod' and it['metadata']['name'] == 'pod'\n"
      "s = it['spec']; r = s['containers'][0]['resources']\n"
      "assert r['requests'] == {'cpu': '3670m', 'memory': '13550Mi', 'nvidia.com/gpu': 1}, r\n"
      "assert r['limits'] == {'memory': '13550Mi', 'nvidia.com/gpu': 1}, r\n"
      "assert s['nodeSelector']['node.kubernetes.io/instance-type'] == 'g5.xlarge'\n"
      "v = s['volumes'][0]['ephemeral']['volumeClaimTemplate']['spec']\n"
      "assert v['resources']['requests']['storage'] == '151Gi' and v['storageClassName'] == "
      "'gp3'\n"));
  auto tiny = *answer.chosen;
  tiny.memory_gib = 0.5;
  CHECK_THROWS_AS(static_cast<void>(write_kubernetes(answer, tiny)), UsageError);
}

TEST_CASE("export: a spot machine that is taken away is no failure, and the Pod comes again") {
  if (!python_has("yaml")) {
    MESSAGE("skipped: python3-yaml is not installed (./dev setup installs it)");
    return;
  }
  auto answer = answer_named("spot");
  answer.chosen->market = Market::spot;
  // A bare Pod would be gone with its node; kubernetes.io, "Pod failure policy".
  const std::string comes_again =
      "s = it['spec']; p = s['template']['spec']\n"
      "assert it['kind'] == 'Job' and p['restartPolicy'] == 'Never'\n"
      "rule, = s['podFailurePolicy']['rules']\n"
      "assert rule == {'action': 'Ignore', 'onPodConditions': [{'type': 'DisruptionTarget'}]}, "
      "rule\n"
      "assert p['nodeSelector']['eks.amazonaws.com/capacityType'] == 'SPOT'\n";
  const auto alone = write_kubernetes(answer, *answer.chosen);
  CHECK(python_agrees(yaml_reader, alone, comes_again + "assert s['backoffLimit'] == 6, s\n"));
  CHECK(contains(alone, "# Checkpoints have to lie elsewhere than on /data"));
  answer.chosen->nodes = 3;
  answer.chosen->spot = SpotTime{};
  answer.chosen->spot->interruptions = 4;  // each of which ends two other Pods: 4 + 3 x 2 of them
  CHECK(python_agrees("import yaml; service, it = yaml.safe_load_all(text)",
                      write_kubernetes(answer, *answer.chosen),
                      comes_again + "assert s['backoffLimit'] == 6 + 2 * 10, s\n"
                                    "assert s['completionMode'] == 'Indexed'\n"));
  answer.chosen->market = Market::on_demand;
  CHECK_FALSE(contains(write_kubernetes(answer, *answer.chosen), "podFailurePolicy"));
}

TEST_CASE("export: GCE's machines that share a core give what GKE says they do") {
  if (!python_has("yaml")) {
    MESSAGE("skipped: python3-yaml is not installed (./dev setup installs it)");
    return;
  }
  auto answer = answer_named("small");
  answer.chosen->instance = "e2-small";
  answer.chosen->gpu.clear();
  answer.chosen->vcpus = 0.5;
  answer.chosen->memory_gib = 2;
  // Two vCPUs are seen, of which 1060 thousandths are kept, and 250 are the agents'.
  CHECK(python_agrees(
      yaml_reader,
      write_kubernetes(answer, *answer.chosen),
      "r = it['spec']['containers'][0]['resources']\nassert r['requests']['cpu'] == '690m', r\n"));
}

TEST_CASE("export: machines that train together are an indexed Job that knows its first Pod") {
  if (!python_has("yaml")) {
    MESSAGE("skipped: python3-yaml is not installed (./dev setup installs it)");
    return;
  }
  auto answer = answer_named("Two of them");
  answer.chosen->nodes = 2;
  CHECK(python_agrees(
      "import yaml; service, it = yaml.safe_load_all(text)",
      write_kubernetes(answer, *answer.chosen),
      "assert it['kind'] == 'Job' and it['apiVersion'] == 'batch/v1'\n"
      "s = it['spec']\n"
      "assert s['completionMode'] == 'Indexed' and s['completions'] == s['parallelism'] == 2\n"
      "p = s['template']['spec']\n"
      "assert p['restartPolicy'] == 'Never' and p['subdomain'] == service['metadata']['name']\n"
      "assert service['spec']['clusterIP'] == 'None'\n"
      "assert service['spec']['selector'] == s['template']['metadata']['labels']\n"
      "e = {one['name']: one['value'] for one in p['containers'][0]['env']}\n"
      "assert e['NODES'] == '2' and e['MASTER_ADDR'] == 'two-of-them-0.two-of-them', e\n"));
}

TEST_CASE("export: a volume is claimed by the class that the cloud's clusters come with") {
  auto answer = answer_named("disk");
  const auto claim = [&](const std::string& provider, const std::string& disk, Source source) {
    auto option = *answer.chosen;
    option.provider = provider;
    option.disk_class = disk;
    option.disk_source = source;
    return write_kubernetes(answer, option);
  };
  CHECK(contains(claim("aws", "gp3", Source::published), "storageClassName: \"gp3\"  # clusters"));
  CHECK(contains(claim("aws", "", Source::assumed), "storageClassName: \"gp2\"  # every EKS"));
  CHECK(contains(claim("gcp", "pd-balanced", Source::published), "\"standard-rwo\""));
  CHECK(contains(claim("gcp", "pd-ssd", Source::published), "\"premium-rwo\""));
  CHECK(contains(claim("gcp", "hyperdisk-balanced", Source::published),
                 "storageClassName: \"hyperdisk-balanced\"  # make it: provisioner"));
  CHECK(contains(claim("azure", "", Source::assumed), "\"managed-csi-premium\"  # REPLACE"));
  CHECK(contains(claim("oci", "", Source::assumed), "\"oci-bv\""));
  CHECK(contains(claim("nebius", "", Source::assumed), "            # storageClassName: none is"));
}

TEST_CASE("export: a speed that was assumed of a volume is said of its claim") {
  auto answer = answer_named("assumed");
  answer.chosen->disk_source = Source::assumed;
  answer.chosen->disk_bytes_per_s = 500e6;
  CHECK(contains(write_kubernetes(answer, *answer.chosen), "# 500 MB/s were assumed of it\n"));
  answer.chosen->disk_source = Source::published;
  CHECK_FALSE(contains(write_kubernetes(answer, *answer.chosen), "were assumed of it"));
  answer.chosen->disk_mbps = 300;
  CHECK(contains(write_kubernetes(answer, *answer.chosen), "# its StorageClass has to buy"));
}
