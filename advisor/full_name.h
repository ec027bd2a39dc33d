// How options are named, with the market where they are rented otherwise than on demand, whose
// their batch is, and how their GPUs share it.
#pragma once

#include <string>
#include <string_view>

#include "advisor/recommendation.h"
#include "pricing/offer.h"

namespace rightsize {

// "[Spot]", "[1y]", "[3y]"; "[month]" of what is rented by whole months on demand; "" by the hour
// on demand, which goes without saying.
[[nodiscard]] std::string_view market_label(Market market, bool by_month = false);

// "g5.xlarge [Spot]"
[[nodiscard]] std::string with_market(std::string_view name, Market market, bool by_month = false);
[[nodiscard]] std::string with_market(std::string_view name, const Option& option);

// "big@EPYC 9R14"; the name alone where its table names no CPU.
[[nodiscard]] std::string with_cpu(std::string_view name, std::string_view cpu);

// "aws/g5.xlarge [Spot]", "acme/big@EPYC 9R14" where its table names CPUs: how sentences and flips
// name it, and offer_name.h reads it. Of one place no two are called the same.
[[nodiscard]] std::string full_name(const Option& option);
[[nodiscard]] std::string full_name(const Offer& offer);

// Whose the batch of an option is: "GPU", "machine" of one without, "copy of 2 GPUs" that write
// tokens together.
[[nodiscard]] std::string batch_owner(const Option& option, Phase phase);

// How its GPUs share a step that trains, "8 share every layer, 2 stages, micro-batches of 1"; ""
// where each has all, and of what does not train.
[[nodiscard]] std::string split_words(const Option& option);

}  // namespace rightsize
