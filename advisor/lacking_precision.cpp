#include "advisor/lacking_precision.h"

#include <utility>

#include <fmt/format.h>

namespace rightsize {
namespace {

Precision computed_in(const Option& option) {
  return option.tokens ? option.tokens->server.precision : option.precision;
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
  const bool asked = option.tokens || keeps_bf16(query.precision);
  const auto computed = computed_in(option);
  if (!asked || option.gpu.empty() || computed == query.precision) {
    return "";
  }
  // bf16 has the range of fp32 and needs no scaling; in fp16 small gradients vanish.
  const bool scales = has_backward(query.phase) && computed == Precision::fp16;
  return lacking_precision(query.precision, computed, option.gpu) +
         (scales ? ", whose range is narrower: the program has to scale its loss" : "");
}

void warn_of_lacking_precision(Recommendation& answer) {
  if (!answer.chosen) {
    return;
  }
  if (auto words = lacking_precision(answer.query, *answer.chosen); !words.empty()) {
    answer.warnings.push_back(std::move(words));
  }
}

}  // namespace rightsize
