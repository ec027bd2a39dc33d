#include "advisor/recommendation_query.h"

#include <utility>
#include <vector>

#include "advisor/candidate/preprocessing.h"
#include "advisor/query/gpu_choice.h"
#include "advisor/query/grammars.h"
#include "advisor/query/software_words.h"
#include "advisor/query/tuning_words.h"
#include "advisor/query/words.h"
#include "advisor/service/service_file.h"
#include "advisor/tokens/token_file.h"

namespace rightsize {
namespace {

std::vector<OwnRate> read_measured(const JsonPlace& place) {
  std::vector<OwnRate> rates;
  for (const auto& item : place.items()) {
    OwnRate own;
    own.gpu = item["gpu"].text();
    own.items_per_s = item["items_per_s"].above_zero();
    if (item.says("batch_per_gpu")) {
      own.batch = item["batch_per_gpu"].whole_from(1);
    }
    if (item.says("precision")) {
      own.precision = item["precision"].word(parse_precision, precision_grammar);
    }
    own.said_by = item["said_by"].text();
    rates.push_back(std::move(own));
  }
  return rates;
}

// Whose software, what it was seen to do, and how GPUs share the work.
void read_software(const JsonPlace& place, Query& query) {
  if (place.has("stack") && !place["stack"].is_null()) {
    query.stack = place["stack"].word(stack_meant, stack_grammar);
  }
  if (place.says("framework")) {
    query.framework = place["framework"].text();
  }
  if (place.has("measured")) {  // answers of before do not say
    query.measured = read_measured(place["measured"]);
  }
  if (place.has("exchange") && !place["exchange"].is_null()) {
    query.exchange = place["exchange"].word(parse_exchange, exchange_grammar);
  }
  if (place.has("tensor_parallel")) {
    query.tensor_parallel = place["tensor_parallel"].whole_from(1);
    query.pipeline_parallel = place["pipeline_parallel"].whole_from(1);
  }
  if (place.has("expert_parallel")) {  // not in answers of before
    query.expert_parallel = place["expert_parallel"].whole_from(1);
  }
  if (place.says("expert_tensor_parallel")) {
    query.expert_tensor_parallel = place["expert_tensor_parallel"].whole_from(1);
  }
  if (place.has("context_parallel")) {
    query.context_parallel = place["context_parallel"].whole_from(1);
  }
  if (place.says("virtual_pipeline")) {
    query.virtual_pipeline = place["virtual_pipeline"].whole_from(1);
  }
  if (place.says("adapter")) {
    query.tuning.adapters = place["adapter"].word(parse_adapters, "lora:RANK or qlora:RANK");
  }
  if (place.says("optimizer")) {
    query.tuning.state.optimizer =
        place["optimizer"].word(parse_optimizer, "adamw, adamw-8bit, adafactor or sgd");
  }
  if (place.has("master_weights")) {  // answers of before have FP32 ones and say nothing
    query.tuning.state.masters = place["master_weights"].word(parse_master_weights, "fp32 or none");
    query.accumulate = place["accumulate"].whole_from(1);
  }
  if (place.says("global_batch")) {
    query.global_batch = place["global_batch"].whole_from(1);
  }
  if (place.says("recompute")) {
    query.recompute = place["recompute"].flag();
  }
}

Writing read_writing(const JsonPlace& place) {
  Writing writing;
  writing.prompt_tokens = place["prompt_tokens"].whole_from(0);
  writing.output_tokens = place["output_tokens"].whole_from(0);
  writing.weights = read_said_weights(place);
  writing.fp8_caches = place["caches"].text() == "fp8";
  return writing;
}

void read_shapes(const JsonPlace& place, Query& query) {
  const auto limit = [&](const char* name, std::optional<double>& amount) {
    if (place.says(name)) {
      amount = place[name].not_negative();
    }
  };
  if (place.has("gpu")) {  // answers of before have none
    query.gpus = checked_gpus(place["gpu"].texts(), "gpu");
  }
  limit("gpus_min", query.gpus_min);
  limit("gpus_max", query.gpus_max);
  limit("vcpus_min", query.vcpus_min);
  limit("vcpus_max", query.vcpus_max);
  limit("memory_gib_min", query.memory_gib_min);
  limit("memory_gib_max", query.memory_gib_max);
  query.allow = place["allow"].text_or_null();
  query.deny = place["deny"].text_or_null();
}

void read_constraints(const JsonPlace& place, Query& query) {
  if (!place["deadline_s"].is_null()) {
    query.deadline_s = place["deadline_s"].above_zero();
  }
  if (!place["budget"].is_null()) {
    query.budget = place["budget"].money(query.currency);
  }
  if (place.has("objective")) {
    query.objective = parse_objective(place["objective"].text(), "objective");
  }
  if (place.says("runs_per_month")) {
    query.runs_per_month = place["runs_per_month"].above_zero();
  }
  query.confidence = place["confidence"].share();
  query.markets.clear();
  for (const auto& market : place["markets"].items()) {
    query.markets.push_back(market.word(parse_market, "on-demand or spot"));
  }
  query.book = place["book"].text();
  query.infra = place["infra"].texts();
  if (place.has("shapes")) {  // answers of before do not say
    read_shapes(place["shapes"], query);
  }
}

}  // namespace

Query read_saved_query(const JsonPlace& place) {
  Query query;
  query.name = place["name"].text();
  query.network = place["network"].text();
  if (place.has("sequence")) {  // of answers since it can be asked for
    query.sequence = place["sequence"].whole_from(0);
  }
  query.phase = place["phase"].word(phase_meant, phase_grammar);
  query.precision = place["precision"].word(precision_meant, precision_grammar);
  query.batches.clear();
  for (const auto& batch : place["batch_per_gpu"].items()) {
    query.batches.push_back(batch.whole_from(1));
  }
  query.items = place["items"].whole<std::uint64_t>();
  query.epochs = place["epochs"].not_negative();
  query.format = place["data"].word(data_meant, data_grammar);
  query.dataset_bytes = place["dataset_bytes"].whole<std::uint64_t>();
  query.currency = place["currency"].currency();
  if (place.says("service_hours_per_month")) {  // answers of before have none
    query.service_hours = place["service_hours_per_month"].above_zero();
  }
  if (place.says("service")) {
    query.service = read_service(place["service"]);
  }
  if (place.says("writing")) {  // not in answers of before
    query.writing = read_writing(place["writing"]);
  }
  if (place.says("tokens")) {
    query.tokens = read_token_service(place["tokens"]);
  }
  if (place.says("network_between")) {
    query.network_between = parse_network(place["network_between"].text(), "network_between");
  }
  if (place.has("nodes_max")) {
    query.nodes_max = place["nodes_max"].whole_from(1);
    query.preprocess_on = place["preprocess_on"].word(parse_preprocess_choice, preprocess_grammar);
  }
  if (place.has("writes") && !place["writes"].is_null()) {
    query.writes = place["writes"].word(parse_picture_format, picture_formats);
  }
  if (place.says("loader")) {
    query.loader = place["loader"].text();
  }
  if (place.has("data_at")) {
    query.data_at = place["data_at"].text();
  }
  read_constraints(place, query);
  read_software(place, query);
  return query;
}

}  // namespace rightsize
