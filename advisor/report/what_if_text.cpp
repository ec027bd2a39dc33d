#include "advisor/report/what_if_text.h"

#include <cmath>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "advisor/full_name.h"
#include "advisor/query/objective_words.h"
#include "advisor/report/option_text.h"
#include "advisor/report/pair_table.h"
#include "advisor/report/service_text.h"
#include "advisor/report/token_text.h"
#include "advisor/report/units.h"

namespace rightsize::report {
namespace {

constexpr std::size_t width = 98;

std::string supposed_words(const WhatIf& what_if) {
  return fmt::format("{}", fmt::join(what_if.supposition.words, " "));
}

// "+31 min", "-$3.10"; a change that three digits of the whole do not show is none.
template <typename Words>
std::string difference(double now, double then, const Words& words) {
  const double change = then - now;
  return std::abs(change) < 5e-4 * now ? "no change"
                                       : (change < 0 ? "-" : "+") + words(std::abs(change));
}

// "stays 3 x aws/g5.xlarge", of those that the answer has today.
std::string answer_words(const WhatIf& what_if, const std::string& name) {
  return fmt::format("{} {} x {}",
                     what_if.chosen_machines == what_if.able().nodes ? "stays" : "is",
                     what_if.chosen_machines,
                     name);
}

std::string place_sentence(const WhatIf& what_if) {
  const auto name = full_name(what_if.able());
  const auto& before = what_if.chosen_now;
  const auto& after = what_if.chosen_supposed;
  if (what_if.chosen_machines > 0) {
    return fmt::format("The answer {}.", answer_words(what_if, name));
  }
  if (after == before) {
    return after == name   ? fmt::format("It is the answer, and stays it.")
           : after.empty() ? "Nothing meets the constraints, with or without."
                           : fmt::format("The answer stays {}.", after);
  }
  if (after == name) {
    return before.empty() ? "That makes it the answer; nothing meets the constraints today."
                          : fmt::format("That makes it the answer, instead of {}.", before);
  }
  return fmt::format("It loses to {}{}.",
                     after.empty() ? "the constraints" : after,
                     what_if.chosen_near_tie    ? fmt::format(": {}", near_tie_words)
                     : what_if.chosen_typically ? typically
                                                : "");
}

// With GPUs of another price the answer hangs on the one that was kept, where it was.
std::string answer_sentence(const WhatIf& what_if) {
  const auto& supposed = what_if.supposition;
  const auto& now = what_if.able();
  const bool kept = !supposed.gpu.empty() && !supposed.price &&
                    what_if.supposed->price_per_hour == now.price_per_hour;
  return place_sentence(what_if) +
         (kept ? fmt::format(" That is at the price it has with {}; price= sets another.",
                             what_if.supposed->gpu == now.gpu ? gpu_label(now) : "its own GPU")
               : "");
}

// What became of a machine or fleet that does not, or does.
std::string verdict_of(const WhatIf& what_if) {
  return what_if.supposed->satisfies
             ? answer_sentence(what_if)
             : fmt::format("So it {}; {}.",
                           what_if.supposed->shortfall,
                           what_if.chosen_supposed.empty() ? "nothing meets the constraints"
                           : what_if.chosen_machines > 0
                               ? "the answer " + answer_words(what_if, what_if.chosen_supposed)
                               : "the answer is " + what_if.chosen_supposed);
}

// What an instance that cannot do the job as it is would take and cost.
std::string first_time_sentence(const WhatIf& what_if) {
  const auto& then = *what_if.supposed;
  const auto cost = money(then.cost.value, then.cost.unit);
  const auto does =
      what_if.query.serves()
          ? fmt::format("{} x {} answer for ~{} a month", then.nodes, full_name(then), cost)
          : fmt::format("it takes ~{} and costs ~{}", duration(then.hours.value * 3600), cost);
  return fmt::format("{} cannot do this job as it is: {}. With {} {}. {}",
                     full_name(then),
                     what_if.cannot_now,
                     supposed_words(what_if),
                     does,
                     verdict_of(what_if));
}

// "With qps=20: 3 x aws/g6e.xlarge instead of 2, ~$4,100 a month (+$1,300)".
std::string fleet_words(const WhatIf& what_if) {
  const auto& now = *what_if.now;
  const auto& then = *what_if.supposed;
  const auto unit = then.cost.unit;
  return fmt::format(
      "With {}: {} x {}{}, ~{} a month ({})",
      supposed_words(what_if),
      then.nodes,
      full_name(now),
      now.nodes == then.nodes ? "" : fmt::format(" instead of {}", now.nodes),
      money(then.cost.value, unit),
      difference(now.cost.value, then.cost.value, [&](double v) { return money(v, unit); }));
}

std::string service_sentence(const WhatIf& what_if) {
  const auto& now = *what_if.now;
  const auto& then = *what_if.supposed;
  const bool timed = std::isfinite(now.p99.value) && std::isfinite(then.p99.value);
  const auto waiting =
      std::isinf(then.p99.value)
          ? std::string("the queue of requests grows without end")
          : fmt::format(
                "p99 {}{}",
                about_latency(then.p99.value),
                timed ? fmt::format(" ({})", difference(now.p99.value, then.p99.value, duration))
                      : "");
  return fmt::format("{}, ~{} per million requests, {}. {}",
                     fleet_words(what_if),
                     per_million(then),
                     waiting,
                     verdict_of(what_if));
}

std::string token_sentence_of(const WhatIf& what_if) {
  const auto& then = *what_if.supposed;
  const auto unit = then.cost.unit;
  return fmt::format("{}, ~{} per million tokens ({}), {}. {}",
                     fleet_words(what_if),
                     fine_money(then.cost_per_1m_tokens, unit),
                     difference(what_if.now->cost_per_1m_tokens,
                                then.cost_per_1m_tokens,
                                [&](double v) { return fine_money(v, unit); }),
                     waiting_words(*then.tokens),
                     verdict_of(what_if));
}

}  // namespace

std::string what_if_sentence(const WhatIf& what_if) {
  const auto name = full_name(what_if.able());
  if (!what_if.supposed) {
    return fmt::format(
        "With {} {} could not do the job: {}.", supposed_words(what_if), name, what_if.reason);
  }
  if (!what_if.now) {
    return first_time_sentence(what_if);
  }
  const auto& now = *what_if.now;
  const auto& then = *what_if.supposed;
  const auto unit = then.cost.unit;
  if (then.service && now.service) {
    return service_sentence(what_if);
  }
  if (then.tokens && now.tokens) {
    return token_sentence_of(what_if);
  }
  return fmt::format(
      "With {} {} takes ~{} ({}) and costs ~{} ({}). {}",
      supposed_words(what_if),
      name,
      duration(then.hours.value * 3600),
      difference(now.hours.value * 3600, then.hours.value * 3600, duration),
      money(then.cost.value, unit),
      difference(now.cost.value, then.cost.value, [&](double v) { return money(v, unit); }),
      verdict_of(what_if));
}

Table what_if_table(const WhatIf& what_if) {
  return what_if.does_both() ? pair_table(what_if.query,
                                          *what_if.now,
                                          *what_if.supposed,
                                          what_if.ratios,
                                          {"now", "as supposed", "supposed / now"})
                             : Table({});
}

std::string what_if_text(const WhatIf& what_if, const Style& style) {
  std::string out = style.bold(wrapped(what_if_sentence(what_if), width, "  "));
  if (what_if.does_both()) {
    out += "\n" + what_if_table(what_if).text(style) + "\n";
  }
  for (const auto& remark : what_if.notes) {
    out += wrapped("NOTE: " + remark, width, "  ");
  }
  if (what_if.does_both()) {
    out += wrapped(fmt::format("~ marks an estimate; ranges are {} intervals, those of ratios "
                               "without the errors that both sides share.",
                               percent(what_if.now->cost.confidence)),
                   width,
                   "  ");
  }
  return out;
}

std::string what_if_markdown(const WhatIf& what_if) {
  std::string out = "**" + what_if_sentence(what_if) + "**\n";
  if (what_if.does_both()) {
    out += "\n" + what_if_table(what_if).markdown();
  }
  for (const auto& remark : what_if.notes) {
    out += "\n- " + remark + "\n";
  }
  return out;
}

}  // namespace rightsize::report
