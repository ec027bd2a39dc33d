#include "advisor/candidate/constraint.h"

#include <algorithm>

#include <fmt/format.h>
#include <fnmatch.h>

#include "models/laws/toolchain.h"
#include "pricing/book_name.h"
#include "pricing/gpu_share.h"
#include "pricing/on_prem.h"

namespace rightsize {
namespace {

std::optional<std::regex> compile(const std::string& pattern, const char* flag) {
  if (pattern.empty()) {
    return std::nullopt;
  }
  try {
    return std::regex(pattern);
  } catch (const std::regex_error& error) {
    throw UsageError(
        fmt::format("{} \"{}\" is not a regular expression: {}", flag, pattern, error.what()));
  }
}

bool outside(std::optional<double> low, std::optional<double> high, double value) {
  return (low && value < *low) || (high && value > *high);
}

bool has_uncounted_gpus(const Offer& offer) {
  return !offer.gpu.empty() && !(offer.gpus > 0);
}

}  // namespace

std::string_view book_of_compiled(Toolchain tools) {
  return tools == Toolchain::neuron ? "neuron" : tools == Toolchain::xla ? "tpu" : "";
}

std::string compiled_book_words(const Offer& offer, const Query& query) {
  const auto tools = toolchain_named(offer.gpu);
  return fmt::format("{} run what {} compiled: --book {},{} considers them",
                     compiler_words(tools).makers,
                     compiler_words(tools).name,
                     query.book,
                     book_of_compiled(tools));
}

bool is_unasked_compiled(const Offer& offer, const Query& query) {
  const auto book = book_of_compiled(toolchain_named(offer.gpu));
  return !book.empty() && !is_own(offer) && !names_book(query.book, book);
}

bool matches_infra(const std::string& pattern, const Offer& offer) {
  const std::string whole = pattern.find('/') == std::string::npos ? pattern + "/*" : pattern;
  return fnmatch(whole.c_str(), (offer.provider + "/" + offer.region).c_str(), FNM_CASEFOLD) == 0;
}

OfferConstraints::OfferConstraints(const Query& query)
    : query_(query),
      allow_(compile(query.allow, "allow")),
      deny_(compile(query.deny, "deny")),
      gpus_(query.gpus) {}

bool OfferConstraints::in_scope(const Offer& offer) const {
  if (!names_book(query_.book, offer.book)) {
    return false;
  }
  if (is_own(offer)) {  // --on-prem: it stands where it stands, in no market
    return true;
  }
  if (std::find(query_.markets.begin(), query_.markets.end(), offer.market) ==
      query_.markets.end()) {
    return false;
  }
  return query_.infra.empty() ||
         std::any_of(query_.infra.begin(), query_.infra.end(), [&](const auto& pattern) {
           return matches_infra(pattern, offer);
         });
}

bool OfferConstraints::in_scope(const CustomFamily& family) const {
  Offer cut;
  cut.provider = family.provider;
  cut.region = family.region;
  cut.market = family.market;
  cut.book = family.book;
  return in_scope(cut);
}

bool OfferConstraints::denies(const Offer& offer) const {
  return deny_ && std::regex_search(offer.instance, *deny_);
}

std::optional<std::string> OfferConstraints::why_not_asked_for(const Offer& offer) const {
  if (allow_ && !std::regex_search(offer.instance, *allow_)) {
    return "not on the allow list";
  }
  if (denies(offer)) {
    return "on the deny list";
  }
  if (!gpus_.holds(offer)) {
    return "another GPU, or none, than is asked for";
  }
  if (is_unasked_compiled(offer, query_)) {
    return compiled_book_words(offer, query_);
  }
  if (!offer.retired_on.empty()) {
    return "retired by the provider on " + offer.retired_on;
  }
  if (has_uncounted_gpus(offer)) {
    return std::nullopt;  // neither in the ranges nor out of them
  }
  if (outside(query_.gpus_min, query_.gpus_max, whole_gpus(offer))) {
    return "number of GPUs out of range";
  }
  if (offer.vcpus && outside(query_.vcpus_min, query_.vcpus_max, *offer.vcpus)) {
    return "vCPUs out of range";
  }
  if (offer.memory_gib &&
      outside(query_.memory_gib_min, query_.memory_gib_max, *offer.memory_gib)) {
    return "memory out of range";
  }
  return std::nullopt;
}

std::optional<Refusal> OfferConstraints::refusal_of(const Offer& offer) const {
  if (auto why = why_not_asked_for(offer)) {
    return Refusal{*std::move(why), Lacking::not_asked_for};
  }
  if (auto why = why_unknown(offer)) {
    return Refusal{*std::move(why), Lacking::evidence};
  }
  return std::nullopt;
}

std::optional<std::string> OfferConstraints::why_unknown(const Offer& offer) const {
  if (has_uncounted_gpus(offer)) {
    return "how many GPUs it has is not in the price table";
  }
  const auto& currency = offer.price_per_hour.currency();
  if (currency != query_.currency && !query_.rates.contains(currency)) {
    return fmt::format("priced in {0}: --fx {0}=RATE says what 1 {0} is in {1}, or --currency {0}",
                       currency,
                       query_.currency);
  }
  return std::nullopt;
}

}  // namespace rightsize
