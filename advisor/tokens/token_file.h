// What a saved answer says of a language model that writes tokens, read back
// (recommendation_file.h): the question, and an option's fleet. The law of its replicas is not in
// the file.
#pragma once

#include "advisor/json_place.h"
#include "advisor/recommendation.h"

namespace rightsize {

// All throw UsageError naming the field.
// "weights" of a question, where "weights_said" does not say that they are as the network is
// published; answers of earlier versions do not, and theirs were said.
[[nodiscard]] std::optional<WeightFormat> read_said_weights(const JsonPlace& place);
[[nodiscard]] TokenService read_token_service(const JsonPlace& place);
// Into `option`; `service` is the question's, for the lengths of its sequences.
void read_token_fleet(const JsonPlace& place, const TokenService& service, Option& option);

}  // namespace rightsize
