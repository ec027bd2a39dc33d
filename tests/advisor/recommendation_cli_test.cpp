// Recommenders, as users ask for them.
#include <fstream>
#include <string>

#include <boost/json.hpp>
#include <doctest/doctest.h>

#include "advisor/cli/command.h"
#include "advisor/query/words.h"
#include "predicted_step.h"
#include "support/approx.h"
#include "support/program.h"
#include "support/temporary_folder.h"

using namespace rightsize;
namespace json = boost::json;
using test::rate;
using test::run_without_model;
using test::Words;

namespace {

const std::string examples = std::string(RIGHTSIZE_SOURCE_DIR) + "/examples/recommend/";

json::value step(const std::string& network, const std::string& machine, Words more = {}) {
  more.insert(more.end(), {"--precision", "fp16"});
  return test::predicted_step(network, machine, more, "0");
}

double memory(const json::value& answer) {
  return answer.at("gpu_memory_needed_gib").as_double();
}

bool says(const json::value& answer, const std::string& words) {
  return json::serialize(answer).find(words) != std::string::npos;
}

}  // namespace

TEST_CASE("recommendation: samples a second, and fewer of more work") {
  const Words batch{"--batch", "65536"};
  const auto dlrm = step("dlrm", "gpu=A100", batch);
  CHECK(dlrm.at("status") == "ok");
  CHECK(dlrm.at("throughput").at("unit") == "samples/s");
  CHECK(rate(step("dlrm", "gpu=H100", batch)) > 1.2 * rate(dlrm));
  CHECK(rate(step("dlrm:hot=20", "gpu=A100", batch)) < rate(dlrm) / 2);
  CHECK(rate(step("dlrm-dcnv2:criteo=t15", "gpu=H200", batch)) <
        rate(step("dlrm", "gpu=H200", batch)) / 1.5);
  CHECK(rate(step("ncf", "gpu=A100", batch)) > 2 * rate(dlrm));
  CHECK(step("wide-and-deep", "gpu=A100", batch).at("status") == "ok");
}

TEST_CASE("recommendation: an interval says of which GPUs rates are known") {
  const auto width = [](const char* gpu) {
    const auto made = step("dlrm", gpu, {"--batch", "65536"}).at("throughput");
    CHECK(made.at("low").as_double() < made.at("value").as_double() / 1.6);
    return made.at("high").as_double() / made.at("value").as_double();
  };
  CHECK(width("gpu=A100") > 1.6);
  CHECK(width("gpu=H100") > 1.1 * width("gpu=A100"));
}

TEST_CASE("recommendation: GPUs divide the tables, and out of memory says how many hold them") {
  const auto answer = test::predict_step(
      "dlrm:criteo=t3", "gpu=A100", {"--batch", "8192", "--precision", "fp16"}, "0");
  CHECK(answer.code == cli::exit_nothing_satisfies);
  CHECK(answer.out.find("GPUs share the tables") != std::string::npos);
  const auto eight = step("dlrm:criteo=t3", "gpu=A100:8", {"--batch", "8192"});
  CHECK(eight.at("status") == "ok");
  CHECK(says(eight, "tables divided by 8 GPUs"));
  CHECK(memory(eight) > 84.9 / 8);
  CHECK(memory(eight) < 84.9 / 8 + 3);
  // What fits one GPU is divided too, and sending vectors costs something.
  const auto two = step("dlrm", "gpu=A100:2", {"--batch", "8192"});
  const auto one = step("dlrm", "gpu=A100", {"--batch", "8192"});
  CHECK(memory(two) < memory(one) - 7);
  CHECK(rate(two) > rate(one));
  CHECK(rate(two) < 2 * rate(one));
}

TEST_CASE("recommendation: slower links cost what vectors take over them") {
  const Words batch{"--batch", "8192"};
  const auto nvlink = step("dlrm:criteo=t3", "gpu=A100:8,link=nvlink", batch);
  const auto pcie = step("dlrm:criteo=t3", "gpu=A100:8,link=pcie", batch);
  CHECK(rate(pcie) < 0.8 * rate(nvlink));
}

TEST_CASE("recommendation: inference divides tables only where a GPU has no room for them") {
  const auto whole = step("dlrm", "gpu=A100:2", {"--phase", "infer", "--batch", "2048"});
  CHECK_FALSE(says(whole, "tables divided"));
  const auto divided =
      step("dlrm:criteo=t3", "gpu=A100:2", {"--phase", "infer", "--batch", "2048"});
  CHECK(says(divided, "tables divided by 2 GPUs"));
}

TEST_CASE("recommendation: sharding what is divided as it is makes no sense, and is refused") {
  const auto answer =
      test::predict_step("dlrm",
                         "gpu=A100:2",
                         {"--batch", "8192", "--precision", "fp16", "--exchange", "sharded"},
                         "0");
  CHECK(answer.out.find("leave the exchange sharded out") != std::string::npos);
}

TEST_CASE("recommendation: a slow disk holds samples back, 160 bytes each") {
  const auto with_disk = [&](const std::string& disk) {
    const auto answer = run_without_model({"predict",
                                           "--network",
                                           "dlrm",
                                           "--machine",
                                           "gpu=A100,vcpus=16,memory=64GiB,disk=" + disk,
                                           "--precision",
                                           "fp16",
                                           "--batch",
                                           "65536",
                                           "-o",
                                           "json"});
    CAPTURE(answer.err);
    REQUIRE(answer.code == cli::exit_ok);
    return json::parse(answer.out);
  };
  const auto slow = with_disk("gp3:1000GiB");  // 125 MB/s
  CHECK(slow.at("bottleneck") == "disk");
  CHECK(rate(slow) == test::approx(125e6 / 160).epsilon(0.15));
  CHECK(says(slow, "samples are taken to lie in binary records"));
}

TEST_CASE("recommendation: samples are as large wherever they are asked for") {
  const TemporaryFolder folder;
  std::ofstream(folder / "rows.csv") << "network,gpu,batch,vcpus,memory,disk,data,precision\ndlrm,"
                                        "A100,65536,16,64,gp3:1000GiB,tokens,fp16\n";
  const auto row =
      run_without_model({"predict", "--batch-file", folder / "rows.csv", "-o", "jsonl"});
  CAPTURE(row.out);
  CAPTURE(row.err);
  CHECK(json::parse(row.out).at("throughput").to_number<double>() ==
        test::approx(125e6 / 160).epsilon(0.15));
  const auto parts = run_without_model({"predict",
                                        "--network",
                                        "dlrm",
                                        "--gpu-rate",
                                        "4e6",
                                        "--data",
                                        "tokens",
                                        "--disk-read",
                                        "125MB/s",
                                        "--cpus",
                                        "16",
                                        "-o",
                                        "json"});
  CAPTURE(parts.out);
  CHECK(rate(json::parse(parts.out)) == test::approx(125e6 / 160).epsilon(0.15));
}

TEST_CASE("recommendation: a disk's credits are spent by blocks, not by samples") {
  const TemporaryFolder folder;
  std::ofstream(folder / "job.toml")
      << "[job]\nnetwork = \"dlrm\"\nphase = \"train\"\nprecision = \"fp16\"\n"
         "batch_per_gpu = 65536\nepochs = 5\n[data]\nitems = 100000000\nformat = \"tokens\"\n";
  const auto answer = run_without_model({"predict",
                                         folder / "job.toml",
                                         "--machine",
                                         "gpu=A100,vcpus=16,memory=12GiB,disk=gp2:100GiB",
                                         "-o",
                                         "json"});
  CAPTURE(answer.out);
  CAPTURE(answer.err);
  REQUIRE(answer.code == cli::exit_ok);
  // 16 GB five times in requests of 256 KiB are 305,000 of the 5.4 million that a rested disk has
  // saved up: 128 MB/s to the end.
  const double seconds =
      json::parse(answer.out).at("job").at("hours").at("value").as_double() * 3600;
  CHECK(seconds == test::approx(5 * 16e9 / 128e6).epsilon(0.15));
}

TEST_CASE("recommendation: ways out are of those that are asked together, by any exchange") {
  const auto by_nccl =
      test::predict_step("dlrm:criteo=t3",
                         "gpu=A100",
                         {"--batch", "8192", "--precision", "fp16", "--exchange", "nccl"},
                         "0");
  CHECK(by_nccl.out.find("GPUs share the tables") != std::string::npos);
  const TemporaryFolder folder;
  std::ofstream(folder / "ranker.toml")
      << "[job]\nnetwork = \"dlrm:criteo=t3\"\nphase = \"infer\"\nprecision = \"fp16\"\n"
         "[service]\nqps = 20000\np99 = \"20ms\"\n";
  const auto alone =
      run_without_model({"predict", folder / "ranker.toml", "--machine", "gpu=A100:2"});
  CAPTURE(alone.out + alone.err);
  CHECK((alone.out + alone.err).find("GPU memory too small") != std::string::npos);
  CHECK((alone.out + alone.err).find("share the tables") == std::string::npos);
}

TEST_CASE("recommendation: size bills the hours that predict has, on a disk that one pass needs") {
  const auto sized = run_without_model(
      {"size", examples + "train.toml", "--gpu", "L4", "--infra", "aws", "-o", "json"});
  CAPTURE(sized.out);
  CAPTURE(sized.err);
  REQUIRE(sized.code == cli::exit_ok);
  const auto document = json::parse(sized.out);
  const auto& sold = document.at("price").at("standard");
  CHECK(sold.at("hours").at("value").as_double() < 2.5);
  CHECK(sold.at("cost").at("value").as_double() < 5);
}

TEST_CASE("recommendation: another optimizer than the tables' own is refused") {
  const auto answer =
      test::predict_step("dlrm", "gpu=A100", {"--batch", "8192", "--optimizer", "adamw"}, "0");
  CHECK((answer.out + answer.err).find("by SGD or Adagrad") != std::string::npos);
}

TEST_CASE("recommendation: CPUs answer by rows too, tens of thousands of samples at once") {
  const auto on_cpus = [](const char* network, Words more = {}) {
    Words words{"predict", "--network", network, "--phase", "infer", "--machine", "vcpus=16"};
    words.insert(words.end(), more.begin(), more.end());
    words.insert(words.end(), {"-o", "json"});
    return json::parse(run_without_model(words).out);
  };
  const auto usual = on_cpus("ncf", {"--batch", "1024"});
  const auto large = on_cpus("ncf:rows=10000000", {"--batch", "1024"});
  CHECK(rate(large) > 0.9 * rate(usual));
  CHECK(on_cpus("dlrm").at("batch_per_gpu").as_int64() == 65'536);
  const auto made = usual.at("throughput");
  CHECK(made.at("high").as_double() > 1.6 * made.at("value").as_double());
}

TEST_CASE("recommendation: words, forms and files' names") {
  CHECK(network_meant("DLRM") == "dlrm");
  CHECK(network_meant("DLRM-DCNv2") == "dlrm-dcnv2");
  CHECK(network_meant("dlrm_dcnv2") == "dlrm-dcnv2");
  CHECK(network_meant("NeuMF") == "ncf");
  CHECK(network_meant("Wide & Deep") == "wide-and-deep");
  CHECK(network_meant("wide_and_deep") == "wide-and-deep");
  CHECK(network_meant("DLRM:criteo=t3") == "dlrm:criteo=t3");
  const auto listed = run_without_model({"networks", "-o", "names"});
  for (const char* const name : {"dlrm\n", "dlrm-dcnv2\n", "ncf\n", "wide-and-deep\n"}) {
    CHECK(listed.out.find(name) != std::string::npos);
  }
  const auto refused =
      run_without_model({"predict", "--network", "dlrm:rows=x", "--machine", "gpu=A100"});
  CHECK(refused.code != cli::exit_ok);
  CHECK((refused.out + refused.err).find("expected a whole number") != std::string::npos);
}

TEST_CASE("recommendation: the job of the README is answered, and its disk counts") {
  const auto answer = run_without_model(
      {"advise", examples + "train.toml", "--infra", "aws/us-east-1", "-o", "json"});
  CAPTURE(answer.err);
  REQUIRE(answer.code == cli::exit_ok);
  const auto document = json::parse(answer.out);
  REQUIRE(document.at("options").as_array().size() > 0);
  CHECK(says(document, "binary records"));
}
