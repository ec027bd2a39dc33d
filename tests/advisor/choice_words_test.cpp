// What is said of the choice beside the table: which of several is marked, what is best for all,
// what "best" weighs, and what is not in a price.
#include <algorithm>
#include <string>
#include <vector>

#include <boost/json.hpp>
#include <doctest/doctest.h>

#include "advisor/fleet/fleet.h"
#include "advisor/option_order.h"
#include "advisor/recommendation_file.h"
#include "advisor/report/fleet_text.h"
#include "advisor/suppose/what_if.h"
#include "support/made_catalog.h"
#include "support/program.h"

using namespace rightsize;

namespace {

const std::string examples = RIGHTSIZE_SOURCE_DIR "/examples/";
const std::string job = examples + "demo/job.toml";

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::string advised(std::vector<std::string> arguments) {
  const test::ModelFile model;
  arguments.insert(arguments.begin(), "advise");
  arguments.insert(arguments.end(), {"--model", model.path()});
  const auto result = test::run(arguments);
  CAPTURE(result.err);
  REQUIRE(result.code == cli::exit_ok);
  return result.out + result.err;
}

Option option_at(const char* instance, double cost) {
  Option option;
  option.provider = "acme";
  option.instance = instance;
  option.nodes = 1;
  option.satisfies = true;
  option.cost = {cost, cost, cost, 0.9, "USD", Source::published};
  option.hours = {1, 1, 1, 0.9, "h", Source::published};
  option.bill.total = Money::parse("1", "USD");
  return option;
}

// Two jobs that each take `chosen`, and a machine for both at `common_cost` together.
std::string said_of(const char* chosen,
                    double cost,
                    const char* common,
                    double common_cost,
                    std::optional<Money> month = std::nullopt) {
  Fleet fleet;
  for (int i = 0; i < 2; ++i) {
    Recommendation answer;
    answer.chosen = option_at(chosen, cost);
    answer.chosen->price_per_month = month;
    answer.options = {*answer.chosen};
    fleet.answers.push_back(answer);
  }
  fleet.total.emplace();
  fleet.total->cost = option_at("", 2 * cost).cost;
  fleet.total->machine_hours = option_at("", 0).hours;
  fleet.common = CommonMachine{"acme", common, "", Market::on_demand, *fleet.total};
  fleet.common->total.cost = option_at("", common_cost).cost;
  return report::fleet_markdown(fleet);
}

}  // namespace

TEST_CASE("choice words: a machine is called the best for each job where each takes it") {
  CHECK(holds(said_of("fast", 100, "fast", 200), "acme/fast is the best for each of them."));
  const auto cheaper = said_of("fast", 100, "cheap", 50);
  CHECK_FALSE(holds(cheaper, "is the best for each"));
  CHECK(holds(cheaper, "One kind of machine for all, rented in one way: acme/cheap, ~$50.00"));
  CHECK(holds(cheaper, ", 75% less."));
  CHECK(holds(said_of("fast", 100, "other", 300), ", 50% more."));
  CHECK(holds(said_of("fast", 100, "other", 200), ", as much as these."));
}

TEST_CASE("choice words: jobs of a plan may share the month that each is billed") {
  const auto* words = "2 jobs are each billed whole months of acme/month";
  CHECK(holds(said_of("month", 500, "month", 1000, Money::parse("500", "USD")), words));
  CHECK_FALSE(holds(said_of("month", 500, "month", 1000), words));
}

TEST_CASE("choice words: charts mark what is chosen however the table is sorted") {
  const auto charts = [](std::vector<std::string> more) {
    more.insert(more.begin(), {job, "--infra", "aws", "--allow", "g6e", "--chart"});
    const auto out = advised(more);
    const auto start = out.find("Cost of the job against its time");
    REQUIRE(start != std::string::npos);
    return out.substr(start);
  };
  CHECK(charts({"--sort", "price:desc"}) == charts({}));
}

TEST_CASE("choice words: an answer saved in another order is read in that of its ranks") {
  const auto saved = advised({job, "--infra", "aws", "--sort", "price:desc", "-o", "json"});
  const auto answer = read_recommendation(saved.substr(0, saved.find('\n')), "saved.json");
  REQUIRE(answer.options.size() > 3);
  CHECK(answer.options.front().instance == answer.chosen->instance);
  CHECK(std::is_sorted(answer.options.begin(),
                       answer.options.end(),
                       [](const auto& a, const auto& b) { return a.rank < b.rank; }));
}

TEST_CASE("choice words: a mixed objective says that it is a product") {
  const auto mixed =
      advised({job, "--infra", "aws", "--objective", "cost*0.6+time*0.4", "-o", "json"});
  CHECK(holds(mixed,
              "best by cost*0.6+time*0.4 is the least cost^0.6 x time^0.4: a hundredth less time "
              "is worth 0.667 hundredths of the cost"));
  CHECK_FALSE(holds(advised({job, "--infra", "aws", "-o", "json"}), "hundredths of the cost"));
}

// 70 billion parameters in FP8 on several GPUs: the host reads all of them, not one GPU's part.
TEST_CASE("choice words: a host's memory is held against the weights of all GPUs") {
  const auto knowledge = test::knowledge_of(
      "Provider,InstanceType,vCPUs,MemoryGiB,AcceleratorName,AcceleratorCount,Region,Price,"
      "Currency,Arch,Book,AsOf,Source",
      "acme,h.four,16,32,H100,4,here,9.00,USD,x86_64,current,2026-01-01,test\n");
  auto query = load_query(examples + "llm/serve-70b.toml");
  query.infra.clear();
  const auto answer = search(query, knowledge.evidence());
  REQUIRE(answer.chosen.has_value());
  CHECK(std::any_of(answer.warnings.begin(), answer.warnings.end(), [](const auto& warning) {
    return holds(warning, "the host has 32 GiB of memory and the weights 6") ||
           holds(warning, "the host has 32 GiB of memory and the weights 13");
  }));
}

TEST_CASE("choice words: a disk that no table prices is said not to be in the cost") {
  auto knowledge = test::knowledge_of(
      "Provider,InstanceType,vCPUs,MemoryGiB,AcceleratorName,AcceleratorCount,Region,Price,"
      "Currency,Arch,Book,AsOf,Source",
      "acme,v.one,16,64,V100,1,here,3.00,USD,x86_64,current,2026-01-01,test\n");
  const auto asked = [&](const char* word) {
    const auto notes =
        what_if(test::imagenet_job(), knowledge.evidence(), "v.one", parse_supposition({word}))
            .notes;
    return std::any_of(notes.begin(), notes.end(), [](const auto& note) {
      return holds(note, "no table has a price of that disk: the cost is without one");
    });
  };
  CHECK(asked("disk=1GB/s"));
  CHECK_FALSE(asked("batch=64"));
}

TEST_CASE("choice: the row that is taken is shown wherever --sort puts it") {
  const auto dearest = test::run_without_model(
      {"advise", job, "--sort", "cost:desc", "--max-results", "3", "--infra", "aws"});
  CAPTURE(dearest.out);
  CHECK(dearest.out.find("\n* ") != std::string::npos);
}
