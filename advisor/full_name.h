// How options are named, with the market where they are rented otherwise than on demand, and whose
// their batch is.
#pragma once

#include <string>
#include <string_view>

#include "advisor/recommendation.h"
#include "pricing/offer.h"

namespace rightsize {

// "[Spot]", "[1y]", "[3y]"; "" on demand, which goes without saying.
[[nodiscard]] std::string_view market_label(Market market);

// "g5.xlarge [Spot]"
[[nodiscard]] std::string with_market(std::string_view name, Market market);

// "aws/g5.xlarge [Spot]": how sentences and flips name it, and offer_name.h reads it.
[[nodiscard]] std::string full_name(const Option& option);
[[nodiscard]] std::string full_name(const Offer& offer);

// Whose the batch of an option is: "GPU", "machine" of one without, "copy of 2 GPUs" that write
// tokens together.
[[nodiscard]] std::string batch_owner(const Option& option, Phase phase);

}  // namespace rightsize
