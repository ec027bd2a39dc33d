#include <boost/json.hpp>

#include "advisor/json_values.h"
#include "advisor/report/token_text.h"
#include "advisor/tokens/token_values.h"

namespace rightsize::report {
namespace {

namespace json = boost::json;

json::object point_to_json(const TokenPoint& at) {
  return {{"first_token_p50_s", finite(at.latency.first_token_p50_s)},
          {"first_token_p95_s", finite(at.latency.first_token_p95_s)},
          {"first_token_p99_s", finite(at.latency.first_token_p99_s)},
          {"token_p50_s", finite(at.latency.token_p50_s)},
          {"token_p95_s", finite(at.latency.token_p95_s)},
          {"token_p99_s", finite(at.latency.token_p99_s)},
          {"sequences_in_flight", at.point.sequences},
          {"max_sequences_per_s", at.point.most_sequences_per_s}};
}

}  // namespace

json::object token_answer_to_json(const Configuration& asked, const TokenAnswer& answer) {
  json::object document{{"schema", "rightsize/tokens/1"}};
  if (!answer.reason.empty()) {
    document["status"] = "unsupported";
    document["reason"] = answer.reason;
    document["ways_out"] = json::value_from(answer.ways_out);
    return document;
  }
  const auto why = too_slow(*asked.tokens, answer);
  document["status"] = why.empty() ? "ok" : "too_slow";
  if (!why.empty()) {
    document["reason"] = why;
    document["ways_out"] = json::value_from(answer.ways_out);
  }
  const auto& fleet = answer.fleet;
  const bool some = answer.each.value > 0;
  document["query"] = token_query_to_json(*asked.tokens, asked.network);
  document["in_time"] = some ? json::value(to_json(answer.each)) : json::value(nullptr);
  document["in_time_with_confidence"] = fleet.each_per_s;
  document["full"] =
      fleet.each_per_s > 0 ? json::value(point_to_json(answer.full)) : json::value(nullptr);
  document["tokens"] =
      fleet.machines > 0 ? json::value(token_fleet_to_json(fleet)) : json::value(nullptr);
  document["notes"] = json::value_from(answer.notes);
  return document;
}

json::object token_played_to_json(const Configuration& asked,
                                  const TokenAnswer& answer,
                                  const PlayedDecode& played) {
  auto document = token_answer_to_json(asked, answer);
  document["played"] = {{"first_token_p50_s", played.first_token_p50_s},
                        {"first_token_p95_s", played.first_token_p95_s},
                        {"first_token_p99_s", played.first_token_p99_s},
                        {"token_p50_s", finite(played.token_p50_s)},
                        {"token_p95_s", finite(played.token_p95_s)},
                        {"token_p99_s", finite(played.token_p99_s)},
                        {"sequences_in_flight", played.sequences_in_flight}};
  return document;
}

}  // namespace rightsize::report
