// The constraints on an offer that need no prediction: pass, or a reason in words.
#pragma once

#include <optional>
#include <regex>
#include <string>
#include <string_view>

#include "advisor/candidate/refusal.h"
#include "advisor/query/gpu_choice.h"
#include "advisor/query/query.h"
#include "models/laws/toolchain.h"
#include "pricing/custom_shape.h"
#include "pricing/offer.h"

namespace rightsize {

class OfferConstraints {
 public:
  // Throws UsageError when --allow or --deny is not a regular expression.
  explicit OfferConstraints(const Query& query);

  // Offers of another market, book or place are not candidates at all; machines of one's own are in
  // no market and place but theirs.
  [[nodiscard]] bool in_scope(const Offer& offer) const;
  // Of what is cut to measure, likewise.
  [[nodiscard]] bool in_scope(const CustomFamily& family) const;

  [[nodiscard]] bool denies(const Offer& offer) const;

  // nullopt = passes.
  [[nodiscard]] std::optional<Refusal> refusal_of(const Offer& offer) const;

 private:
  [[nodiscard]] std::optional<std::string> why_not_asked_for(const Offer& offer) const;
  // What the price table or the query does not say, which leaves nothing to judge.
  [[nodiscard]] std::optional<std::string> why_unknown(const Offer& offer) const;

  const Query& query_;
  std::optional<std::regex> allow_;
  std::optional<std::regex> deny_;
  GpuChoice gpus_;
};

// The book of accelerators whose programs are compiled whole: who names it has programs compiled
// for them. Empty of GPUs.
[[nodiscard]] std::string_view book_of_compiled(Toolchain tools);

// Whether the offer has such, whose book the query does not name, and how it would.
[[nodiscard]] bool is_unasked_compiled(const Offer& offer, const Query& query);
[[nodiscard]] std::string compiled_book_words(const Offer& offer, const Query& query);

// Shell-style match of "provider/region" against "aws/us-*"; "aws" alone means "aws/*".
[[nodiscard]] bool matches_infra(const std::string& pattern, const Offer& offer);

}  // namespace rightsize
