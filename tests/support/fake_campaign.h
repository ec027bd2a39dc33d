// A campaign whose runs are fakes: what is tried is the campaign and its store, not the kernels.
#pragma once

#include <memory>
#include <random>
#include <string>

#include <fmt/format.h>
#include <unistd.h>

#include "profiler/campaign/campaign.h"

namespace rightsize::test {

inline Plan fake_plan(int runs, const std::string& name = "fake") {
  return parse_plan(fmt::format("name = \"{}\"\n[[run]]\nname = \"r\"\nengine = \"replay\"\n"
                                "replay_items_per_s = 1\naxes = {{seed = \"1:{}:+1\"}}\n",
                                name,
                                runs),
                    "fake.toml");
}

// Each run takes up to `most_us` and gives a record of the size of a real one, with figures that
// follow from its id, so that a mixed-up or torn record is seen.
inline CampaignOptions fake_options(unsigned most_us, unsigned seed, std::size_t points = 40) {
  CampaignOptions options;
  options.run.machine = Machine{};
  auto random = std::make_shared<std::mt19937>(seed);
  options.make = [random, most_us, points](const RunSpec& spec, const RunOptions&) {
    usleep(most_us == 0 ? 0 : static_cast<useconds_t>((*random)() % most_us));
    Record record;
    record.id = run_id(spec);
    record.name = spec.name;
    record.campaign = spec.campaign;
    record.hold_out = spec.hold_out;
    record.workload = spec.workload;
    record.status = Status::measured;
    record.throughput.median = static_cast<double>(spec.seed);
    record.throughput.samples = 1;
    record.reason = record.id;
    record.timeline.resize(points);
    return record;
  };
  return options;
}

inline bool is_whole(const Record& record, std::size_t points = 40) {
  return record.reason == record.id && record.timeline.size() == points &&
         record.name == fmt::format("r seed={:.0f}", record.throughput.median);
}

}  // namespace rightsize::test
