#include "advisor/report/token_text.h"

#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "advisor/report/estimate_text.h"
#include "advisor/report/option_text.h"
#include "advisor/report/service_text.h"
#include "advisor/report/units.h"

namespace rightsize::report {
namespace {

Estimate waiting(const TokenFleet& fleet, double DecodeLatency::*which) {
  return waiting_of(fleet, which, 0.9, Source::scaled);
}

// Of a prediction; "—" where there is none, "never" where it has no end.
std::string about(double seconds) {
  return std::isfinite(seconds) ? "~" + latency(seconds) : latency(seconds);
}

std::string times(const char* what, const Estimate& first, const Estimate& token) {
  return fmt::format(
      "{} first token {}, {} a token", what, latency_text(first), latency_text(token));
}

std::string machine_words(const Configuration& asked) {
  auto one = asked.machine;
  one.nodes = 1;
  return to_text(one);
}

std::string memory_words(const TokenServer& server) {
  const int most = sequences_that_fit(server.work, server.gpu, server.lengths);
  return fmt::format("{} of weights on each GPU leave room for {} sequences a replica",
                     bytes(server.work.weight_bytes),
                     count(static_cast<std::uint64_t>(most)));
}

// What so many answer, or why none does.
std::string headline(const Configuration& asked, const TokenAnswer& answer) {
  const auto why = too_slow(*asked.tokens, answer);
  return why.empty() ? fmt::format("{} of {} answer {}, with {} confidence [{}]",
                                   machines_text(answer.fleet),
                                   machine_words(asked),
                                   token_service_words(asked.network, *asked.tokens),
                                   percent(asked.confidence),
                                   to_string(answer.each.source))
                     : fmt::format("Cannot: {}.", why);
}

// How many would do if all were as expected, where confidence takes more.
std::string expected_words(const Configuration& asked, const TokenFleet& fleet) {
  const int expected = token_machines_needed(*asked.tokens, fleet.server, 1);
  return expected == 0 || expected >= fleet.machines || asked.tokens->machines
             ? ""
             : fmt::format(" At the expected times {} would do; the rest is for the confidence.",
                           expected);
}

std::string each_words(const Configuration& asked, const TokenAnswer& answer) {
  return fmt::format(
      "One machine answers ~{} sequences/s in time ({} … {} by its speed and the laws of waiting), "
      "{} with {} confidence.{}\n",
      digits(answer.each.value),
      digits(answer.each.low),
      digits(answer.each.high),
      digits(answer.fleet.each_per_s),
      percent(asked.confidence),
      expected_words(asked, answer.fleet));
}

void add_row(Table& table, const std::string& name, const std::string& load, const TokenPoint& at) {
  table.add({name,
             load,
             digits(at.point.sequences),
             latency(at.latency.first_token_p50_s),
             latency(at.latency.first_token_p99_s),
             latency(at.latency.token_p50_s),
             latency(at.latency.token_p99_s)});
}

}  // namespace

std::string waiting_words(const TokenFleet& fleet) {
  const auto& latest = fleet.expected.latency;
  if (std::isinf(latest.first_token_p99_s) && std::isinf(latest.token_p99_s)) {
    return "the queue of requests grows without end";
  }
  return fmt::format("p99 {} to the first token and {} a token",
                     about(latest.first_token_p99_s),
                     about(latest.token_p99_s));
}

std::string machines_text(const TokenFleet& fleet) {
  ServerFleet same;
  same.machines = fleet.machines;
  same.machines_low = fleet.machines_low;
  same.machines_high = fleet.machines_high;
  return machines_text(same);
}

namespace {

std::string spread_words(double stddev) {
  return stddev > 0 ? fmt::format(" (stddev {})", digits(stddev)) : "";
}

}  // namespace

std::string token_service_words(const std::string& network, const TokenService& service) {
  std::string limits;
  if (std::isfinite(service.limits.first_token_s)) {
    limits = "the first token within " + duration(service.limits.first_token_s);
  }
  if (std::isfinite(service.limits.token_s) && service.output_tokens > 1) {
    limits += (limits.empty() ? "" : " and ") + duration(service.limits.token_s) + " a token";
  }
  const auto cached = service.cached_prompt_tokens > 0
                          ? fmt::format(" ({} of them cached)", service.cached_prompt_tokens)
                          : "";
  return fmt::format("{} sequences/s{} of {}, {} tokens in{}{} and {} out{}, 99% with {}",
                     digits(service.sequences_per_s),
                     service.burst > 1 ? fmt::format(" in bursts of {:g}", service.burst) : "",
                     network,
                     service.prompt_tokens,
                     spread_words(service.prompt_stddev),
                     cached,
                     service.output_tokens,
                     spread_words(service.output_stddev),
                     limits);
}

std::string token_sentence(const Recommendation& answer) {
  const auto& chosen = *answer.chosen;
  const auto& fleet = *chosen.tokens;
  return fmt::format(
      "Rent {} x {} ({}, {}; {} each): ~{} {} ({} … {}), ~{} per million tokens written, for "
      "{}; {}, {} of what they can write.",
      fleet.machines,
      instance_label(chosen),
      gpu_label(chosen),
      place(chosen),
      replicas_text(fleet.server),
      money(chosen.cost.value, chosen.cost.unit),
      month_words(answer.query),
      money(chosen.cost.low, chosen.cost.unit),
      money(chosen.cost.high, chosen.cost.unit),
      fine_money(chosen.cost_per_1m_tokens, chosen.cost.unit),
      token_service_words(answer.query.network, *answer.query.tokens),
      waiting_words(fleet),
      percent(fleet.utilisation));
}

std::string token_closest(const Option& option) {
  return fmt::format(
      "No offer satisfies the constraints; closest: {} x {} in {}, ~{} a month, {}{}.",
      option.tokens->machines,
      instance_label(option),
      place(option),
      money(option.cost.value, option.cost.unit),
      waiting_words(*option.tokens),
      in_brackets(option.shortfall));
}

Table token_table(const Recommendation& answer, std::size_t limit) {
  Table table({{""},
               {"machines", Align::right},
               {"instance"},
               {"where"},
               {"gpu"},
               {"each", Align::right},
               {"in flight", Align::right},
               {"p99 first", Align::right},
               {"p99 token", Align::right},
               {"load", Align::right},
               {"per month", Align::right},
               {"per 1M written", Align::right},
               {"if resized", Align::right},
               {"speed"}});
  for (std::size_t i = 0; i < answer.options.size(); ++i) {
    const auto& option = answer.options[i];
    if (!option.tokens || !is_shown(answer, i, limit)) {
      continue;
    }
    const auto& fleet = *option.tokens;
    const auto& at = fleet.expected;
    table.add(
        {row_mark(answer, i),
         machines_text(fleet),
         instance_label(option),
         place(option),
         gpu_label(option) + (option.precision == answer.query.precision
                                  ? ""
                                  : fmt::format(" {}", to_string(option.precision))),
         fmt::format("{} x {} GPU{}",
                     fleet.server.replicas,
                     fleet.server.gpus_each(),
                     fleet.server.attention == AttentionSharing::by_heads ? "" : ", own sequences"),
         "~" + digits(at.point.sequences),
         about(at.latency.first_token_p99_s),
         about(at.latency.token_p99_s),
         percent(fleet.utilisation),
         "~" + money(option.cost.value, option.cost.unit),
         "~" + fine_money(option.cost_per_1m_tokens, option.cost.unit),
         option.satisfies ? chance(option.p_cheapest) : "—",
         std::string(to_string(option.throughput.source))});
  }
  return table;
}

Table token_answer_table(const Configuration& asked, const TokenAnswer& answer) {
  Table table({{"load"},
               {"sequences/s", Align::right},
               {"in flight", Align::right},
               {"p50 first", Align::right},
               {"p99 first", Align::right},
               {"p50 token", Align::right},
               {"p99 token", Align::right}});
  if (const double each = answer.fleet.each_per_s; each > 0) {
    add_row(table,
            fmt::format("the most in time, a machine alone, with {}", percent(asked.confidence)),
            digits(each),
            answer.full);
  }
  if (const auto& fleet = answer.fleet; fleet.machines > 0) {
    add_row(table,
            fmt::format("as asked, {} of it", machines_text(fleet)),
            digits(asked.tokens->sequences_per_s),
            fleet.expected);
  }
  return table;
}

std::string token_answer_text(const Configuration& asked,
                              const TokenAnswer& answer,
                              const Style& style) {
  if (!answer.reason.empty()) {
    return fmt::format("Cannot: {}.\n{}", answer.reason, way_out_line(answer.ways_out));
  }
  const auto& fleet = answer.fleet;
  std::string text = style.bold(headline(asked, answer));
  text += fmt::format("\n{} {} on {}; {} a machine; {}\n",
                      asked.network,
                      form_words(fleet.server),
                      machine_words(asked),
                      replicas_text(fleet.server),
                      memory_words(fleet.server));
  if (answer.each.value > 0) {
    text += each_words(asked, answer);
  } else if (fleet.machines > 0 && asked.tokens->burst > 1) {
    text += fmt::format("One machine alone answers no burst of {:g} in time.{}\n",
                        asked.tokens->burst,
                        expected_words(asked, fleet));
  }
  text += way_out_line(answer.ways_out);
  text += "\n" + token_answer_table(asked, answer).text(style);
  if (fleet.machines > 0) {
    text += "\n" +
            times("p99 with its interval:",
                  waiting(fleet, &DecodeLatency::first_token_p99_s),
                  waiting(fleet, &DecodeLatency::token_p99_s)) +
            "\n";
  }
  for (const auto& note : answer.notes) {
    text += "- " + note + "\n";
  }
  return text;
}

std::string token_played_text(const Configuration& asked,
                              const TokenAnswer& answer,
                              const PlayedDecode& played,
                              const Style& style) {
  Table table({{"of the fleet"}, {"played", Align::right}, {"the law", Align::right}});
  const auto& at = answer.fleet.expected;
  const auto row = [&](const char* name, double seen, double said) {
    table.add({name, latency(seen), latency(said)});
  };
  row("p50 first token", played.first_token_p50_s, at.latency.first_token_p50_s);
  row("p95 first token", played.first_token_p95_s, at.latency.first_token_p95_s);
  row("p99 first token", played.first_token_p99_s, at.latency.first_token_p99_s);
  row("p50 token", played.token_p50_s, at.latency.token_p50_s);
  row("p95 token", played.token_p95_s, at.latency.token_p95_s);
  row("p99 token", played.token_p99_s, at.latency.token_p99_s);
  table.add({"sequences in flight of a replica",
             digits(played.sequences_in_flight),
             digits(at.point.sequences)});
  return token_answer_text(asked, answer, style) + "\n" + table.text(style);
}

}  // namespace rightsize::report
