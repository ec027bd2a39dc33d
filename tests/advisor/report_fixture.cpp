#include "advisor/report_fixture.h"

#include <algorithm>

namespace rightsize::test {
namespace {

Record make_record(const std::string& name, double cpus, double items_per_s, bool hold_out) {
  Record record;
  record.id = "0123456789abcdef";
  record.name = name;
  record.started_at = "2026-11-20T10:00:00Z";
  record.hold_out = hold_out;
  record.workload.engine = EngineKind::replay;
  record.workload.replay_items_per_s = 2000;
  record.workload.data = DataFormat::recordio;
  record.limits.cpus = cpus;
  record.machine.cpu_model = "Test CPU";
  record.machine.cpus = 2;
  record.machine.memory_bytes = 8ULL << 30;
  record.dataset_items = 300;
  record.dataset_bytes = 30'000'000;
  record.loader_threads = 2;
  record.status = Status::measured;
  record.reason = "";
  record.throughput = {items_per_s, items_per_s * 0.98, items_per_s * 1.02, 0.01, 10};
  record.seconds = 4;
  record.achieved_cpus = cpus;
  record.disk_read_bytes = 40'000'000;
  for (int i = 0; i < 6; ++i) {
    record.timeline.push_back({0.5 * i, cpus, 100ULL << 20, (10ULL + i) << 20, 1e7, 0});
  }
  return record;
}

Query make_query() {
  Query query;
  query.name = "ResNet-50 on ImageNet";
  query.file = "job.toml";
  query.items = 1'281'167;
  query.epochs = 90;
  query.deadline_s = 48 * 3600;
  query.budget = Money::parse("200", "USD");
  return query;
}

Validation make_validation() {
  Validation validation;
  validation.rows = {{"0123456789abcdef",
                      "held run",
                      800,
                      {820, 700, 960, 0.9, "img/s", Source::fitted},
                      0.025,
                      true}};
  validation.median_error = 0.025;
  validation.p90_error = 0.025;
  validation.coverage = 1;
  return validation;
}

Response make_response(const std::string& resource, const std::string& unit) {
  Response response{resource, unit, 8, {}, 2, 1.5, 3};
  for (const double amount : {1.0, 2.0, 4.0, 8.0, 16.0}) {
    const double rate = std::min(1300.0, 700 * amount);
    response.points.push_back(
        {amount, {rate, rate * 0.9, rate * 1.1, 0.9, "items/s", Source::published}});
  }
  return response;
}

Study make_study() {
  Study study;
  study.responses = {make_response("vCPUs", "vCPU"),
                     make_response("memory", "GiB"),
                     make_response("disk", "MB/s")};
  study.swings = {{"speed of the V100",
                   0.8,
                   1.25,
                   "90% interval, published",
                   91.8,
                   58.75,
                   {{0.9, 81.6, "aws/g5.xlarge"}}},
                  {"price per hour", 0.91, 1.1, "assumed", 66.8, 80.8, {}}};
  for (const int gpus : {1, 2, 4, 8}) {
    const double share = gpus == 1 ? 1 : 0.97 - 0.01 * gpus;
    const double rate = 1300 * gpus * share;
    study.scaling.push_back(
        {gpus,
         {rate, rate * 0.9, rate * 1.1, 0.9, "img/s", Source::published},
         {share, share * 0.95, std::min(1.0, share * 1.05), 0.9, "1", Source::fitted},
         "",
         gpus == 2 ? "" : "aws/p3",
         gpus == 2 ? std::nullopt : std::optional(3.06 * gpus),
         "USD"});
  }
  study.markets = {{Market::on_demand, "us-east-1", 3.06, "USD", "2026-07-30"},
                   {Market::spot, "us-west-2", 1.02, "USD", ""}};
  return study;
}

}  // namespace

Option make_option(const std::string& instance, double hours, double cost) {
  Option option;
  option.provider = "aws";
  option.instance = instance;
  option.region = "us-east-1";
  option.gpu = "V100";
  option.gpus = 1;
  option.vcpus = 8;
  option.memory_gib = 61;
  option.disk = "gp3 160 GiB";
  option.batch_per_gpu = 256;
  option.precision = Precision::fp16;
  option.throughput = {
      32000 / hours, 29000 / hours, 35000 / hours, 0.9, "items/s", Source::published};
  option.hours = {hours, hours * 0.9, hours * 1.1, 0.9, "h", Source::published};
  option.cost = {cost, cost * 0.9, cost * 1.1, 0.9, "USD", Source::published};
  option.p_deadline = 0.97;
  option.p_cheapest = 0.8;
  option.satisfies = true;
  option.busy = {0.4, 0.9, 0.3, 0.1, 1.0};
  const auto amount = Money::parse("73.44", "USD");
  option.bill.lines = {{BillLine::Kind::machine,
                        instance + " on-demand",
                        "1 x 24 h",
                        Money::parse("3.06", "USD"),
                        "per hour",
                        amount}};
  option.bill.total = amount;
  option.price_per_hour = Money::parse("3.06", "USD");
  option.price_as_of = "2026-07-30";
  option.price_source = "aws.csv: a catalogue";
  option.rate_provenance = "4 published figures";
  option.cpu_provenance = "CoreMark per vCPU";
  return option;
}

namespace {

Option make_fleet(const Query& query, const std::string& instance, double per_request_s) {
  auto option = make_option(instance, 730, 384);
  option.gpu = instance.substr(0, instance.find('.'));
  const Server server{StepTimeLaw{0.002, per_request_s}, 0.1, 1, 16};
  option.service = size_fleet(*query.service, server, query.confidence, 1.645);
  option.nodes = option.service->machines;
  option.cost = {384.0 * option.nodes,
                 384.0 * option.service->machines_low,
                 384.0 * option.service->machines_high,
                 0.9,
                 "USD",
                 Source::published};
  option.p99 = p99_of(*query.service, *option.service, 0.9, 1.645, Source::published);
  option.cost_per_1k_requests = option.cost.value / (1500.0 * 730 * 3600) * 1000;
  option.p_deadline = option.service->p_enough;
  return option;
}

}  // namespace

report::ReportData service_report() {
  auto data = small_report();
  auto& answer = data.answer;
  answer.query.name = "ResNet-50 behind an API";
  answer.query.phase = Phase::infer;
  answer.query.deadline_s.reset();
  answer.query.budget.reset();
  answer.query.service = Service{1500, 0.05, 0.005, 2, std::nullopt};
  answer.options = {make_fleet(answer.query, "g4dn.xlarge", 0.0008),
                    make_fleet(answer.query, "g5.xlarge", 0.0006),
                    make_fleet(answer.query, "p3.2xlarge", 0.0003)};
  for (std::size_t i = 0; i < answer.options.size(); ++i) {
    answer.options[i].rank = i + 1;
  }
  answer.chosen = answer.options.front();
  answer.ties.clear();
  data.current = answer.options.back();
  return data;
}

report::ReportData small_report() {
  report::ReportData data;
  auto& answer = data.answer;
  answer.query = make_query();
  answer.options = {make_option("p3.2xlarge", 24, 73.44),
                    make_option("g5.xlarge", 30, 80),
                    make_option("p4d.24xlarge", 4, 130)};
  answer.chosen = answer.options.front();
  answer.options_total = 7;
  answer.ties = {1};
  answer.candidates = 1234;
  answer.rejected = {{"GPU memory too small for the batch", 61, {"aws/g4dn.xlarge"}},
                     {"host memory too small", 5, {"gcp/n1-highcpu-2", "gcp/n1-highcpu-4"}}};
  answer.assumptions = {"a month is 730 h"};
  answer.warnings = {"the chosen price carries no date"};
  answer.generated_at = "2026-11-21T12:00:00Z";
  answer.tool_version = "0.1.0";
  answer.runs = 3;
  answer.machine = "Test CPU/2cpu/8GiB";
  answer.price_tables = {"aws.csv as of 2026-07-30"};
  data.study = make_study();
  data.model.runs = 3;
  data.model.measured_at = "2026-11-20T10:00:00Z";
  data.model.cv_median_error = 0.04;
  data.model.parameters = {{"cpu_s_per_item/recordio", "vCPU s", 0.00111, 0.001, 1, 0.02}};
  data.validation = make_validation();
  data.records = {make_record("one cpu", 1, 880, false),
                  make_record("two cpus", 2, 1700, false),
                  make_record("half a cpu", 0.5, 430, false),
                  make_record("held run", 1.5, 1300, true)};
  data.records_note = "4 records from records.db.";
  data.machine = data.records.front().machine;
  data.command = "rightsize report job.toml --html report.html";
  return data;
}

report::ReportData hostile_report() {
  auto data = small_report();
  const std::string hostile = "</script><script>alert(1)</script>\"'&<b x=\"y\">|`*{{json}}";
  auto& answer = data.answer;
  answer.query.name = hostile;
  answer.warnings = {hostile};
  answer.assumptions = {hostile};
  answer.rejected.front() = {hostile, 3, {hostile}};
  for (auto& option : answer.options) {
    option.instance = hostile;
    option.region = hostile;
    option.disk = hostile;
    option.price_source = hostile;
    option.bill.lines.front().what = hostile;
  }
  answer.chosen = answer.options.front();
  data.study->swings.front().flips.front().taken = hostile;
  data.study->scaling.front().machine = hostile;
  data.study->markets.front().region = hostile;
  for (auto& record : data.records) {
    record.name = hostile;
  }
  data.command = hostile;
  data.records_note = hostile;
  return data;
}

}  // namespace rightsize::test
