#include "advisor/lacking_precision.h"

#include <algorithm>
#include <map>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "advisor/sooner.h"

namespace rightsize {
namespace {

Precision computed_in(const Option& option) {
  return option.tokens ? option.tokens->server.precision : option.precision;
}

// What asks most of a program that trains: bf16 has the range of fp32 and needs no scaling; in fp16
// small gradients vanish.
std::string_view what_it_takes(const Query& query, Precision computed) {
  return has_backward(query.phase) && computed == Precision::fp16
             ? ", whose range is narrower: the program has to scale its loss"
             : "";
}

bool lacks_precision(const Query& query, const Option& option) {
  const bool asked = option.tokens || keeps_bf16(query.precision);
  return asked && !option.gpu.empty() && computed_in(option) != query.precision;
}

// Those that an answer puts forward: the chosen one, what cannot be told apart from it, and what is
// much sooner done.
std::vector<const Option*> put_forward(const Recommendation& answer) {
  std::vector<const Option*> options{&*answer.chosen};
  for (const auto tie : answer.ties) {
    options.push_back(&answer.options.at(tie));
  }
  const auto sooner = sooner_options(answer);
  for (const auto* const option : {sooner.cheapest, sooner.fastest}) {
    if (option != nullptr) {
      options.push_back(option);
    }
  }
  return options;
}

}  // namespace

std::string lacking_precision(Precision asked, Precision computed, const std::string& gpu) {
  return computed == asked ? ""
                           : fmt::format("the {} has no {}: it computes in {}",
                                         gpu,
                                         to_string(asked),
                                         to_string(computed));
}

std::string lacking_precision(const Query& query, const Option& option) {
  return lacks_precision(query, option)
             ? fmt::format("{}{}",
                           lacking_precision(query.precision, computed_in(option), option.gpu),
                           what_it_takes(query, computed_in(option)))
             : "";
}

void warn_of_lacking_precision(Recommendation& answer) {
  if (!answer.chosen) {
    return;
  }
  const auto& query = answer.query;
  std::map<Precision, std::vector<std::string>> lacking;  // by what they compute in, the GPUs
  for (const auto* const option : put_forward(answer)) {
    if (lacks_precision(query, *option)) {
      auto& gpus = lacking[computed_in(*option)];
      if (std::find(gpus.begin(), gpus.end(), option->gpu) == gpus.end()) {
        gpus.push_back(option->gpu);
      }
    }
  }
  for (const auto& [computed, gpus] : lacking) {
    const auto words = gpus.size() == 1 ? lacking_precision(query.precision, computed, gpus.front())
                                        : fmt::format("the {} have no {}: they compute in {}",
                                                      fmt::join(gpus, " and the "),
                                                      to_string(query.precision),
                                                      to_string(computed));
    answer.warnings.push_back(fmt::format("{}{}", words, what_it_takes(query, computed)));
  }
}

}  // namespace rightsize
