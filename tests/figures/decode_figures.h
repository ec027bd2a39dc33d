// Published rates of language models token by token, and what the law of laws/decode.h makes of
// them: its check, and the fit of its constants.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/laws/decode.h"

namespace rightsize {

// alone: written for one sequence. prompt: read of one. some: written for so many at a time. most:
// for all at the largest load.
enum class DecodeRate { alone, prompt, some, most };

struct DecodeFigure {
  DecodeRate kind = DecodeRate::alone;
  std::string network;
  DecodeForm form;
  std::string gpu;
  int gpus = 1;
  InterconnectWords links;
  int sequences = 0;  // at a time, of `some`
  int prompt_tokens = 0;
  int output_tokens = 0;
  double tokens_per_s = 0;
  std::string software;
  std::string source;
};

// The text of calibration/decode_rates.csv or decode_recent.csv. Throws ModelError with the line of
// a malformed row.
[[nodiscard]] std::vector<DecodeFigure> parse_decode_figures(std::string_view csv);

// Tokens/s by the law, in the better of the ways to share attention; nullopt where it says that the
// weights do not fit. `network` is the figure's.
[[nodiscard]] std::optional<double> predicted_tokens_per_s(const DecodeFigure& figure,
                                                           const Network& network,
                                                           const GpuSpec& gpu,
                                                           const DecodeLaw& law = {});

// The figures' networks by name: the configuration in `folder` (NAME.json), or built in. Throws as
// make_network().
[[nodiscard]] std::map<std::string, Network> networks_of(const std::vector<DecodeFigure>& figures,
                                                         const std::string& folder);

}  // namespace rightsize
