#include "advisor/report/serving_text.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "advisor/json_values.h"
#include "advisor/report/table.h"
#include "advisor/report/units.h"

namespace rightsize::report {
namespace {

namespace json = boost::json;

// A latency of the fleet with the interval of the law's time; without an upper end where the slow
// end does not keep up.
Estimate latency(const ServingReport& serving, double ServingSummary::*which) {
  Estimate estimate;
  const auto of = [&](const ServingSummary& summary) {
    return summary.saturated ? std::numeric_limits<double>::infinity() : summary.*which;
  };
  estimate.value = of(serving.played);
  estimate.low = std::min(estimate.value, of(serving.quick));
  estimate.high = std::max(estimate.value, of(serving.slow));
  estimate.unit = "s";
  estimate.source = serving.time.source;
  return estimate;
}

Estimate saturation(const ServingReport& serving) {
  const double value = serving.point.saturation_per_s;
  const double spread = std::exp(normal_90 * serving.time.log_sd);
  return {value, value / spread, value * spread, 0.9, "requests/s", serving.time.source};
}

std::string regime_sentence(const ServingReport& serving) {
  switch (serving.point.regime) {
    case ServingRegime::steady:
      return "";
    case ServingRegime::knee:
      return "Near the knee: above 85 % of the most that can be served a little more load, or "
             "slower steps, is much more waiting.\n";
    case ServingRegime::saturated:
      return fmt::format(
          "{}: {} requests/s are offered and ~{} can be served, so the queue grows {}; add "
          "replicas or allow larger minibatches.\n",
          serving.from_file ? "More than the servers answer" : "Saturated",
          digits(serving.load.requests_per_s),
          digits(serving.point.saturation_per_s),
          serving.from_file ? "until the file ends" : "without end");
  }
  return "";
}

// Why so many are late where no more replicas are asked for than there are.
std::string enough_and_late(const ServingReport& serving) {
  if (!misses_target(serving) || serving.replicas_needed > serving.load.replicas) {
    return "";
  }
  return serving.point.p99_s > *serving.target_p99_s
             ? fmt::format(
                   " (of {} each gets so few that its minibatches wait for their windows to "
                   "end)",
                   serving.load.replicas)
             : fmt::format(" (by the closed form, which says {}; played it is later)",
                           duration(serving.point.p99_s));
}

std::string target_sentence(const ServingReport& serving) {
  if (!serving.target_p99_s) {
    return "";
  }
  const auto target = duration(*serving.target_p99_s);
  if (serving.replicas_needed == 0) {
    const bool alone = step_seconds(serving.time.law, 1) > *serving.target_p99_s;
    return fmt::format(
        "No number of replicas answers 99 % within {}: {}.\n",
        target,
        alone ? "a minibatch alone takes longer"
              : "they wait for longer, in windows of " + duration(serving.load.max_delay_s));
  }
  return fmt::format(
      "Within a p99 of {}: ~{} requests/s at most; {} needed for {} requests/s, at the expected "
      "times{}.\n",
      target,
      digits(serving.largest_requests_per_s),
      count_of(static_cast<std::uint64_t>(serving.replicas_needed), "replica"),
      digits(serving.load.requests_per_s),
      enough_and_late(serving));
}

std::string answer_sentence(const ServingReport& serving) {
  const auto rate = digits(serving.load.requests_per_s);
  if (serving.played.saturated) {
    return fmt::format("Cannot keep up with {} requests/s.", rate);
  }
  const auto p99 = latency(serving, &ServingSummary::p99_s);
  return fmt::format(
      "~{} at the 99th percentile ({} … {}) for {} requests/s on {}{} [{}]",
      duration(p99.value),
      duration(p99.low),
      duration(p99.high),
      rate,
      count_of(static_cast<std::uint64_t>(serving.load.replicas), "replica"),
      misses_target(serving) ? fmt::format(", misses {}", duration(*serving.target_p99_s)) : "",
      to_string(p99.source));
}

Table latency_table(const ServingReport& serving) {
  Table table({{"latency"},
               {"simulated", Align::right},
               {"interval", Align::right},
               {serving.from_file ? "closed form, Poisson" : "closed form", Align::right}});
  const auto row = [&](const char* name, double ServingSummary::*played, double closed) {
    const auto estimate = latency(serving, played);
    table.add({name,
               duration(estimate.value),
               fmt::format("{} … {}", duration(estimate.low), duration(estimate.high)),
               duration(closed)});
  };
  row("mean", &ServingSummary::mean_s, serving.point.mean_s);
  row("p50", &ServingSummary::p50_s, serving.point.p50_s);
  row("p95", &ServingSummary::p95_s, serving.point.p95_s);
  row("p99", &ServingSummary::p99_s, serving.point.p99_s);
  return table;
}

json::object finite_json(const Estimate& estimate) {
  auto object = to_json(estimate);
  object["value"] = finite(estimate.value);
  object["low"] = finite(estimate.low);
  object["high"] = finite(estimate.high);
  return object;
}

// "one request takes 11.4 ms, 8 12.6 ms, 32 15.9 ms".
std::string minibatch_sentence(const MinibatchTime& time) {
  std::string text;
  for (const auto& [requests, seconds] : time.points()) {
    text += fmt::format(
        "{} {}", text.empty() ? "one takes" : fmt::format(", {}", requests), duration(seconds));
  }
  return "of minibatches " + text;
}

}  // namespace

bool misses_target(const ServingReport& serving) {
  return serving.target_p99_s && !serving.played.saturated &&
         serving.played.p99_s > *serving.target_p99_s;
}

std::string_view regime_word(ServingRegime regime) {
  switch (regime) {
    case ServingRegime::steady:
      return "steady";
    case ServingRegime::knee:
      return "knee";
    case ServingRegime::saturated:
      return "saturated";
  }
  return "?";
}

std::string serving_text(const ServingReport& serving, const Style& style) {
  const auto& played = serving.played;
  const auto most = saturation(serving);
  std::string notes;
  for (const auto& note : serving.notes) {
    notes += "- " + note + "\n";
  }
  return fmt::format(
      "{}\n{}{}\n{}; minibatches of at most {}, {}, arrivals {}\n{}\n\n{}"
      "simulated: each request played; closed form: {}\n"
      "served ~{} requests/s in minibatches of {} on average; replicas compute {} of the time\n"
      "the most that can be served: ~{} requests/s ({} … {})\n{}",
      style.bold(answer_sentence(serving)),
      regime_sentence(serving),
      target_sentence(serving),
      serving.question,
      serving.load.max_batch,
      serving.load.max_delay_s > 0 ? "delayed by " + duration(serving.load.max_delay_s) + " at most"
                                   : "not delayed",
      serving.arrivals,
      minibatch_sentence(serving.time.law),
      played.saturated ? "" : latency_table(serving).text(style) + "\n",
      serving.by_chance ? "of one replica's share; advise and explain go by the shortest queue"
                        : "what advise and explain go by",
      digits(played.served_per_s),
      digits(played.mean_batch),
      percent(played.busy),
      digits(most.value),
      digits(most.low),
      digits(most.high),
      notes);
}

namespace {

const char* status_word(const ServingReport& serving) {
  return serving.played.saturated ? "saturated" : misses_target(serving) ? "late" : "ok";
}

json::array minibatch_times(const MinibatchTime& time) {
  json::array times;
  for (const auto& [requests, seconds] : time.points()) {
    times.push_back({{"requests", requests}, {"seconds", seconds}});
  }
  return times;
}

}  // namespace

json::object serving_to_json(const ServingReport& serving) {
  const auto& played = serving.played;
  json::object document{{"schema", "rightsize/serving/1"},
                        {"status", status_word(serving)},
                        {"regime", regime_word(serving.point.regime)},
                        {"arrivals", serving.arrivals},
                        {"offered_requests_per_s", played.offered_per_s},
                        {"served_requests_per_s", played.served_per_s},
                        {"turned_away", played.turned_away},
                        {"requests", played.requests},
                        {"replicas", serving.load.replicas},
                        {"max_batch", serving.load.max_batch},
                        {"max_delay_s", serving.load.max_delay_s},
                        {"batch_time",
                         {{"minibatches", minibatch_times(serving.time.law)},
                          {"source", to_string(serving.time.source)}}},
                        {"mean", finite_json(latency(serving, &ServingSummary::mean_s))},
                        {"p50", finite_json(latency(serving, &ServingSummary::p50_s))},
                        {"p95", finite_json(latency(serving, &ServingSummary::p95_s))},
                        {"p99", finite_json(latency(serving, &ServingSummary::p99_s))},
                        {"closed_form_p99_s", finite(serving.point.p99_s)},
                        {"saturation", to_json(saturation(serving))},
                        {"utilisation", serving.point.utilisation},
                        {"mean_batch", played.mean_batch},
                        {"busy", played.busy},
                        {"events", played.events},
                        {"framework", or_null(serving.framework)},
                        {"notes", json::value_from(serving.notes)}};
  if (serving.target_p99_s) {
    document["target"] = {{"p99_s", *serving.target_p99_s},
                          {"largest_requests_per_s", serving.largest_requests_per_s},
                          {"replicas_needed",
                           serving.replicas_needed > 0 ? json::value(serving.replicas_needed)
                                                       : json::value(nullptr)}};
  }
  return document;
}

}  // namespace rightsize::report
