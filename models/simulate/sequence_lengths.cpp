#include "models/simulate/sequence_lengths.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include <boost/math/distributions/gamma.hpp>
#include <boost/math/distributions/normal.hpp>

#include "models/simulate/decode.h"

namespace rightsize::simulate {
namespace {

double share_drawn(Random& random) {
  return std::clamp(random.uniform(), 1e-12, 1 - 1e-12);
}

// Of the mean, by chance.
double prompt_drawn(Random& random, double cv) {
  return cv == 0 ? 1
                 : boost::math::quantile(
                       boost::math::gamma_distribution<double>(1 / (cv * cv), cv * cv),
                       share_drawn(random));
}

double output_drawn(Random& random, const OutputSpread& spread) {
  return spread.cv == 0
             ? 1
             : spread.at(boost::math::quantile(boost::math::normal(), share_drawn(random)));
}

std::int64_t tokens(double mean, double times) {
  return std::max<std::int64_t>(1, std::llround(mean * times));
}

double mean_taken(const std::vector<double>& samples, double mean, const PromptSpread& spread) {
  double sum = 0;
  for (const double tokens : samples) {
    sum += spread.taken(tokens / mean);
  }
  return sum / static_cast<double>(samples.size());
}

}  // namespace

LengthsDrawn::LengthsDrawn(const DecodeLoad& load,
                           double curve,
                           const DecodeSimulationOptions& options)
    : load_(load),
      options_(options),
      spread_{load.prompt_cv(), curve},
      mean_taken_(options.prompts.empty()
                      ? spread_.mean()
                      : mean_taken(options.prompts, load.prompt_tokens, spread_)) {}

SequenceLengths LengthsDrawn::draw(Random& random) const {
  const auto& [prompts, outputs] = std::tie(options_.prompts, options_.outputs);
  const double prompt = prompts.empty() ? prompt_drawn(random, load_.prompt_cv())
                                        : random.one_of(prompts) / load_.prompt_tokens;
  const double output = outputs.empty() ? output_drawn(random, load_.outputs())
                                        : random.one_of(outputs) / load_.output_tokens;
  return {tokens(load_.prompt_tokens, prompt),
          tokens(load_.output_tokens, output),
          spread_.taken(prompt) / mean_taken_};
}

}  // namespace rightsize::simulate
