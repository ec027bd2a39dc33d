// The visible table of recommenders.
#include "kernels/networks/recommendation/recommendation.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "kernels/networks/form_parts.h"
#include "kernels/networks/recommendation/families.h"

namespace rightsize {
namespace {

using namespace recommendation;

constexpr int most_tables = 1024;
constexpr int most_rows = 2'000'000'000;  // ids are of 32 bits
constexpr int most_ids = 4096;
constexpr int most_features = 4096;

// Of days 0 to 22 of the Criteo 1 TB Click Logs; of MovieLens 20M the ratings but the last of each
// user, with four films for each that he did not rate.
constexpr std::uint64_t criteo_samples = 4'195'197'692;
constexpr std::uint64_t movielens_samples = 5 * 19'861'770ULL;

std::span<const RecommendationInfo> table() {
  static const std::array networks{
      RecommendationInfo{
          "dlrm", "DLRM", "Naumov et al., 2019, NVIDIA's", make_dlrm, criteo_t15(), criteo_samples},
      RecommendationInfo{"dlrm-dcnv2",
                         "DLRM-DCNv2",
                         "MLPerf training v3.0, multi-hot Criteo 1 TB",
                         make_dlrm_dcnv2,
                         criteo_40m_multihot(),
                         criteo_samples},
      RecommendationInfo{"ncf",
                         "NCF (NeuMF), MovieLens 20M",
                         "He et al., WWW 2017, NVIDIA's",
                         make_ncf,
                         movielens_20m(),
                         movielens_samples,
                         128,
                         false},
      RecommendationInfo{"wide-and-deep",
                         "Wide & Deep, Criteo 1 TB",
                         "Cheng et al., DLRS 2016",
                         make_wide_and_deep,
                         criteo_t15(),
                         criteo_samples,
                         64},
  };
  return networks;
}

// A whole number behind a key; fails with what it may be.
int number_of(std::string_view name, const FormPart& part, int most) {
  const int value = form_number(part.value, most);
  if (value == 0) {
    refuse_form(
        name,
        fmt::format(
            "\"{}\": expected a whole number from 1 to {}, as in {}=8", part.text, most, part.key));
  }
  return value;
}

// Of users and items there are two tables.
constexpr std::string_view of_logs = ":criteo=FORM, :tables=N, :rows=N, :hot=N or :dim=N";
constexpr std::string_view of_pairs = ":rows=N (of users and of items) or :dim=N";

void read_part(RecommendationAsked& asked, const FormPart& part, const RecommendationInfo& info) {
  const auto& name = asked.name;
  if (part.key == "criteo" && info.counts_tables) {
    const auto* const tables = criteo_tables(part.value);
    if (tables == nullptr) {
      refuse_form(name,
                  fmt::format("\"{}\": expected criteo=t15, t3 or t0 (values that occur so often), "
                              "40m or 40m-multihot (MLPerf's)",
                              part.text));
    }
    asked.tables.assign(tables->begin(), tables->end());
  } else if (part.key == "tables" && info.counts_tables) {
    asked.tables.assign(static_cast<std::size_t>(number_of(name, part, most_tables)),
                        {1'000'000, 1});
  } else if (part.key == "rows") {
    const int rows = number_of(name, part, most_rows);
    std::for_each(asked.tables.begin(), asked.tables.end(), [&](auto& one) { one.rows = rows; });
  } else if (part.key == "hot" && info.counts_tables) {
    const int ids = number_of(name, part, most_ids);
    std::for_each(asked.tables.begin(), asked.tables.end(), [&](auto& one) { one.ids = ids; });
  } else if (part.key == "dim") {
    asked.width = number_of(name, part, most_features);
  } else {
    refuse_form(
        name,
        fmt::format("\"{}\": expected {}", part.text, info.counts_tables ? of_logs : of_pairs));
  }
}

// Tables first, whose rows and ids may then be others.
int order_of(const FormPart& part) {
  return part.key == "criteo" ? 0 : part.key == "tables" ? 1 : 2;
}

RecommendationAsked asked_of(const RecommendationInfo& info, std::string_view name) {
  RecommendationAsked asked{std::string(name),
                            std::string(info.title),
                            {info.tables.begin(), info.tables.end()},
                            info.width};
  auto parts = form_parts(name);
  std::stable_sort(parts.begin(), parts.end(), [](const auto& a, const auto& b) {
    return order_of(a) < order_of(b);
  });
  const bool of_criteo = !parts.empty() && parts.front().key == "criteo";
  for (const auto& part : parts) {
    if (of_criteo && (part.key == "tables" || part.key == "rows")) {
      refuse_form(
          name,
          fmt::format(
              "\"{}\": the tables are {}'s: leave one of them out", part.text, parts.front().text));
    }
    read_part(asked, part, info);
  }
  if (!info.counts_tables && asked.width % 2 != 0) {
    refuse_form(name, fmt::format("dim={}: half of a row's features are factors", asked.width));
  }
  return asked;
}

}  // namespace

std::span<const RecommendationInfo> recommendation_networks() {
  return table();
}

Network usual_tables(const RecommendationInfo& info) {
  return info.make(asked_of(info, info.name));
}

std::uint64_t sample_bytes(const Network& network) {
  return static_cast<std::uint64_t>(network.input.positions() + 1) * sizeof(std::int32_t);
}

const RecommendationInfo* recommendation_network(std::string_view name) {
  const auto networks = table();
  const auto found = std::find_if(networks.begin(), networks.end(), [&](const auto& one) {
    return one.name == without_form(name);
  });
  return found == networks.end() ? nullptr : &*found;
}

bool is_recommendation(std::string_view name) {
  return recommendation_network(name) != nullptr;
}

std::optional<Network> make_recommendation(std::string_view name) {
  const auto* const info = recommendation_network(name);
  if (info == nullptr) {
    return std::nullopt;
  }
  return info->make(asked_of(*info, name));
}

}  // namespace rightsize
