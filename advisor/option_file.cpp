#include "advisor/option_file.h"

#include <fmt/format.h>

#include "advisor/bill_json.h"
#include "advisor/machine/bottleneck.h"
#include "advisor/query/words.h"
#include "advisor/service/service_file.h"
#include "advisor/tokens/token_file.h"

namespace rightsize {
namespace {

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

// As bottleneck_of() says it; what GPUs wait for is their own time.
std::optional<Bound> bound_of(std::string_view text) {
  return text == exchange_bottleneck ? Bound::accelerator : named<Bound, bound_count>(text);
}

// Rounding aside.
bool in_order(double low, double high) {
  return low <= high * (1 + 1e-9);
}

Estimate read_estimate(const JsonPlace& place) {
  Estimate estimate{place["value"].above_zero(),
                    place["low"].above_zero(),
                    place["high"].above_zero(),
                    place["confidence"].share(),
                    place["unit"].text(),
                    place["source"].word(named<Source, source_count>,
                                         "measured, fitted, scaled, published or assumed")};
  if (!in_order(estimate.low, estimate.value)) {
    place["low"].refuse(fmt::format("at most the value, {}", estimate.value));
  }
  if (!in_order(estimate.value, estimate.high)) {
    place["high"].refuse(fmt::format("at least the value, {}", estimate.value));
  }
  return estimate;
}

void read_machine(const JsonPlace& place, Option& option) {
  option.provider = place["provider"].text();
  option.instance = place["instance"].text();
  option.region = place["region"].text();
  option.market = place["market"].word(parse_market, "on-demand or spot");
  option.nodes = place["nodes"].whole_from(1);
  option.gpu = place["gpu"].text_or_null();
  option.gpus = place["gpus"].not_negative();
  if (option.gpu.empty() != (option.gpus == 0)) {
    place["gpus"].refuse(option.gpu.empty() ? "0, as no gpu is named" : "more than 0 of its gpu");
  }
  option.cpu = place.has("cpu") ? place["cpu"].text_or_null() : "";  // not in earlier versions
  option.network = place.has("network") ? place["network"].text_or_null() : "";
  option.vcpus = place["vcpus"].above_zero();
  option.memory_gib = place["memory_gib"].above_zero();
  option.disk = place["disk"].text();
  option.batch_per_gpu = place["batch_per_gpu"].whole_from(1);
  option.precision = place["precision"].word(precision_meant, precision_grammar);
  if (place.has("preprocess_on")) {  // answers of earlier versions have none of these
    option.preprocess_on_gpu = place["preprocess_on"].text() == "gpu";
    option.scaling_efficiency = place["scaling_efficiency"].above_zero();
    option.exchange = place["exchange"].text_or_null();
  }
  if (place.has("sharded")) {
    option.sharded = place["sharded"].flag();
    option.recompute = place["recompute"].flag();
    if (place.has("tensor_parallel")) {
      option.tensor_parallel = place["tensor_parallel"].whole_from(1);
      option.pipeline_parallel = place["pipeline_parallel"].whole_from(1);
      option.micro_batch = place.says("micro_batch") ? place["micro_batch"].whole_from(1) : 0;
      const auto since = [&](const char* key) {  // not in answers of before
        return place.has(key) ? place[key].whole_from(1) : 1;
      };
      option.expert_parallel = since("expert_parallel");
      option.context_parallel = since("context_parallel");
      option.virtual_pipeline = since("virtual_pipeline");
      if (place.has("attention")) {
        option.attention =
            place["attention"].word(parse_attention_sharing, "by_heads or by_sequences");
      }
    }
    option.gpu_memory_needed_gib =
        place.says("gpu_memory_needed_gib") ? place["gpu_memory_needed_gib"].above_zero() : 0;
  }
}

SpotTime read_spot(const JsonPlace& place, const Estimate& hours) {
  SpotTime spot;
  spot.possible = true;
  spot.mean_h = hours.value;
  spot.interruptions = place["interruptions"].not_negative();
  spot.chance_of_none = place["chance_of_none"].share();
  spot.p50_h = place["hours_p50"].not_negative();
  spot.p90_h = place["hours_p90"].not_negative();
  if (!in_order(spot.p50_h, spot.p90_h)) {
    place["hours_p90"].refuse("at least hours_p50");
  }
  spot.least_h = place["hours_undisturbed"].not_negative();
  spot.interval_s = place["checkpoint_interval_s"].not_negative();
  return spot;
}

void read_price(const JsonPlace& place, const Query& query, Option& option) {
  const auto currency = currency_from_json(place["currency"], query.currency, "query");
  if (option.cost.unit != currency) {
    place["cost"]["unit"].refuse(fmt::format("{}, the currency of the query", currency));
  }
  const auto of_price = place["price_currency"].currency();  // converted after it was billed (--fx)
  option.bill = bill_from_json(place["bill"], of_price);
  if (place.has("bill_total")) {  // answers of earlier versions have none
    const auto& total = place["bill_total"];
    const auto in = currency_from_json(total["currency"], of_price, "price");
    if (total["amount"].money(in) != option.bill.total) {
      total["amount"].refuse(option.bill.total.decimal() + ", the sum of the bill's lines");
    }
  }
  option.price_per_hour = place["price_per_hour"].money(of_price);
  if (option.price_per_hour.nanos() < 0) {
    place["price_per_hour"].refuse("a price that is not negative");
  }
  if (place.has("price_per_month")) {
    option.price_per_month = place["price_per_month"].money(of_price);
    if (option.price_per_month->nanos() < 0) {
      place["price_per_month"].refuse("a price that is not negative");
    }
  }
  option.price_as_of = place["price_as_of"].text();
  option.price_source = place["price_source"].text();
}

}  // namespace

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
  if (!place["rank"].is_null()) {  // today's machine has none where it is none of the options
    option.rank = place["rank"].whole_from<std::size_t>(1);
    option.p_cheapest = place["p_cheapest"].share();
  }
  option.p_deadline = place["p_constraints"].share();
  option.satisfies = place["satisfies_constraints"].flag();
  option.shortfall = place.says("shortfall") ? place["shortfall"].text() : "";
  option.own = place.has("own") && place["own"].flag();
  option.limited_by =
      place["bottleneck"].word(bound_of, "disk, cpu, loader, copy, gpu or exchange");
  for (std::size_t i = 0; i < bound_count; ++i) {
    const std::string name(to_string(static_cast<Bound>(i)));
    option.busy[i] = place["utilization"][name.c_str()].not_negative();
  }
  option.hit_ratio = place["page_cache_hit_ratio"].share();
  if (place.says("cost_per_1m_output_tokens")) {  // of texts that are written
    option.cost_per_1m_tokens = place["cost_per_1m_output_tokens"].above_zero();
  }
  read_price(place, query, option);
  option.rate_provenance = place["gpu_rate_provenance"].text();
  option.cpu_provenance = place["cpu_speed_provenance"].text();
  return option;
}

}  // namespace rightsize
