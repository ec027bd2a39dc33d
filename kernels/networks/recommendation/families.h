// The makers behind the table of recommendation.cpp, one file per family, and the tables of data
// sets that these are known with.
#pragma once

#include <span>

#include "kernels/networks/builder.h"
#include "kernels/networks/recommendation/recommendation.h"

namespace rightsize::recommendation {

// The Criteo 1 TB Click Logs: 13 counts and 26 ids.
inline constexpr std::int64_t criteo_counts = 13;

// nullptr: no such form of them.
[[nodiscard]] const std::span<const EmbeddingTable>* criteo_tables(std::string_view form);
[[nodiscard]] std::span<const EmbeddingTable> criteo_t15();
[[nodiscard]] std::span<const EmbeddingTable> criteo_40m_multihot();
[[nodiscard]] std::span<const EmbeddingTable> movielens_20m();

// A builder of a network that reads `counts` and the ids of `tables`.
[[nodiscard]] NetworkBuilder reading_samples(const RecommendationAsked& asked, std::int64_t counts);

// Fully connected layers of so many features with a ReLU each: "bottom1", "bottom1_relu", ...
[[nodiscard]] int layers_of(NetworkBuilder& net,
                            const std::string& name,
                            int from,
                            std::span<const std::int64_t> features);

[[nodiscard]] Network make_dlrm(const RecommendationAsked& asked);
[[nodiscard]] Network make_dlrm_dcnv2(const RecommendationAsked& asked);
[[nodiscard]] Network make_ncf(const RecommendationAsked& asked);
[[nodiscard]] Network make_wide_and_deep(const RecommendationAsked& asked);

}  // namespace rightsize::recommendation
