// What the help says of campaign fields is what they do.
#include <string>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "profiler/campaign/fields.h"

using namespace rightsize;

TEST_CASE("fields: the usual values that their meanings name are the ones in force") {
  const auto meaning = [](const char* name) {
    const auto* field = find_field(name);
    REQUIRE(field != nullptr);
    return std::string(field->meaning);
  };
  const auto names = [&](const char* field, const std::string& usual) {
    CAPTURE(field);
    CHECK(meaning(field).find(usual + " unless said") != std::string::npos);
  };
  const RunSpec spec;
  names("network", spec.workload.network);
  names("phase", std::string(to_string(spec.workload.phase)));
  names("precision", std::string(to_string(spec.workload.precision)));
  names("batch", std::to_string(spec.workload.batch));
  names("exchange", std::string(to_string(spec.workload.exchange)));
  names("data", std::string(to_string(spec.workload.data)));
  names("shuffle", spec.workload.shuffle ? "true" : "false");
  names("prefetch_batches", std::to_string(spec.workload.prefetch_batches));
  names("preprocess_on", std::string(to_string(spec.workload.preprocess_on)));
  names("output", std::string(to_string(spec.workload.output)));
  names("items_per_step", std::to_string(spec.command.items_per_step));
  names("seconds", fmt::format("{} s", spec.stop.max_s));
  names("min_seconds", fmt::format("{} s", spec.stop.min_s));
  names("warmup", fmt::format("{} s", spec.stop.max_warmup_s));
  names("window", fmt::format("{} s", spec.stop.window_s));
  names("min_windows", std::to_string(spec.stop.min_windows));
  names("min_epochs", std::to_string(spec.stop.min_epochs));
  names("max_noise", fmt::format("{:.2f}", spec.stop.noise_target));
  names("noise_limit", fmt::format("{:.2f}", spec.stop.noise_limit));
  names("seed", std::to_string(spec.seed));
  names("repeats", std::to_string(Cell{}.repeats));
}

TEST_CASE("fields: each says what it means and what is expected of its value") {
  for (const auto& field : campaign_fields()) {
    CAPTURE(field.name);
    CHECK_FALSE(field.meaning.empty());
    CHECK_FALSE(field.expected.empty());
  }
}
