// A language model that writes tokens: the answer of advise, and of predict, size and simulate for
// a described machine, as people and programs read it.
#pragma once

#include <cstddef>
#include <string>

#include <boost/json/fwd.hpp>

#include "advisor/recommendation.h"
#include "advisor/report/style.h"
#include "advisor/report/table.h"
#include "advisor/tokens/token_answer.h"
#include "models/simulate/decode.h"

namespace rightsize::report {

// What times rest on.
inline constexpr auto token_model =
    "the law of decoding, held against published rates (models/README.md)";

// "5 sequences/s of llama-8b bf16, 512 tokens in and 128 out, 99% with the first token within ...".
[[nodiscard]] std::string token_service_words(const std::string& network,
                                              const TokenService& service);

// "Rent 2 x g6e.xlarge ...". Requires answer.chosen.
[[nodiscard]] std::string token_sentence(const Recommendation& answer);
// What comes closest where nothing satisfies.
[[nodiscard]] std::string token_closest(const Option& option);

// "p99 ~310 ms to the first token and ~26 ms a token": of the fleet as expected.
[[nodiscard]] std::string waiting_words(const TokenFleet& fleet);

// "3 (2 … 4)", "3" where the interval is one number.
[[nodiscard]] std::string machines_text(const TokenFleet& fleet);

// One row per option; `limit` rows, 0 = all.
[[nodiscard]] Table token_table(const Recommendation& answer, std::size_t limit);

// Of a described machine: at the most it answers in time, and at its share of the load.
[[nodiscard]] Table token_answer_table(const Configuration& asked, const TokenAnswer& answer);
[[nodiscard]] std::string token_answer_text(const Configuration& asked,
                                            const TokenAnswer& answer,
                                            const Style& style);
// Schema rightsize/tokens/1.
[[nodiscard]] boost::json::object token_answer_to_json(const Configuration& asked,
                                                       const TokenAnswer& answer);

// The fleet, played, next to the law.
[[nodiscard]] std::string token_played_text(const Configuration& asked,
                                            const TokenAnswer& answer,
                                            const PlayedDecode& played,
                                            const Style& style);
[[nodiscard]] boost::json::object token_played_to_json(const Configuration& asked,
                                                       const TokenAnswer& answer,
                                                       const PlayedDecode& played);

}  // namespace rightsize::report
