// A comparison as a document.
#include <boost/json.hpp>

#include "advisor/explain/comparison.h"
#include "advisor/json_values.h"

namespace rightsize {
namespace {

namespace json = boost::json;

json::array flips_to_json(const std::vector<Flip>& flips, const char* key) {
  json::array array;
  for (const auto& flip : flips) {
    array.push_back(json::object{{key, flip.at},
                                 {"better_below", or_null(flip.below)},
                                 {"better_above", or_null(flip.above)}});
  }
  return array;
}

json::array crossings_to_json(const std::vector<Crossing>& crossings) {
  json::array array;
  for (const auto& crossing : crossings) {
    array.push_back(json::object{{"what", crossing.what},
                                 {"unit", crossing.unit},
                                 {"flips", flips_to_json(crossing.flips, "at")},
                                 {"better_beyond", or_null(crossing.beyond)},
                                 {"tried_from", crossing.low},
                                 {"tried_to", crossing.high}});
  }
  return array;
}

}  // namespace

json::object to_json(const Ratios& ratios, bool of_services) {
  json::object document{{"throughput", to_json(ratios.throughput)},
                        {"hours", of_services ? json::value(nullptr) : to_json(ratios.hours)},
                        {"cost", to_json(ratios.cost)}};
  if (ratios.p99) {
    document["p99"] = to_json(*ratios.p99);
  }
  if (ratios.first_token_p99) {
    document["first_token_p99"] = to_json(*ratios.first_token_p99);
  }
  if (ratios.token_p99) {
    document["token_p99"] = to_json(*ratios.token_p99);
  }
  return document;
}

json::object to_json(const Comparison& comparison) {
  json::array options;
  for (std::size_t i = 0; i < comparison.sides.size(); ++i) {
    auto option = to_json(comparison.sides[i].option, i + 1);
    option["p_cheapest"] = nullptr;  // of a field, which two are not
    options.push_back(std::move(option));
  }
  json::array prices;
  for (const auto& flip : comparison.price_flips) {
    prices.push_back(json::object{{"option", flip.option + 1},
                                  {"better_below_price_per_hour", flip.price_per_hour},
                                  {"currency", flip.currency}});
  }
  return {{"schema", "rightsize/comparison/1"},
          {"tool_version", RIGHTSIZE_VERSION},
          {"options", options},
          {"better", comparison.better + 1},
          {"ratios", to_json(comparison.ratios, comparison.query.serves())},
          {"p_first_cheaper", comparison.p_first_cheaper},
          {"p_first_better", or_null(comparison.p_first_better)},
          {"deadline_flips", flips_to_json(comparison.deadline_flips, "deadline_h")},
          {"crossings", crossings_to_json(comparison.crossings)},
          {"price_flips", prices}};
}

}  // namespace rightsize
