#include "advisor/recommendation_file.h"

#include <algorithm>
#include <set>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "advisor/bill_json.h"
#include "advisor/full_name.h"
#include "advisor/json_place.h"
#include "advisor/machine/bottleneck.h"
#include "advisor/query/words.h"
#include "advisor/recommendation_query.h"
#include "advisor/right_sizing/right_sizing_file.h"
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

Option read_ranked(const JsonPlace& place, const Query& query) {
  auto option = read_option(place, query);
  if (option.rank == 0) {
    place["rank"].refuse("a whole number from 1");
  }
  return option;
}

// Someone took options out, or the choice: what is left is no answer to the question.
void check_choice(const JsonPlace& root, const Recommendation& answer) {
  if (!answer.chosen) {
    if (std::any_of(answer.options.begin(), answer.options.end(), [](const Option& option) {
          return option.satisfies;
        })) {
      root["chosen"].refuse("one of the options, as some satisfy the constraints");
    }
    return;
  }
  const auto& chosen = *answer.chosen;
  if (!chosen.satisfies) {
    root["chosen"]["satisfies_constraints"].refuse("true of what is chosen");
  }
  if (std::none_of(answer.options.begin(), answer.options.end(), [&](const Option& option) {
        return full_name(option) == full_name(chosen) && option.region == chosen.region;
      })) {
    root["options"].refuse(
        fmt::format("{}/{}, which is chosen, among them", chosen.provider, chosen.instance));
  }
}

// It may have been saved as advise --sort showed it; what reads it takes the chosen one for the
// first.
void restore_rank_order(Recommendation& answer) {
  std::set<std::size_t> tied;
  for (const auto index : answer.ties) {
    tied.insert(answer.options[index].rank);
  }
  std::stable_sort(answer.options.begin(),
                   answer.options.end(),
                   [](const Option& a, const Option& b) { return a.rank < b.rank; });
  answer.ties.clear();
  for (std::size_t i = 0; i < answer.options.size(); ++i) {
    if (tied.count(answer.options[i].rank) > 0) {
      answer.ties.push_back(i);
    }
  }
}

void read_options(const JsonPlace& root, Recommendation& answer) {
  std::set<std::size_t> ranks;
  for (const auto& option : root["options"].items()) {
    answer.options.push_back(read_ranked(option, answer.query));
    if (!ranks.insert(answer.options.back().rank).second) {
      option["rank"].refuse("another rank than that of an option before it");
    }
    if (option.has("ties_with_chosen") &&
        option["ties_with_chosen"].flag()) {  // nor in earlier ones
      answer.ties.push_back(answer.options.size() - 1);
    }
  }
  if (!root["chosen"].is_null()) {
    answer.chosen = read_ranked(root["chosen"], answer.query);
  }
  restore_rank_order(answer);
  check_choice(root, answer);
  answer.options_total = root["options_total"].whole<std::size_t>();
  const auto satisfying =  // those listed where none does are not counted
      std::count_if(answer.options.begin(), answer.options.end(), [](const Option& option) {
        return option.satisfies;
      });
  if (answer.options_total < static_cast<std::size_t>(satisfying)) {
    root["options_total"].refuse(fmt::format("at least the {} listed", satisfying));
  }
}

void read_evidence(const JsonPlace& place, Recommendation& answer) {
  answer.runs = place["runs"].whole_from(0);
  answer.model_error = place["model_cv_error"].not_negative();
  answer.model_p90_error = place["model_cv_p90_error"].not_negative();
  answer.data_path_note =
      place.has("data_path_note") ? place["data_path_note"].text() : std::string();
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
  if (root["schema"].text() == "rightsize/fleet/1") {
    throw UsageError(fmt::format(
        "{}: a plan of several jobs, and reports are of single ones: save each job's own answer "
        "with rightsize advise JOB.toml -o json",
        name));
  }
  if (root["schema"].text() != "rightsize/recommendation/1") {
    root["schema"].refuse("rightsize/recommendation/1");
  }
  Recommendation answer;
  answer.query = read_saved_query(root["query"]);
  read_options(root, answer);
  if (root.says("current")) {
    answer.current = read_right_sizing(root["current"], [&](const JsonPlace& option) {
      return read_option(option, answer.query);
    });
  }
  if (root.has("options_ranked")) {  // answers of earlier versions do not say
    answer.options_ranked = root["options_ranked"].whole<std::size_t>();
  }
  answer.candidates = root["candidates"].whole<std::size_t>();
  for (const auto& rejection : root["rejected"].items()) {
    answer.rejected.push_back({rejection["reason"].text(),
                               rejection["count"].whole_from<std::size_t>(1),
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
