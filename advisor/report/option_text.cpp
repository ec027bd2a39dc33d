#include "advisor/report/option_text.h"

#include <algorithm>

#include <fmt/format.h>

#include "advisor/full_name.h"
#include "advisor/machine/bottleneck.h"
#include "advisor/query/job_work.h"
#include "advisor/query/writing_words.h"
#include "advisor/report/service_text.h"
#include "advisor/report/table.h"
#include "advisor/report/token_text.h"
#include "advisor/report/units.h"
#include "advisor/report/work_words.h"
#include "advisor/tokens/weights_taken.h"
#include "kernels/networks/program.h"
#include "pricing/place.h"

namespace rightsize::report {
namespace {

bool same_offer(const Option& a, const Option& b) {
  return full_name(a) == full_name(b) && a.region == b.region;
}

}  // namespace

std::string row_mark(const Recommendation& answer, std::size_t row) {
  if (answer.chosen && same_offer(answer.options.at(row), *answer.chosen)) {
    return "*";
  }
  return std::find(answer.ties.begin(), answer.ties.end(), row) != answer.ties.end() ? "=" : "";
}

std::string in_brackets(const std::string& reason) {
  return reason.empty() ? "" : " (" + reason + ")";
}

bool is_shown(const Recommendation& answer, std::size_t row, std::size_t limit) {
  const auto& option = answer.options.at(row);
  const bool chosen = answer.chosen && option.rank == 1;  // wherever --sort has put it
  return limit == 0 || row < limit || option.own || chosen;
}

std::string range(const Estimate& estimate) {
  return fmt::format("{} … {}", digits(estimate.low), digits(estimate.high));
}

std::string gpu_label(const Option& option) {
  if (option.gpu.empty()) {
    return "—";
  }
  return option.gpus == 1 ? option.gpu : fmt::format("{:g}x {}", option.gpus, option.gpu);
}

std::string place(const Option& option) {
  return place_name(option.provider, option.region);
}

std::string gpu_and_place(const Option& option) {
  return option.gpu.empty() ? place(option)
                            : fmt::format("{}, {}", gpu_label(option), place(option));
}

std::string market_text(const Option& option) {
  return std::string(to_string(option.market)) + (option.price_per_month ? " by the month" : "");
}

std::string instance_label(const Option& option) {
  const bool together = option.nodes > 1 && !option.service && !option.tokens;
  const auto name = with_cpu(option.instance, option.cpu);
  return with_market(together ? fmt::format("{} x {}", option.nodes, name) : name, option);
}

namespace {

std::string_view bottleneck_words(Bound bound) {
  switch (bound) {
    case Bound::disk:
      return "disk reads";
    case Bound::cpu:
      return "cpu decode";
    case Bound::loader:
      return "loader threads";
    case Bound::copy:
      return "copies to the gpu";
    case Bound::accelerator:
      return "gpu compute";
  }
  return "unknown";
}

}  // namespace

std::string_view limited_by(const Option& option) {
  if (spent_on_exchange(option.scaling_efficiency, option.limited_by)) {
    // With tokens that go to experts, which may be most of it.
    return option.expert_parallel > 1 ? "exchange" : "gradient exchange";
  }
  const bool cpu_only = option.gpu.empty();
  return cpu_only && option.limited_by == Bound::cpu ? "cpu compute"
                                                     : bottleneck_words(option.limited_by);
}

std::string busy_text(const Option& option) {
  if (spent_on_exchange(option.scaling_efficiency, option.limited_by)) {
    return fmt::format("the gpus do {} of what they do alone", percent(option.scaling_efficiency));
  }
  constexpr double telling = 0.85;
  const bool waits = option.limited_by == Bound::accelerator && option.scaling_efficiency < telling;
  return percent(option.busy[static_cast<std::size_t>(option.limited_by)]) + " busy" +
         (waits ? fmt::format(", {} of that with what they exchange",
                              percent(1 - option.scaling_efficiency))
                : "");
}

namespace {

std::string_view work_text(Phase phase) {
  return phase == Phase::train              ? "training"
         : phase == Phase::forward          ? "forward passes"
         : phase == Phase::forward_backward ? "forward and backward passes"
                                            : "inference";
}

std::string epochs_text(double epochs) {
  return fmt::format("{:g} epoch{}", epochs, epochs == 1 ? "" : "s");
}

std::string network_job_text(const Query& query) {
  const auto epochs = epochs_text(query.epochs);
  if (query.writing.of_texts()) {
    return fmt::format("{}{}: {} texts, {}{}",
                       query.network,
                       narrowed_words(query),
                       count(query.items),
                       text_lengths(query.writing),
                       query.epochs == 1 ? "" : ", " + epochs);
  }
  if (query.phase == Phase::decode) {
    return fmt::format("{}{}: {} tokens written, {}; prompts are not counted, {}",
                       query.network,
                       narrowed_words(query),
                       count(query.items),
                       query.sequence > 0 ? fmt::format("at a context of {}", query.sequence)
                                          : "at the network's whole context",
                       epochs);
  }
  const bool once = query.epochs == 1 && !has_backward(query.phase);
  const auto tokens = query.sequence > 0 ? fmt::format(" of {} tokens", query.sequence) : "";
  const auto tuning = tuning_words(query);
  return fmt::format("{} {}{} of {} {}{}{}",
                     query.network,
                     work_text(query.phase),
                     tuning.empty() ? "" : fmt::format(" ({})", tuning),
                     count(query.items),
                     words_of(query).many,
                     tokens,
                     once ? "" : ", " + epochs);
}

}  // namespace

std::string job_text(const Query& query) {
  if (query.tokens) {
    return token_service_words(query.network, *query.tokens);
  }
  if (query.service) {
    return service_words(query);
  }
  switch (work_of(query)) {
    case JobWork::preprocessing:
      return fmt::format("preprocessing of {} images, {} to {}",
                         count(query.items),
                         to_string(query.format),
                         to_string(query.writes));
    case JobWork::program:
      return fmt::format("{} over {} items, {}",
                         *program_named(query.network),
                         count(query.items),
                         epochs_text(query.epochs));
    case JobWork::network:
      break;
  }
  return network_job_text(query);
}

std::string wrapped(const std::string& text, std::size_t width, const std::string& indent) {
  std::string out;
  std::string line;
  std::size_t at = 0;
  while (at < text.size()) {
    const auto space = std::min(text.find(' ', at), text.size());
    const auto word = text.substr(at, space - at);
    if (!line.empty() && display_width(line) + 1 + display_width(word) > width) {
      out += line + "\n";
      line = indent;
      line += word;
    } else {
      line += (line.empty() || line == indent ? "" : " ") + word;
    }
    at = space + 1;
  }
  return out + line + "\n";
}

}  // namespace rightsize::report
