// A service's answer in words: machines, latency, and what a month and a thousand requests cost.
#pragma once

#include <cstddef>
#include <string>

#include "advisor/recommendation.h"
#include "advisor/report/table.h"

namespace rightsize::report {

// "3 x g6.xlarge ...". Requires answer.chosen.
[[nodiscard]] std::string service_sentence(const Recommendation& answer);
// "1500 requests/s in bursts of 2 of resnet50, 99% within 50.0 ms".
[[nodiscard]] std::string request_words(const std::string& network, const Service& service);
[[nodiscard]] std::string service_words(const Query& query);
// "3 (2 … 4)", "3" where the interval is one number.
[[nodiscard]] std::string machines_text(const ServerFleet& fleet);
// "a month", "a month of 176 h": that a service runs.
[[nodiscard]] std::string month_words(const Query& query);
// "$0.29": of requests, or of tokens written; a thousand cost fractions of a cent.
[[nodiscard]] std::string per_million(const Option& option);
[[nodiscard]] std::string per_million_tokens(const Option& option);
// Of a job that works through a list of texts: what its tokens cost is known, and it is no service.
[[nodiscard]] bool writes_texts(const Option& option);
// What is waited for: a request's answer, or a sequence's last token; of 99 of 100.
[[nodiscard]] Estimate waited_for(const Option& option);
// "31.8 ms", "never" of what is saturated; with its interval "~31.8 ms (24.1 ms … 40.2 ms)".
[[nodiscard]] std::string latency(double seconds);
// "~31.8 ms", but "never".
[[nodiscard]] std::string about_latency(double seconds);
// Of the least that is kept to: its last digit upwards, so that who asks for it as it stands is not
// refused.
[[nodiscard]] std::string least_latency(double seconds);
[[nodiscard]] std::string latency_text(const Estimate& seconds);
// What is waited for of a service, and what that is: "~31.8 ms (...) for a request".
[[nodiscard]] std::string waited_words(const Option& option);
// One row per option; `limit` rows, 0 = all.
[[nodiscard]] Table service_table(const Recommendation& answer, std::size_t limit);

}  // namespace rightsize::report
