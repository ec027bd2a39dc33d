#include "advisor/query/query.h"

#include <array>
#include <regex>
#include <utility>
#include <vector>

#include <boost/algorithm/string/case_conv.hpp>
#include <fmt/format.h>

#include "advisor/candidate/preprocessing.h"
#include "advisor/query/amount_words.h"
#include "advisor/query/either_of.h"
#include "advisor/query/gpu_choice.h"
#include "advisor/query/job_keys.h"
#include "advisor/query/place_words.h"
#include "advisor/query/query_data.h"
#include "advisor/query/query_job.h"
#include "advisor/query/query_service.h"
#include "advisor/query/today_words.h"
#include "advisor/query/toml_fields.h"
#include "pricing/days.h"

namespace rightsize {
namespace {

// What a bare number lacks.
constexpr const char* a_duration = "a duration in quotes such as \"90s\", \"10m\" or \"32h\"";
constexpr const char* an_amount = "a decimal in quotes such as \"250.00\" or \"250 USD\"";

void read_spot(TomlFields spot, Query& query) {
  auto& terms = query.interruptions;
  terms.stated = spot.has("interruptions_per_hour") || spot.has("checkpoint") ||
                 spot.has("restart") || spot.has("longest_life");
  terms.hazard_stated = spot.has("interruptions_per_hour");
  terms.restart_stated = spot.has("restart");
  terms.per_hour = spot.number("interruptions_per_hour").value_or(terms.per_hour);
  if (!(terms.per_hour >= 0) || terms.per_hour > 1000) {
    spot.fail("interruptions_per_hour", "how often a machine is taken, from 0 to 1000");
  }
  const auto duration = [&](const char* key) -> std::optional<double> {
    const auto text = spot.text(key, a_duration);
    return text && (*text == "0" || *text == "0s") ? std::optional(0.0)
           : text ? std::optional(parse_duration(*text, spot.place(key)))
                  : std::nullopt;
  };
  terms.checkpoint_s = duration("checkpoint");
  terms.restart_s = duration("restart").value_or(terms.restart_s);
  if (const auto life = duration("longest_life")) {
    terms.longest_life_h = *life / 3600;
  }
  spot.reject_unknown(where_key_belongs);
}

void read_range(TomlFields& constraints,
                const std::string& what,
                std::optional<double>& least,
                std::optional<double>& most) {
  const auto number = [&](const std::string& key) {
    const auto value = constraints.number(key);
    if (value && *value < 0) {
      constraints.fail(key, "a number that is not negative");
    }
    return value;
  };
  least = number(what + "_min");
  most = number(what + "_max");
  if (least && most && *least > *most) {
    constraints.fail(what + "_max", fmt::format("no less than {}_min = {:g}", what, *least));
  }
}

// 0.9, "0.9" or "90%".
std::optional<double> read_confidence(TomlFields& constraints) {
  if (!constraints.has("confidence")) {
    return std::nullopt;
  }
  const auto share = constraints.is_text("confidence")
                         ? parse_share(*constraints.text("confidence"))
                         : share_of(*constraints.number("confidence"));
  if (!share) {
    constraints.fail("confidence", "a number between 0 and 1, or a percentage such as \"90%\"");
  }
  return share;
}

void read_goals(TomlFields& constraints, Query& query) {
  if (const auto deadline = constraints.text("deadline", a_duration)) {
    if (query.serves()) {
      constraints.fail("deadline", "no deadline of a service: [service] says how soon it answers");
    }
    query.deadline_s = parse_duration(*deadline, constraints.place("deadline"));
  }
  if (const auto budget = constraints.text("budget", an_amount)) {
    query.budget_said_by = constraints.place("budget");
    query.budget = parse_amount(*budget, query.currency, query.budget_said_by);
  }
  query.confidence = read_confidence(constraints).value_or(query.confidence);
  if (const auto objective = constraints.text(
          "objective", "\"cost\", \"time\" or weights in quotes such as \"cost*0.7+time*0.3\"")) {
    query.objective = parse_objective(*objective, constraints.place("objective"));
  }
}

void read_markets(TomlFields& constraints, Query& query) {
  const auto markets = constraints.texts("markets");
  if (markets.empty()) {
    return;
  }
  query.markets.clear();
  for (const auto& text : markets) {
    const auto market = parse_market(text);
    if (!market) {
      constraints.fail("markets", "on-demand, spot, reserved-1y or reserved-3y in quotes");
    }
    query.markets.push_back(*market);
  }
}

// Of instances' names. Here and not where they are used, as only here their place is known.
std::string read_patterns(TomlFields& constraints, const char* key) {
  const auto patterns = constraints.texts(key);
  for (const auto& pattern : patterns) {
    try {
      static_cast<void>(std::regex(pattern));
    } catch (const std::regex_error& error) {
      throw UsageError(fmt::format(
          "{}: \"{}\" is not a regular expression: {}; write \\\\ before what stands for itself",
          constraints.place(key),
          pattern,
          error.what()));
    }
  }
  return either_of(patterns, key);
}

void read_machines(TomlFields& constraints, Query& query) {
  read_range(constraints, "gpus", query.gpus_min, query.gpus_max);
  read_range(constraints, "vcpus", query.vcpus_min, query.vcpus_max);
  read_range(constraints, "memory_gib", query.memory_gib_min, query.memory_gib_max);
  const auto nodes = constraints.integer("nodes_max").value_or(1);
  if (nodes < 1 || nodes > most_nodes_together) {
    constraints.fail("nodes_max", fmt::format("machines from 1 to {}", most_nodes_together));
  }
  query.nodes_max = static_cast<int>(nodes);
  if (const auto network = constraints.text(
          "network", "a network in quotes such as \"ib:100\" or \"ethernet:10\" (Gb/s)")) {
    query.network_between = parse_network(*network, constraints.place("network"));
  }
  query.gpus = checked_gpus(constraints.texts("gpu"), constraints.place("gpu"));
  query.allow = read_patterns(constraints, "allow");
  query.deny = read_patterns(constraints, "deny");
}

void read_constraints(TomlFields constraints, Query& query) {
  read_goals(constraints, query);
  read_markets(constraints, query);
  query.book = constraints.text("book", "the name of a price book in quotes such as \"current\"")
                   .value_or(query.book);
  query.infra = checked_places(constraints.texts("infra"), constraints.place("infra"));
  read_machines(constraints, query);
  constraints.reject_unknown(where_key_belongs);
}

// "2026-11-02", "2017-12 (from memory)".
bool starts_with_date(const std::string& text) {
  const auto date = text.substr(0, text.find(' '));
  return is_day(date) || is_day(date + "-01");
}

void read_money(TomlFields money, Query& query) {
  query.currency_stated = money.has("currency");
  query.currency = money.text("currency").value_or(query.currency);
  if (!is_currency_code(query.currency)) {
    money.fail("currency", "an ISO 4217 code such as USD, EUR or CNY");
  }
  const auto dated = money.text("rates_as_of");
  if (dated && !starts_with_date(*dated)) {
    money.fail("rates_as_of",
               "the day or month of the rates, such as \"2026-11-02\", and then any note");
  }
  const std::string as_of = dated.value_or("as given in the job file");
  if (const auto* rates = money.table("rates")) {
    TomlFields fields(rates, query.file, "money.rates");
    for (const auto& [key, value] : *rates) {
      const std::string from(key.str());
      const auto text = fields.text(from);
      if (!is_currency_code(from)) {
        const auto code = boost::to_upper_copy(from);
        fields.fail(from,
                    "an ISO 4217 code such as EUR for its name" +
                        (is_currency_code(code) ? "; did you mean " + code + "?" : ""));
      }
      std::int64_t rate = 0;
      try {
        rate = Money::parse(*text, query.currency).nanos();
      } catch (const PricingError&) {
        rate = 0;
      }
      if (rate <= 0) {
        fields.fail(from,
                    "a positive decimal in quotes: what 1 " + from + " is in " + query.currency);
      }
      query.rates[from] = {from, query.currency, rate, as_of};
    }
  }
  money.reject_unknown(where_key_belongs);
}

constexpr std::array tables{"money", "job", "spot", "service", "data", "constraints"};

// Any other file has nothing that is computed: it is not answered as the usual network. Whoever
// misspelt [job] hears that instead.
void require_job(const toml::table& file, const std::string& path) {
  const std::vector<std::string> known(tables.begin(), tables.end());
  for (const auto& [key, value] : file) {
    if (key.str() == "job" || nearest_word(std::string(key.str()), known) == "job") {
      return;
    }
  }
  throw UsageError(fmt::format(
      "{}: no job file: it has no [job] that says what is computed, as network = \"resnet50\" and "
      "epochs = 90 (a machine is for --machine, a price table for --prices)",
      path));
}

}  // namespace

void refuse_data_of_service(const Query& query) {
  if (query.service && query.format != DataFormat::synthetic) {
    throw UsageError(fmt::format(
        "{}: [data] of a service: its requests bring their inputs, decoded, and no data set is "
        "read for them; leave [data] out",
        query.file));
  }
}

double Query::hours_of_month() const {
  return service_hours.value_or(static_cast<double>(hours_per_month));
}

Query load_query(const std::string& path) {
  const auto table = load_toml(path);
  require_job(table, path);
  TomlFields top(&table, path, "");
  Query query;
  query.file = path;
  query.name = top.text("name").value_or(path);
  for (const auto* known : tables) {
    static_cast<void>(top.table(known));
  }
  query.measured = read_own_rates(top, path);
  top.reject_unknown(where_key_belongs);  // a misspelt table, before what is missed for it
  read_money(TomlFields(top.table("money"), path, "money"), query);
  read_job(TomlFields(top.table("job"), path, "job"), query);
  read_spot(TomlFields(top.table("spot"), path, "spot"), query);
  read_service_table(top, path, query);
  read_today(TomlFields(top.table("job"), path, "job"), query);
  if (query.batches.empty() && (query.tokens || query.phase == Phase::preprocess)) {
    query.batches = Query().batches;  // idle
  }
  if (query.tokens && query.tensor_parallel > 1) {
    query.tokens->per_replica = std::exchange(query.tensor_parallel, 1);
  }
  if (const auto* data = top.table("data"); data != nullptr || !query.serves()) {
    read_data(TomlFields(data, path, "data"), query);
    refuse_data_of_service(query);
    if (query.phase == Phase::decode) {
      require_writer(top, path, query);
    }
    refuse_no_item(TomlFields(top.table("job"), path, "job"), query);
  } else {
    query.items = 1;
    query.format = DataFormat::synthetic;  // requests bring their inputs, decoded
  }
  read_constraints(TomlFields(top.table("constraints"), path, "constraints"), query);
  if (query.phase == Phase::preprocess) {
    check_preprocessing(query);
    query.precision = Precision::fp32;  // nothing computes in another
  }
  if (query.format == DataFormat::mnist || query.format == DataFormat::cifar) {
    query.format = DataFormat::synthetic;  // held in memory whole, as predict takes them
  }
  bind_own_rates(query);
  return query;
}

}  // namespace rightsize
