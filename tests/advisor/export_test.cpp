// Exported files, read by the parsers of those who will read them.
#include <cstdlib>
#include <fstream>

#include <boost/json.hpp>
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "advisor/export/exporter.h"
#include "exported_job.h"
#include "support/temporary_folder.h"

using namespace rightsize;
using namespace rightsize::test;

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

TEST_CASE("export: no character of a job's name makes YAML unreadable") {
  // A next-line, another control character of UTF-8's second block, line and paragraph separators.
  const std::string odd = "a\u0085b\u009fc\u2028run: d\u2029e\x7f\u00e9";
  auto answer = answer_named(odd);
  answer.query.file = odd;
  CHECK(one_line(odd) == "a b c run: d e \u00e9");
  CHECK(rightsize::in_quotes(odd) == "\"a\\u0085b\\u009fc\\u2028run: d\\u2029e\\u007f\u00e9\"");
  CHECK(boost::json::parse(rightsize::in_quotes(odd)).as_string() == odd);
  if (!python_has("yaml")) {
    MESSAGE("skipped: python3-yaml is not installed (./dev setup installs it)");
    return;
  }
  CHECK(python_agrees(yaml_reader, write_skypilot(answer, *answer.chosen), "it['resources']\n"));
  CHECK(python_agrees(yaml_reader, write_kubernetes(answer, *answer.chosen), "it['spec']\n"));
  answer.chosen->region = odd;
  CHECK(python_agrees(yaml_reader, write_skypilot(answer, *answer.chosen), "it['resources']\n"));
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

TEST_CASE("export: machines that do not train work apart, and are told so") {
  auto answer = answer_named("apart");
  answer.chosen->nodes = 16;
  const auto told = [&](auto* write) { return write(answer, *answer.chosen); };
  CHECK(contains(told(&write_slurm), "# The machines train together"));
  CHECK_FALSE(contains(told(&write_skypilot), "work apart"));
  answer.query.phase = Phase::infer;
  const std::string apart = "# The machines work apart: each takes its share, by NODES and ";
  CHECK(contains(told(&write_slurm), "\n" + apart + "SLURM_NODEID.\n"));
  CHECK_FALSE(contains(told(&write_slurm), "train together"));
  CHECK(contains(told(&write_skypilot), "\n  " + apart + "NODE_RANK.\n"));
  CHECK(contains(told(&write_kubernetes), "\n" + apart + "JOB_COMPLETION_INDEX.\n"));
  answer.chosen->nodes = 1;
  CHECK_FALSE(contains(told(&write_slurm), "work apart"));
}

TEST_CASE("export: GPUs that write tokens together are told so, and how often they do") {
  auto answer = answer_named("tokens");
  answer.query.phase = Phase::decode;
  answer.query.format = DataFormat::synthetic;
  answer.query.network = "llama-70b";
  answer.query.epochs = 2;
  answer.chosen->gpus = 8;
  answer.chosen->tensor_parallel = 8;
  const auto script = write_slurm(answer, *answer.chosen);
  CHECK(contains(script, "export BATCH=128\n"));
  CHECK(contains(script, "export TENSOR_PARALLEL=8\n"));
  CHECK(contains(script, "export EPOCHS=2\n"));
  auto variables = boost::json::parse(write_terraform(answer, *answer.chosen)).as_object();
  CHECK(variables.at("batch").as_int64() == 128);
  CHECK_FALSE(variables.contains("batch_per_gpu"));
  CHECK(variables.at("tensor_parallel").as_int64() == 8);
  CHECK(variables.at("epochs").as_int64() == 2);
  answer.query.phase = Phase::infer;
  answer.query.network = "resnet50";
  answer.chosen->tensor_parallel = 1;
  variables = boost::json::parse(write_terraform(answer, *answer.chosen)).as_object();
  CHECK(variables.at("batch_per_gpu").as_int64() == 128);
  CHECK_FALSE(variables.contains("tensor_parallel"));
  answer.chosen->gpu.clear();  // there is no GPU whose batch it could be
  variables = boost::json::parse(write_terraform(answer, *answer.chosen)).as_object();
  CHECK(variables.at("batch").as_int64() == 128);
}

TEST_CASE("export: a flexible shape is called what its cloud calls it, with its size beside") {
  auto answer = answer_named("flexible");
  answer.chosen->provider = "oci";
  answer.chosen->instance = "VM.Standard.E4.Flex$_2_8";
  answer.chosen->vcpus = 2;
  answer.chosen->memory_gib = 8;
  const auto variables = boost::json::parse(write_terraform(answer, *answer.chosen)).as_object();
  CHECK(variables.at("instance_type").as_string() == "VM.Standard.E4.Flex");
  CHECK(variables.at("vcpus").as_int64() == 2);
  CHECK(variables.at("memory_gib").as_int64() == 8);
  CHECK(
      contains(write_kubernetes(answer, *answer.chosen), "instance-type: \"VM.Standard.E4.Flex\""));
  // SkyPilot's catalogue has the size in the name.
  CHECK(contains(write_skypilot(answer, *answer.chosen), "\"VM.Standard.E4.Flex$_2_8\""));
}

TEST_CASE("export: srun has the CPUs of the job's tasks") {
  const auto answer = answer_named("steps");
  CHECK(contains(write_slurm(answer, *answer.chosen),
                 "export SRUN_CPUS_PER_TASK=$SLURM_CPUS_PER_TASK\nsrun bash"));
}
