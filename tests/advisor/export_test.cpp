// Exported files, read by the parsers of those who will read them.
#include <cstdlib>
#include <fstream>
#include <sstream>

#include <boost/json.hpp>
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "advisor/cli/command.h"
#include "advisor/export/exporter.h"
#include "support/made_model.h"
#include "support/temporary_folder.h"

using namespace rightsize;

namespace {

const std::string job = std::string(RIGHTSIZE_SOURCE_DIR) + "/examples/demo/job.toml";

struct Result {
  int code = 0;
  std::string out;
  std::string err;
};

Result run(std::vector<std::string> arguments) {
  const TemporaryFolder folder;
  const auto model = folder / "model.json";
  std::ofstream(model) << boost::json::serialize(to_json(test::made_model()));
  arguments.insert(arguments.end(), {"--model", model});
  std::ostringstream out;
  std::ostringstream err;
  cli::Context context{out, err, {}, {}, false};
  const int code = cli::run_program(context, arguments);
  return {code, out.str(), err.str()};
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// An option and its question without a search; `hostile` is what a job file may hold.
Recommendation answer_named(const std::string& name) {
  Recommendation answer;
  answer.query.name = name;
  answer.query.file = "job.toml";
  answer.query.items = 1000;
  Option option;
  option.provider = "aws";
  option.instance = "g5.xlarge";
  option.region = "us-east-1";
  option.gpu = "A10G";
  option.gpus = 1;
  option.vcpus = 4;
  option.memory_gib = 16;
  option.disk = "gp3 151 GiB";
  option.disk_class = "gp3";
  option.disk_gib = 151;
  option.disk_bytes_per_s = 125e6;
  option.batch_per_gpu = 128;
  option.hours = {10, 8, 25.51, 0.9, "h", Source::scaled};
  option.cost = {10.06, 8.05, 25.66, 0.9, "USD", Source::scaled};
  option.satisfies = true;
  option.price_per_hour = Money::parse("1.006", "USD");
  option.price_as_of = "2026-01-02";
  answer.options = {option};
  answer.chosen = option;
  return answer;
}

bool python_has(const char* module) {
  return std::system(fmt::format("/usr/bin/python3 -c 'import {}' 2>/dev/null", module).c_str()) ==
         0;
}

// Reads `text` with `reader` into `it` and runs `asserts` on it; true when Python agrees.
bool python_agrees(const std::string& reader, const std::string& text, const std::string& asserts) {
  const TemporaryFolder folder;
  std::ofstream(folder / "file") << text;
  std::ofstream(folder / "check.py") << "import sys, json\n"
                                     << "text = open(sys.argv[1]).read()\n"
                                     << reader << "\n"
                                     << asserts;
  return std::system(
             fmt::format("/usr/bin/python3 {} {}", folder / "check.py", folder / "file").c_str()) ==
         0;
}

const std::string yaml_reader = "import yaml; it = yaml.safe_load(text)";

}  // namespace

TEST_CASE("export: a SkyPilot task says what the option is, to a YAML parser that is not ours") {
  if (!python_has("yaml")) {
    MESSAGE("skipped: python3-yaml is not installed (./dev setup installs it)");
    return;
  }
  const auto answer = answer_named("ResNet: 50");
  const auto text = write_skypilot(answer, *answer.chosen);
  CHECK(python_agrees(yaml_reader,
                      text,
                      "r = it['resources']\n"
                      "assert it['name'] == 'resnet-50' and it['num_nodes'] == 1\n"
                      "assert r['infra'] == 'aws/us-east-1' and r['instance_type'] == 'g5.xlarge'\n"
                      "assert 'accelerators' not in r and r['use_spot'] is False\n"
                      "assert r['cpus'] == '4+' and r['memory'] == '16+'\n"
                      "assert r['disk_size'] == 151 + 80 and r['disk_tier'] == 'medium'\n"
                      "assert it['envs']['TRAIN_COMMAND'] is None\n"
                      "assert 'TRAIN_COMMAND' in it['run'] and 'REPLACE' in it['setup']\n"));
  CHECK(contains(text, "~10.0 h (8.00 … 25.5), ~$10.06 ($8.05 … $25.66), 90% intervals [scaled]"));
  CHECK(contains(text, "as of 2026-01-02"));
}

TEST_CASE("export: a Pod fits its node, asks for the GPU, and may use every vCPU") {
  if (!python_has("yaml")) {
    MESSAGE("skipped: python3-yaml is not installed (./dev setup installs it)");
    return;
  }
  auto answer = answer_named("pod");
  answer.chosen->market = Market::spot;
  const auto text = write_kubernetes(answer, *answer.chosen);
  // 16 GiB keep 1 + 0.8 + 0.8 GiB, 100 MiB and 512 MiB: 13.4 * 1024 - 612 = 13109 MiB. 4 vCPUs keep
  // 0.06 + 0.01 + 0.01 + 0.25 = 0.33.
  CHECK(python_agrees(
      yaml_reader,
      text,
      "assert it['kind'] == 'Pod' and it['metadata']['name'] == 'pod'\n"
      "s = it['spec']; r = s['containers'][0]['resources']\n"
      "assert r['requests'] == {'cpu': '3670m', 'memory': '13109Mi', 'nvidia.com/gpu': 1}, r\n"
      "assert r['limits'] == {'memory': '13109Mi', 'nvidia.com/gpu': 1}, r\n"
      "assert s['nodeSelector']['node.kubernetes.io/instance-type'] == 'g5.xlarge'\n"
      "assert s['nodeSelector']['eks.amazonaws.com/capacityType'] == 'SPOT'\n"
      "v = s['volumes'][0]['ephemeral']['volumeClaimTemplate']['spec']\n"
      "assert v['resources']['requests']['storage'] == '151Gi' and v['storageClassName'] == "
      "'gp3'\n"));
  auto tiny = *answer.chosen;
  tiny.memory_gib = 0.5;
  CHECK_THROWS_AS(static_cast<void>(write_kubernetes(answer, tiny)), UsageError);
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

TEST_CASE("export: how a network is shared and what is trained of it goes with it") {
  auto answer = answer_named("shared");
  answer.query.tuning.adapters = *parse_adapters("qlora:16");
  answer.chosen->gpus = 8;
  answer.chosen->tensor_parallel = 4;
  answer.chosen->pipeline_parallel = 2;
  answer.chosen->recompute = true;
  for (auto* write : {&write_skypilot, &write_kubernetes, &write_slurm}) {
    const auto text = write(answer, *answer.chosen);
    CAPTURE(text);
    for (const auto* name : {"ADAPTER", "TENSOR_PARALLEL", "PIPELINE_PARALLEL", "RECOMPUTE"}) {
      CHECK(contains(text, name));
    }
    CHECK(contains(text, "qlora:16"));
    CHECK_FALSE(contains(text, "SHARD_PARAMETERS"));
  }
  auto variables = boost::json::parse(write_terraform(answer, *answer.chosen)).as_object();
  CHECK(variables.at("adapter").as_string() == "qlora:16");
  CHECK(variables.at("tensor_parallel").as_int64() == 4);
  CHECK(variables.at("pipeline_parallel").as_int64() == 2);
  CHECK(variables.at("recompute").as_bool());
  CHECK_FALSE(variables.at("shard_parameters").as_bool());
  answer = answer_named("plain");
  CHECK_FALSE(contains(write_slurm(answer, *answer.chosen), "PARALLEL"));
  variables = boost::json::parse(write_terraform(answer, *answer.chosen)).as_object();
  CHECK(variables.at("tensor_parallel").is_null());
  CHECK(variables.at("adapter").is_null());
  answer.chosen->sharded = true;
  CHECK(contains(write_slurm(answer, *answer.chosen), "export SHARD_PARAMETERS=1\n"));
}

TEST_CASE("export: a job that makes a data set is no training job, and no tag stands at no disk") {
  auto answer = answer_named("make");
  answer.query.phase = Phase::preprocess;
  answer.query.format = DataFormat::jpeg;
  answer.query.writes = DataFormat::lmdb;
  answer.chosen->gpu.clear();
  answer.chosen->gpus = 0;
  for (const auto& exporter : exporters()) {
    const auto text = exporter.write(answer, *answer.chosen);
    CAPTURE(exporter.name);
    CHECK_FALSE(contains(text, "TRAIN_COMMAND"));
    CHECK_FALSE(contains(text, "train"));
    CHECK_FALSE(contains(text, "BATCH_PER_GPU"));
    CHECK_FALSE(contains(text, "batch_per_gpu"));
    CHECK(contains(text, "jpeg to lmdb"));
  }
  CHECK(contains(write_slurm(answer, *answer.chosen), "export WORKERS=4\n"));
  CHECK(contains(write_slurm(answer, *answer.chosen), "PREPROCESS_COMMAND"));
  answer.chosen->disk = "none billed";
  answer.chosen->disk_class.clear();
  answer.chosen->disk_gib = 0;
  answer.chosen->disk_bytes_per_s = 0;
  CHECK(contains(write_slurm(answer, *answer.chosen), "disk: none billed\n"));
}

TEST_CASE("export: Terraform variables are JSON with a comment HCL ignores") {
  auto answer = answer_named("tf");
  const auto object = boost::json::parse(write_terraform(answer, *answer.chosen)).as_object();
  CHECK(object.at("instance_type").as_string() == "g5.xlarge");
  CHECK(object.at("disk_size_gib").as_int64() == 151);
  CHECK(object.at("disk_type").as_string() == "gp3");
  CHECK(object.at("gpu_count").as_int64() == 1);
  CHECK_FALSE(object.at("use_spot").as_bool());
  CHECK(object.at("//").as_array().size() == 4);
  auto own_disk = *answer.chosen;
  own_disk.disk_gib = 0;
  own_disk.disk_class.clear();
  const auto local = boost::json::parse(write_terraform(answer, own_disk)).as_object();
  CHECK(local.at("disk_size_gib").is_null());
}

TEST_CASE("export: a Slurm script is bash and its time limit is the interval's upper end") {
  const auto answer = answer_named("slurm");
  const auto text = write_slurm(answer, *answer.chosen);
  const TemporaryFolder folder;
  std::ofstream(folder / "job.sbatch") << text;
  CHECK(std::system(("bash -n " + (folder / "job.sbatch")).c_str()) == 0);
  // Without the command it must not seem to have run.
  CHECK(std::system(
            ("env -u TRAIN_COMMAND bash " + (folder / "job.sbatch") + " 2>/dev/null").c_str()) !=
        0);
  CHECK(contains(text, "#SBATCH --time=1-01:31:00\n"));  // 25.51 h = 25 h 30.6 min
  CHECK(contains(text, "#SBATCH --cpus-per-task=4\n"));
  CHECK(contains(text, "#SBATCH --mem=15G\n"));
  CHECK(contains(text, "#SBATCH --gpus-per-node=a10g:1\n"));
}

TEST_CASE("export: a job's name can neither leave its comment nor its label") {
  const auto answer = answer_named("a\nrun: rm -rf /\n\"'${x}` 9");
  for (const auto& exporter : exporters()) {
    const auto text = exporter.write(answer, *answer.chosen);
    CAPTURE(exporter.name);
    CHECK_FALSE(contains(text, "\nrun: rm"));
    CHECK(contains(text, "a-run-rm-rf-x-9"));
  }
  CHECK(job_label(answer_named("2 x 4").query) == "job-2-x-4");
  CHECK(job_label(answer_named("///").query) == "job");
}

TEST_CASE("export: the command writes what advise chose, and refuses what it cannot") {
  const auto first = run({"export", job, "--infra", "aws", "-o", "json"});
  CHECK(first.code == cli::exit_ok);
  const auto document = boost::json::parse(first.out).as_object();
  CHECK(document.at("schema").as_string() == "rightsize/export/1");
  const auto advised =
      boost::json::parse(run({"advise", job, "--infra", "aws", "-o", "json"}).out).as_object();
  const auto& chosen = advised.at("chosen").as_object();
  CHECK(document.at("option").as_object().at("instance") == chosen.at("instance"));
  CHECK(contains(std::string(document.at("text").as_string()),
                 "instance_type: \"" + std::string(chosen.at("instance").as_string()) + "\""));
  const auto typo = run({"export", job, "--to", "kubernets"});
  CHECK(typo.code == cli::exit_usage);
  CHECK(contains(typo.err, "did you mean kubernetes?"));
  const auto instance = std::string(chosen.at("instance").as_string());
  const auto named = run({"export", job, "--infra", "aws", "--option", instance});
  CHECK(named.out == std::string(document.at("text").as_string()));
  const auto count =
      fmt::format("there are {} options",
                  boost::json::parse(run({"advise", job, "--max-results", "0", "-o", "json"}).out)
                      .at("options")
                      .as_array()
                      .size());
  for (const auto* number : {"0", "1000"}) {
    const auto refused = run({"export", job, "--option", number});
    CHECK(refused.code == cli::exit_usage);
    CHECK(contains(refused.err, count));
  }
  CHECK(run({"export", job, "--option", "-1"}).code == cli::exit_usage);
  const auto nothing = run({"export", job, "--deadline", "9s"});
  CHECK(nothing.code == cli::exit_nothing_satisfies);
  CHECK(nothing.out.empty());
}

TEST_CASE("export: machines that train together are told of each other, wherever they run") {
  auto answer = answer_named("two");
  answer.chosen->nodes = 2;
  const auto slurm = write_slurm(answer, *answer.chosen);
  const TemporaryFolder folder;
  std::ofstream(folder / "job.sbatch") << slurm;
  CHECK(std::system(("bash -n " + (folder / "job.sbatch")).c_str()) == 0);
  CHECK(contains(slurm, "export NODES=$SLURM_NNODES\n"));
  CHECK(contains(slurm, "export MASTER_ADDR=$(scontrol show hostnames"));
  const auto task = write_skypilot(answer, *answer.chosen);
  CHECK(contains(task, "  export MASTER_ADDR=$(echo \"$SKYPILOT_NODE_IPS\" | head -n 1)\n  bash"));
  const auto alone = answer_named("one");
  CHECK_FALSE(contains(write_slurm(alone, *alone.chosen), "MASTER_ADDR"));
  CHECK_FALSE(contains(write_skypilot(alone, *alone.chosen), "MASTER_ADDR"));
}

TEST_CASE("export: Terraform is told the exchange and where pictures are preprocessed") {
  auto answer = answer_named("tf");
  const auto variables = [&] {
    return boost::json::parse(write_terraform(answer, *answer.chosen)).as_object();
  };
  CHECK(variables().at("exchange").is_null());
  CHECK(variables().at("preprocess_on").as_string() == "cpu");
  answer.query.exchange = Exchange::device;
  CHECK(variables().at("exchange").is_null());  // one GPU exchanges nothing
  answer.chosen->exchange = "device over PCIe";
  answer.chosen->preprocess_on_gpu = true;
  CHECK(variables().at("exchange").as_string() == "device");
  CHECK(variables().at("preprocess_on").as_string() == "gpu");
}

TEST_CASE("export: a cloud that cannot run it is refused with a command that can") {
  auto answer = answer_named("elsewhere");
  const auto refusal = [&](auto* write) -> std::string {
    try {
      static_cast<void>(write(answer, *answer.chosen));
    } catch (const UsageError& error) {
      return error.what();
    }
    return "";
  };
  answer.chosen->provider = "runpod";
  CHECK(contains(refusal(&write_kubernetes), "export with --to skypilot"));
  CHECK(refusal(&write_skypilot).empty());
  answer.chosen->provider = "alibaba";
  CHECK(refusal(&write_kubernetes).empty());
  CHECK(contains(refusal(&write_skypilot), "--infra aws --infra azure --infra cudo"));
  answer.chosen->provider = "tensordock";  // which SkyPilot does not rent either
  CHECK(contains(refusal(&write_kubernetes), "export with --to terraform"));
}

TEST_CASE("export: the way out of a refusal replaces the places asked for, and works") {
  const std::vector<std::string> asked{"export", job, "--to", "kubernetes", "--deadline", "30d"};
  auto refused = asked;
  refused.insert(refused.end(), {"--infra", "lambda"});
  const auto refusal = run(refused);
  CHECK(refusal.code == cli::exit_usage);
  const auto at = refusal.err.find("ask for --infra aws");
  REQUIRE(at != std::string::npos);
  CHECK(contains(refusal.err, " in place of lambda\n"));
  auto followed = asked;
  std::istringstream words(refusal.err.substr(at + std::string("ask for ").size()));
  for (std::string word; words >> word && word != "in";) {
    followed.push_back(word);
  }
  const auto after = run(followed);
  CHECK(after.code == cli::exit_ok);
  CHECK(contains(after.out, "kind: Pod"));
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
  CHECK(contains(claim("azure", "", Source::assumed), "\"managed-csi\""));
  CHECK(contains(claim("oci", "", Source::assumed), "\"oci-bv\""));
  CHECK(contains(claim("nebius", "", Source::assumed), "            # storageClassName: none is"));
}
