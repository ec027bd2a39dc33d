#include "advisor/cli/token_commands.h"

#include <algorithm>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "advisor/cli/asked.h"
#include "advisor/cli/flag_word.h"
#include "advisor/cli/simulated_work.h"
#include "advisor/query/load_range.h"
#include "advisor/query/query.h"
#include "advisor/report/token_text.h"
#include "advisor/tokens/token_way_out.h"
#include "models/simulate/decode.h"

namespace rightsize::cli {
namespace {

namespace json = boost::json;

// A replica lies within one machine, and their number is the answer.
void refuse_nodes(const Configuration& asked) {
  if (asked.machine.nodes > 1) {
    throw UsageError(
        "nodes: a replica lies within one machine, and how many machines it takes is the answer; "
        "leave nodes out");
  }
}

int exit_of(const TokenAnswer& answer) {
  return answer.reason.empty() && any_number_writes(answer.fleet) ? exit_ok
                                                                  : exit_nothing_satisfies;
}

// With what would do, as `flag` names it, where the machine is too small or too slow.
TokenAnswer answer_with_ways(const GpuRates& rates,
                             const Configuration& asked,
                             std::string_view flag) {
  auto answer = answer_tokens(rates, asked);
  if (exit_of(answer) != exit_ok) {
    answer.ways_out = token_ways_out(rates, asked, flag);
  }
  return answer;
}

int emit_answer(Context& context,
                const Values& values,
                const Configuration& asked,
                std::string_view flag) {
  const auto format = output_format(values, {"table", "json", "csv", "md"});
  refuse_nodes(asked);
  const auto answer = answer_with_ways(estimator_for(values, asked).gpu_rates(), asked, flag);
  emit(
      context,
      values,
      format == "json" ? json::serialize(report::token_answer_to_json(asked, answer)) + "\n"
      : format == "table"
          ? report::token_answer_text(asked, answer, context.out_style)
          : report::rendered(report::token_answer_table(asked, answer), format, context.out_style));
  return exit_of(answer);
}

constexpr std::string_view machine_flag = "--machine gpu=";

// What is asked of other servers: the times that a token service names decide it here.
void refuse_serving_flags(const Values& values) {
  for (const auto* option :
       {"replicas", "p99", "max-batch", "max-delay", "arrivals", "routing", "serve"}) {
    if (given(values, option)) {
      throw UsageError(fmt::format(
          "--{}: the job writes tokens, and as many replicas as its [service] takes in time, with "
          "sequences that come by chance, are played; leave it out, or change the load: --qps",
          option));
    }
  }
}

// --qps in place of the job file's.
void read_load(const Values& values, Configuration& asked) {
  if (values.count("qps") > 0) {
    const double qps = values["qps"].as<double>();
    if (!sequence_loads.has(qps)) {
      throw UsageError(fmt::format("--qps {:g}: expected {}", qps, sequence_loads.words()));
    }
    asked.tokens->sequences_per_s = qps;
  }
}

}  // namespace

int predict_tokens(Context& context, const Values& values, const Configuration& asked) {
  return emit_answer(context, values, asked, machine_flag);
}

int size_tokens(Context& context, const Values& values, const Configuration& asked) {
  for (const auto* option : {"utilisation", "chart"}) {
    if (given(values, option)) {
      throw UsageError(fmt::format(
          "--{}: a service is sized by how soon its tokens come; leave it out", option));
    }
  }
  return emit_answer(context, values, asked, "--gpu ");
}

bool asks_tokens(const Values& values) {
  return values.count("job") > 0 && load_query(values["job"].as<std::string>()).tokens;
}

int simulate_tokens(Context& context, const Values& values) {
  const bool as_json = output_format(values, {"table", "json"}) == "json";
  refuse_serving_flags(values);
  auto asked = configuration_from(values);
  read_load(values, asked);
  refuse_nodes(asked);
  const auto answer =
      answer_with_ways(estimator_for(values, asked).gpu_rates(), asked, machine_flag);
  if (exit_of(answer) != exit_ok) {
    emit(context,
         values,
         as_json ? json::serialize(report::token_answer_to_json(asked, answer)) + "\n"
                 : report::token_answer_text(asked, answer, context.out_style));
    return exit_nothing_satisfies;
  }
  const auto& server = answer.fleet.server;
  auto load = server.lengths;
  load.sequences_per_s = asked.tokens->sequences_per_s;
  const auto replicas = server.replicas_of(answer.fleet.machines);
  // At the most an iteration for each of its tokens, and all replicas are looked at when it comes.
  const double steps = steps_of_item * 10 + load.output_tokens + replicas.count;
  const auto sequences = simulated_items(values, 100, steps);
  const auto played = simulate_decode(
      replicas, load, {static_cast<int>(sequences), values["seed"].as<std::uint64_t>()});
  emit(context,
       values,
       as_json ? json::serialize(report::token_played_to_json(asked, answer, played)) + "\n"
               : report::token_played_text(asked, answer, played, context.out_style));
  return exit_ok;
}

}  // namespace rightsize::cli
