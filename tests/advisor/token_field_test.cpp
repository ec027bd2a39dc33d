// The field of candidates that write tokens keeps what a supposition leaves as it was: it must say
// what judging every candidate anew says, also of a number of machines that was asked for.
#include "advisor/tokens/token_field.h"

#include <optional>
#include <set>

#include <doctest/doctest.h>

#include "advisor/judged_anew.h"
#include "advisor/service_world.h"

using namespace rightsize;

namespace {

Knowledge writers() {
  constexpr const char* header =
      "Provider,InstanceType,vCPUs,MemoryGiB,AcceleratorName,AcceleratorCount,Region,Price,"
      "Currency,Arch,Book,AsOf,Source";
  const auto row = [](const char* name, const char* gpu, int gpus, const char* price) {
    return fmt::format(
        "acme,{},16,64,{},{},here,{},USD,x86_64,current,2026-01-01,test\n", name, gpu, gpus, price);
  };
  return test::knowledge_of(header,
                            row("l4.one", "L4", 1, "0.80") + row("l40s.one", "L40S", 1, "1.90") +
                                row("l40s.four", "L40S", 4, "7.50") +
                                row("a100.one", "A100-80GB", 1, "3.70") +
                                row("h100.two", "H100", 2, "12.00"));
}

Query writing() {
  Query query;
  query.file = "tokens.toml";
  query.network = "llama-8b";
  query.phase = Phase::decode;
  query.precision = Precision::bf16;
  query.sequence = 640;
  query.items = 1;
  query.format = DataFormat::synthetic;
  TokenService tokens;
  tokens.sequences_per_s = 5;
  tokens.prompt_tokens = 512;
  tokens.output_tokens = 128;
  tokens.limits.first_token_s = 1;
  tokens.limits.token_s = 0.05;
  query.tokens = tokens;
  return query;
}

}  // namespace

TEST_CASE("token field: says what judging every candidate anew says, machines given or not") {
  const auto world = writers();
  const auto evidence = world.evidence();
  std::set<std::string> seen;
  for (const auto& machines : {std::optional<int>{}, {1}, {3}}) {
    auto query = writing();
    query.tokens->machines = machines;
    auto maker = test::maker_of(query, evidence);
    const auto field = test::field_of(maker, evidence);
    REQUIRE(field.size() >= 5);
    TokenField writers(query, evidence, field);
    for (const double load : {0.5, 5.0, 40.0, 400.0}) {
      for (const double token_s : {0.012, 0.03, 0.05}) {
        CAPTURE(machines.value_or(0));
        CAPTURE(load);
        CAPTURE(token_s);
        auto asked = query;
        asked.tokens->sequences_per_s = load;
        asked.tokens->limits.token_s = token_s;
        const auto anew = test::judged_anew(asked, evidence, field, {});
        CHECK(writers.chosen(asked, {}) == anew);
        seen.insert(anew);
      }
    }
    const Supposal slower{[](const Candidate& c) { return c.offer->gpu == "L40S"; },
                          [](Candidate& c) { c.scale_gpu(0.4); },
                          0.4};
    CHECK(writers.chosen(query, slower) == test::judged_anew(query, evidence, field, slower));
  }
  CHECK(seen.contains(""));  // one machine for 400 sequences/s
  CHECK(seen.size() > 2);
}
