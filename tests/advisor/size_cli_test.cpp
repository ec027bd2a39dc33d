// size as its user meets it, without a fitted model anywhere.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <boost/json.hpp>
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "advisor/cli/command.h"
#include "support/approx.h"
#include "support/program.h"
#include "support/temporary_folder.h"

using namespace rightsize;

namespace {

test::Result run(const std::vector<std::string>& arguments) {
  return test::run_without_model(arguments);
}

const std::string root = RIGHTSIZE_SOURCE_DIR;

}  // namespace

TEST_CASE("size: vCPUs, memory and disk that keep a GPU busy, with intervals and curves") {
  const auto result =
      run({"size", root + "/examples/demo/job.toml", "--gpu", "A100", "-o", "json"});
  REQUIRE(result.code == cli::exit_ok);
  const auto document = boost::json::parse(result.out);
  CHECK(document.at("schema").as_string() == "rightsize/size/1");
  for (const auto* resource : {"vcpus", "disk", "memory"}) {
    const auto& least = document.at("needs").at(resource).at("least");
    CHECK(least.at("low").to_number<double>() <= least.at("value").to_number<double>());
    CHECK(least.at("value").to_number<double>() <= least.at("high").to_number<double>());
  }
  double before = 0;
  for (const auto& point : document.at("needs").at("vcpus").at("curve").as_array()) {
    CHECK(point.at("utilisation").to_number<double>() >= before);
    before = point.at("utilisation").to_number<double>();
  }
  CHECK(before > 0.95);
  const auto text = run({"size", root + "/examples/demo/job.toml", "--gpu", "A100"}).out;
  CHECK(text.find("accelerator busy by vcpus") != std::string::npos);
  CHECK(text.find("vCPU load and decode, nothing cached") != std::string::npos);
}

TEST_CASE("size: a guessed contention is told, and has an end") {
  const auto sized = [](const std::string& gpu) {
    return run({"size",
                "--network",
                "resnet50",
                "--precision",
                "fp16",
                "--data",
                "jpeg",
                "--batch",
                "256",
                "--gpu",
                gpu});
  };
  const auto json = boost::json::parse(run({"size",
                                            "--network",
                                            "resnet50",
                                            "--precision",
                                            "fp16",
                                            "--data",
                                            "jpeg",
                                            "--batch",
                                            "256",
                                            "--gpu",
                                            "H100:8",
                                            "-o",
                                            "json"})
                                           .out);
  const auto& least = json.at("needs").at("vcpus").at("least");
  CHECK(least.at("high").is_number());  // null: no number is enough
  CHECK(least.at("value").to_number<double>() < 450);
  CHECK(sized("H100:8").out.find("0.5 % contention, assumed; beyond the 256") != std::string::npos);
  CHECK(sized("T4:1").out.find("contention, assumed") == std::string::npos);
}

TEST_CASE("size: every GPU's process has a vCPU, loading or not") {
  const auto vcpus_of = [](const std::vector<std::string>& more) {
    std::vector<std::string> command{"size", "--network", "vgg16", "-o", "json"};
    command.insert(command.end(), more.begin(), more.end());
    return boost::json::parse(run(command).out).at("needs").at("vcpus");
  };
  const auto least = [](const boost::json::value& need) {
    return need.at("least").at("value").to_number<double>();
  };
  CHECK(least(vcpus_of({"--data", "synthetic", "--gpu", "K80"})) == 1);
  CHECK(least(vcpus_of({"--data", "synthetic", "--gpu", "K80:8"})) == 8);
  const auto beside_loading = vcpus_of({"--data", "recordio", "--gpu", "K80:8"});
  CHECK(least(beside_loading) == 8);
  for (const auto& point : beside_loading.at("curve").as_array()) {
    CHECK(point.at("amount").to_number<double>() >= 8);
  }
  CHECK(least(vcpus_of({"--data", "recordio", "--gpu", "H100:8"})) > 8);
}

TEST_CASE("size: weights pass through the host's memory") {
  const auto need = [](const std::string& network) {
    const auto sized = boost::json::parse(run({"size",
                                               "--network",
                                               network,
                                               "--precision",
                                               "bf16",
                                               "--optimizer",
                                               "sgd",
                                               "--data",
                                               "synthetic",
                                               "--gpu",
                                               "H200",
                                               "-o",
                                               "json"})
                                              .out);
    return sized.at("needs").at("memory").as_object();
  };
  const auto large = need("llama-8b");
  CHECK(large.at("least").at("value").to_number<double>() >= 3 + 9.3);  // 8.03 billion, 16 bits
  CHECK(large.at("least").at("low").to_number<double>() <= 3);          // where they come in parts
  CHECK(large.at("because").as_string().find("and two shards of the weights, 9.31 GiB") !=
        std::string::npos);
  CHECK(need("resnet50").at("because").as_string().find("weights") == std::string::npos);
}

TEST_CASE("size: the machine it names keeps the GPU as busy as was asked, no less") {
  const auto sized = boost::json::parse(
      run({"size", root + "/examples/demo/job.toml", "--gpu", "A100", "-o", "json"}).out);
  const auto disk = sized.at("needs").at("disk").at("least").at("value").to_number<double>();
  const auto throughput = sized.at("throughput").at("value").to_number<double>();
  const auto at_disk = [&](double share) {
    const auto machine =
        "gpu=A100,vcpus=512,disk=" + std::to_string(static_cast<int>(disk * share * 1000)) + "kB/s";
    const auto answer = boost::json::parse(
        run({"predict", root + "/examples/demo/job.toml", "--machine", machine, "-o", "json"}).out);
    return answer.at("throughput").at("value").to_number<double>() / throughput;
  };
  CHECK(at_disk(1.0) == test::approx(0.95).epsilon(0.02));
  CHECK(at_disk(0.5) < 0.6);
}

TEST_CASE("size: the least number of vCPUs is where its own curve reaches the target") {
  for (const auto* gpu : {"A100", "H100", "L40S", "A100:8"}) {
    const auto sized = boost::json::parse(
        run({"size", root + "/examples/demo/job.toml", "--gpu", gpu, "-o", "json"}).out);
    const auto& vcpus = sized.at("needs").at("vcpus");
    const auto least = vcpus.at("least").at("value").to_number<double>();
    for (const auto& point : vcpus.at("curve").as_array()) {
      CAPTURE(gpu);
      CHECK((point.at("utilisation").to_number<double>() >= 0.95) ==
            (point.at("amount").to_number<double>() >= least));
    }
  }
}

TEST_CASE("size: a target that no number of vCPUs reaches is refused, not answered by the limit") {
  const std::vector<std::string> asked{"size",
                                       "--network",
                                       "alexnet",
                                       "--gpu",
                                       "H100:8",
                                       "--precision",
                                       "fp16",
                                       "--data",
                                       "jpeg",
                                       "--stack",
                                       "current",
                                       "--utilisation",
                                       "70"};  // which copies to the GPUs would let them be
  const auto result = run(asked);
  CHECK(result.code == cli::exit_nothing_satisfies);
  CHECK(result.out.find("no number of vCPUs up to 1024 keeps the GPUs busy 70%") !=
        std::string::npos);
  CHECK(result.out.find("busy 70% of the time (") == std::string::npos);
  auto as_json = asked;
  as_json.insert(as_json.end(), {"-o", "json"});
  const auto document = boost::json::parse(run(as_json).out);
  CHECK(document.at("status").as_string() == "out_of_reach");
  CHECK(document.at("needs").at("vcpus").at("least").at("value").is_null());
  // The disk is asked for alone: it is known, and no search limit.
  const auto& disk = document.at("needs").at("disk").at("least").at("value");
  CHECK(disk.to_number<double>() > 100);
  CHECK(disk.to_number<double>() < 100'000);
}

TEST_CASE("size: says nothing of the vCPUs and the disk that it supposes to look for them") {
  const auto text = run({"size", root + "/examples/demo/job.toml", "--gpu", "A100"}).out;
  CHECK(text.find("4096") == std::string::npos);
  CHECK(text.find("the disk is not stated") == std::string::npos);
}

TEST_CASE("size: a GPU that nobody names is said") {
  const auto said = [](const std::vector<std::string>& more) {
    std::vector<std::string> words{"size", root + "/examples/demo/job.toml"};
    words.insert(words.end(), more.begin(), more.end());
    return run(words).err.find("no GPU is named: one A100 is taken") != std::string::npos;
  };
  CHECK(said({}));
  CHECK_FALSE(said({"--gpu", "A100"}));
}

TEST_CASE("size: a placement that is left open is the one predict takes on the machine it names") {
  int predicted_too = 0;
  for (const auto& [gpu, network] : {std::pair{"A100", "resnet50"},
                                     std::pair{"H100:8", "resnet50"},
                                     std::pair{"V100", "vgg16"}}) {
    for (const auto* data : {"jpeg", "lmdb"}) {
      CAPTURE(gpu);
      CAPTURE(data);
      const std::vector<std::string> work{"--network",
                                          network,
                                          "--precision",
                                          "fp16",
                                          "--batch",
                                          "64",
                                          "--data",
                                          data,
                                          "--preprocess-on"};
      const auto sized = [&](const std::string& where) {
        std::vector<std::string> asked{"size", "--gpu", gpu, "-o", "json"};
        asked.insert(asked.end(), work.begin(), work.end());
        asked.push_back(where);
        return run(asked);
      };
      const auto open = boost::json::parse(sized("either").out);
      CAPTURE(open);
      const auto notes = boost::json::serialize(open.at("notes"));
      const bool on_gpu = notes.find("left open: on the GPU") != std::string::npos;
      CHECK(on_gpu != (notes.find("left open: on the vCPUs") != std::string::npos));
      const auto placed = boost::json::parse(sized(on_gpu ? "gpu" : "cpu").out);
      CHECK(open.at("needs") == placed.at("needs"));
      if (open.at("status").as_string() != "ok") {
        continue;
      }
      ++predicted_too;
      const auto least = [&](const char* resource) {
        return open.at("needs").at(resource).at("least").at("value").to_number<double>();
      };
      const auto machine = "gpu=" + std::string(gpu) + ",vcpus=" + std::to_string(least("vcpus")) +
                           ",memory=" + std::to_string(std::lround(least("memory"))) +
                           "GiB,disk=" + std::to_string(std::lround(1e3 * least("disk")) + 1) +
                           "kB/s";
      std::vector<std::string> asked{"predict", "--machine", machine};
      asked.insert(asked.end(), work.begin(), work.end());
      asked.emplace_back("either");
      const auto predicted = run(asked);
      CHECK(predicted.code == cli::exit_ok);
      CHECK((predicted.out.find("normalised on the GPU") != std::string::npos) == on_gpu);
    }
  }
  CHECK(predicted_too > 3);
}

TEST_CASE("size: copies to the GPU that keep it waiting are named, not the host") {
  const auto result = run({"size",
                           "--network",
                           "alexnet",
                           "--gpu",
                           "H100",
                           "--precision",
                           "fp16",
                           "--data",
                           "recordio",
                           "--stack",
                           "current"});
  CAPTURE(result.out);
  CHECK(result.code == cli::exit_nothing_satisfies);
  CHECK(result.out.find("copies to the GPUs leave them busy") != std::string::npos);
}

// Each need is found with the others plentiful; a host with just enough of everything is short.
TEST_CASE("size: what does together does, and a step less does not") {
  for (const auto* gpu : {"A100", "H100", "V100"}) {
    CAPTURE(gpu);
    const auto sized = boost::json::parse(
        run({"size", root + "/examples/demo/job.toml", "--gpu", gpu, "-o", "json"}).out);
    const auto& together = sized.at("together");
    const auto cpus = together.at("vcpus").to_number<double>();
    const auto disk = together.at("disk_bytes_per_s").to_number<double>();
    const auto memory = together.at("memory_gib").to_number<double>();
    const auto own = sized.at("throughput").at("value").to_number<double>();
    const auto busy = [&](double so_many, double bytes_per_s) {
      const auto machine = fmt::format("gpu={},vcpus={},memory={}GiB,disk={:.0f}kB/s",
                                       gpu,
                                       so_many,
                                       memory,
                                       std::ceil(bytes_per_s / 1e3));
      const auto answer = boost::json::parse(
          run({"predict", root + "/examples/demo/job.toml", "--machine", machine, "-o", "json"})
              .out);
      return answer.at("throughput").at("value").to_number<double>() / own;
    };
    CHECK(busy(cpus, disk) > 0.945);
    CHECK(busy(cpus - 1, disk) < 0.95);
    CHECK(busy(cpus, 0.9 * disk) < 0.95);
  }
}

TEST_CASE("size: weights pass through memory in shards, and predict and advise ask for no less") {
  const std::vector<std::string> work{"--network",
                                      "llama-70b",
                                      "--phase",
                                      "train",
                                      "--data",
                                      "synthetic",
                                      "--precision",
                                      "bf16",
                                      "--adapter",
                                      "qlora:16",
                                      "--batch",
                                      "1"};
  const auto with = [&](std::vector<std::string> command) {
    command.insert(command.begin() + 1, work.begin(), work.end());
    return run(command);
  };
  const auto sized = with({"size", "--gpu", "A100-80GB"});
  CAPTURE(sized.out + sized.err);
  CHECK(sized.out.find("two shards of the weights, 9.31 GiB, on their way in") !=
        std::string::npos);
  const auto machine = [&](const char* memory) {
    return with({"predict", "--machine", std::string("gpu=A100-80GB,memory=") + memory});
  };
  const auto small = machine("8GiB");
  CHECK(small.out.find("host memory too small: about 12.4 GiB are needed of 8 GiB") !=
        std::string::npos);
  CHECK(machine("13GiB").code == cli::exit_ok);
}

TEST_CASE("size: data that is read once is cached by no memory") {
  const TemporaryFolder folder;
  const auto sized = [&](double epochs) {
    const auto file = folder.write(
        "job.toml",
        fmt::format("[job]\nnetwork = \"resnet50\"\nprecision = \"fp16\"\nepochs = {}\n"
                    "[data]\nitems = 1281167\nformat = \"recordio\"\nbytes = \"140GB\"\n",
                    epochs));
    return run({"size", file, "--gpu", "A100", "-o", "json"});
  };
  for (const double once : {1.0, 0.5}) {
    const auto document = boost::json::parse(sized(once).out);
    CHECK(document.at("disk_for_memory").as_array().empty());
    const auto& needs = document.at("needs");
    CHECK(needs.at("disk").at("because").as_string().find("read once") != std::string_view::npos);
    CHECK(needs.at("memory").at("because").as_string().find("more of it caches") ==
          std::string_view::npos);
    CHECK(needs.at("vcpus").at("because").as_string().find("cached") == std::string_view::npos);
    // Where the pictures are decoded is chosen as for many epochs.
    CHECK(needs.at("disk").at("least").at("value").to_number<double>() > 0);
  }
  const auto often = boost::json::parse(sized(2).out);
  CHECK(often.at("disk_for_memory").as_array().back().at("hit_ratio").to_number<double>() == 1);
}
