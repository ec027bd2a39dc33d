// How GPUs share the attention of a mixture of experts, as [service] says it and as it is told.
#include <algorithm>

#include <doctest/doctest.h>

#include "advisor/tokens/token_service.h"
#include "kernels/network.h"
#include "support/temporary_folder.h"
#include "token_world.h"

using namespace rightsize;

namespace {

const std::string head =
    "[job]\nnetwork = \"mixtral-8x7b\"\nphase = \"decode\"\nprecision = \"bf16\"\n"
    "[service]\nqps = 2\nprompt_tokens = 512\noutput_tokens = 128\ntoken = \"50ms\"\n";

// What `predict` makes of such a service on eight H100.
auto predicted(const std::string& keys) {
  const TemporaryFolder folder;
  return test::run({"predict",
                    folder.write("job.toml", head + keys),
                    "--machine",
                    "gpu=H100:8,vcpus=64,memory=512GiB"});
}

std::vector<ReplicaShape> shapes(const TokenService& service, const char* name = "mixtral-8x7b") {
  const auto network = make_network(name);
  return TokenServers(network, Precision::bf16, service, {}).shapes(8);
}

bool shares_by(const std::vector<ReplicaShape>& shapes, AttentionSharing sharing) {
  return std::any_of(
      shapes.begin(), shapes.end(), [&](const auto& shape) { return shape.attention == sharing; });
}

}  // namespace

TEST_CASE("service: attention is shared as asked, and as the software can") {
  TokenService service;
  service.sequences_per_s = 2;
  service.prompt_tokens = 512;
  service.output_tokens = 128;
  CHECK(shares_by(shapes(service), AttentionSharing::by_sequences));
  service.attention = AttentionSharing::by_heads;
  CHECK_FALSE(shares_by(shapes(service), AttentionSharing::by_sequences));
  service.attention.reset();
  service.software = "llama.cpp";
  CHECK_FALSE(shares_by(shapes(service), AttentionSharing::by_sequences));
  CHECK(shares_by(shapes(service), AttentionSharing::by_heads));
}

TEST_CASE("service: attention that is no word, or that nobody can do, is refused by its key") {
  const auto unknown = predicted("attention = \"halved\"\n");
  CHECK(unknown.code == cli::exit_usage);
  CHECK(unknown.err.find("attention") != std::string::npos);
  CHECK(unknown.err.find("by_sequences") != std::string::npos);
  const auto cannot = predicted("software = \"llama.cpp\"\nattention = \"by_sequences\"\n");
  CHECK(cannot.code == cli::exit_usage);
  CHECK(cannot.err.find("llama.cpp") != std::string::npos);
}

TEST_CASE("service: SGLang shares by sequences the families that it documents") {
  TokenService service;
  service.sequences_per_s = 2;
  service.prompt_tokens = 512;
  service.output_tokens = 128;
  service.software = "SGLang";
  CHECK_FALSE(shares_by(shapes(service), AttentionSharing::by_sequences));
  CHECK(shares_by(shapes(service, "qwen1.5-moe-a2.7b"), AttentionSharing::by_sequences));
  service.software = "vLLM";
  CHECK(shares_by(shapes(service), AttentionSharing::by_sequences));
  const auto asked = predicted("software = \"SGLang\"\nattention = \"by_sequences\"\n");
  CHECK(asked.code == cli::exit_usage);
  CHECK(asked.err.find("SGLang does not document it for mixtral-8x7b") != std::string::npos);
}
