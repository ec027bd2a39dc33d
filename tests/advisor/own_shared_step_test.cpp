// What the user's program was seen to do on GPUs that shared something: it comes back as it was
// told, and is not charged for the sharing twice.
#include <doctest/doctest.h>

#include "predicted_step.h"
#include "support/approx.h"

using namespace rightsize;
using test::rate;
using test::Words;
namespace json = boost::json;

namespace {

// In bf16; `told` is --measured's word, "" without.
json::value asked(const std::string& network,
                  const std::string& machine,
                  Words more,
                  const std::string& told) {
  more.insert(more.end(), {"--precision", "bf16"});
  if (!told.empty()) {
    more.insert(more.end(), {"--measured", told});
  }
  return test::predicted_step(network, machine, more);
}

std::string source(const json::value& document) {
  return std::string(document.at("throughput").at("source").as_string());
}

bool says(const json::value& document, const std::string& words) {
  return json::serialize(document).find(words) != std::string::npos;
}

}  // namespace

TEST_CASE("own shared steps: a step that no GPU has room for comes back as it was told") {
  // 8 billion parameters with FP32 masters: 155 GB.
  for (const double told : {1.0, 1.6}) {
    const auto there = asked(
        "llama-8b", "gpu=H100:8,link=nvlink", {"--batch", "2"}, "H100:2=" + std::to_string(told));
    CHECK(rate(there) == test::approx(8 * told).epsilon(0.02));
    CHECK(says(there, "measured on H100, as --measured says"));
    CHECK(says(there, "of 8 GPUs that shared its parameters"));
  }
}

TEST_CASE("own shared steps: on more nodes what lies between them comes off, and no more") {
  const auto nodes =
      asked("llama-8b", "gpu=H100:8,nodes=4,net=ib:3200", {"--batch", "2"}, "H100:2=1");
  CHECK(rate(nodes) < 32 * 1.01);
  CHECK(rate(nodes) > 32 * 0.85);
}

TEST_CASE("own shared steps: links that are slower cost what they cost without a told rate") {
  const Words batch{"--batch", "2"};
  const std::string links = "gpu=H100:8,link=nvlink";
  const std::string slow = "gpu=H100:8,nodes=4,net=eth:100";
  const double silent = rate(asked("llama-8b", links, batch, ""));
  const auto told = "H100:2=" + std::to_string(silent / 8);
  CHECK(rate(asked("llama-8b", slow, batch, told)) ==
        test::approx(rate(asked("llama-8b", slow, batch, ""))).epsilon(0.03));
}

TEST_CASE("own shared steps: of stages a rate has a part where one GPU may have done it alone") {
  const Words stages{"--pipeline-parallel", "4"};
  const auto with = [&](Words more) {
    more.insert(more.end(), stages.begin(), stages.end());
    return more;
  };
  const auto silent = asked("llama-8b", "gpu=H100:8", with({"--batch", "64"}), "");
  // What a GPU is given in an update is no batch of a step, and no reason to refuse.
  const auto unsaid = asked("llama-8b", "gpu=H100:8", with({"--batch", "64"}), "H100=2");
  CHECK(rate(unsaid) == test::approx(rate(silent)));
  CHECK(says(unsaid, "of stages say a micro-batch that one did with them, as --measured H100:1=2"));
  const auto shared = asked("llama-8b", "gpu=H100:8", with({"--batch", "64"}), "H100:1=2");
  CHECK(rate(shared) == test::approx(rate(silent)));
  CHECK(says(shared, "for which one H100 has no room at batch 1"));
  const auto small = asked("llama-1b", "gpu=H100:8", with({"--batch", "8"}), "H100:1=3");
  CHECK(rate(small) < 0.8 * rate(asked("llama-1b", "gpu=H100:8", with({"--batch", "8"}), "")));
  CHECK(source(small) == "scaled");
}

TEST_CASE("own shared steps: where nobody said which of two it was, another gets their mean") {
  // One A100 has room for sixteen sequences with blocks run again, eight that share with none.
  const auto there = [](const Words& more) {
    return asked("llama-1b", "gpu=A100-80GB", more, "A100-80GB:16=6");
  };
  const auto same = there({"--batch", "16"});
  CHECK(rate(same) == test::approx(6));
  CHECK(says(same, "where blocks are run again, for want of memory"));
  const auto mean = there({"--batch", "4"});
  CHECK(says(mean, "blocks ran again or parameters were shared, and nobody said which"));
  const double shared = rate(there({"--batch", "4", "--recompute", "false"}));
  CHECK(rate(mean) > 1.05 * shared);
  CHECK(rate(mean) < 1.2 * shared);
}
