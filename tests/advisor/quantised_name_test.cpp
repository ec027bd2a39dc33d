// Checkpoints whose names say how they were narrowed.
#include "advisor/query/quantised_name.h"

#include <doctest/doctest.h>

using namespace rightsize;

TEST_CASE("quantised name: hub names of narrowed checkpoints are their networks") {
  const auto check = [](const char* said, const char* network, WeightFormat weights) {
    CAPTURE(said);
    const auto named = quantised_name(said);
    REQUIRE(named);
    CHECK(named->network == network);
    CHECK(named->weights == weights);
  };
  check("Qwen/Qwen2.5-72B-Instruct-AWQ", "qwen2.5-72b", WeightFormat::int4);
  check("RedHatAI/Meta-Llama-3.1-8B-Instruct-FP8-dynamic", "llama-8b", WeightFormat::fp8);
  check("neuralmagic/Meta-Llama-3.1-8B-Instruct-quantized.w8a8", "llama-8b", WeightFormat::int8);
  check("hugging-quants/Meta-Llama-3.1-70B-Instruct-AWQ-INT4", "llama-70b", WeightFormat::int4);
  check("nvidia/Llama-3.3-70B-Instruct-FP4", "llama-70b", WeightFormat::nvfp4);
}

TEST_CASE("quantised name: a network's own name and what nobody knows are none") {
  CHECK(!quantised_name("llama-8b"));
  CHECK(!quantised_name("openai/gpt-oss-120b"));
  CHECK(!quantised_name("somebody/Frobnicator-7B-AWQ"));
  CHECK(!quantised_name("-awq"));
}
