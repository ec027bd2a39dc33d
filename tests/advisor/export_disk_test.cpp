// The disk that is asked for: of the class that was priced, and as large as what is fetched to it.
#include <boost/json.hpp>
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "advisor/export/exporter.h"
#include "exported_job.h"

using namespace rightsize;
using namespace rightsize::test;

namespace {

std::string tier_of(const char* provider, const char* disk, double mb_per_s) {
  auto answer = answer_named("disk");
  answer.chosen->provider = provider;
  answer.chosen->disk_class = disk;
  answer.chosen->disk_bytes_per_s = mb_per_s * 1e6;
  const auto text = write_skypilot(answer, *answer.chosen);
  const std::string key = "\n  disk_tier: ";
  const auto at = text.find(key);
  REQUIRE(at != std::string::npos);
  const auto word = at + key.size();
  return text.substr(word, text.find('\n', word) - word);
}

// Two replicas of a server whose weights are narrow.
Recommendation served_narrow(const char* software, WeightFormat weights) {
  auto answer = answer_named("narrow");
  answer.query.network = "llama-8b";
  answer.query.phase = Phase::decode;
  answer.query.tokens = TokenService{};
  answer.query.tokens->software = software;
  answer.query.tokens->weights = weights;
  TokenFleet fleet;
  fleet.machines = 1;
  fleet.expected.point.most_sequences = 96;
  fleet.server.weights = weights;
  fleet.server.weight_bytes = 9.1e9;
  answer.chosen->gpu = "H100";
  answer.chosen->disk_gib = 0;
  answer.chosen->tokens = fleet;
  return answer;
}

std::int64_t disk_gib(const Recommendation& answer) {
  const auto size = boost::json::parse(write_terraform(answer, *answer.chosen)).at("disk_size_gib");
  return size.is_null() ? 0 : size.as_int64();
}

}  // namespace

TEST_CASE("export: SkyPilot's tier buys the class that was priced, whatever its speed") {
  // io2 with 20000 IOPS, which ultra buys, is no gp3 of 500 MB/s.
  CHECK(tier_of("aws", "gp3", 125) == "medium  # gp3: 125 MB/s [published]");
  CHECK(tier_of("aws", "gp3", 500) == "high  # gp3: 500 MB/s [published]");
  CHECK(tier_of("aws", "gp3", 1000).starts_with("high "));
  CHECK(tier_of("aws", "gp2", 60) ==
        "medium  # gp2: 60 MB/s [published]; SkyPilot buys gp3 in its place");
  CHECK(tier_of("aws", "io2", 125) == "ultra  # io2: 125 MB/s [published]");
  CHECK(tier_of("gcp", "pd-ssd", 100).starts_with("high "));
  CHECK(tier_of("gcp", "pd-balanced", 800) == "medium  # pd-balanced: 800 MB/s [published]");
  CHECK(tier_of("gcp", "pd-standard", 400).starts_with("low "));
  CHECK(tier_of("azure", "premium-ssd-v2", 900).starts_with("high "));  // which has no ultra
  CHECK(tier_of("oci", "block", 60).starts_with("low "));
}

TEST_CASE("export: a server that narrows weights has room for the wide ones that it fetches") {
  // 8.03 billion parameters in 16 bits are 15.0 GiB; 9.1 GB in FP8 are 8.5.
  for (const auto* software : {"vLLM", "SGLang", "TGI"}) {
    CAPTURE(software);
    CHECK(disk_gib(served_narrow(software, WeightFormat::fp8)) == 20 + 15);
  }
  CHECK(disk_gib(served_narrow("TensorRT-LLM", WeightFormat::fp8)) == 20 + 9);  // no such flag
  CHECK(disk_gib(served_narrow("vLLM", WeightFormat::int4)) == 20 + 9);
  CHECK(disk_gib(served_narrow("", WeightFormat::fp8)) == 20 + 9);
  const auto vllm = served_narrow("vLLM", WeightFormat::fp8);
  CHECK(contains(write_kubernetes(vllm, *vllm.chosen), "storage: 35Gi"));
  CHECK(contains(write_skypilot(vllm, *vllm.chosen), "  disk_size: 115  # GiB: the weights"));
}

TEST_CASE("export: a network that reads no data still has a disk for its weights") {
  auto answer = answer_named("made");
  answer.query.phase = Phase::decode;
  answer.query.network = "llama-70b";
  answer.query.format = DataFormat::synthetic;
  answer.chosen->disk = "none (no data is read)";
  answer.chosen->disk_class.clear();
  answer.chosen->disk_gib = 0;
  answer.chosen->disk_bytes_per_s = 0;
  CHECK(disk_gib(answer) == 20 + 132);  // 70.6 billion parameters in 16 bits
  CHECK(contains(write_kubernetes(answer, *answer.chosen), "storage: 152Gi"));
  CHECK(contains(write_skypilot(answer, *answer.chosen), "  disk_size: 232  # GiB: the weights"));
  answer.query.phase = Phase::infer;
  answer.query.network = "flux-dev:steps=20";
  CHECK(disk_gib(answer) > 20 + 30);  // its text encoders' beside
  answer.query.network = "resnet50";  // too little to count
  CHECK(disk_gib(answer) == 0);
  answer.query.network = "llama-70b";
  answer.query.phase = Phase::train;
  CHECK(disk_gib(answer) == 0);
  answer.query.phase = Phase::decode;
  answer.query.format = DataFormat::tokens;
  answer.chosen->disk_gib = 151;  // sized with the weights
  CHECK(disk_gib(answer) == 151);
}
