// Machines of one's own: how many there are, who bears their idle hours, and where buying pays.
#include <algorithm>
#include <cmath>
#include <fstream>
#include <string>
#include <vector>

#include <boost/json.hpp>
#include <doctest/doctest.h>

#include "support/approx.h"
#include "support/program.h"
#include "support/temporary_folder.h"

using namespace rightsize;

namespace {

const std::string examples = RIGHTSIZE_SOURCE_DIR "/examples";
const std::string job = examples + "/demo/job.toml";
const std::string service = examples + "/service/job.toml";
const std::string costs = "years=4,power=0.5kW,kwh=0.15,vcpus=32,memory=128GiB";
const std::string l4 = "gpu=L4:1,price=9000USD,disk=2000GiB," + costs;

test::Result asked(const std::vector<std::string>& words, const std::vector<std::string>& more) {
  auto all = words;
  all.insert(all.end(), more.begin(), more.end());
  return test::run_without_model(all);
}

// Of machines of one's own alone.
boost::json::value answer(const std::string& file,
                          const std::string& machine,
                          std::vector<std::string> more = {}) {
  if (file == job) {
    more.insert(more.end(), {"--deadline", "900h"});
  }
  more.insert(more.end(), {"--on-prem", machine, "--book", "own", "-o", "json"});
  const auto result = asked({"advise", file}, more);
  CAPTURE(result.err);
  REQUIRE(result.out.starts_with("{"));
  return boost::json::parse(result.out);
}

double cost(const boost::json::value& answer) {
  return answer.at("chosen").at("cost").at("value").to_number<double>();
}

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

bool says(const boost::json::value& answer, const char* where, const std::string& part) {
  for (const auto& sentence : answer.at(where).as_array()) {
    if (holds(std::string(sentence.as_string()), part)) {
      return true;
    }
  }
  return false;
}

}  // namespace

TEST_CASE("own stock: a service takes no more than there are, and hears how many would do") {
  const auto enough = answer(service, l4);
  const auto machines = enough.at("chosen").at("nodes").to_number<int>();
  REQUIRE(machines > 1);
  CHECK(says(enough, "warnings", "there are the " + std::to_string(machines)));
  CHECK(answer(service, l4 + ",count=" + std::to_string(machines)).at("chosen").is_object());
  const auto fewer = std::to_string(machines - 1);
  const auto refused = answer(service, l4 + ",count=" + fewer);
  CHECK(refused.at("chosen").is_null());
  CHECK(says(refused,
             "warnings",
             std::string("of own 1x L4 there ") + (fewer == "1" ? "is " : "are ") + fewer +
                 ", and " + std::to_string(machines) +
                 " would do: count=" + std::to_string(machines) + " of --on-prem"));
  const auto text = asked({"advise", service}, {"--on-prem", l4 + ",count=1", "--book", "own"});
  CHECK(text.code == cli::exit_nothing_satisfies);
  CHECK(holds(text.out + text.err, "too few of your own machines: it takes "));
  CHECK(holds(text.out + text.err, ", and there is 1 of own 1x L4"));
}

TEST_CASE("own stock: two services of a plan do not take the same machines") {
  const auto one = answer(service, l4).at("chosen").at("nodes").to_number<int>();
  const auto plan = [&](int count) {
    const auto result =
        asked({"advise", service, service},
              {"--on-prem", l4 + ",count=" + std::to_string(count), "--book", "own", "-o", "json"});
    CAPTURE(result.err);
    return boost::json::parse(result.out).at("answers");
  };
  const auto both = plan(2 * one);
  CHECK(both.at(0).at("chosen").is_object());
  CHECK(both.at(1).at("chosen").is_object());
  const auto first_only = plan(2 * one - 1);
  CHECK(first_only.at(0).at("chosen").is_object());
  CHECK(first_only.at(1).at("chosen").is_null());
}

TEST_CASE("own stock: no more train together than there are, nor run at once") {
  const std::vector<std::string> together{"--nodes-max", "8", "--objective", "time"};
  const auto most = [&](const std::string& machine) {
    int nodes = 0;
    const auto asked_of = answer(job, machine, together);
    for (const auto& option : asked_of.at("options").as_array()) {
      nodes = std::max(nodes, option.at("nodes").to_number<int>());
    }
    return nodes;
  };
  CHECK(most(l4) == 8);
  CHECK(most(l4 + ",count=3") == 3);
  const auto at_once = answer(job, l4 + ",count=1", {"--runs-per-month", "500"});
  CHECK(at_once.at("chosen").is_null());
  CHECK(holds(std::string(at_once.at("rejected").at(0).at("reason").as_string()),
              "too few of your own machines: 500 runs a month take "));
  const auto predicted = test::run_without_model(
      {"predict", job, "--on-prem", l4 + ",count=4", "--machine", "own 1x L4,nodes=8"});
  CHECK(predicted.code == cli::exit_usage);
  CHECK(holds(predicted.err, "nodes = 8: of your own there are 4 (count= of --on-prem)"));
}

TEST_CASE("own stock: runs of a month bear the purchase, a said utilisation goes before them") {
  const auto alone = answer(job, l4);
  CHECK(says(alone, "warnings", "as if it never stood idle"));
  const auto few = answer(job, l4, {"--runs-per-month", "2"});
  CHECK(cost(few) > 1.5 * cost(alone));
  CHECK(says(few, "assumptions", "which the 2 runs a month bear between them"));
  const auto& bill = few.at("chosen").at("bill").as_array();
  REQUIRE(bill.size() == 3);
  CHECK(holds(std::string(bill[2].at("what").as_string()), "idle share of the purchase ("));
  const auto said = answer(job, l4 + ",utilisation=50%", {"--runs-per-month", "2"});
  CHECK(cost(said) == test::approx(cost(answer(job, l4 + ",utilisation=50%"))));
  CHECK(says(said, "assumptions", "the 2 runs a month do not enter its price"));
}

TEST_CASE("own stock: no disk is rented for it, and that nothing is said of its own is told") {
  const auto open = "gpu=L4:1,price=9000USD," + costs;
  const auto unsaid = answer(job, open);
  CHECK(unsaid.at("chosen").at("disk") == "its own (not said, does not limit)");
  CHECK(says(unsaid, "warnings", "nothing is said of its disk"));
  for (const auto& line : unsaid.at("chosen").at("bill").as_array()) {
    CHECK_FALSE(holds(std::string(line.at("what").as_string()), "disk"));
  }
  CHECK_FALSE(says(answer(job, l4), "warnings", "nothing is said of its disk"));
  const auto bare =
      asked({"advise", job},
            {"--on-prem", "gpu=L4:1,price=9000USD,years=4,power=0.5kW,kwh=0.15", "--book", "own"});
  CHECK(holds(bare.out + bare.err, "vCPUs or memory of your own machine not said"));
}

TEST_CASE("own stock: explain says from how much work a month buying pays") {
  const std::vector<std::string> with{"--on-prem", l4, "--infra", "aws", "--deadline", "900h"};
  const auto explained = asked({"explain", job, "own 1x L4"}, with);
  CAPTURE(explained.out);
  CHECK(holds(explained.out, "Rent or buy"));
  CHECK(holds(explained.out, "buying pays from ~"));
  auto as_json = with;
  as_json.insert(as_json.end(), {"-o", "json"});
  const auto even =
      boost::json::parse(asked({"explain", job, "own 1x L4"}, as_json).out).at("break_even");
  CHECK(even.at("purchase_per_month").to_number<double>() == test::approx(9000 / 48.0));
  CHECK(even.at("power_per_hour").to_number<double>() == test::approx(0.075));
  // At so many runs the one costs as much as the other.
  const auto& runs = even.at("runs_per_month");
  CHECK(runs.at("low").to_number<double>() <= runs.at("value").to_number<double>());
  CHECK(runs.at("value").to_number<double>() <= runs.at("high").to_number<double>());
  const auto so_many = std::to_string(runs.at("value").to_number<double>());
  auto borne = with;
  borne.insert(borne.end(), {"--runs-per-month", so_many, "-o", "json", "--max-results", "0"});
  const auto both = boost::json::parse(asked({"advise", job}, borne).out);
  double own = 0;
  double rented = 0;
  for (const auto& option : both.at("options").as_array()) {
    const double money = option.at("cost").at("value").to_number<double>();
    auto& first = option.at("provider") == "on-prem" ? own : rented;
    first = first == 0 ? money : first;
  }
  CHECK(own == test::approx(rented).epsilon(0.02));
  const auto of_rented = asked({"explain", job, "g6.xlarge"}, with);
  CHECK_FALSE(holds(of_rented.out, "Rent or buy"));
}

TEST_CASE("own stock: what is rented by the month is compared by the month") {
  const TemporaryFolder folder;
  const auto explained = [&](const std::string& price) {
    std::ofstream(folder / "month.csv")
        << "Provider,InstanceType,vCPUs,MemoryGiB,AcceleratorName,AcceleratorCount,Region,Price,"
           "MonthlyPrice,SpotPrice,Currency,Arch,Book,AsOf,Source\n"
        << "acme,v.month,32,128,L40S,1,here,," << price << ",,USD,x86_64,acme,2026-01-01,test\n";
    return asked({"explain", job, "own 1x L4", "--prices", folder / "month.csv"},
                 {"--on-prem", l4, "--book", "own , acme", "--deadline", "900h"});
  };
  // The own machine is 187.50 a month and its power.
  const auto dear = explained("900");
  CAPTURE(dear.out);
  CAPTURE(dear.err);
  CHECK(holds(dear.out, "for each month that is begun, worked or not"));
  CHECK(holds(dear.out, "buying pays from the first hour"));
  const auto cheap = explained("90");
  CHECK_FALSE(holds(cheap.out, "buying pays"));
  CHECK_FALSE(holds(cheap.out, "on-prem/own 1x L4 does that hour's work"));
}

TEST_CASE("own stock: another currency counts by its rate, its data's storage too") {
  const auto euros = "gpu=L4:1,price=9000EUR,disk=2000GiB," + costs;
  const auto refused = asked({"advise", job}, {"--on-prem", euros, "--book", "own"});
  CHECK(holds(refused.out + refused.err, "priced in EUR: --fx EUR=RATE"));
  const auto counted = answer(job, euros, {"--fx", "EUR=1.25"});
  CHECK(cost(counted) > cost(answer(job, l4)));  // the price of power is in euros as well
  const auto dollars = "gpu=L4:1,price=9000,disk=2000GiB," + costs;
  const auto said = answer(job, dollars);
  CHECK(cost(said) == cost(answer(job, l4)));
  CHECK(says(said, "assumptions", "names no currency and is taken to be in USD"));
  CHECK(said.at("chosen").at("currency") == "USD");
  const std::vector<std::string> stored{"--data-at", "aws/us-east-1", "--currency", "EUR"};
  const auto apart = answer(job, euros, stored);
  CHECK(holds(std::string(apart.at("rejected").at(0).at("reason").as_string()),
              "--fx USD=RATE says what 1 USD is in EUR"));
  auto with_rate = stored;
  with_rate.insert(with_rate.end(), {"--fx", "USD=0.8"});
  const auto together = answer(job, euros, with_rate);
  double egress = 0;
  for (const auto& line : together.at("chosen").at("bill").as_array()) {
    egress +=
        line.at("unit") == "per GiB" ? std::stod(std::string(line.at("amount").as_string())) : 0;
  }
  CHECK(egress > 0);
}
