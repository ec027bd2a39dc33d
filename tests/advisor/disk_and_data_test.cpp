// What the search makes of disks that sell speed or save up requests, and of data that lie in
// another provider's object storage.
#include <algorithm>
#include <string>

#include <boost/json.hpp>
#include <doctest/doctest.h>

#include "advisor/candidate/data_home.h"
#include "advisor/candidate/disk_choice.h"
#include "advisor/candidate/disk_for_job.h"
#include "advisor/candidate/own_loader.h"
#include "advisor/explain/explanation.h"
#include "advisor/judge/judge.h"
#include "advisor/knowledge.h"
#include "advisor/recommendation_file.h"
#include "advisor/search.h"
#include "support/approx.h"
#include "support/made_catalog.h"
#include "support/made_model.h"

using namespace rightsize;

namespace {

Query training_query() {
  Query query;
  query.network = "resnet50";
  query.precision = Precision::fp16;
  query.batches = {128};
  query.items = 1281167;
  query.epochs = 2;
  query.dataset_bytes = 140ULL << 30;
  query.infra = {"aws/us-east-1", "gcp/us-central1"};
  return query;
}

const Offer& offer_called(const Knowledge& world, const std::string& instance) {
  const auto offers = world.catalog.offers();
  const auto found = std::find_if(offers.begin(), offers.end(), [&](const Offer& offer) {
    return offer.instance == instance && offer.market == Market::on_demand &&
           offer.book == "current" &&
           (offer.region == "us-east-1" || offer.region == "us-central1");
  });
  REQUIRE(found != offers.end());
  return *found;
}

const Option& option_of(const Recommendation& answer, const std::string& provider) {
  const auto found =
      std::find_if(answer.options.begin(), answer.options.end(), [&](const Option& option) {
        return option.provider == provider;
      });
  REQUIRE(found != answer.options.end());
  return *found;
}

double amount(const Option& option, BillLine::Kind kind) {
  double sum = 0;
  for (const auto& line : option.bill.lines) {
    sum += line.kind == kind ? line.amount.approximate() : 0;
  }
  return sum;
}

}  // namespace

// 140 GiB out of AWS: 100 free, 40 x $0.09 = $3.60; within us-east-1 nothing.
TEST_CASE("data at AWS: other providers' options bear what leaves it, AWS's own do not") {
  const auto world = knowledge_with(test::made_model());
  auto query = training_query();
  const auto without = search(query, world.evidence());
  query.data_at = "aws/us-east-1";
  const auto answer = search(query, world.evidence());
  const auto& away = option_of(answer, "gcp");
  CHECK(amount(away, BillLine::Kind::egress) == test::approx(3.6));
  CHECK(amount(away, BillLine::Kind::storage) > 0);
  CHECK(away.bill.total.approximate() == test::approx(away.cost.value).epsilon(1e-6));
  CHECK(amount(option_of(answer, "aws"), BillLine::Kind::egress) == 0);
  CHECK(option_of(answer, "gcp").cost.value > option_of(without, "gcp").cost.value + 3.59);
  const bool named =
      std::any_of(answer.assumptions.begin(), answer.assumptions.end(), [](const auto& text) {
        return text.find("lies at aws/us-east-1") != std::string::npos;
      });
  CHECK(named);
  const bool boot =
      std::any_of(answer.assumptions.begin(), answer.assumptions.end(), [](const auto& text) {
        return text.starts_with(
            "no boot disk is billed: the 20 GiB more of a rented disk stand for it");
      });
  CHECK(boot);
  const auto back = read_recommendation(boost::json::serialize(to_json(answer)), "a.json");
  CHECK(back.query.data_at == "aws/us-east-1");
  CHECK(amount(option_of(back, "gcp"), BillLine::Kind::egress) == test::approx(3.6));
}

// A folder of 1,281,167 pictures at AWS, read in its own region: $0.0004 a thousand, $0.5124668.
// The same in one file of 140 GiB comes in 17,920 parts of 8 MiB: $0.007168.
TEST_CASE("data at AWS: the requests that fetch them are on the bill") {
  const auto world = knowledge_with(test::made_model());
  auto query = training_query();
  query.infra = {"aws/us-east-1"};
  query.data_at = "aws/us-east-1";
  const auto reads = [&](DataFormat format) {
    query.format = format;
    const auto data = stored_data(query, world.catalog);
    REQUIRE(data.has_value());
    return charge_for_reads(*data, 1).amount;
  };
  CHECK(reads(DataFormat::jpeg) == Money::parse("0.5124668", "USD"));
  CHECK(reads(DataFormat::recordio) == Money::parse("0.007168", "USD"));
  const auto answer = search(query, world.evidence());
  const auto& option = option_of(answer, "aws");
  const bool told =
      std::any_of(option.bill.lines.begin(), option.bill.lines.end(), [](const BillLine& line) {
        return line.what == "reads of aws S3 Standard" && line.quantity == "17920 reads";
      });
  CHECK(told);
}

// A volume of 1 TiB in requests of 1 MiB: shuffled, a picture of 100 KiB is one of 40 a second;
// one after the other ten come with each, 40 MiB/s.
TEST_CASE("disks: what st1 merges when items are read in sequence") {
  const DiskSpeed st1{262e6, 40, 5e-3, 1048576, 250, 1048576};
  const auto merged = read_in_sequence(st1, 102400);
  const DiskLaw law{1, 0, 1};
  CHECK(disk_items_per_s(st1, law, 102400, 1) == test::approx(40));
  CHECK(disk_items_per_s(merged, law, 102400, 1) == test::approx(40 * 10.24));
  CHECK(merged.burst_iops == test::approx(2560));
  CHECK(merged.io_credits == test::approx(1048576 * 10.24));
  // Where no size of a request is stated it is EBS's of SSDs, and a spindle does not seek.
  CHECK(read_in_sequence({262e6, 3000}, 102400).iops == test::approx(3000 * 2.56));
  const DiskSpeed hdd{150e6, 120, 8e-3};
  CHECK(disk_items_per_s(hdd, law, 102400, 1) == test::approx(120));
  CHECK(disk_items_per_s(read_in_sequence(hdd, 102400), law, 102400, 1) ==
        test::approx(150e6 / 102400));
  CHECK(read_in_sequence({262e6, 3000}, 1 << 20).iops == 3000);  // an item of four requests
}

TEST_CASE("disks: TFRecord is read in sequence by who has no index of it") {
  CHECK(Reading{DataFormat::tfrecord, true, Phase::train, ""}.in_sequence());
  CHECK_FALSE(Reading{DataFormat::tfrecord, true, Phase::train, "rightsize"}.in_sequence());
  CHECK_FALSE(Reading{DataFormat::tfrecord, true, Phase::preprocess, ""}.in_sequence());
  CHECK_FALSE(Reading{DataFormat::recordio, true, Phase::train, ""}.in_sequence());
  CHECK(Reading{DataFormat::recordio, false, Phase::train, ""}.in_sequence());
}

TEST_CASE("data at a provider without a table are refused, with those that have one") {
  const auto world = knowledge_with(test::made_model());
  auto query = training_query();
  query.data_at = "s3";
  CHECK_THROWS_WITH_AS(static_cast<void>(search(query, world.evidence())),
                       doctest::Contains("known are aws, azure, gcp, cloudflare"),
                       UsageError);
}

TEST_CASE("disks: gp3 is offered as it comes and at speeds the machine lets through") {
  const auto world = knowledge_with(test::made_model());
  const auto query = training_query();
  const DiskChoices choices(query, world.catalog);
  const auto speeds_of = [&](const std::string& instance) {
    std::vector<double> speeds;
    for (const auto& disk : choices.of(offer_called(world, instance))) {
      if (disk.volume != nullptr && disk.volume->name == "gp3") {
        speeds.push_back(disk.speed.bytes_per_s / 1e6);
      }
    }
    return speeds;
  };
  // The table of 2017 knows what a p3.8xlarge lets through to its disks: 875 MB/s.
  // Pictures of 117 kB need more IOPS at 500 MB/s than those bytes do in large requests.
  CHECK(speeds_of("p3.8xlarge") == std::vector<double>{125, 250, 500, 500, 875, 875});
  // What it gives for ever, less than gp3 as it comes; the half hour a day at 437.5 is not counted.
  CHECK(speeds_of("g5.xlarge") == std::vector<double>{87.5});
  CHECK(speeds_of("g6e.8xlarge") ==
        std::vector<double>{125, 250, 500, 500, 1000, 1000, 2000, 2000});
  CHECK(speeds_of("m8i.xlarge") == std::vector<double>{125});  // nobody says
  for (const auto& disk : choices.of(offer_called(world, "p3.8xlarge"))) {
    if (disk.label.starts_with("gp3") && disk.bought.iops == 500) {
      CHECK(disk.label == "gp3 160 GiB 3500 IOPS 875 MB/s");
      CHECK(disk.bought.mbps == 750);
    }
  }
}

// AlexNet on a folder of files of 100 kB: 8 L4 take more of them than 4000 reads a second bring.
TEST_CASE("disks: IOPS are bought for a folder of small files") {
  const auto world = knowledge_with(test::made_model());
  auto query = training_query();
  query.items = 14'000'000;
  query.dataset_bytes = 1'400'000'000'000;
  const DiskChoices choices(query, world.catalog);
  const auto fastest = [&](const std::string& instance) {
    double most = 0;
    for (const auto& disk : choices.of(offer_called(world, instance))) {
      if (disk.label.starts_with("gp3") && disk.speed.bytes_per_s >= 500e6) {
        most = std::max(most, disk.speed.iops);
      }
    }
    return most;
  };
  CHECK(fastest("g6.48xlarge") == test::approx(20'000));  // 2 GB/s of them
  CHECK(fastest("g6.8xlarge") == test::approx(20'000));
  query.items = 140'000'000;
  CHECK(fastest("g6.48xlarge") == test::approx(80'000));  // 10 kB each: all that gp3 sells
}

// gp2 of 160 GiB earns 480 requests a second and has 5.4 million saved up: a job of minutes has
// them, one of weeks does not.
TEST_CASE("disks: the credits of a gp2 volume count for a short job and not for a long one") {
  const auto world = knowledge_with(test::made_model());
  auto query = training_query();
  query.loader = measured_loader;
  const auto rate_for = [&](double epochs) {
    query.epochs = epochs;
    const auto evidence = world.evidence();
    CandidateMaker maker(
        query, world.catalog, world.gpu_rates, world.cpu_speeds, world.model.cpu());
    Judge judge(query, evidence);
    auto offer = offer_called(world, "g5.xlarge");
    offer.local_disk_gib = std::nullopt;
    for (const auto& disk : maker.disks(offer)) {
      if (disk.label == "gp2 160 GiB") {
        Refusal refusal;
        const auto candidate = maker.make(offer, disk, {128, 1, false}, refusal);
        REQUIRE_MESSAGE(candidate.has_value(), refusal.reason);
        return judge.judge(*candidate, refusal)->option.throughput.value;
      }
    }
    FAIL("no gp2 volume of 160 GiB");
    return 0.0;
  };
  CHECK(rate_for(0.05) > 1.15 * rate_for(90));  // the GPU's own rate, then the disk's
  CHECK(rate_for(90) < 600);
}

// One epoch, read from a gp2 of 160 GiB: 480 requests a second and 5.4 million saved up, 3000 while
// they last. N items take (N - 5.4e6) / 480 seconds where the credits are spent long before.
TEST_CASE("disks: a first epoch takes the time that credits and what is earned allow") {
  const auto world = knowledge_with(test::made_model());
  auto query = training_query();
  query.items = 20'000'000;
  query.dataset_bytes = 140ULL << 30;  // 7.5 kB an item: requests are what limits
  query.epochs = 1;
  const auto evidence = world.evidence();
  CandidateMaker maker(query, world.catalog, world.gpu_rates, world.cpu_speeds, world.model.cpu());
  Judge judge(query, evidence);
  auto offer = offer_called(world, "p3.8xlarge");  // four V100: faster than the disk
  offer.local_disk_gib = std::nullopt;
  for (const auto& disk : maker.disks(offer)) {
    if (disk.label == "gp2 160 GiB") {
      Refusal refusal;
      const auto candidate = maker.make(offer, disk, {128, 1, false}, refusal);
      REQUIRE_MESSAGE(candidate.has_value(), refusal.reason);
      const double seconds = 3600 * judge.judge(*candidate, refusal)->option.hours.value;
      CHECK(seconds == test::approx((20e6 - 5.4e6) / 480).epsilon(0.05));
      return;
    }
  }
  FAIL("no gp2 volume of 160 GiB");
}

TEST_CASE("data at: a mistyped region, and a job without data, are told") {
  const auto world = knowledge_with(test::made_model());
  auto query = training_query();
  query.data_at = "aws/us-east1";
  CHECK_THROWS_WITH_AS(static_cast<void>(search(query, world.evidence())),
                       doctest::Contains("known are"),
                       UsageError);
  query.data_at = "aws";
  query.format = DataFormat::synthetic;
  CHECK_THROWS_WITH_AS(static_cast<void>(search(query, world.evidence())),
                       doctest::Contains("no data set to get"),
                       UsageError);
}

// Caffe's datum of a picture of 224 x 224 is 151 kB at least; a JPEG of ImageNet 110 kB.
TEST_CASE("data in LMDB: items too small for pixels are warned of, as what decodes them is not") {
  const auto world = knowledge_with(test::made_model());
  auto query = training_query();
  query.format = DataFormat::lmdb;
  const auto warned = [&](std::uint64_t bytes_per_item) {
    query.dataset_bytes = bytes_per_item * query.items;
    const auto warnings = search(query, world.evidence()).warnings;
    return std::any_of(warnings.begin(), warnings.end(), [](const std::string& text) {
      return text.find("lmdb is read as decoded pixels") != std::string::npos;
    });
  };
  CHECK(warned(110'000));
  CHECK_FALSE(warned(197'000));
  query.format = DataFormat::recordio;
  CHECK_FALSE(warned(110'000));
}

TEST_CASE("data: a size that is too small for so many pictures is doubted") {
  const auto knowledge = test::knowledge_of(
      "Provider,InstanceType,vCPUs,MemoryGiB,AcceleratorName,AcceleratorCount,Region,Price,"
      "Currency,Arch,Book,AsOf,Source",
      "acme,v.small,16,64,V100,1,here,1.00,USD,x86_64,current,2026-11-01,test\n");
  const auto doubts = [&](std::uint64_t bytes) {
    auto query = test::imagenet_job();
    query.dataset_bytes = bytes;
    const auto answer = search(query, knowledge.evidence(), {});
    return std::any_of(answer.warnings.begin(), answer.warnings.end(), [](const auto& warning) {
      return warning.find("is [data] bytes the size of all 1281167 items?") != std::string::npos;
    });
  };
  CHECK(doubts(140'000'000));
  CHECK_FALSE(doubts(140'000'000'000));
  CHECK_FALSE(doubts(7'000'000'000));  // of 5 kB, as of thumbnails
}
