// The explanation against what it explains: the tree's numbers must reproduce the option's, and
// every flip must be seen by asking the search on both sides of it.
#include "advisor/explain/explanation.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <sstream>

#include <boost/json.hpp>
#include <doctest/doctest.h>

#include "advisor/candidate/own_loader.h"
#include "advisor/cli/command.h"
#include "advisor/explain/comparison.h"
#include "advisor/full_name.h"
#include "advisor/knowledge.h"
#include "advisor/report/explanation_text.h"
#include "support/approx.h"
#include "support/golden_text.h"
#include "support/made_catalog.h"
#include "support/made_model.h"
#include "support/temporary_folder.h"

using namespace rightsize;

namespace {

const std::string root = RIGHTSIZE_SOURCE_DIR;

Query imagenet() {
  Query query;
  query.name = "ImageNet";
  query.file = "job.toml";
  query.precision = Precision::fp16;
  query.batches = {128};
  query.items = 1281167;
  query.epochs = 90;
  query.dataset_bytes = 140'000'000'000;
  query.deadline_s = 48 * 3600;
  query.infra = {"aws"};
  return query;
}

const Cause& part(const Cause& cause, const std::string& name) {
  for (const auto& found : cause.parts) {
    if (found.name == name) {
      return found;
    }
  }
  FAIL("no part called ", name);
  return cause;
}

double input(const Cause& cause, const std::string& name) {
  for (const auto& found : cause.inputs) {
    if (found.name == name) {
      return found.value;
    }
  }
  FAIL("no input called ", name);
  return 0;
}

void each(const Cause& cause, const std::function<void(const Cause&)>& use) {
  use(cause);
  for (const auto& found : cause.parts) {
    each(found, use);
  }
}

bool contains(const std::string& text, const std::string& text_part) {
  return text.find(text_part) != std::string::npos;
}

// An explanation by hand: its text cannot change with a law or a price table.
Explanation made_explanation() {
  Explanation made;
  made.query.file = "job.toml";
  made.option.provider = "aws";
  made.option.instance = "g6e.xlarge";
  made.option.gpu = "L40S";
  made.option.gpus = 1;
  made.option.satisfies = true;
  made.option.hours = {25, 22, 28.4, 0.9, "h", Source::scaled};
  made.option.cost = {47, 41.4, 53.3, 0.9, "USD", Source::scaled};
  made.option.limited_by = Bound::disk;
  made.chosen = "aws/g6e.xlarge";
  const auto exact = [](double value, const char* unit, Source source) {
    return Estimate{value, value, value, 1, unit, source};
  };
  const double unused = std::numeric_limits<double>::infinity();
  const Cause disk{
      "disk",
      exact(1297, "items/s", Source::published),
      "bandwidth / bytes per item",
      {{"bandwidth", 125e6, "B/s", "published"}, {"bytes per item", 109e3, "B", "given"}},
      "gp3 151 GiB",
      true,
      {}};
  const Cause copy{
      "copy", exact(unused, "items/s", Source::assumed), "not used: no GPU", {}, "", false, {}};
  const Estimate items_per_s{1282, 1129, 1455, 0.9, "items/s", Source::scaled};
  const Cause rate{"throughput", items_per_s, "the slowest of these", {}, "", false, {disk, copy}};
  const Cause price{
      "price", exact(1.861, "USD per hour", Source::published), "", {}, "aws.csv", false, {}};
  made.cost = {"cost", made.option.cost, "hours x price", {}, "", false, {price, rate}};
  made.spread = {{"GPU speed", 0.13, "1", "scaled"}};
  made.substitutions = {{"batch", "128, 256", "256", "it fits"}};
  made.sensitivities = {
      {"price", "USD per hour", 1.861, 0.1, 40, {{1.95, "aws/g6e.xlarge", "aws/g6e.2xlarge"}}},
      {"deadline",
       "h",
       48.0,
       5,
       200,
       {{9.5, "", "aws/p5.4xlarge"}, {25.3, "aws/p5.4xlarge", "aws/g6e.xlarge"}}},
      {"decoding rate of every CPU", "1", 1.0, 0.1, 10, {}}};
  Neighbour next;
  next.option = made.option;
  next.option.instance = "g6e.2xlarge";
  next.option.vcpus = 8;
  next.price_difference = 0.38;
  next.hours_difference = -3.24;
  next.cost_difference = 2.21;
  made.neighbours = {next};
  return made;
}

}  // namespace

TEST_CASE("explain: the tree's numbers give the option's own time, cost and throughput") {
  const auto world = knowledge_with(test::made_model());
  auto query = imagenet();
  query.loader = measured_loader;
  Appraiser appraiser(query, world.evidence());
  const auto appraisal = appraiser.appraise("g6e.xlarge");
  const auto tree = cost_tree(query, world.model, appraisal);
  const auto& hours = part(tree, "hours");
  const auto& rate = part(hours, "throughput");
  const double items = input(hours, "items");
  const double expected_h =
      (items / input(hours, "first epoch's rate") + 89 * items / rate.value.value) / 3600;
  CHECK(hours.value.value == test::approx(expected_h));
  CHECK(tree.value.value == test::approx(expected_h * (part(tree, "price").value.value +
                                                       part(tree, "disk").value.value))
                                .epsilon(1e-4));
  // The composition, and the cpu bound, by the formulas the nodes state.
  double sum = 0;
  const double sharpness = 1 + input(rate, "which is 1 + pipeline_sharpness");
  const auto bound = [&](const char* name) { return part(rate, name).value.value; };
  for (const double each :
       {bound("disk"), std::min(bound("cpu"), bound("loader")), bound("copy"), bound("gpu")}) {
    sum += std::isinf(each) ? 0 : std::pow(each, -input(rate, "sharpness"));
  }
  CHECK(rate.value.value == test::approx(std::pow(sum, -1 / sharpness)));
  const auto& cpu = part(rate, "cpu");
  CHECK(cpu.value.value ==
        test::approx(input(cpu, "capacity") * input(cpu, "CPU speed") / input(cpu, "data path")));
  const auto& disk = part(rate, "disk");
  CHECK(disk.value.value == test::approx(input(disk, "bandwidth") * input(disk, "efficiency") /
                                         (input(disk, "bytes per item") *
                                          input(disk, "amplification") * input(disk, "misses"))));
}

TEST_CASE("explain: hours on a spot market are those of work, checkpoints, starts and losses") {
  const auto world = knowledge_with(test::made_model());
  auto query = imagenet();
  query.markets = {Market::spot};
  query.interruptions.per_hour = 0.1;
  query.interruptions.checkpoint_s = 20;
  Appraiser appraiser(query, world.evidence());
  const auto appraisal = appraiser.appraise("g6e.xlarge");
  REQUIRE(appraisal.option.spot);
  const auto hours = part(cost_tree(query, world.model, appraisal), "hours");
  double sum = 0;
  for (const auto& one : hours.parts) {
    CHECK(one.value.value > 0);
    sum += one.value.value;
  }
  CHECK(sum == test::approx(hours.value.value));
  CHECK(hours.value.value == test::approx(appraisal.option.hours.value));
  const auto& work = part(hours, "undisturbed");
  const double items = input(work, "items");
  const double rate = part(work, "throughput").value.value;
  CHECK(work.value.value ==
        test::approx((items / input(work, "first epoch's rate") + 89 * items / rate) / 3600));
  // Daly: as many interruptions as a clock of that hazard has over the whole time, each loses
  // nearly half an interval and its checkpoint.
  const double interruptions = input(hours, "interruptions");
  CHECK(interruptions == test::approx(0.1 * hours.value.value).epsilon(0.02));
  const auto& written = part(hours, "checkpoints");
  const double interval_h = input(written, "interval") / 60;
  CHECK(written.value.value == test::approx(work.value.value / interval_h * 20 / 3600));
  const auto& starts = part(hours, "new starts");
  CHECK(starts.value.value == test::approx(interruptions * 300 / 3600).epsilon(0.01));
  const double r = input(starts, "r");
  const double whole_h = input(starts, "T, to work again") / 3600;
  CHECK(starts.value.value ==
        test::approx(interruptions * (1 - std::exp(-r * whole_h)) / r).epsilon(1e-6));
  CHECK(part(hours, "done again").value.value ==
        test::approx(interruptions * (interval_h + 20.0 / 3600) / 2).epsilon(0.05));
}

TEST_CASE("explain: every input is tagged, and exactly one bound limits") {
  const auto world = knowledge_with(test::made_model());
  const auto query = imagenet();
  Appraiser appraiser(query, world.evidence());
  const auto tree = cost_tree(query, world.model, appraiser.appraise("g6e.xlarge"));
  int limits = 0;
  each(tree, [&](const Cause& cause) {
    limits += cause.binding ? 1 : 0;
    for (const auto& found : cause.inputs) {
      CHECK_FALSE(found.tag.empty());
      CHECK(std::isfinite(found.value));
    }
  });
  CHECK(limits == 1);
}

TEST_CASE("explain: on both sides of each deadline flip the search itself answers as said") {
  const auto world = knowledge_with(test::made_model());
  // With data in one region a machine of another is not the answer for its price per hour alone.
  for (const auto* data_at : {"", "aws/us-west-2"}) {
    CAPTURE(data_at);
    auto query = imagenet();
    query.data_at = data_at;
    const auto explanation = explain(query, world.evidence(), "");
    REQUIRE(explanation.sensitivities.size() == 4);
    const auto& deadline = explanation.sensitivities[1];
    REQUIRE_FALSE(deadline.flips.empty());
    const auto chosen_at = [&](double hours) {
      auto asked = query;
      asked.deadline_s = hours * 3600;
      const auto answer = search(asked, world.evidence());
      return answer.chosen ? full_name(*answer.chosen) : "";
    };
    for (const auto& flip : deadline.flips) {
      CAPTURE(flip.at);
      CHECK(chosen_at(flip.at * 0.998) == flip.below);  // which is found to a thousandth
      CHECK(chosen_at(flip.at * 1.0005) == flip.above);
    }
    // The price at which it loses is above its own.
    const auto& price = explanation.sensitivities[0];
    REQUIRE_FALSE(price.flips.empty());
    CHECK(price.flips.back().below == explanation.chosen);
    CHECK(price.flips.back().at > *price.now);
  }
}

TEST_CASE("explain: golden text") {
  const auto text = report::explanation_text(made_explanation(), {});
  CHECK(text == test::golden("explain.txt", text));
}

TEST_CASE("explain: the command, its JSON and its mistakes") {
  const TemporaryFolder folder;
  const auto model = folder / "model.json";
  std::ofstream(model) << boost::json::serialize(to_json(test::made_model()));
  const auto run = [&](std::vector<std::string> arguments, std::string& out, std::string& err) {
    arguments.insert(arguments.end(), {"--model", model, "--infra", "aws"});
    std::ostringstream o;
    std::ostringstream e;
    cli::Context context{o, e, {}, {}, false};
    const int code = cli::run_program(context, arguments);
    out = o.str();
    err = e.str();
    return code;
  };
  const auto job = root + "/examples/demo/job.toml";
  std::string out;
  std::string err;
  CHECK(run({"explain", job, "g6e.xlarge", "-o", "json"}, out, err) == cli::exit_ok);
  const auto document = boost::json::parse(out).as_object();
  CHECK(document.at("schema").as_string() == "rightsize/explanation/1");
  CHECK(document.at("cost").as_object().at("parts").as_array().size() >= 2);
  CHECK(document.at("sensitivities").as_array().size() == 4);
  CHECK(run({"explain", job, "g6e.xlarg"}, out, err) == cli::exit_usage);
  CHECK(contains(err, "did you mean \"g6e.xlarge\"?"));
}

TEST_CASE("explain: what is reserved and idle follows from the share that was given") {
  const auto world = knowledge_with(test::made_model());
  auto query = test::imagenet_job();
  query.infra = {"gcp"};
  query.markets = {Market::reserved_1y};
  query.utilisation_percent = 60;
  const auto text = report::explanation_text(explain(query, world.evidence(), ""), {});
  CHECK(text.find("idle share of the reservation (60 % used, as given)") != std::string::npos);
  CHECK(text.find("share used 0.6 [given]") != std::string::npos);
}
