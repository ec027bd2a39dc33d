// Tables of the data sets that recommenders are measured on.
#include <array>
#include <utility>

#include "kernels/networks/recommendation/families.h"

namespace rightsize::recommendation {
namespace {

using Tables = std::array<EmbeddingTable, 26>;

// Values of each of the 26 features that occur at least 15, 3 or 0 times; all others are one more.
// NVIDIA/DeepLearningExamples, TensorFlow2/Recommendation/DLRM_and_DCNv2, generate_feature_spec.py:
// 15.6, 84.9 and 421 GiB of rows of 128 in FP32; 4.2, 22.8 and 113 billion parameters.
constexpr Tables t15{{{7'912'889}, {33'823},    {17'139},    {7'339},     {20'046},  {4},
                      {7'105},     {1'382},     {63},        {5'554'114}, {582'469}, {245'828},
                      {11},        {2'209},     {10'667},    {104},       {4},       {968},
                      {15},        {8'165'896}, {2'675'940}, {7'156'453}, {302'516}, {12'022},
                      {97},        {35}}};
constexpr Tables t3{{{45'833'188}, {36'747},     {1'572'176},  {345'139}, {11},     {2'209},
                     {11'268},     {128},        {4},          {975},     {15},     {48'937'457},
                     {17'246},     {11'316'796}, {40'094'537}, {452'104}, {12'607}, {105},
                     {36},         {7'414},      {20'244},     {4},       {7'115},  {1'442},
                     {63},         {29'275'261}}};
constexpr Tables t0{{{227'605'432}, {39'061},     {3'067'956},   {405'283}, {11},     {2'209},
                     {11'939},      {155},        {4},           {977},     {15},     {292'775'614},
                     {17'296},      {40'790'948}, {187'188'510}, {590'152}, {12'974}, {109},
                     {37},          {7'425},      {20'266},      {4},       {7'123},  {1'544},
                     {64},          {130'229'467}}};

// MLPerf's, ids modulo 40 million: 204 184 588 rows; from training v3.0 on features have several
// ids, 214 in all (mlcommons/training, recommendation_v2/torchrec_dlrm/README.md, from memory).
constexpr Tables multihot{{{40'000'000, 3},  {39'060, 2},      {17'295, 1},
                           {7'424, 2},       {20'265, 6},      {3, 1},
                           {7'122, 1},       {1'543, 1},       {63, 1},
                           {40'000'000, 7},  {3'067'956, 3},   {405'282, 8},
                           {10, 1},          {2'209, 6},       {11'938, 9},
                           {155, 5},         {4, 1},           {976, 1},
                           {14, 1},          {40'000'000, 12}, {40'000'000, 100},
                           {40'000'000, 27}, {590'152, 10},    {12'973, 3},
                           {108, 1},         {36, 1}}};

constexpr Tables by_one_id(Tables tables) {
  for (auto& table : tables) {
    table.ids = 1;
  }
  return tables;
}

constexpr Tables onehot = by_one_id(multihot);

// Users and films of MovieLens 20M: 138 493 and 26 744 (grouplens.org).
constexpr std::array<EmbeddingTable, 2> movielens{{{138'493}, {26'744}}};

constexpr std::array<std::pair<std::string_view, std::span<const EmbeddingTable>>, 5> forms{
    {{"t15", t15}, {"t3", t3}, {"t0", t0}, {"40m", onehot}, {"40m-multihot", multihot}}};

}  // namespace

const std::span<const EmbeddingTable>* criteo_tables(std::string_view form) {
  for (const auto& [name, tables] : forms) {
    if (name == form) {
      return &tables;
    }
  }
  return nullptr;
}

std::span<const EmbeddingTable> criteo_t15() {
  return t15;
}

std::span<const EmbeddingTable> criteo_40m_multihot() {
  return multihot;
}

std::span<const EmbeddingTable> movielens_20m() {
  return movielens;
}

}  // namespace rightsize::recommendation
