#include "advisor/recommendation_file.h"

#include <algorithm>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "advisor/words.h"

namespace rightsize {
namespace {

namespace json = boost::json;

// A place in a document that knows its own name, for messages.
class Place {
 public:
  Place(const json::value& value, std::string path) : value_(&value), path_(std::move(path)) {}

  [[noreturn]] void refuse(const char* expected) const {
    throw UsageError(fmt::format("{}: expected {}", path_, expected));
  }

  [[nodiscard]] Place operator[](const char* name) const {
    if (!value_->is_object()) {
      refuse("an object");
    }
    const auto* found = value_->as_object().if_contains(name);
    const std::string path = path_.ends_with(": ") ? path_ + name : path_ + "." + name;
    if (found == nullptr) {
      throw UsageError(path + ": is missing; is it a document of rightsize advise -o json?");
    }
    return {*found, path};
  }

  [[nodiscard]] std::vector<Place> items() const {
    if (!value_->is_array()) {
      refuse("a list");
    }
    std::vector<Place> all;
    for (const auto& item : value_->as_array()) {
      all.emplace_back(item, fmt::format("{}[{}]", path_, all.size()));
    }
    return all;
  }

  [[nodiscard]] bool has(const char* name) const {
    return value_->is_object() && value_->as_object().contains(name);
  }

  [[nodiscard]] bool is_null() const { return value_->is_null(); }

  [[nodiscard]] std::string text() const {
    if (!value_->is_string()) {
      refuse("a text");
    }
    return std::string(value_->as_string());
  }

  // Null is nothing: an empty text.
  [[nodiscard]] std::string text_or_null() const { return is_null() ? "" : text(); }

  [[nodiscard]] double number() const {
    if (!value_->is_number()) {
      refuse("a number");
    }
    return value_->to_number<double>();
  }

  template <typename Whole>
  [[nodiscard]] Whole whole() const {
    boost::system::error_code error;
    const auto number = value_->is_number() ? value_->to_number<Whole>(error) : Whole{};
    if (error || !value_->is_number()) {
      refuse("a whole number");
    }
    return number;
  }

  [[nodiscard]] bool flag() const {
    if (!value_->is_bool()) {
      refuse("true or false");
    }
    return value_->as_bool();
  }

  [[nodiscard]] std::vector<std::string> texts() const {
    std::vector<std::string> all;
    for (const auto& item : items()) {
      all.push_back(item.text());
    }
    return all;
  }

  // A word that `read` knows; `expected` lists them.
  template <typename Value>
  [[nodiscard]] Value word(std::optional<Value> (*read)(std::string_view),
                           const char* expected) const {
    const auto value = read(text());
    if (!value) {
      refuse(expected);
    }
    return *value;
  }

  [[nodiscard]] Money money(const std::string& currency) const {
    try {
      return Money::parse(text(), currency);
    } catch (const PricingError&) {
      refuse("an amount such as \"12.50\"");
    }
  }

 private:
  const json::value* value_;
  std::string path_;
};

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

Estimate read_estimate(const Place& place) {
  return {place["value"].number(),
          place["low"].number(),
          place["high"].number(),
          place["confidence"].number(),
          place["unit"].text(),
          place["source"].word(named<Source, source_count>,
                               "measured, fitted, scaled, published or assumed")};
}

BillLine::Kind read_kind(const Place& place) {
  const auto word = place.text();
  const auto found = std::find(bill_line_kinds.begin(), bill_line_kinds.end(), word);
  if (found == bill_line_kinds.end()) {
    place.refuse("machine, reservation, discount or disk");
  }
  return static_cast<BillLine::Kind>(found - bill_line_kinds.begin());
}

Bill read_bill(const Place& place, const std::string& currency) {
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

void read_machine(const Place& place, Option& option) {
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
}

Option read_option(const Place& place) {
  Option option;
  read_machine(place, option);
  option.throughput = read_estimate(place["throughput"]);
  option.hours = read_estimate(place["hours"]);
  option.cost = read_estimate(place["cost"]);
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

Query read_query(const Place& place) {
  Query query;
  query.name = place["name"].text();
  query.network = place["network"].text();
  query.phase = place["phase"].word(phase_meant, "train, infer or decode");
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
  if (!place["deadline_s"].is_null()) {
    query.deadline_s = place["deadline_s"].number();
  }
  if (!place["budget"].is_null()) {
    query.budget = place["budget"].money(query.currency);
  }
  if (place.has("service") && !place["service"].is_null()) {
    place["service"].refuse("an answer about a job; reports do not show services yet");
  }
  if (place.has("objective")) {
    query.objective = parse_objective(place["objective"].text(), "objective");
  }
  query.confidence = place["confidence"].number();
  query.markets.clear();
  for (const auto& market : place["markets"].items()) {
    query.markets.push_back(market.word(parse_market, "on-demand or spot"));
  }
  if (place.has("stack") && !place["stack"].is_null()) {
    query.stack = place["stack"].word(stack_meant, "era or current");
  }
  if (place.has("exchange") && !place["exchange"].is_null()) {
    query.exchange = place["exchange"].word(parse_exchange, "local, device or nccl");
  }
  if (place.has("nodes_max")) {
    query.nodes_max = place["nodes_max"].whole<int>();
    query.preprocess_on = place["preprocess_on"].word(parse_preprocess_choice, "cpu, gpu or either");
  }
  if (place.has("data_at")) {
    query.data_at = place["data_at"].text();
  }
  query.book = place["book"].text();
  query.infra = place["infra"].texts();
  return query;
}

void read_evidence(const Place& place, Recommendation& answer) {
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
  const Place root(document, name + ": ");
  if (root["schema"].text() != "rightsize/recommendation/1") {
    root["schema"].refuse("rightsize/recommendation/1");
  }
  Recommendation answer;
  answer.query = read_query(root["query"]);
  for (const auto& option : root["options"].items()) {
    answer.options.push_back(read_option(option));
  }
  if (!root["chosen"].is_null()) {
    answer.chosen = read_option(root["chosen"]);
  }
  answer.options_total = root["options_total"].whole<std::size_t>();
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
