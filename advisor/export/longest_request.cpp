#include "advisor/export/longest_request.h"

#include <cmath>

#include <fmt/format.h>

#include "advisor/query/picture_words.h"
#include "kernels/engine.h"
#include "kernels/network.h"
#include "kernels/networks/vision_language/vision_language.h"

namespace rightsize {
namespace {

constexpr double z_999 = 3.0902;

// From `least`, which it takes, to `most`.
int taken(std::string_view network, int least, int most) {
  if (takes_sequence(network, most)) {
    return most;
  }
  while (most - least > 1) {
    const int middle = least + (most - least) / 2;
    (takes_sequence(network, middle) ? least : most) = middle;
  }
  return least;
}

}  // namespace

bool takes_sequence(std::string_view network, int tokens) {
  try {
    static_cast<void>(make_network(network, tokens));
  } catch (const EngineError&) {
    return false;
  }
  return true;
}

LongestRequest longest_request(const TokenService& service, std::string_view network) {
  const int mean = service.prompt_tokens + service.output_tokens;
  if (!service.spreads()) {
    return {service.prompt_tokens, mean};
  }
  const auto lengths = service.lengths();
  const double prompt = service.prompt_tokens * PromptSpread{lengths.prompt_cv(), 0}.at(z_999);
  const double output = service.output_tokens * lengths.outputs().at(z_999);
  const int tokens = taken(network, mean, static_cast<int>(std::ceil(prompt + output)));
  return {std::min(static_cast<int>(std::ceil(prompt)), tokens - 1), tokens};
}

std::string longest_request_words(const Query& query, std::string_view said_by) {
  const auto& service = *query.tokens;
  if (service.spreads()) {
    const auto longest = longest_request(service, query.network);
    return fmt::format(
        "# {} the longest request, {} tokens: 999 of 1000 prompts and outputs are no longer\n"
        "# by prompt_tokens_stddev and output_tokens_stddev of [service]. Longer ones are "
        "refused.\n",
        said_by,
        longest.tokens);
  }
  const int pictures = picture_tokens(query.network);
  return fmt::format(
      "# {} the longest request: prompt_tokens = {}{} and output_tokens = {} of [service].\n"
      "# Longer ones are refused. The memory was counted for it: say more there, and export "
      "again.\n",
      said_by,
      service.prompt_tokens - pictures,
      pictures > 0 ? fmt::format(", {} tokens of its pictures", pictures) : "",
      service.output_tokens);
}

}  // namespace rightsize
