// A service in every form that a job has: explained, compared, supposed, right-sized, exported,
// saved and read again.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include <boost/json.hpp>
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "advisor/explain/asked_ratio.h"
#include "advisor/explain/comparison.h"
#include "advisor/explain/explanation.h"
#include "advisor/export/exporter.h"
#include "advisor/full_name.h"
#include "advisor/recommendation_file.h"
#include "advisor/report/answer.h"
#include "advisor/report/comparison_text.h"
#include "advisor/report/explanation_text.h"
#include "advisor/report/frontier.h"
#include "advisor/report/html.h"
#include "advisor/report/markdown.h"
#include "advisor/report/report_data.h"
#include "advisor/report/right_sizing_text.h"
#include "advisor/report/service_charts.h"
#include "advisor/report/service_text.h"
#include "advisor/report/side_by_side.h"
#include "advisor/report/what_if_text.h"
#include "advisor/right_sizing/right_sizing.h"
#include "advisor/service_world.h"
#include "advisor/suppose/what_if.h"
#include "support/approx.h"
#include "support/temporary_folder.h"

using namespace rightsize;
using test::answering;

namespace {

const Cause& part(const Cause& cause, const std::string& name) {
  const auto found = std::find_if(cause.parts.begin(), cause.parts.end(), [&](const Cause& one) {
    return one.name.starts_with(name);
  });
  REQUIRE_MESSAGE(found != cause.parts.end(), "no part called " << name);
  return *found;
}

double input(const Cause& cause, const std::string& name) {
  const auto found = std::find_if(
      cause.inputs.begin(), cause.inputs.end(), [&](const Input& one) { return one.name == name; });
  REQUIRE_MESSAGE(found != cause.inputs.end(), "no input called " << name);
  return found->value;
}

bool contains(const std::string& text, const std::string& what) {
  return text.find(what) != std::string::npos;
}

}  // namespace

TEST_CASE("service: the tree's numbers give the month's bill, and a machine more costs its price") {
  const auto known = test::service_world();
  const auto query = answering();
  const auto told = explain(query, known.evidence(), "t4.small");
  const auto& machines = part(told.cost, "machines");
  const double count = machines.value.value;
  CHECK(count == told.option.service->machines);
  CHECK(told.cost.value.value == test::approx(count * 0.5 * 730));
  CHECK(input(told.cost, "a million requests") ==
        test::approx(told.cost.value.value / (1500.0 * 730 * 3600) * 1e6));
  const auto& load = part(machines, "load");
  CHECK(load.value.value * count == test::approx(1500));
  const auto& most = part(machines, "most");
  const auto& full = part(most, "largest minibatch");
  const auto& server = told.option.service->server;
  CHECK(most.value.value == test::approx(server.max_batch / full.value.value));
  CHECK(full.value.value == test::approx(input(full, "of " + std::to_string(server.max_batch))));
  CHECK(part(machines, "p99").value.value <= 0.05);
  REQUIRE(told.service);
  for (const auto& step : told.service->steps) {
    const int more = step.machines - told.option.service->machines;
    CHECK(std::abs(more) == 1);
    CHECK(step.cost_difference == test::approx(more * 0.5 * 730));
    CHECK((more > 0) == (step.p_enough > told.option.service->p_enough));
  }
  CHECK(told.service->most_requests_per_s >= 1500);
  CHECK(told.service->least_p99_s < 0.05);
}

TEST_CASE("service: on both sides of a flip by load and latency the search answers as said") {
  const auto known = test::service_world();
  const auto query = answering();
  const auto told = explain(query, known.evidence(), "");
  const auto chosen_with = [&](double Service::*number, double value) {
    auto asked = query;
    (*asked.service).*number = value;
    const auto answer = search(asked, known.evidence());
    return answer.chosen ? full_name(*answer.chosen) : "";
  };
  std::size_t flips = 0;
  for (const auto& [what, number] : {std::pair{"requests", &Service::requests_per_s},
                                     std::pair{"99% within", &Service::p99_s}}) {
    const auto found = std::find_if(told.sensitivities.begin(),
                                    told.sensitivities.end(),
                                    [&](const auto& one) { return one.what == what; });
    REQUIRE(found != told.sensitivities.end());
    for (const auto& flip : found->flips) {
      CAPTURE(what);
      CAPTURE(flip.at);
      CHECK(chosen_with(number, flip.at * 0.998) == flip.below);
      CHECK(chosen_with(number, flip.at * 1.0005) == flip.above);
      ++flips;
    }
  }
  CHECK(flips > 0);
  const auto text = report::explanation_text(told, {});
  CHECK(contains(text, "is the answer: "));
  CHECK(contains(text, "per million requests"));
  CHECK(contains(text, "One machine fewer or more"));
}

TEST_CASE("service: of two fleets one is cheaper, by whole machines, and costs cross by load") {
  const auto known = test::service_world();
  const auto found = compare(answering(), known.evidence(), "t4.small", "v100.one");
  const auto& first = found.sides[0].option;
  const auto& second = found.sides[1].option;
  CHECK(found.ratios.cost.value == test::approx(second.cost.value / first.cost.value));
  REQUIRE(found.ratios.p99);
  CHECK(found.ratios.p99->value == test::approx(second.p99.value / first.p99.value));
  CHECK(found.ratios.p99->low <= found.ratios.p99->value);
  CHECK(found.p_first_cheaper >= 0);
  CHECK(found.p_first_cheaper <= 1);
  CHECK(found.crossings.size() == 2);
  CHECK(found.deadline_flips.empty());
  const auto text = report::comparison_text(found, {});
  CHECK(contains(text, "machines"));
  CHECK(contains(text, "p99"));
  CHECK_FALSE(contains(text, "hours"));
  CHECK(to_json(found).at("ratios").as_object().contains("p99"));
  auto soonest = answering();
  soonest.objective = {0, 1};
  const auto by_time = compare(soonest, known.evidence(), "t4.small", "v100.one");
  CHECK_FALSE(by_time.p_first_better);
  CHECK(contains(report::comparison_text(by_time, {}), "faster than"));
}

TEST_CASE("service: a fleet against itself is the same, whatever is drawn") {
  const auto known = test::service_world();
  const auto query = answering();
  Appraiser appraiser(query, known.evidence());
  const auto one = appraiser.appraise("t4.small");
  const auto ratios = ratios_between({query, one}, {query, one}, true);
  CHECK(ratios.cost.low == 1);
  CHECK(ratios.cost.high == 1);
  CHECK(*ratios.p_first_cheaper == 0.5);
}

TEST_CASE("service: what if the load doubles, or the machines are so many") {
  const auto known = test::service_world();
  const auto query = answering();
  const auto doubled = what_if(query, known.evidence(), "t4.small", parse_supposition({"qps=x2"}));
  REQUIRE(doubled.supposed);
  CHECK(doubled.supposed->service->machines > doubled.now->service->machines);
  CHECK(doubled.supposed_query.service->requests_per_s == 3000);
  const auto lone = what_if(query, known.evidence(), "t4.small", parse_supposition({"machines=1"}));
  REQUIRE(lone.supposed);
  CHECK(lone.supposed->service->machines == 1);
  CHECK_FALSE(lone.supposed->satisfies);
  CHECK(lone.supposed->cost.value == test::approx(0.5 * 730));
  CHECK(contains(report::what_if_text(lone, {}), "1 x acme/t4.small instead of"));
  const auto many =
      what_if(query, known.evidence(), "t4.small", parse_supposition({"machines=40"}));
  REQUIRE(many.chosen_now == "acme/t4.small");
  CHECK(many.chosen_supposed == many.chosen_now);  // as many as it takes, not forty
  CHECK(many.chosen_machines == many.now->nodes);
  CHECK(contains(report::what_if_text(many, {}), "The answer stays "));
  const auto cheap = what_if(
      query, known.evidence(), "v100.one", parse_supposition({"machines=40", "price=0.001"}));
  CHECK(cheap.chosen_supposed == "acme/v100.one");
  const auto easy = what_if(query, known.evidence(), "t4.small", parse_supposition({"p99=200ms"}));
  REQUIRE(easy.supposed);
  CHECK(easy.supposed->service->machines <= easy.now->service->machines);
  CHECK_THROWS_AS(
      static_cast<void>(what_if(
          test::imagenet_job(), known.evidence(), "t4.small", parse_supposition({"qps=200"}))),
      UsageError);
  for (const auto* wrong : {"p99=100", "p99=fast", "qps=", "qps=2e7", "machines=0"}) {
    CAPTURE(wrong);
    CHECK_THROWS_AS(
        static_cast<void>(what_if(query, known.evidence(), "t4.small", parse_supposition({wrong}))),
        UsageError);
  }
}

TEST_CASE("service: the machines of today, too many, too few, and refused of a job") {
  const auto known = test::service_world();
  const auto query = answering();
  auto answer = search(query, known.evidence());
  REQUIRE(answer.chosen);
  const int enough = answer.chosen->service->machines;
  const auto name = answer.chosen->instance;
  const auto judged = [&](int machines) {
    return right_size(answer, known.evidence(), fmt::format("{} x {}", machines, name));
  };
  const auto lavish = judged(enough + 3);
  CHECK(lavish.finding == Finding::overprovisioned);
  CHECK(lavish.reason_codes.front() == "MachinesOverprovisioned");
  CHECK(lavish.move);
  CHECK(lavish.savings_per_job == test::approx(3 * answer.chosen->cost.value / enough));
  CHECK(*lavish.savings_per_month == lavish.savings_per_job);
  const auto scarce = judged(1);
  CHECK(scarce.finding == Finding::underprovisioned);
  CHECK(scarce.reason_codes.front() == "MachinesUnderprovisioned");
  CHECK(judged(enough).finding == Finding::optimized);
  answer.current = lavish;
  CHECK(contains(report::right_sizing_sentence(answer),
                 fmt::format("Keep {} of {} x {}", enough, enough + 3, name)));
  CHECK_THROWS_AS(
      static_cast<void>(right_size(
          search(test::imagenet_job(), known.evidence()), known.evidence(), "2 x t4.small")),
      UsageError);
}

TEST_CASE("service: a move away from what is marked = says what the odds are of") {
  const auto known = test::service_world();
  auto answer = search(answering(), known.evidence());
  REQUIRE(answer.options.size() > 1);
  const auto other = answer.options[1].instance;
  answer.current = right_size(answer, known.evidence(), "9 x " + other);
  REQUIRE(answer.current->move);
  const auto said = [&] {
    const auto facts = report::right_sizing_facts(answer);
    return std::any_of(facts.begin(), facts.end(), [](const auto& fact) {
      return contains(fact.second, "the odds are of 9 machines kept");
    });
  };
  answer.ties = {1};
  CHECK(said());
  answer.ties.clear();
  CHECK_FALSE(said());
}

TEST_CASE("service: saved and read again it says the same, and its report draws it") {
  const auto known = test::service_world();
  const auto answer = search(answering(), known.evidence());
  const auto saved = boost::json::serialize(to_json(answer));
  const auto again = read_recommendation(saved, "saved.json");
  REQUIRE(again.query.service);
  CHECK(again.query.service->requests_per_s == 1500);
  CHECK(again.query.service->p99_s == test::approx(0.05));
  REQUIRE(again.options.size() == answer.options.size());
  for (std::size_t i = 0; i < again.options.size(); ++i) {
    const auto& read = again.options[i];
    const auto& was = answer.options[i];
    REQUIRE(read.service);
    CHECK(read.service->machines_high == was.service->machines_high);
    CHECK(read.service->server.max_batch == was.service->server.max_batch);
    for (const double requests : {1, 3, 8, 16}) {
      CHECK(read.service->server.time.seconds(requests) ==
            test::approx(was.service->server.time.seconds(requests)));
    }
    CHECK(read.service->each_per_s == test::approx(was.service->each_per_s));
    CHECK(read.p99.high == test::approx(was.p99.high));
    CHECK(read.cost_per_1k_requests == test::approx(was.cost_per_1k_requests));
  }
  CHECK_FALSE(report::machines_table(again).empty());
  CHECK_FALSE(report::load_table(again).empty());
  report::ReportData data;
  data.answer = again;
  const auto page = report::html_report(data);
  for (const auto* chart : {"chart-pareto", "chart-machines", "chart-load"}) {
    CAPTURE(chart);
    CHECK(contains(page, chart));
  }
  CHECK(contains(report::markdown_report(data), "What a million requests cost, by load"));
  CHECK(contains(report::option_data(again).csv(), "cost_per_1k_requests"));
  const auto beside = report::side_by_side_table({{"a.json", again}, {"b.json", again}});
  CHECK(contains(beside.markdown(), "a million requests"));
  CHECK(report::side_by_side_chart({{"a.json", again}}).x.title == "cost of a month, USD");
}

TEST_CASE("service: more machines are sooner in the chart, and load makes a request no dearer") {
  const auto known = test::service_world();
  const auto answer = search(answering(), known.evidence());
  const auto chart = report::machines_chart(answer);
  REQUIRE(chart.series.size() == 4);
  const auto& line = chart.series[1].points;
  REQUIRE(line.size() >= 2);
  CHECK(line.back().y <= line.front().y);
  const auto frontier = report::frontier_of(answer);
  REQUIRE_FALSE(frontier.empty());
  for (std::size_t i = 1; i < frontier.size(); ++i) {
    CHECK(answer.options[frontier[i]].cost.value < answer.options[frontier[i - 1]].cost.value);
  }
  const auto load = report::load_chart(answer);
  REQUIRE_FALSE(load.series.empty());
  const auto& first = load.series.front().points;
  CHECK(first.back().y < first.front().y);  // ten times the load against a tenth of it
  auto several = answer;
  for (const auto* gpu : {"one", "another"}) {
    several.options.push_back(answer.options.back());
    several.options.back().gpu = gpu;
  }
  const auto lines = report::load_chart(several).series;
  CHECK(lines.size() >= 3);
  for (const auto& line_of_one : lines) {
    CHECK(line_of_one.role != "three");  // looks like "chosen" beside it
  }
}

TEST_CASE("service: exported as what stays up, and refused as a batch job") {
  const auto known = test::service_world();
  auto answer = search(answering(), known.evidence());
  answer.query.name = "Answers";
  auto option = *answer.chosen;
  option.provider = "aws";
  const auto count = option.service->machines;
  CHECK(contains(write_kubernetes(answer, option), "kind: Deployment"));
  CHECK(contains(write_skypilot(answer, option), fmt::format("replicas: {}\n", count)));
  const auto variables = boost::json::parse(write_terraform(answer, option)).as_object();
  CHECK(variables.at("instance_count") == count);
  CHECK(variables.at("p99_ms").to_number<double>() == test::approx(50));
  CHECK_THROWS_AS(static_cast<void>(write_slurm(answer, option)), UsageError);
  // A full minibatch is answered within the limit, and twice as many would not be.
  const auto& time = option.service->server.time;
  answer.query.service->p99_s =
      answer.query.service->max_delay_s + (time.seconds(2) + time.seconds(4)) / 2;
  REQUIRE(option.batch_per_gpu > 4);
  CHECK(contains(write_kubernetes(answer, option), "{name: MAX_BATCH, value: \"2\"}"));
  answer.query.service->p99_s = 0.05;
  if (std::system("/usr/bin/python3 -c 'import yaml' 2>/dev/null") != 0) {
    MESSAGE("skipped: python3-yaml is not installed (./dev setup installs it)");
    return;
  }
  const TemporaryFolder folder;
  std::ofstream(folder / "k8s") << write_kubernetes(answer, option);
  std::ofstream(folder / "sky") << write_skypilot(answer, option);
  std::ofstream(folder / "check.py")
      << "import sys, yaml\n"
         "deployment, service = yaml.safe_load_all(open(sys.argv[1]))\n"
         "count = int(sys.argv[3])\n"
         "assert deployment['kind'] == 'Deployment' and deployment['apiVersion'] == 'apps/v1'\n"
         "spec = deployment['spec']\n"
         "assert spec['replicas'] == count\n"
         "labels = spec['template']['metadata']['labels']\n"
         "assert spec['selector']['matchLabels'] == labels == service['spec']['selector']\n"
         "pod = spec['template']['spec']\n"
         "assert 'restartPolicy' not in pod\n"
         "served = pod['containers'][0]\n"
         "amounts = served['resources']\n"
         "assert amounts['requests'].pop('cpu').endswith('m')\n"
         "assert amounts['requests'] == amounts['limits']\n"
         "env = {one['name']: one['value'] for one in served['env']}\n"
         "assert env['MAX_DELAY_MS'] == '5' and int(env['MAX_BATCH']) >= 1, env\n"
         "port = served['ports'][0]['containerPort']\n"
         "assert served['readinessProbe']['httpGet']['port'] == port\n"
         "assert service['spec']['ports'][0]['targetPort'] == port\n"
         "sky = yaml.safe_load(open(sys.argv[2]))\n"
         "assert sky['service']['replicas'] == count\n"
         "assert sky['resources']['ports'] == port and 'num_nodes' not in sky\n"
         "assert sky['envs']['SERVE_COMMAND'] is None\n";
  CHECK(std::system(fmt::format("/usr/bin/python3 {} {} {} {}",
                                folder / "check.py",
                                folder / "k8s",
                                folder / "sky",
                                count)
                        .c_str()) == 0);
}

TEST_CASE("service: its words tell that requests come in bursts") {
  CHECK(report::request_words("resnet50", Service{1500, 0.050, 0.005, 2, {}}) ==
        "1500 requests/s in bursts of 2 of resnet50, 99% within 50.0 ms");
  CHECK(report::request_words("resnet50", Service{1500, 0.050, 0.005, 1, {}}) ==
        "1500 requests/s of resnet50, 99% within 50.0 ms");
}
