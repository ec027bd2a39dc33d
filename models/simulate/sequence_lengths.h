// Lengths of sequences, drawn for who plays a language model's replicas (decode.h).
#pragma once

#include <cstdint>

#include "models/laws/decode_work.h"
#include "models/simulate/random.h"

namespace rightsize {
struct DecodeSimulationOptions;
}

namespace rightsize::simulate {

struct SequenceLengths {
  std::int64_t prompt_tokens = 1;
  std::int64_t output_tokens = 1;
  double prompt_work = 1;  // over what prompts take in the mean

  [[nodiscard]] double tokens() const { return static_cast<double>(prompt_tokens + output_tokens); }
};

// The load's; of one that says how they spread, or of samples, by chance.
class LengthsDrawn {
 public:
  // `curve` is PromptSpread's. `load` and `options` are borrowed.
  LengthsDrawn(const DecodeLoad& load, double curve, const DecodeSimulationOptions& options);

  [[nodiscard]] SequenceLengths draw(Random& random) const;

 private:
  const DecodeLoad& load_;
  const DecodeSimulationOptions& options_;
  PromptSpread spread_;
  double mean_taken_;  // of what a prompt of the mean length takes
};

}  // namespace rightsize::simulate
