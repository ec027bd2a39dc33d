#include "advisor/recommendation_file.h"

#include <algorithm>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "advisor/candidate/preprocessing.h"
#include "advisor/json_place.h"
#include "advisor/query/software_words.h"
#include "advisor/query/words.h"
#include "advisor/service/service_file.h"
#include "advisor/tokens/token_file.h"

namespace rightsize {
namespace {

namespace json = boost::json;

template <typename Value, std::size_t count>
std::optional<Value> named(std::string_view text) {
  for (std::size_t i = 0; i < count; ++i) {
    if (to_string(static_cast<Value>(i)) == text) {
      return static_cast<Value>(i);
    }
  }
  return std::nullopt;
}

constexpr std::size_t source_count = 5;

Estimate read_estimate(const JsonPlace& place) {
  return {place["value"].number(),
          place["low"].number(),
          place["high"].number(),
          place["confidence"].number(),
          place["unit"].text(),
          place["source"].word(named<Source, source_count>,
                               "measured, fitted, scaled, published or assumed")};
}

BillLine::Kind read_kind(const JsonPlace& place) {
  const auto word = place.text();
  const auto found = std::find(bill_line_kinds.begin(), bill_line_kinds.end(), word);
  if (found == bill_line_kinds.end()) {
    place.refuse("machine, reservation, discount, disk, storage or egress");
  }
  return static_cast<BillLine::Kind>(found - bill_line_kinds.begin());
}

Bill read_bill(const JsonPlace& place, const std::string& currency) {
  Bill bill;
  bill.total = Money(0, currency);
  for (const auto& line : place.items()) {
    const auto in = line["currency"].text();
    bill.lines.push_back({read_kind(line["kind"]),
                          line["what"].text(),
                          line["quantity"].text(),
                          line["unit_price"].money(in),
                          line["unit"].text(),
                          line["amount"].money(in)});
    bill.total =
        bill.lines.size() == 1 ? bill.lines[0].amount : bill.total + bill.lines.back().amount;
  }
  return bill;
}

void read_machine(const JsonPlace& place, Option& option) {
  option.provider = place["provider"].text();
  option.instance = place["instance"].text();
  option.region = place["region"].text();
  option.market = place["market"].word(parse_market, "on-demand or spot");
  option.nodes = place["nodes"].whole<int>();
  option.gpu = place["gpu"].text_or_null();
  option.gpus = place["gpus"].number();
  option.vcpus = place["vcpus"].number();
  option.memory_gib = place["memory_gib"].number();
  option.disk = place["disk"].text();
  option.batch_per_gpu = place["batch_per_gpu"].whole<int>();
  option.precision = place["precision"].word(precision_meant, "fp32, tf32, fp16 or bf16");
  if (place.has("preprocess_on")) {  // answers of earlier versions have none of these
    option.preprocess_on_gpu = place["preprocess_on"].text() == "gpu";
    option.scaling_efficiency = place["scaling_efficiency"].number();
    option.exchange = place["exchange"].text_or_null();
  }
  if (place.has("sharded")) {
    option.sharded = place["sharded"].flag();
    option.recompute = place["recompute"].flag();
    if (place.has("tensor_parallel")) {
      option.tensor_parallel = place["tensor_parallel"].whole<int>();
      option.pipeline_parallel = place["pipeline_parallel"].whole<int>();
    }
    option.gpu_memory_needed_gib =
        place.says("gpu_memory_needed_gib") ? place["gpu_memory_needed_gib"].number() : 0;
  }
}

SpotTime read_spot(const JsonPlace& place, const Estimate& hours) {
  SpotTime spot;
  spot.possible = true;
  spot.mean_h = hours.value;
  spot.interruptions = place["interruptions"].number();
  spot.chance_of_none = place["chance_of_none"].number();
  spot.p50_h = place["hours_p50"].number();
  spot.p90_h = place["hours_p90"].number();
  spot.least_h = place["hours_undisturbed"].number();
  spot.interval_s = place["checkpoint_interval_s"].number();
  return spot;
}

Option read_option(const JsonPlace& place, const Query& query) {
  Option option;
  read_machine(place, option);
  option.throughput = read_estimate(place["throughput"]);
  option.hours = read_estimate(place["hours"]);
  option.cost = read_estimate(place["cost"]);
  if (place.says("service")) {
    read_fleet(place["service"], option);
  }
  if (place.says("tokens") && query.tokens) {
    read_token_fleet(place["tokens"], *query.tokens, option);
  }
  if (place.says("spot")) {
    option.spot = read_spot(place["spot"], option.hours);
  }
  option.score = place.has("score") ? place["score"].number() : option.cost.value;
  option.rank = place["rank"].whole<std::size_t>();
  option.p_cheapest = place["p_cheapest"].number();
  option.p_deadline = place["p_constraints"].number();
  option.satisfies = place["satisfies_constraints"].flag();
  option.limited_by =
      place["bottleneck"].word(named<Bound, bound_count>, "disk, cpu, loader, copy or gpu");
  for (std::size_t i = 0; i < bound_count; ++i) {
    const std::string name(to_string(static_cast<Bound>(i)));
    option.busy[i] = place["utilization"][name.c_str()].number();
  }
  option.hit_ratio = place["page_cache_hit_ratio"].number();
  option.bill = read_bill(place["bill"], place["currency"].text());
  option.price_per_hour = place["price_per_hour"].money(place["price_currency"].text());
  option.price_as_of = place["price_as_of"].text();
  option.price_source = place["price_source"].text();
  option.rate_provenance = place["gpu_rate_provenance"].text();
  option.cpu_provenance = place["cpu_speed_provenance"].text();
  return option;
}

std::vector<OwnRate> read_measured(const JsonPlace& place) {
  std::vector<OwnRate> rates;
  for (const auto& item : place.items()) {
    OwnRate own;
    own.gpu = item["gpu"].text();
    own.items_per_s = item["items_per_s"].number();
    if (item.says("batch_per_gpu")) {
      own.batch = item["batch_per_gpu"].whole<int>();
    }
    if (item.says("precision")) {
      own.precision = item["precision"].word(parse_precision, "fp32, tf32, fp16 or bf16");
    }
    own.said_by = item["said_by"].text();
    rates.push_back(std::move(own));
  }
  return rates;
}

// Whose software, what it was seen to do, and how GPUs share the work.
void read_software(const JsonPlace& place, Query& query) {
  if (place.has("stack") && !place["stack"].is_null()) {
    query.stack = place["stack"].word(stack_meant, "era or current");
  }
  if (place.says("framework")) {
    query.framework = place["framework"].text();
  }
  if (place.has("measured")) {  // answers of before do not say
    query.measured = read_measured(place["measured"]);
  }
  if (place.has("exchange") && !place["exchange"].is_null()) {
    query.exchange = place["exchange"].word(parse_exchange, "local, device, nccl or sharded");
  }
  if (place.has("tensor_parallel")) {
    query.tensor_parallel = place["tensor_parallel"].whole<int>();
    query.pipeline_parallel = place["pipeline_parallel"].whole<int>();
  }
  if (place.says("adapter")) {
    query.adapters = place["adapter"].word(parse_adapters, "lora:RANK or qlora:RANK");
  }
  if (place.says("recompute")) {
    query.recompute = place["recompute"].flag();
  }
}

void read_constraints(const JsonPlace& place, Query& query) {
  if (!place["deadline_s"].is_null()) {
    query.deadline_s = place["deadline_s"].number();
  }
  if (!place["budget"].is_null()) {
    query.budget = place["budget"].money(query.currency);
  }
  if (place.has("objective")) {
    query.objective = parse_objective(place["objective"].text(), "objective");
  }
  query.confidence = place["confidence"].number();
  query.markets.clear();
  for (const auto& market : place["markets"].items()) {
    query.markets.push_back(market.word(parse_market, "on-demand or spot"));
  }
  query.book = place["book"].text();
  query.infra = place["infra"].texts();
}

Query read_query(const JsonPlace& place) {
  Query query;
  query.name = place["name"].text();
  query.network = place["network"].text();
  if (place.has("sequence")) {  // of answers since it can be asked for
    query.sequence = place["sequence"].whole<int>();
  }
  query.phase = place["phase"].word(phase_meant, "train, infer, decode or preprocess");
  query.precision = place["precision"].word(precision_meant, "fp32, tf32, fp16 or bf16");
  query.batches.clear();
  for (const auto& batch : place["batch_per_gpu"].items()) {
    query.batches.push_back(batch.whole<int>());
  }
  query.items = place["items"].whole<std::uint64_t>();
  query.epochs = place["epochs"].number();
  query.format = place["data"].word(data_meant, "synthetic, jpeg, recordio, lmdb or tfrecord");
  query.dataset_bytes = place["dataset_bytes"].whole<std::uint64_t>();
  query.currency = place["currency"].text();
  if (place.says("service")) {
    query.service = read_service(place["service"]);
  }
  if (place.says("tokens")) {
    query.tokens = read_token_service(place["tokens"]);
  }
  if (place.says("network_between")) {
    query.network_between = parse_network(place["network_between"].text(), "network_between");
  }
  if (place.has("nodes_max")) {
    query.nodes_max = place["nodes_max"].whole<int>();
    query.preprocess_on =
        place["preprocess_on"].word(parse_preprocess_choice, "cpu, gpu or either");
  }
  if (place.has("writes") && !place["writes"].is_null()) {
    query.writes = place["writes"].word(parse_picture_format, picture_formats);
  }
  if (place.has("data_at")) {
    query.data_at = place["data_at"].text();
  }
  read_constraints(place, query);
  read_software(place, query);
  return query;
}

void read_evidence(const JsonPlace& place, Recommendation& answer) {
  answer.runs = place["runs"].whole<int>();
  answer.model_error = place["model_cv_error"].number();
  answer.model_p90_error = place["model_cv_p90_error"].number();
  answer.machine = place["machine"].text();
  answer.measured_at = place["measured_at"].text();
  answer.price_tables = place["price_tables"].texts();
}

}  // namespace

Recommendation read_recommendation(const std::string& text, const std::string& name) {
  boost::system::error_code error;
  const auto document = json::parse(text, error);
  if (error) {
    throw UsageError(fmt::format("{}: not JSON: {}", name, error.message()));
  }
  const JsonPlace root(document, name + ": ");
  if (root["schema"].text() != "rightsize/recommendation/1") {
    root["schema"].refuse("rightsize/recommendation/1");
  }
  Recommendation answer;
  answer.query = read_query(root["query"]);
  for (const auto& option : root["options"].items()) {
    answer.options.push_back(read_option(option, answer.query));
  }
  if (!root["chosen"].is_null()) {
    answer.chosen = read_option(root["chosen"], answer.query);
  }
  answer.options_total = root["options_total"].whole<std::size_t>();
  if (root.has("options_ranked")) {  // answers of earlier versions do not say
    answer.options_ranked = root["options_ranked"].whole<std::size_t>();
  }
  answer.candidates = root["candidates"].whole<std::size_t>();
  for (const auto& rejection : root["rejected"].items()) {
    answer.rejected.push_back({rejection["reason"].text(),
                               rejection["count"].whole<std::size_t>(),
                               rejection["examples"].texts()});
  }
  answer.assumptions = root["assumptions"].texts();
  answer.warnings = root["warnings"].texts();
  answer.generated_at = root["generated_at"].text();
  answer.tool_version = root["tool_version"].text();
  read_evidence(root["evidence"], answer);
  return answer;
}

}  // namespace rightsize
