// What explain says of a language model that writes tokens: the tree from a month's cost down to
// the law of decoding, where so many machines end, and what another number of machines, another way
// to share them, other weights or other limits would cost.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "advisor/explain/cause.h"
#include "advisor/suppose/appraisal.h"

namespace rightsize {

// The same instance asked for something else.
struct TokenStep {
  std::string what;              // "3 machines", "2 GPUs a replica", "weights in fp8"
  std::optional<Option> option;  // empty: it cannot, `reason` says why
  std::string reason;
};

struct TokenMargins {
  double most_sequences_per_s = 0;  // that so many machines answer in time with the confidence
  TokenLimit limit = TokenLimit::fullness;  // what keeps them from more
  // Of 99 of 100 sequences, shared by as many GPUs each: the least that some number of them keeps
  // to with the confidence (token_least.h); NaN: of one token.
  double least_first_token_s = 0;
  double least_token_s = 0;
  std::vector<TokenStep> machines;  // one fewer, one more
  std::vector<TokenStep> others;
};

// Requires appraisal.option.tokens.
[[nodiscard]] TokenMargins token_margins(const Query& query,
                                         const Evidence& evidence,
                                         const Appraisal& appraisal);

// The tree of one appraisal, likewise.
[[nodiscard]] Cause token_cost_tree(const Query& query, const Option& option);

// "the pace of tokens": what binds, in words.
[[nodiscard]] std::string token_limit_words(TokenLimit limit);

}  // namespace rightsize
