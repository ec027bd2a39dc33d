#include "advisor/machine/estimator.h"

#include <algorithm>
#include <cstdio>
#include <fstream>

#include <doctest/doctest.h>

#include "advisor/calibration.h"
#include "advisor/candidate/candidate.h"
#include "advisor/machine/machine_spec.h"
#include "advisor/query/software_words.h"
#include "estimator_questions.h"
#include "models/fit.h"
#include "profiler/store/store.h"
#include "support/approx.h"

using namespace rightsize;
using test::asked_on;
using test::shipped_estimator;

TEST_CASE("estimator: the shipped model is the fit of the committed records") {
  std::ifstream in(std::string(RIGHTSIZE_SOURCE_DIR) + "/examples/measurements/demo.jsonl");
  const auto fitted = fit(read_jsonl(in, "demo.jsonl")).model;
  const auto model = shipped_model();
  REQUIRE(fitted.parameters.size() == model.parameters.size());
  for (std::size_t i = 0; i < fitted.parameters.size(); ++i) {
    CHECK(fitted.parameters[i].name == model.parameters[i].name);
    CHECK(fitted.parameters[i].value == test::approx(model.parameters[i].value).epsilon(1e-3));
  }
}

TEST_CASE("estimator: one GPU with synthetic data is the GPU's own rate") {
  auto estimator = shipped_estimator();
  const auto answer = estimator.estimate(asked_on("gpu=V100"));
  REQUIRE(answer.verdict == Verdict::ok);
  RateQuery query;
  query.network = "resnet50";
  query.precision = Precision::fp16;
  query.gpu = "V100";
  query.batch = 128;
  const auto rate = estimator.gpu_rates().rate(query);
  REQUIRE(rate);
  CHECK(answer.throughput.value == test::approx(rate->items_per_s));
  CHECK(answer.throughput.low < answer.throughput.value);
  CHECK(answer.throughput.high > answer.throughput.value);
  CHECK(answer.throughput.unit == "img/s");
  CHECK(answer.bottleneck == "gpu");
}

TEST_CASE("estimator: more GPUs are faster, and less so each over a slower network") {
  auto estimator = shipped_estimator();
  const double one = estimator.estimate(asked_on("gpu=V100")).throughput.value;
  const auto eight = estimator.estimate(asked_on("gpu=V100:8,link=nvlink"));
  CHECK(eight.throughput.value > 7 * one);
  CHECK(eight.throughput.value < 8 * one);
  CHECK(eight.scaling_efficiency < 1);
  const auto over_ib = estimator.estimate(asked_on("gpu=V100:8,nodes=4,net=ib:100"));
  const auto over_ethernet = estimator.estimate(asked_on("gpu=V100:8,nodes=4,net=ethernet:10"));
  CHECK(over_ib.throughput.value > over_ethernet.throughput.value);
  CHECK(over_ib.throughput.high / over_ib.throughput.low >
        eight.throughput.high / eight.throughput.low);
}

TEST_CASE("estimator: the disk and the vCPUs limit where they are stated") {
  auto estimator = shipped_estimator();
  const auto free = estimator.estimate(asked_on("gpu=A100", DataFormat::recordio));
  const auto slow = estimator.estimate(
      asked_on("gpu=A100,vcpus=16,memory=32GiB,disk=80MB/s", DataFormat::recordio));
  CHECK(slow.bottleneck == "disk");
  // 80 MB/s of 109 kB pictures, and what the page cache spares
  CHECK(slow.throughput.value > 80e6 / 109e3);
  CHECK(slow.throughput.value < 1.5 * 80e6 / 109e3);
  CHECK(free.throughput.value > slow.throughput.value);
  const auto starved =
      estimator.estimate(asked_on("gpu=A100,vcpus=1,memory=32GiB", DataFormat::recordio));
  CHECK(starved.bottleneck != "gpu");
}

TEST_CASE("estimator: what does not fit or is not known says so, and does not throw") {
  auto estimator = shipped_estimator();
  auto huge = asked_on("gpu=K80");
  huge.batch = 4096;
  CHECK(estimator.estimate(huge).verdict == Verdict::out_of_memory);
  auto unknown = asked_on("gpu=V100");
  unknown.network = "resnet5";
  const auto answer = estimator.estimate(unknown);
  CHECK(answer.verdict == Verdict::unsupported);
  CHECK(answer.reason.find("Did you mean") != std::string::npos);
  CHECK(estimator.estimate(asked_on("gpu=Voodoo2"))
            .reason.find("no figures for the GPU \"Voodoo2\"") != std::string::npos);
  CHECK(estimator.estimate(asked_on("memory=8GiB")).reason.find("nothing would compute") !=
        std::string::npos);
  CHECK(estimator.estimate(asked_on("gpu=V100,memory=1GiB")).verdict == Verdict::out_of_memory);
}

TEST_CASE("estimator: a batch at the edge of the GPU's memory is answered with a caution") {
  auto estimator = shipped_estimator();
  auto asked = asked_on("gpu=K80");
  asked.precision = Precision::fp32;
  const auto is_ok = [&](int batch) {
    asked.batch = batch;
    return estimator.estimate(asked).verdict == Verdict::ok;
  };
  int largest = 1;
  while (is_ok(largest + 1)) {
    ++largest;
  }
  asked.batch = largest;
  const auto tight = estimator.estimate(asked);
  CHECK(tight.caution == "within 10 % of the GPU's memory: frameworks differ");
  CHECK(std::count(tight.notes.begin(), tight.notes.end(), tight.caution) == 1);
  asked.batch = largest / 2;
  CHECK(estimator.estimate(asked).caution.empty());
}

TEST_CASE("estimator: an offer and its description hold the same host memory") {
  auto estimator = shipped_estimator();
  const auto catalog = shipped_catalog();
  const auto offers = catalog.offers();
  const auto offer = std::find_if(offers.begin(), offers.end(), [](const Offer& one) {
    return one.gpu == "V100" && one.gpus == 4 && one.vcpus && one.memory_gib;
  });
  REQUIRE(offer != offers.end());
  Query query;
  query.dataset_bytes = imagenet_bytes(DataFormat::recordio);
  const auto rates = shipped_gpu_rates();
  const auto speeds = shipped_cpu_speeds();
  CandidateMaker maker(query, catalog, rates, speeds, {});
  Refusal refusal;
  const auto candidate = maker.make(*offer, maker.disks(*offer).front(), {128}, refusal);
  REQUIRE(candidate);
  auto asked = asked_on("gpu=V100:4", DataFormat::recordio);
  asked.machine.vcpus = *offer->vcpus;
  Answer answer;
  const auto plan = estimator.plan(asked, answer);
  REQUIRE(plan);
  CHECK(plan->setting.resident_bytes == candidate->setting.resident_bytes);
}

TEST_CASE("estimator: a batch that is not stated is one that fits, and is told") {
  auto estimator = shipped_estimator();
  auto asked = asked_on("gpu=K80");
  asked.batch.reset();
  const auto answer = estimator.estimate(asked);
  REQUIRE(answer.verdict == Verdict::ok);
  CHECK(answer.batch >= 16);
  CHECK(answer.notes.front().find("batch not stated") == 0);
}

TEST_CASE("estimator: networks on CPUs, faster with more vCPUs and wider when the CPU is unknown") {
  auto estimator = shipped_estimator();
  auto asked = asked_on("vcpus=8,cpu=c5.2xlarge");
  asked.phase = Phase::infer;
  asked.batch = 32;
  asked.stack = Stack::era;
  const auto known = estimator.estimate(asked);
  REQUIRE(known.verdict == Verdict::ok);
  CHECK(known.bottleneck == "cpu");
  CHECK(known.throughput.value == test::approx(50).epsilon(0.35));  // MXNet published 49.95
  CHECK(known.throughput.high < 1.7 * known.throughput.value);  // the law's own interval, no more
  asked.machine = parse_machine_spec("vcpus=32,cpu=c5.9xlarge");
  CHECK(estimator.estimate(asked).throughput.value > 2 * known.throughput.value);
  asked.machine = parse_machine_spec("vcpus=8");
  const auto unknown = estimator.estimate(asked);
  CHECK(unknown.throughput.source == Source::assumed);
  CHECK(unknown.throughput.high / unknown.throughput.low >
        known.throughput.high / known.throughput.low);
}

TEST_CASE("estimator: the frameworks' loaders of the era take more CPU than ours") {
  auto estimator = shipped_estimator();
  auto asked = asked_on("gpu=V100:8,vcpus=16,memory=488GiB", DataFormat::recordio);
  const double ours = estimator.estimate(asked).throughput.value;
  asked.stack = Stack::era;
  const auto era = estimator.estimate(asked);
  CHECK(era.throughput.value < ours);
  CHECK(era.bottleneck == "cpu");
}

TEST_CASE("estimator: MXNet's AlexNet on 16 K80 is bound by decoding, within the interval") {
  auto estimator = shipped_estimator();
  auto asked = asked_on("gpu=K80:16,vcpus=64,memory=732GiB,link=pcie-p2p,cpu=p2.16xlarge",
                        DataFormat::recordio);
  asked.network = "alexnet";
  asked.precision = Precision::fp32;
  asked.batch = 512;
  asked.stack = Stack::era;
  const auto answer = estimator.estimate(asked);
  CHECK(answer.bottleneck == "cpu");
  CHECK(answer.throughput.low < 4244.18);  // apache/mxnet image-classification README
  CHECK(answer.throughput.high > 4244.18);
}

TEST_CASE(
    "estimator: a disk that is not stated is said not to limit, and one too small is refused") {
  auto estimator = shipped_estimator();
  const auto said = [&](const std::string& machine, DataFormat data) {
    const auto notes = estimator.estimate(asked_on(machine, data)).notes;
    return std::any_of(notes.begin(), notes.end(), [](const std::string& note) {
      return note.find("the disk is not stated: it is taken not to limit") == 0;
    });
  };
  CHECK(said("gpu=A100,vcpus=12,memory=85GiB", DataFormat::recordio));
  CHECK_FALSE(said("gpu=A100,vcpus=12,memory=85GiB,disk=gp3:500GiB", DataFormat::recordio));
  CHECK_FALSE(said("gpu=A100,vcpus=12,memory=85GiB", DataFormat::synthetic));
  for (const auto* disk : {"gp3:100GiB", "ssd:100GiB"}) {  // for 140 GB
    const auto machine = std::string("gpu=A100,vcpus=12,disk=") + disk;
    const auto answer = estimator.estimate(asked_on(machine, DataFormat::recordio));
    CHECK(answer.verdict != Verdict::ok);
    CHECK(answer.reason.find("the disk is too small: ") == 0);
    CHECK(answer.reason.find("131 GiB are enough") != std::string::npos);
    CHECK(estimator.estimate(asked_on(machine)).verdict == Verdict::ok);  // nothing is read from it
  }
  CHECK(estimator.estimate(asked_on("gpu=A100,vcpus=12,disk=gp3:131GiB", DataFormat::recordio))
            .verdict == Verdict::ok);
}

TEST_CASE("estimator: a GPU that the libraries of the era never ran on carries a caution") {
  auto estimator = shipped_estimator();
  const auto caution_of = [&](const std::string& gpu) {
    auto asked = asked_on("gpu=" + gpu);
    asked.stack = Stack::era;
    return estimator.estimate(asked).caution;
  };
  CHECK(caution_of("A100-80GB").find("A100-80GB came after the libraries of 2015-2018") == 0);
  CHECK(caution_of("V100").empty());
  CHECK(caution_of("T4").empty());
}

TEST_CASE("estimator: what does not fit names what would, and that fits") {
  auto estimator = shipped_estimator();
  auto asked = asked_on("gpu=RTX-4080");
  asked.network = "llama-8b";
  asked.precision = Precision::bf16;
  asked.sequence = 2048;
  asked.batch = 1;
  asked.tuning.adapters = *parse_adapters("lora:16");
  const auto answer = estimator.estimate(asked);
  REQUIRE(answer.verdict == Verdict::out_of_memory);
  const auto has = [&](const std::string& part) {
    return std::any_of(answer.ways_out.begin(), answer.ways_out.end(), [&](const auto& way) {
      return way.find(part) != std::string::npos;
    });
  };
  REQUIRE(has("--adapter qlora:16 fits"));
  CHECK(has("a GPU of more memory"));
  asked.tuning.adapters = *parse_adapters("qlora:16");
  CHECK(estimator.estimate(asked).verdict == Verdict::ok);
  // A batch that is named fits, and twice as many do not.
  auto picture = asked_on("gpu=K80");
  picture.network = "resnet152";
  picture.batch = 1024;
  const auto large = estimator.estimate(picture);
  REQUIRE(large.verdict == Verdict::out_of_memory);
  REQUIRE_FALSE(large.ways_out.empty());
  int batch = 0;
  REQUIRE(std::sscanf(large.ways_out.front().c_str(), "--batch %d fits", &batch) == 1);
  picture.batch = batch;
  CHECK(estimator.estimate(picture).verdict == Verdict::ok);
  picture.batch = 2 * batch;
  CHECK(estimator.estimate(picture).verdict == Verdict::out_of_memory);
}

TEST_CASE("estimator: what does not fit is told the least that changes before another GPU") {
  auto estimator = shipped_estimator();
  auto asked = asked_on("gpu=H100");
  asked.network = "llama-8b";
  asked.precision = Precision::fp32;  // where nothing is said
  asked.sequence = 2048;
  asked.batch = 1;
  const auto place = [](const Answer& answer, const std::string& part) {
    const auto at =
        std::find_if(answer.ways_out.begin(), answer.ways_out.end(), [&](const auto& way) {
          return way.find(part) != std::string::npos;
        });
    CAPTURE(part);
    REQUIRE(at != answer.ways_out.end());
    return at - answer.ways_out.begin();
  };
  const auto training = estimator.estimate(asked);
  REQUIRE(training.verdict == Verdict::out_of_memory);
  CHECK(place(training, "gpu=H100:2 fits, whose GPUs share") <
        place(training, "--adapter lora:16 (adapters alone are trained)"));
  CHECK(place(training, "--adapter lora:16") < place(training, "a GPU of more memory"));
  auto two = asked;
  two.machine = parse_machine_spec("gpu=H100:2");
  CHECK(estimator.estimate(two).verdict == Verdict::ok);
  asked.tuning.adapters = *parse_adapters("lora:16");
  CHECK(estimator.estimate(asked).verdict == Verdict::ok);
  auto answering = asked_on("gpu=L4");
  answering.network = "llama-8b";
  answering.precision = Precision::fp32;
  answering.phase = Phase::infer;
  answering.sequence = 128;
  answering.batch = 1;
  const auto wide = estimator.estimate(answering);
  REQUIRE(wide.verdict == Verdict::out_of_memory);
  CHECK(place(wide, "--precision bf16 fits") < place(wide, "a GPU of more memory"));
  answering.precision = Precision::bf16;
  CHECK(estimator.estimate(answering).verdict == Verdict::ok);
}

TEST_CASE("estimator: GPUs that cannot share the layers so are told how they could") {
  auto estimator = shipped_estimator();
  auto asked = asked_on("gpu=H100:8");
  asked.network = "llama-8b";
  asked.precision = Precision::bf16;
  asked.batch = 1;
  asked.tensor_parallel = 3;
  const auto answer = estimator.estimate(asked);
  CHECK(answer.verdict == Verdict::unsupported);
  CHECK(answer.reason.find("1 or 2 or 4 or 8 would do") != std::string::npos);
  asked.network = "resnet50";
  CHECK(estimator.estimate(asked).reason.find("is no transformer") != std::string::npos);
}

TEST_CASE("estimator: an engine answers by its own figures, and trains nothing") {
  auto estimator = shipped_estimator();
  auto asked = asked_on("gpu=T4");
  asked.network = "resnet50";
  asked.phase = Phase::infer;
  asked.precision = Precision::fp16;
  asked.batch = 32;
  const double by_any = estimator.estimate(asked).throughput.value;
  asked.framework = software_meant("TensorRT")->framework;
  CHECK(estimator.estimate(asked).throughput.value > 1.5 * by_any);
  asked.phase = Phase::train;
  CHECK(estimator.estimate(asked).reason.find("TensorRT only answers") != std::string::npos);
}
