// Machines cut to measure, and disks whose speed is bought apart: supposed otherwise, exported.
#include <boost/json.hpp>
#include <doctest/doctest.h>

#include "advisor/export/exporter.h"
#include "advisor/suppose/supposed_machine.h"
#include "support/made_catalog.h"

using namespace rightsize;

namespace {

// 8 vCPU at $0.03, 32 GiB at $0.004 and a T4 at $0.35: $0.24 + $0.128 + $0.35 = $0.718 an hour.
Offer cut() {
  Offer offer;
  offer.provider = "gcp";
  offer.instance = "custom-8-32768+1xT4";
  offer.region = "us-central1";
  offer.vcpus = 8;
  offer.memory_gib = 32;
  offer.gpu = "T4";
  offer.gpus = 1;
  offer.parts = {{"8 vCPU", Money::parse("0.24", "USD")},
                 {"32 GiB", Money::parse("0.128", "USD")},
                 {"1 T4", Money::parse("0.35", "USD")}};
  offer.price_per_hour = Money::parse("0.718", "USD");
  return offer;
}

Offer supposed(const std::vector<std::string>& words, std::vector<std::string>& notes) {
  const auto world = knowledge_with(test::made_model());
  return supposed_offer(parse_supposition(words), world.evidence(), cut(), notes);
}

Recommendation answer_of(const Option& option) {
  Recommendation answer;
  answer.query = test::imagenet_job();
  answer.query.name = "job";
  answer.query.file = "job.toml";
  answer.options = {option};
  answer.chosen = option;
  return answer;
}

Option option_of_cut() {
  const auto offer = cut();
  Option option;
  option.provider = offer.provider;
  option.instance = offer.instance;
  option.region = offer.region;
  option.gpu = offer.gpu;
  option.gpus = offer.gpus;
  option.vcpus = 8;
  option.memory_gib = 32;
  option.disk = "gp3 200 GiB 6000 IOPS 500 MB/s";
  option.disk_class = "gp3";
  option.disk_gib = 200;
  option.disk_bytes_per_s = 500e6;
  option.disk_iops = 6000;
  option.disk_mbps = 500;
  option.batch_per_gpu = 128;
  option.cost = {10, 9, 11, 0.9, "USD", Source::scaled};
  option.hours = {5, 4, 6, 0.9, "h", Source::scaled};
  option.throughput = {300, 250, 350, 0.9, "items/s", Source::scaled};
  option.price_per_hour = offer.price_per_hour;
  return option;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("cut: another number of vCPUs is priced anew, each part at its own price") {
  std::vector<std::string> notes;
  // 16 x 0.03 + 32 x 0.004 + 0.35
  CHECK(supposed({"vcpus=16"}, notes).price_per_hour == Money::parse("0.958", "USD"));
  REQUIRE(notes.size() == 1);
  CHECK(contains(notes[0], "cut to measure"));
  // 8 x 0.03 + 64 x 0.004 + 0.35
  CHECK(supposed({"memory=x2"}, notes).price_per_hour == Money::parse("0.846", "USD"));
  // 8 x 0.03 + 32 x 0.004 + 2 x 0.35
  const auto two = supposed({"gpu=T4:2"}, notes);
  CHECK(two.price_per_hour == Money::parse("1.068", "USD"));
  CHECK(two.parts.back().what == "2 T4");
}

TEST_CASE("cut: a price that is said stays said, and another GPU's price is not known") {
  std::vector<std::string> notes;
  CHECK(supposed({"vcpus=16", "price=1"}, notes).price_per_hour == Money::parse("1", "USD"));
  CHECK(notes.empty());
  CHECK(supposed({"gpu=V100"}, notes).price_per_hour == Money::parse("0.718", "USD"));
  REQUIRE(notes.size() == 1);
  CHECK(contains(notes[0], "another GPU's"));
}

TEST_CASE("cut: Terraform gets the type GCE knows, the GPUs apart, and what was bought") {
  const auto option = option_of_cut();
  const auto variables = boost::json::parse(write_terraform(answer_of(option), option));
  CHECK(variables.at("instance_type").as_string() == "custom-8-32768");
  CHECK(variables.at("gpu_type").as_string() == "T4");
  CHECK(variables.at("gpu_count").as_int64() == 1);
  CHECK(variables.at("disk_iops").as_int64() == 6000);
  CHECK(variables.at("disk_throughput_mb_s").as_int64() == 500);
  CHECK(contains(boost::json::serialize(variables.at("//")), "guest_accelerator"));
  auto plain = option;
  plain.disk_iops = plain.disk_mbps = 0;
  const auto none = boost::json::parse(write_terraform(answer_of(plain), plain));
  CHECK(none.at("disk_iops").is_null());
}

TEST_CASE("cut: SkyPilot is told the shape, and what it cannot be told stands in a comment") {
  const auto option = option_of_cut();
  const auto task = write_skypilot(answer_of(option), option);
  CHECK_FALSE(contains(task, "\n  instance_type:"));
  CHECK(contains(task, "# instance_type: SkyPilot's catalogue has no custom-8-32768"));
  CHECK(contains(task, "accelerators: \"T4:1\""));
  CHECK(contains(task, "cpus: 8+"));
  CHECK(contains(task, "# the price counts gp3 200 GiB 6000 IOPS 500 MB/s"));
  const auto pod = write_kubernetes(answer_of(option), option);
  CHECK(contains(pod, "instance-type: \"custom-8-32768\""));
  CHECK(contains(pod, "StorageClass has to buy the speed"));
}
