#include "advisor/cli/simulate_serving.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "advisor/cli/arrivals_option.h"
#include "advisor/cli/asked.h"
#include "advisor/cli/simulated_work.h"
#include "advisor/machine/batch_time.h"
#include "advisor/query/query.h"
#include "advisor/report/estimate_text.h"
#include "advisor/report/serving_text.h"
#include "advisor/service/service_answer.h"
#include "models/laws/minibatch_rates.h"

namespace rightsize::cli {
namespace {

namespace po = boost::program_options;
namespace json = boost::json;

// "5ms", "200us", "0.02s" or "0".
double latency_option(const Values& values, const char* option) {
  const auto& text = values[option].as<std::string>();
  double value = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const std::string unit(rest, text.data() + text.size());
  const double scale = unit == "ms"                                  ? 1e-3
                       : unit == "us"                                ? 1e-6
                       : unit == "s" || (unit.empty() && value == 0) ? 1
                                                                     : 0;
  if (error != std::errc() || scale == 0 || !(value >= 0) || value * scale > 3600) {
    throw UsageError(fmt::format(
        "--{} {}: expected a time such as 5ms, 200us or 0.5s, of an hour at most", option, text));
  }
  return value * scale;
}

int count_option(const Values& values, const char* option, int most) {
  const int value = values[option].as<int>();
  if (value < 1 || value > most) {
    throw UsageError(
        fmt::format("--{} {}: expected a whole number from 1 to {}", option, value, most));
  }
  return value;
}

std::optional<Query> job_of(const Values& values) {
  return values.count("job") > 0 ? std::optional(load_query(values["job"].as<std::string>()))
                                 : std::nullopt;
}

// The work and the machine, asked to serve the load within the target.
Configuration asked_of(const Values& values,
                       const ServingLoad& load,
                       std::optional<double> target_p99_s) {
  auto asked = configuration_from(values);
  if (values["phase"].defaulted() || asked.phase == Phase::infer) {
    asked.phase = Phase::infer;
  } else {
    throw UsageError("--serve answers requests: leave out --phase, or say --phase infer");
  }
  asked.service = Service{load.requests_per_s,
                          target_p99_s.value_or(HUGE_VAL),
                          load.max_delay_s,
                          load.group_size,
                          std::nullopt};
  return asked;
}

// A job's limit of the minibatch is the one that serves it best, and its replicas are as many as
// the load takes of that machine (service_answer.h); without a job they are what the flags say.
std::optional<BatchTime> time_of(const Values& values,
                                 bool of_job,
                                 Configuration asked,
                                 report::ServingReport& serving,
                                 Answer& answer) {
  auto estimator = estimator_for(values, asked);
  auto& load = serving.load;
  load.replicas = std::max(1, asked.machine.gpus());
  std::optional<BatchTime> time;
  if (of_job) {
    if (!values["max-batch"].defaulted()) {
      asked.batch = load.max_batch;
    }
    const auto served = answer_service(estimator, asked);
    answer = served.answer;
    if (answer.verdict == Verdict::ok) {
      time = served.time;
      load.max_batch = served.fleet.server.max_batch;
      load.replicas =
          std::max(served.fleet.machines, asked.machine.nodes) * served.fleet.server.replicas;
    }
  } else {
    time = batch_time(estimator, asked, load.max_batch, answer);
  }
  if (values.count("replicas") > 0) {
    load.replicas = count_option(values, "replicas", 10'000);
  }
  serving.framework = answer.framework;
  serving.notes = answer.notes;
  serving.question = fmt::format("{} {} on {}",
                                 asked.network,
                                 to_string(time ? answer.precision : asked.precision),
                                 to_text(asked.machine));
  return time;
}

void play(const Values& values,
          const std::vector<simulate::Nanoseconds>& arrivals,
          report::ServingReport& serving) {
  ServingOptions options;
  options.seed = values["seed"].as<std::uint64_t>();
  constexpr std::uint64_t fewest = 1000;  // of a hundredth of them a percentile is made
  // Each looks for the shortest queue, ten of which are as much work as the rest of an event.
  const double steps = steps_of_item + serving.load.replicas / 10.0;
  options.requests = simulated_items(values, fewest, steps);
  options.routing =
      values["routing"].as<std::string>() == "random" ? Routing::random : Routing::shortest_queue;
  options.arrivals = arrivals;
  const auto scaled = [&](double factor) { return serving.time.law.changed(factor); };
  const double spread = std::exp(normal_90 * serving.time.log_sd);
  serving.played = simulate_serving(serving.time.law, serving.load, options);
  serving.quick = simulate_serving(scaled(1 / spread), serving.load, options);
  serving.slow = simulate_serving(scaled(spread), serving.load, options);
  serving.by_chance = options.routing == Routing::random;
  serving.point =
      serve(serving.time.law, serving.by_chance ? share_by_chance(serving.load) : serving.load);
  if (serving.by_chance) {
    serving.point.saturation_per_s *= serving.load.replicas;
  }
}

}  // namespace

void add_serving_options(Options& options) {
  options.add_options()("serve",
                        "answer requests instead of training on a data path; a job file with "
                        "[service] asks for it by itself")(
      "qps", po::value<double>(), "requests per second of all callers; default: the job file's")(
      "arrivals",
      po::value<std::string>()->default_value("poisson"),
      "poisson, bursty:K (K together on average), or a file of seconds, one arrival a line")(
      "max-batch",
      po::value<int>()->default_value(32),
      "requests in a minibatch, at most; of a job file its largest batch, of one with [service] "
      "that which answers the most in time")(
      "max-delay", po::value<std::string>()->default_value("0"), "to wait for a minibatch to fill")(
      "replicas",
      po::value<int>(),
      "of one GPU each; default: the machine's GPUs, and of a job file with [service] as many as "
      "its load takes")(
      "routing", po::value<std::string>()->default_value("shortest"), "shortest queue or random")(
      "p99", po::value<std::string>(), "the target: how much load, how many replicas?");
}

bool asks_serving(const Values& values) {
  const auto job = job_of(values);
  return values.count("serve") > 0 || (job && job->service);
}

namespace {

// What is asked of the servers: how requests come, and what is done with them. Returns their
// instants where a file has them.
std::vector<simulate::Nanoseconds> read_load(const Values& values,
                                             const std::optional<Query>& job,
                                             report::ServingReport& serving) {
  const bool as_job = job && job->service;
  auto& load = serving.load;
  serving.arrivals = arrivals_text(values, job);
  load.max_batch = count_option(values, "max-batch", most_requests_in_minibatch);
  if (job && !as_job && values["max-batch"].defaulted() && !job->batches.empty()) {
    load.max_batch = *std::max_element(job->batches.begin(), job->batches.end());
  }
  load.max_delay_s = as_job && values["max-delay"].defaulted()
                         ? job->service->max_delay_s
                         : latency_option(values, "max-delay");
  if (values.count("p99") > 0 || as_job) {
    serving.target_p99_s =
        values.count("p99") > 0 ? latency_option(values, "p99") : job->service->p99_s;
  }
  auto arrivals = arrivals_of(values, job, serving.arrivals, load);
  serving.from_file = !arrivals.empty();
  return arrivals;
}

// As this command has it: how many requests are together is --max-batch here.
Answer with_own_flags(Answer answer) {
  constexpr std::string_view of_steps = "--batch ";
  for (auto& way : answer.ways_out) {
    if (way.starts_with(of_steps)) {
      way = "--max-batch " + way.substr(of_steps.size());
    }
  }
  return answer;
}

void emit_refusal(Context& context,
                  const Values& values,
                  const std::string& format,
                  const Answer& refused) {
  const auto answer = with_own_flags(refused);
  emit(context,
       values,
       format == "json"
           ? json::serialize(report::refusal_to_json("rightsize/serving/1", answer)) + "\n"
           : report::refusal_text(answer));
}

// By the law, where there is a target.
void add_capacity(report::ServingReport& serving, bool by_chance) {
  if (!serving.target_p99_s) {
    return;
  }
  if (by_chance) {
    const auto largest = largest_requests_per_s(
        serving.time.law, share_by_chance(serving.load), *serving.target_p99_s);
    serving.largest_requests_per_s = largest * serving.load.replicas;
    serving.replicas_needed =
        replicas_needed_by_chance(serving.time.law, serving.load, *serving.target_p99_s);
    return;
  }
  serving.largest_requests_per_s =
      largest_requests_per_s(serving.time.law, serving.load, *serving.target_p99_s);
  auto one = serving.load;
  one.replicas = 1;
  serving.replicas_needed = machines_needed(serving.time.law, one, *serving.target_p99_s);
}

}  // namespace

int run_simulate_serving(Context& context, const Values& values) {
  const auto format = output_format(values, {"table", "json"});
  const auto& routing = values["routing"].as<std::string>();
  if (routing != "shortest" && routing != "random") {
    throw UsageError(fmt::format("--routing {}: expected shortest or random", routing));
  }
  report::ServingReport serving;
  const auto job = job_of(values);
  const auto arrivals = read_load(values, job, serving);
  Answer answer;
  const auto asked = asked_of(values, serving.load, serving.target_p99_s);
  serving.time = time_of(values, job && job->service, asked, serving, answer).value_or(BatchTime{});
  if (answer.verdict != Verdict::ok) {
    emit_refusal(context, values, format, answer);
    return exit_nothing_satisfies;
  }
  add_capacity(serving, routing == "random");
  play(values, arrivals, serving);
  emit(context,
       values,
       format == "json" ? json::serialize(report::serving_to_json(serving)) + "\n"
                        : report::serving_text(serving, context.out_style));
  const bool none_in_time = serving.target_p99_s && !serving.replicas_needed;
  const bool in_time = !none_in_time && !report::misses_target(serving);
  return serving.played.saturated || !in_time ? exit_nothing_satisfies : exit_ok;
}

}  // namespace rightsize::cli
