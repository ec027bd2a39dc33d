// The founding reports' conclusions about GPUs, their number and their links, and about CPUs in
// their place, as inequalities on what rightsize answers to the queries in examples/founding.
#include <algorithm>

#include "advisor/founding.h"

using namespace rightsize;
using namespace rightsize::test;

namespace {

// How much of eight times one GPU's throughput eight give.
double scaling(const std::vector<Row>& rows, const std::string& network, const std::string& batch) {
  const auto at = [&](const char* gpus) {
    return rate(rows, {{"network", network}, {"batch", batch}, {"gpus", gpus}});
  };
  return at("8") / at("1") / 8;
}

// The largest batch of the sweep that fits; the next one is out of memory.
int largest_batch(const std::vector<Row>& rows, const std::string& network) {
  int largest = 0;
  bool full = false;
  for (const auto* batch : {"32", "64", "128", "256", "512", "1024"}) {
    const auto row = the(rows, {{"network", network}, {"batch", batch}, {"gpus", "1"}});
    const bool fits = row.at("status") == "ok";
    CHECK((fits || row.at("status") == "out_of_memory"));
    CHECK_FALSE((full && fits));  // memory only grows with the batch
    full = full || !fits;
    largest = fits ? std::atoi(batch) : largest;
  }
  return largest;
}

double exchanged(const std::vector<Row>& rows, const char* link, const char* strategy) {
  return rate(rows, {{"interconnect", link}, {"exchange", strategy}});
}

double nodes_of_8(const std::vector<Row>& rows,
                  const char* network,
                  const char* nodes,
                  const char* net,
                  const char* compression) {
  return rate(rows,
              {{"network", network},
               {"nodes", nodes},
               {"interconnect", std::string("PCIe; ") + net},
               {"compression", compression}});
}

const std::vector<std::string> small_networks{
    "mnist-mlp", "mnist-cnn", "cifar10-cnn", "imdb-fasttext", "imdb-lstm", "text-lstm"};

double on_cpu(const std::vector<Row>& rows, const std::string& network, const char* vcpus) {
  return rate(rows, {{"network", network}, {"vcpus", vcpus}, {"cpu", "Skylake"}});
}

double on_k80(const std::vector<Row>& rows, const std::string& network) {
  return rate(rows, {{"network", network}, {"gpu", "K80"}});
}

// Dollars an hour of examples/founding/s16-cpu-or-gpu/prices.csv.
constexpr double k80_per_h = 0.745;
constexpr double cpu16_preemptible_per_h = 0.127;
constexpr double cpu16_on_demand_per_h = 0.635;

}  // namespace

TEST_CASE("founding S8: a bigger batch is faster, until the GPU's memory ends") {
  const auto rows = predicted("s08-gpus-and-batch/rows-s08.csv");
  for (const auto* network : {"alexnet", "googlenet", "resnet50"}) {
    CAPTURE(network);
    const auto at = [&](const char* batch) {
      return rate(rows, {{"network", network}, {"batch", batch}, {"gpus", "1"}});
    };
    CHECK(at("64") > at("32"));
    CHECK(at("128") > at("64"));
  }
  // More activations an image, sooner out of 16 GB.
  CHECK(largest_batch(rows, "resnet50") < largest_batch(rows, "googlenet"));
  CHECK(largest_batch(rows, "googlenet") < largest_batch(rows, "alexnet"));
}

TEST_CASE("founding S8: GoogLeNet and ResNet-50 scale near-linearly on PCIe, AlexNet worse") {
  const auto rows = predicted("s08-gpus-and-batch/rows-s08.csv");
  CHECK(scaling(rows, "googlenet", "128") > 0.85);
  CHECK(scaling(rows, "resnet50", "64") > 0.85);
  CHECK(scaling(rows, "alexnet", "128") < scaling(rows, "googlenet", "128"));
  CHECK(scaling(rows, "alexnet", "128") < scaling(rows, "resnet50", "64"));
  CHECK(scaling(rows, "alexnet", "512") > scaling(rows, "alexnet", "128"));
}

TEST_CASE("founding S9: Inception-v3 scales near-linearly, 8 P100 beat 16 dies of K80") {
  const auto rows = predicted("s08-gpus-and-batch/rows-s09.csv");
  const auto at = [&](const char* gpu, const char* gpus) {
    return rate(rows, {{"gpu", gpu}, {"gpus", gpus}});
  };
  CHECK(at("P100", "8") > 0.85 * 8 * at("P100", "1"));
  CHECK(at("K80", "16") > 0.85 * 16 * at("K80", "1"));
  CHECK(at("P100", "8") > at("K80", "16"));
}

TEST_CASE("founding S10: the CIFAR-10 ConvNet scales poorly beyond two GPUs") {
  const auto rows = predicted("s10-small-networks/rows.csv");
  const auto at = [&](const char* gpus) { return rate(rows, {{"id", "s10"}, {"gpus", gpus}}); };
  CHECK(at("4") < 0.75 * 4 * at("1"));
  CHECK(at("8") < 0.6 * 8 * at("1"));
  CHECK(at("2") / 2 > at("4") / 4);
  CHECK(at("4") / 4 > at("8") / 8);
}

TEST_CASE("founding S11: newer GPUs are faster, and the P4 does most per watt") {
  const auto rows = predicted("s11-gpu-generations/rows-s11.csv");
  for (const auto* phase : {"forward", "forward_backward"}) {
    const auto at = [&](const char* gpu) { return rate(rows, {{"phase", phase}, {"gpu", gpu}}); };
    CHECK(at("P4") > at("K80"));
    CHECK(at("P100") > at("P4"));
  }
  const auto per_joule = [](const char* gpu) {
    return answer_of({"predict",
                      "--network",
                      "alexnet",
                      "--phase",
                      "infer",
                      "--batch",
                      "128",
                      "--data",
                      "synthetic",
                      "--stack",
                      "era",
                      "--machine",
                      std::string("gpu=") + gpu})
        .at("items_per_joule")
        .at("value")
        .to_number<double>();
  };
  CHECK(per_joule("P4") > per_joule("P100"));
  CHECK(per_joule("P4") > per_joule("K80"));
}

TEST_CASE("founding S13: Inception-BN-28-small scales close to linearly at the same load a GPU") {
  const auto rows = predicted("s10-small-networks/rows.csv");
  const auto at = [&](const char* gpus) { return rate(rows, {{"id", "s13"}, {"gpus", gpus}}); };
  CHECK(at("4") > 0.85 * 4 * at("1"));
  CHECK(at("3") > 0.85 * 3 * at("1"));
}

TEST_CASE("founding S14: FP32 and bandwidth decide as long as the batch fits") {
  const auto rows = predicted("s11-gpu-generations/rows-s14.csv");
  const auto at = [&](const char* gpu) {
    return rate(rows, {{"gpu", gpu}, {"batch", "32"}, {"gpus", "1"}});
  };
  for (const auto* older : {"M40", "M6000", "GTX 980 Ti"}) {
    CHECK(at("GTX 1080") > at(older));  // most FP32 of the four
  }
  const auto full = the(rows, {{"gpu", "GTX 1080"}, {"batch", "64"}});
  CHECK(full.at("status") == "out_of_memory");
  CHECK(the(rows, {{"gpu", "M40"}, {"batch", "64"}}).at("status") == "ok");
  // The same 64 pictures a step, shared by two.
  CHECK(rate(rows, {{"gpu", "GTX 1080"}, {"gpus", "2"}}) > at("GTX 1080"));
}

TEST_CASE("founding S16: 64 vCPU are no faster than 32, but for the convolutions") {
  const auto rows = predicted("s16-cpu-or-gpu/rows.csv");
  for (const auto* network : {"mnist-mlp", "imdb-fasttext", "imdb-lstm", "text-lstm"}) {
    CAPTURE(network);
    CHECK(on_cpu(rows, network, "64") < on_cpu(rows, network, "32"));
  }
}

TEST_CASE("founding S16: a build for AVX-512 beats the generic one, the GPU wins CNNs on time") {
  const auto rows = predicted("s16-cpu-or-gpu/rows.csv");
  for (const auto& network : small_networks) {
    CAPTURE(network);
    CHECK(on_cpu(rows, network, "16") > rate(rows, {{"network", network}, {"cpu", "Skylake sse"}}));
  }
  for (const auto* network : {"mnist-cnn", "cifar10-cnn"}) {
    CAPTURE(network);
    for (const auto* vcpus : {"8", "16", "32", "64"}) {
      CHECK(on_k80(rows, network) > on_cpu(rows, network, vcpus));
    }
  }
}

TEST_CASE("founding S16: 16 preemptible vCPU are cheaper than a K80, at on-demand prices not") {
  const auto rows = predicted("s16-cpu-or-gpu/rows.csv");
  for (const auto& network : small_networks) {
    CAPTURE(network);
    const double gpu = k80_per_h / on_k80(rows, network);
    CHECK(cpu16_preemptible_per_h / on_cpu(rows, network, "16") < gpu);
    CHECK(cpu16_on_demand_per_h / on_cpu(rows, network, "16") > gpu);
  }
}

TEST_CASE("founding S16: that 16 vCPU cost less than 8 is not reached, for any of the six") {
  // Not reached: the price is in proportion to vCPUs, and our law's speed is less than that.
  const auto rows = predicted("s16-cpu-or-gpu/rows.csv");
  for (const auto& network : small_networks) {
    CHECK_FALSE(on_cpu(rows, network, "16") > 2 * on_cpu(rows, network, "8"));
  }
}

TEST_CASE("founding S17: over PCIe local is best and nccl worst, NVLink turns it round") {
  const auto rows = predicted("s17-gradient-exchange/rows-s17.csv");
  CHECK(exchanged(rows, "PCIe", "local") > exchanged(rows, "PCIe", "device"));
  CHECK(exchanged(rows, "PCIe", "device") > exchanged(rows, "PCIe", "nccl"));
  CHECK(exchanged(rows, "NVLink", "nccl") > exchanged(rows, "NVLink", "device"));
  CHECK(exchanged(rows, "NVLink", "device") > exchanged(rows, "NVLink", "local"));
}

TEST_CASE("founding S18: RDMA scales over nodes, 20 Gb Ethernet does not") {
  const auto rows = predicted("s17-gradient-exchange/rows-s18.csv");
  for (const auto* network : {"resnet50", "vgg16"}) {
    CAPTURE(network);
    const auto efficiency = [&](const char* net) {
      return nodes_of_8(rows, network, "8", net, "none") /
             nodes_of_8(rows, network, "1", net, "none") / 8;
    };
    CHECK(efficiency("InfiniBand 100") > 0.8);
    CHECK(efficiency("RoCE 100") > 0.8);
    CHECK(efficiency("20GbE") < 0.75);
  }
}

TEST_CASE("founding S18: 2-bit gradients help where the network holds up, up to several times") {
  const auto rows = predicted("s17-gradient-exchange/rows-s18.csv");
  const auto gain = [&](const char* network, const char* net) {
    return nodes_of_8(rows, network, "8", net, "2bit") /
           nodes_of_8(rows, network, "8", net, "none");
  };
  CHECK(gain("resnet50", "20GbE") > 1.2);
  CHECK(gain("resnet50", "InfiniBand 100") < 1.2);
  CHECK(gain("resnet50", "InfiniBand 100") < gain("resnet50", "20GbE"));
  CHECK(gain("vgg16", "20GbE") >= 2);
}

TEST_CASE("founding S19: a V100 with mixed precision is about three times a P100") {
  const auto rows = predicted("s11-gpu-generations/rows-s19.csv");
  const auto gain = [&](const char* network, const char* batch) {
    const auto at = [&](const char* gpu, const char* precision) {
      return rate(rows,
                  {{"network", network}, {"batch", batch}, {"gpu", gpu}, {"precision", precision}});
    };
    CHECK(at("V100", "fp32") > at("P100", "fp32"));
    return at("V100", "fp16") / at("P100", "fp32");
  };
  CHECK(gain("inception-v3", "32") > 2.5);
  CHECK(gain("inception-v3", "32") < 4);
  CHECK(gain("resnet50", "32") > 2.5);
  CHECK(gain("resnet50", "32") < 5);
}

TEST_CASE("founding S20: 8 P100 near eight times one for all but AlexNet") {
  const auto rows = predicted("s08-gpus-and-batch/rows-s20.csv");
  CHECK(scaling(rows, "googlenet", "64") > 0.85);
  CHECK(scaling(rows, "inception-v3", "32") > 0.85);
  CHECK(scaling(rows, "resnet152", "32") > 0.85);
}

TEST_CASE("founding S20: that AlexNet is near-linear on 8 P100 over PCIe is not reached") {
  // Not reached: 61 million gradients behind a short step; the reports say so in S8 themselves.
  CHECK_FALSE(scaling(predicted("s08-gpus-and-batch/rows-s20.csv"), "alexnet", "256") > 0.85);
}
