// The founding reports' conclusions about hosts (vCPUs, memory, disks), as inequalities on what
// rightsize answers to the queries in examples/founding.
#include <algorithm>
#include <fstream>
#include <sstream>

#include "advisor/founding.h"
#include "models/carry.h"
#include "support/approx.h"
#include "support/temporary_folder.h"

using namespace rightsize;
using namespace rightsize::test;

namespace {

constexpr double report_vcpus_per_gpu = 4;

boost::json::value sizing(const std::string& network, std::vector<std::string> more) {
  more.insert(more.begin(), {"size", "--network", network, "--stack", "era", "--gpu", "P100"});
  return answer_of(more);
}

double on_disk(const std::string& job, const std::string& vcpus, const std::string& disk) {
  return throughput(answer_of({"predict",
                               founding("s03-disks/" + job),
                               "--stack",
                               "era",
                               "--machine",
                               "gpu=P100,vcpus=" + vcpus + ",memory=8GiB,disk=" + disk}));
}

double preprocessed(const std::string& cpus, const std::string& disk) {
  return throughput(answer_of({"predict",
                               "--phase",
                               "preprocess",
                               "--data",
                               "jpeg",
                               "--memory",
                               "30GiB",
                               "--cpus",
                               cpus,
                               "--disk-read",
                               disk}));
}

// A model of the committed records, in the file `path`.
void fit_to(const std::string& path) {
  const auto records = std::string(RIGHTSIZE_SOURCE_DIR) + "/examples/measurements/demo.jsonl";
  REQUIRE(run({"fit", records, "--model", path}).code == cli::exit_ok);
}

// The same after a run of the PTB model on the CPU: 100 sequences/s on half a vCPU, as on the
// project's machine.
void add_ptb_to(const std::string& path) {
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  Workload ptb;
  ptb.network = "ptb-small";
  ptb.engine = EngineKind::cpu;
  ptb.batch = 20;
  const auto model = with_compute(
      model_from_json(boost::json::parse(text.str()).as_object()), ptb, {0, 0.005}, 0.1);
  std::ofstream(path) << boost::json::serialize(to_json(model));
}

// What advise takes of the shapes cut to measure.
boost::json::value chosen(const std::string& job, bool with_ptb = false) {
  const TemporaryFolder folder;
  const auto model = folder / "model.json";
  fit_to(model);
  if (with_ptb) {
    add_ptb_to(model);
  }
  return answer_of({"advise",
                    founding("s21-verdicts/" + job),
                    "--prices",
                    founding("s21-verdicts/shapes.csv"),
                    "--model",
                    model})
      .at("chosen");
}

}  // namespace

TEST_CASE("founding S1: 4 vCPU per GPU are enough to train the four networks from LMDB") {
  for (const auto* network : {"alexnet", "googlenet", "resnet50", "vgg16"}) {
    CAPTURE(network);
    const auto answer = sizing(network, {"--data", "lmdb", "--bytes", "240GB", "--batch", "64"});
    CHECK(need(answer, "vcpus") >= 1);
    CHECK(need(answer, "vcpus") <= report_vcpus_per_gpu);
  }
}

TEST_CASE("founding S1: past a point more vCPUs and more memory buy nothing") {
  const auto rows = predicted("s01-training-vcpu-memory/rows.csv");
  for (const auto* network : {"alexnet", "googlenet", "resnet50", "vgg16"}) {
    CAPTURE(network);
    const auto at = [&](const char* vcpus, const char* memory) {
      return rate(rows, {{"network", network}, {"vcpus", vcpus}, {"memory_gib", memory}});
    };
    CHECK(at("16", "30") <= at("4", "30") * 1.01);
    CHECK(at("4", "60") <= at("4", "8") * 1.01);
  }
}

TEST_CASE("founding S1: AlexNet draws on the data several times as fast as the others") {
  const auto disk = [](const char* network) {
    return need(sizing(network, {"--data", "lmdb", "--bytes", "240GB", "--batch", "64"}), "disk");
  };
  const double alexnet = disk("alexnet");
  for (const auto* other : {"googlenet", "resnet50", "vgg16"}) {
    CAPTURE(other);
    CHECK(alexnet > 2 * disk(other));
  }
}

TEST_CASE("founding S2: 5 GB are enough for a set of 93 GB in RecordIO") {
  const auto rows = predicted("s02-recordio/rows.csv");
  for (const auto* vcpus : {"2", "4", "8"}) {
    const double little = rate(rows, {{"vcpus", vcpus}, {"memory_gib", "5"}});
    CHECK(little >= 0.99 * rate(rows, {{"vcpus", vcpus}, {"memory_gib", "30"}}));
  }
  const auto answer =
      sizing("inception-v3", {"--data", "recordio", "--bytes", "93GB", "--batch", "32"});
  CHECK(need(answer, "memory") < 5);
}

TEST_CASE(
    "founding S3: training on NVMe and on the SSD disk is the same, efficiency loses little") {
  const double nvme = on_disk("training.toml", "4", "nvme");
  CHECK(on_disk("training.toml", "4", "cloud_ssd:500GiB") == test::approx(nvme).epsilon(0.02));
  const double efficiency = on_disk("training.toml", "4", "cloud_efficiency:500GiB");
  CHECK(efficiency < nvme);
  CHECK(efficiency > 0.9 * nvme);
}

TEST_CASE("founding S4: 2 vCPU keep a GPU busy with the PTB model, and 1 GB holds it on a CPU") {
  for (const auto* network : {"ptb-small", "ptb-medium"}) {
    const auto answer = sizing(network, {"--data", "tokens", "--batch", "20"});
    CHECK(need(answer, "vcpus") <= 2);
    const auto rows = predicted("s04-text/rows.csv");
    const auto at = [&](const char* memory) {
      return rate(rows, {{"network", network}, {"vcpus", "2"}, {"memory_gib", memory}});
    };
    CHECK(at("4") == test::approx(at("1")));
  }
}

TEST_CASE("founding S5: 2 vCPU suffice for inference, and AlexNet needs no fewer than the others") {
  double most = 0;
  const auto high = [](const boost::json::value& answer) {
    return answer.at("needs").at("vcpus").at("least").at("high").to_number<double>();
  };
  const auto of = [](const char* network) {
    return answer_of({"size",
                      founding("s05-inference-vcpu-memory/validation.toml"),
                      "--network",
                      network,
                      "--stack",
                      "era",
                      "--gpu",
                      "P100"});
  };
  for (const auto* network : {"googlenet", "resnet50", "vgg16"}) {
    CHECK(need(of(network), "vcpus") <= 2);
    most = std::max(most, high(of(network)));
  }
  CHECK(need(of("alexnet"), "vcpus") <= 3);  // the report: 2, just so
  CHECK(high(of("alexnet")) >= most);
}

TEST_CASE("founding S6: inference wants at least the SSD disk") {
  const double nvme = on_disk("inference.toml", "2", "nvme");
  const double ssd = on_disk("inference.toml", "2", "cloud_ssd:500GiB");
  const double efficiency = on_disk("inference.toml", "2", "cloud_efficiency:500GiB");
  CHECK(efficiency < 0.85 * nvme);
  CHECK(efficiency < 0.85 * ssd);
}

TEST_CASE("founding S6: that NVMe is no faster than SSD for inference is not reached") {
  // Not reached: our P100 classifies 1,800 images/s, three times what the report's figures imply,
  // and so asks 330 MB/s of a disk that gives 256.
  const double nvme = on_disk("inference.toml", "2", "nvme");
  CHECK_FALSE(on_disk("inference.toml", "2", "cloud_ssd:500GiB") > 0.95 * nvme);
}

TEST_CASE("founding S7: preprocessing is bound by the disk: NVMe beats SSD beats efficiency") {
  CHECK(preprocessed("8", "2GB/s") > 1.05 * preprocessed("8", "256MB/s"));
  for (const auto* cpus : {"1", "8"}) {
    CHECK(preprocessed(cpus, "256MB/s") > 1.05 * preprocessed(cpus, "80MB/s"));
  }
}

// Measured on two vCPUs: 1289 and 1303 images/s (examples/measurements/founding.jsonl).
TEST_CASE("founding S7: a vCPU or two preprocess no faster from NVMe than from SSD") {
  for (const auto* cpus : {"1", "2"}) {
    CHECK(preprocessed(cpus, "256MB/s") > 0.97 * preprocessed(cpus, "2GB/s"));
  }
}

TEST_CASE("founding S21: over shapes cut to measure, training takes at most 4 vCPU and 30 GiB") {
  const auto training = chosen("training.toml");
  CHECK(training.at("gpus").to_number<double>() == 1);
  CHECK(training.at("vcpus").to_number<double>() <= 4);
  CHECK(training.at("memory_gib").to_number<double>() <= 30);
  CHECK(training.at("bottleneck") == "gpu");
}

TEST_CASE("founding S21: inference takes at most 4 vCPU, and at least an SSD disk") {
  const auto inference = chosen("inference.toml");
  CHECK(inference.at("gpus").to_number<double>() == 1);
  CHECK(inference.at("vcpus").to_number<double>() <= 4);
  const std::string disk(inference.at("disk").as_string());
  CAPTURE(disk);
  CHECK((disk.starts_with("cloud_ssd") || disk == "local NVMe"));
}

TEST_CASE("founding S21: text takes a machine without a GPU, of at most 2 vCPU and 1 GiB") {
  const auto text = chosen("text.toml", true);
  CHECK(text.at("gpus").to_number<double>() == 0);
  CHECK(text.at("vcpus").to_number<double>() <= 2);
  CHECK(text.at("memory_gib").to_number<double>() <= 1);
}

TEST_CASE("founding S21: what advise proposes next asks the same question") {
  const TemporaryFolder folder;
  const auto model = folder / "model.json";
  fit_to(model);
  const auto result = run({"advise",
                           founding("s21-verdicts/training.toml"),
                           "--prices",
                           founding("s21-verdicts/shapes.csv"),
                           "--vcpus-max",
                           "4",
                           "--infra",
                           "alibaba/*",
                           "--runs-per-month",
                           "3",
                           "--max-results",
                           "2",
                           "--model",
                           model});
  REQUIRE(result.code == cli::exit_ok);
  const auto flags =
      "--infra 'alibaba/*' --model " + model + " --prices " + founding("s21-verdicts/shapes.csv");
  const auto job = founding("s21-verdicts/training.toml") + " ";
  CAPTURE(result.out);
  CHECK(result.out.find("Next: rightsize advise " + job + flags +
                        " --runs-per-month 3 --vcpus-max 4 -o wide\n") != std::string::npos);
  CHECK(result.out.find("--md report.md " + job + flags + " --runs-per-month 3 --vcpus-max 4\n") !=
        std::string::npos);
}
