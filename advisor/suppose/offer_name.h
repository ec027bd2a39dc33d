// An offer by the name that people type, as tables show it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "advisor/query/query.h"
#include "advisor/recommendation.h"
#include "pricing/catalog.h"
#include "pricing/offer.h"

namespace rightsize {

struct OfferName {
  std::string instance;                         // "g6.xlarge", "aws/g6.xlarge", "aws/g6.xlarge@CPU"
  std::string place;                            // "aws/eu-west-1"; "": anywhere
  std::optional<Market> market;                 // nullopt: in any
  std::optional<bool> by_month = std::nullopt;  // whether rented by whole months; nullopt: either
};

// "g6.xlarge [Spot]", "aws/eu-west-1/g6.xlarge [1y]", "g6.xlarge [month]"; all but the name may be
// left out, and letters of the label be of any case. Throws UsageError, with `said_by` in front,
// for a label that is no market and a place that is none.
[[nodiscard]] OfferName read_offer_name(const Catalog& catalog,
                                        const std::string& text,
                                        const std::string& said_by);

// The same where one machine is asked about: throws for "4 x g6.xlarge", as tables show several.
[[nodiscard]] OfferName read_machine_name(const Catalog& catalog, const std::string& text);

// The very machine and market, wherever they are sold.
[[nodiscard]] OfferName name_of(const Option& option);

// "aws/eu-west-1/g6.xlarge@CPU [on-demand]": what read_offer_name() reads as `name`.
[[nodiscard]] std::string typed(const OfferName& name);

// `query` as the name asks it: in its market besides those of the query, in its place alone.
[[nodiscard]] Query reaching(Query query, const OfferName& name);

// What reaching() makes of the question.
struct Reached {
  std::string what;  // "market", "place"
  std::string asked;
  std::string reached;
  std::string why;  // "the name asks for spot besides"
};
[[nodiscard]] std::vector<Reached> reached(const Query& query, const OfferName& name);

// "g5.xlarge" or "aws/g5.xlarge"; of one that is sold with two CPUs, "acme/big@Skylake" is that
// with the CPU its table calls so. A machine of --on-prem has its name in any spelling: "own
// 8xh100".
[[nodiscard]] bool has_name(const Offer& offer, std::string_view name);

// "; machines of yours: "own 8x H100"", of --on-prem, whose names nobody can guess; "" of none.
[[nodiscard]] std::string own_machines(const Catalog& catalog);

// All of that name, wherever and however they are sold.
[[nodiscard]] std::vector<const Offer*> offers_named(const Catalog& catalog, std::string_view name);

// Of `named`, those in the place, market and book of `query`, and rented `by_month` or not where
// that is said.
[[nodiscard]] std::vector<const Offer*> in_scope(const std::vector<const Offer*>& named,
                                                 const Query& query,
                                                 std::optional<bool> by_month = std::nullopt);

// Of `named`, which are not sold as `query` has it: in which market there, or else where, or else
// in which book. "it is sold in aws/us-east-1, aws/us-west-2"
[[nodiscard]] std::string sold_otherwise(const std::vector<const Offer*>& named, Query query);

}  // namespace rightsize
