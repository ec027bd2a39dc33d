// Networks that tell how likely a user takes what he is offered: an item is one such pair, a sample
// of whole numbers. Ids choose rows of tables, which have nearly all parameters; a few of the
// numbers may be counts. A sample on disk is its label and these, 4 bytes each.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/network.h"

namespace rightsize {

// What is asked of a family.
struct RecommendationAsked {
  std::string name;
  std::string title;
  std::vector<EmbeddingTable> tables;
  std::int64_t width = 0;  // of a row
};

struct RecommendationInfo {
  std::string_view name;
  std::string_view title;
  std::string_view source;
  Network (*make)(const RecommendationAsked& asked);
  std::span<const EmbeddingTable> tables;  // usual
  std::uint64_t samples = 0;               // of the data set it is known with, to train on
  std::int64_t width = 128;                // likewise
  bool counts_tables = true;               // any number of them will do
};

[[nodiscard]] std::span<const RecommendationInfo> recommendation_networks();

// As it is listed, of its usual tables.
[[nodiscard]] Network usual_tables(const RecommendationInfo& info);

// Of one item on disk: its label and its numbers, 4 bytes each, as the Criteo logs in the
// reference's terabyte files.
[[nodiscard]] std::uint64_t sample_bytes(const Network& network);

// "dlrm", or with parts behind it, in any order:
//   :criteo=t15, t3, t0, 40m or 40m-multihot  tables of the Criteo 1 TB Click Logs
//   :tables=26:rows=1000000                   so many, of as many rows each
//   :hot=10                                   ids that each is looked up by
//   :dim=64                                   features of a row
// nullopt: of another kind. Throws NetworkError for a part that is none or cannot be.
[[nodiscard]] std::optional<Network> make_recommendation(std::string_view name);

// Whose name it begins with, whatever the form behind it; nullptr: none.
[[nodiscard]] const RecommendationInfo* recommendation_network(std::string_view name);
[[nodiscard]] bool is_recommendation(std::string_view name);

}  // namespace rightsize
