#include "advisor/cli/idle_flags.h"

#include <algorithm>

#include <boost/algorithm/string/trim.hpp>
#include <fmt/format.h>

#include "advisor/candidate/gpu_preprocessing.h"
#include "advisor/cli/flag_word.h"
#include "advisor/suppose/market_label.h"
#include "advisor/suppose/supposed_work.h"
#include "pricing/offer.h"

namespace rightsize::cli {
namespace {

struct IdleFlag {
  const char* flag;
  bool (*idle)(const Values& values, const Query& query);
  const char* why;
};

bool asks_reservation(const Query& query) {
  return std::any_of(query.markets.begin(), query.markets.end(), [](Market market) {
    return committed_hours(market) > 0;
  });
}

// "p4d.24xlarge [1y]" is one too.
bool reserved_today(const Query& query) {
  const auto label = parse_market_label(label_behind(boost::trim_copy(query.current)));
  return label && committed_hours(label->market) > 0;
}

// Everywhere where no place is named.
bool asks_provider(std::string_view provider, const Query& query) {
  return query.infra.empty() ||
         std::any_of(query.infra.begin(), query.infra.end(), [&](const std::string& place) {
           return place.starts_with(provider) || place.starts_with('*');
         });
}

constexpr const char* of_texts =
    "it is of a list of texts: phase = \"decode\", prompt_tokens and output_tokens under [data]";
constexpr const char* of_writing = "it is of what writes tokens: phase = \"decode\"";

bool writes_no_texts(const Values&, const Query& query) {
  return !query.writing.of_texts();
}

bool writes_nothing(const Values&, const Query& query) {
  return query.phase != Phase::decode;
}

constexpr IdleFlag flags[] = {
    {"prompt-tokens", writes_no_texts, of_texts},
    {"output-tokens", writes_no_texts, of_texts},
    {"images", writes_no_texts, of_texts},
    {"image-size", writes_no_texts, of_texts},
    {"weights",
     [](const Values& values, const Query& query) {
       return writes_nothing(values, query) && !weights_are_of_name(query);
     },
     of_writing},
    {"weights",
     [](const Values& values, const Query& query) {
       return writes_nothing(values, query) && weights_are_of_name(query);
     },
     "of such a network its name says them, as NAME:weights=int8, or weights under [job]"},
    {"caches", writes_nothing, of_writing},
    {"preprocess-on",
     [](const Values&, const Query& query) { return !gpu_preprocesses(query.format); },
     "no pictures are read here"},
    {"runs-per-month",
     [](const Values& values, const Query& query) {
       return query.current.empty() && !asks_reservation(query) &&
              values.count("prices") + values.count("book") + values.count("on-prem") == 0;
     },
     "it is for the savings by the month that --current tells, and for machines that are reserved, "
     "rented by the month or bought"},
    {"net",
     [](const Values&, const Query& query) { return query.nodes_max <= 1 || query.serves(); },
     "one machine does the job by itself; --nodes-max lets several train together"},
    {"nodes-max",
     [](const Values&, const Query& query) { return query.serves(); },
     "a service takes as many machines as it needs"},
    {"utilisation",
     [](const Values&, const Query& query) {
       return !asks_reservation(query) && !reserved_today(query);
     },
     "it is of a reservation, and no market that was asked for is one; --market reserved-1y"},
    {"reserved-discount",
     [](const Values&, const Query& query) {
       return !asks_reservation(query) && !reserved_today(query);
     },
     "it is of a reservation, and no market that was asked for is one; --market reserved-1y"},
    {"custom-shapes",
     [](const Values& values, const Query& query) {
       return values.count("custom-prices") == 0 && !asks_provider("gcp", query);
     },
     "only gcp cuts machines to measure, and none of its places was asked for"}};

}  // namespace

std::vector<std::string> idle_flags(const Values& values,
                                    const Query& query,
                                    std::string_view used) {
  std::vector<std::string> sentences;
  for (const auto& [flag, idle, why] : flags) {
    if (flag != used && given(values, flag) && idle(values, query)) {
      sentences.push_back(fmt::format("--{} changes nothing here: {}", flag, why));
    }
  }
  return sentences;
}

}  // namespace rightsize::cli
