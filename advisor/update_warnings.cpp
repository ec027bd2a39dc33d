#include "advisor/update_warnings.h"

#include <algorithm>

#include <fmt/format.h>

#include "advisor/query/job_work.h"
#include "advisor/update_batch.h"
#include "kernels/longer_sequence.h"
#include "kernels/network.h"
#include "kernels/work.h"

namespace rightsize {
namespace {

// Llama 3 405B's last and largest: 16 M (Llama team, "The Llama 3 herd of models", 2024, section
// 3.4.1). Mixtures went further: DeepSeek-V3 took 15360 sequences of 4096 (DeepSeek-AI, 2024,
// section 4.2).
constexpr double most_tokens = 16e6;
constexpr double different = 4;  // times as large

// Of those that say it no more is to be known; a network with adapters is tuned, on small updates.
bool may_be_any_size(const Query& query) {
  return query.phase == Phase::train && query.global_batch == 0 && has_network(query) &&
         !query.tuning.adapters.any();
}

}  // namespace

void warn_of_update(Recommendation& answer) {
  const auto& query = answer.query;
  if (!may_be_any_size(query)) {
    return;
  }
  const auto network = make_network(query.network, query.sequence, query.phase);
  if (!network.reads_tokens() || makes_pictures(network) || looks_up_tables(network)) {
    return;
  }
  const auto length = static_cast<double>(network.input.positions());
  const auto tokens = [&](const Option& option) {
    return length * static_cast<double>(update_batch(query, option).global());
  };
  const double chosen = tokens(*answer.chosen);
  constexpr const char* say = "say [job] global_batch (items an update), and all are judged at it";
  if (chosen > most_tokens) {
    answer.warnings.push_back(
        fmt::format("an update is of {:.3g} M tokens here, more than Llama 3 405B was trained with "
                    "(16 M; mixtures up to 63 M): {}",
                    chosen / 1e6,
                    say));
    return;
  }
  if (chosen < 1e6) {  // what anybody trains with
    return;
  }
  double least = chosen;
  for (const auto& option : answer.options) {
    least = std::min(least, tokens(option));
  }
  if (chosen >= different * least) {
    answer.warnings.push_back(
        fmt::format("an update is of {:.3g} M tokens here, and of as few as {:.3g} M on other "
                    "machines shown, which is not the same training: {}",
                    chosen / 1e6,
                    least / 1e6,
                    say));
  }
}

void warn_of_nearest_update(Recommendation& answer) {
  const auto& query = answer.query;
  if (query.phase != Phase::train || query.global_batch == 0) {
    return;
  }
  const auto batch = update_batch(query, *answer.chosen);
  if (batch.global() == query.global_batch) {
    return;
  }
  answer.warnings.push_back(fmt::format(
      "an update is of {} items on the machines chosen, the nearest to global_batch = {} by equal "
      "shares: {} copies of the network take {} at once{}",
      batch.global(),
      query.global_batch,
      batch.copies,
      batch.micro_batch,
      batch.passes > 1 ? fmt::format(", {} times", batch.passes) : ""));
}

}  // namespace rightsize
