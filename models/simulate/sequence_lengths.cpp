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

double work_of(double length, double curve) {
  return length * (1 - curve + curve * length);
}

double mean_work(const std::vector<double>& samples, double mean, double curve) {
  double sum = 0;
  for (const double tokens : samples) {
    sum += work_of(tokens / mean, curve);
  }
  return sum / static_cast<double>(samples.size());
}

}  // namespace

LengthsDrawn::LengthsDrawn(const DecodeLoad& load,
                           double curve,
                           const DecodeSimulationOptions& options)
    : load_(load),
      options_(options),
      curve_(curve),
      mean_work_(options.prompts.empty() ? PromptSpread{load.prompt_cv(), curve}.mean()
                                         : mean_work(options.prompts, load.prompt_tokens, curve)) {}

SequenceLengths LengthsDrawn::draw(Random& random) const {
  const auto& [prompts, outputs] = std::tie(options_.prompts, options_.outputs);
  const double prompt = prompts.empty() ? prompt_drawn(random, load_.prompt_cv())
                                        : random.one_of(prompts) / load_.prompt_tokens;
  const double output = outputs.empty() ? output_drawn(random, load_.outputs())
                                        : random.one_of(outputs) / load_.output_tokens;
  return {tokens(load_.prompt_tokens, prompt),
          tokens(load_.output_tokens, output),
          work_of(prompt, curve_) / mean_work_};
}

}  // namespace rightsize::simulate
