// Recommenders: parameters against published counts, what their names may say, and the arithmetic
// of their layers.
#include "kernels/networks/recommendation/recommendation.h"

#include <string>

#include <doctest/doctest.h>

#include "kernels/engine.h"
#include "kernels/network.h"
#include "kernels/network_error.h"
#include "kernels/networks/builder.h"
#include "kernels/work.h"
#include "support/approx.h"

using namespace rightsize;

namespace {

constexpr double gib = 1024.0 * 1024 * 1024;

double parameters(const std::string& name) {
  return static_cast<double>(parameter_count(make_network(name)));
}

double table_gib(const std::string& name) {
  return static_cast<double>(
             row_table_bytes(make_network(name), Phase::forward_backward, Precision::fp16)) /
         gib;
}

const Layer& layer_of(const Network& network, const std::string& name) {
  for (const auto& layer : network.layers) {
    if (layer.name == name) {
      return layer;
    }
  }
  throw std::out_of_range(name);
}

LayerWork work_of(const Network& network, const std::string& name) {
  return layer_work(network,
                    static_cast<std::size_t>(&layer_of(network, name) - network.layers.data()));
}

void refused(const std::string& name, const char* why) {
  CAPTURE(name);
  CHECK_THROWS_WITH_AS(static_cast<void>(make_network(name)), doctest::Contains(why), NetworkError);
}

}  // namespace

// NVIDIA/DeepLearningExamples, TensorFlow2/Recommendation/DLRM_and_DCNv2/doc/DLRM.md.
TEST_CASE("recommendation: DLRM's parameters are as published, by how often a value occurs") {
  CHECK(parameters("dlrm") == test::approx(4.2e9).epsilon(0.01));
  CHECK(parameters("dlrm:criteo=t3") == test::approx(22.8e9).epsilon(0.003));
  CHECK(parameters("dlrm:criteo=t0") == test::approx(113e9).epsilon(0.003));
  CHECK(table_gib("dlrm") == test::approx(15.6).epsilon(0.003));
  CHECK(table_gib("dlrm:criteo=t3") == test::approx(84.9).epsilon(0.001));
  CHECK(table_gib("dlrm:criteo=t0") == test::approx(421).epsilon(0.001));
}

TEST_CASE("recommendation: beside its tables DLRM has two small networks") {
  const auto network = make_network("dlrm");
  const auto bottom = 14 * 512 + 513 * 256 + 257 * 128;
  const auto top = 481 * 1024 + 1025 * 1024 + 1025 * 512 + 513 * 256 + 257;
  CHECK(parameter_count(network) - row_table_parameters(network) ==
        static_cast<std::uint64_t>(bottom + top));
  CHECK(layer_of(network, "dots").out == FeatureShape{480, 1, 1});  // 128 + 27 * 26 / 2, and a zero
  CHECK(network.input == FeatureShape{1, 39, 1});
  CHECK(sample_bytes(network) == 160);
}

TEST_CASE("recommendation: MLPerf's tables and the cross layers beside them") {
  const auto network = make_network("dlrm-dcnv2");
  CHECK(row_table_parameters(network) == 204'184'588ULL * 128);
  CHECK(layer_of(network, "tables").looked_up() == 214);
  const std::uint64_t features = 27 * 128;
  CHECK(work_of(network, "cross1_v").parameters == features * 512);
  CHECK(work_of(network, "cross1_u").parameters == 512 * features + features);
  CHECK(layer_of(network, "cross3").out.c == 3456);
}

TEST_CASE("recommendation: NeuMF on MovieLens 20M") {
  const auto network = make_network("ncf");
  CHECK(parameter_count(network) == 31'832'577);
  CHECK_FALSE(has_row_tables(network));
  CHECK(looks_up_tables(network));
  CHECK(network.optimizer == Optimizer::adam);
}

TEST_CASE("recommendation: FLOPs of an item are those of its layers") {
  const auto network = make_network("dlrm");
  CHECK(work_of(network, "top1").forward_flops == 2.0 * 480 * 1024 + 1024);
  CHECK(work_of(network, "bottom1").backward_flops ==
        2.0 * 13 * 512 + 512);  // counts learn nothing
  CHECK(work_of(network, "dots").forward_flops == 2.0 * 351 * 128);
  CHECK(work_of(network, "tables").forward_flops == 0);  // one row each
  // Of the bottom part, the dots and the top part some 2.4 million multiply-adds.
  CHECK(forward_flops(network) == test::approx(2 * 2.41e6).epsilon(0.01));
  const auto several = make_network("dlrm:hot=3");
  CHECK(work_of(several, "tables").forward_flops == 2.0 * 26 * 128);  // two sums of three rows
}

TEST_CASE("recommendation: tables are as the name says, in any order of its parts") {
  const auto made = make_network("dlrm:dim=64:rows=1000:hot=2:tables=8");
  const auto& tables = layer_of(made, "tables");
  REQUIRE(tables.tables.size() == 8);
  CHECK(tables.tables.front() == EmbeddingTable{1000, 2});
  CHECK(tables.out.c == 8 * 64);
  CHECK(made.input.positions() == 13 + 16);
  const auto alike = make_network("dlrm-dcnv2:tables=3");
  for (const auto& table : layer_of(alike, "tables").tables) {
    CHECK(table == EmbeddingTable{1'000'000, 1});
  }
  CHECK(parameter_count(make_network("ncf:rows=10:dim=8")) ==
        20 * (8 + 4) + 17 * 16 + 17 * 8 + 9 * 4 + 9);
}

TEST_CASE("recommendation: a part that cannot be is refused with what it may be") {
  refused("dlrm:criteo=7", "expected criteo=t15, t3 or t0");
  refused("dlrm:criteo=t3:rows=5", "\"rows=5\": the tables are criteo=t3's");
  refused("dlrm:tables=8:criteo=t3", "leave one of them out");
  refused("dlrm:rows=0", "expected a whole number from 1");
  refused("dlrm:colour=red", "expected :criteo=FORM");
  refused("dlrm:dim=64:dim=32", "dim is said twice");
  refused("ncf:tables=3", "expected :rows=N (of users and of items)");
  refused("ncf:dim=3", "half of a row's features");
  CHECK_THROWS_WITH_AS(static_cast<void>(make_network("dlrm", 512)),
                       doctest::Contains("samples of so many numbers"),
                       NetworkError);
  CHECK_THROWS_WITH_AS(
      static_cast<void>(make_network("dlmr")), doctest::Contains("dlrm"), UnknownNetwork);
}

TEST_CASE("recommendation: layers that cannot be are refused by the builder") {
  auto net = NetworkBuilder::of_tokens("tiny", "Tiny", 4, 10, 2);
  CHECK_THROWS_AS(net.embedding_bags("a", 0, 3, {{5, 2}}, 4, TableUpdate::sgd), NetworkError);
  CHECK_THROWS_AS(net.embedding_bags("a", 0, 0, {}, 4, TableUpdate::sgd), NetworkError);
  CHECK_THROWS_AS(net.log_counts("c", 0, 5), NetworkError);
  const int x = net.log_counts("c", 0, 3);
  const int y = net.log_counts("d", 0, 4);
  CHECK_THROWS_AS(net.pairwise_dots("p", x, y), NetworkError);
  CHECK_THROWS_AS(static_cast<void>(net.finish_binary(x)), NetworkError);
}

TEST_CASE("recommendation: memory holds whole tables, and nothing of a gradient of theirs") {
  const auto dlrm = make_network("dlrm:tables=4:rows=1000000");
  const double rows = 4e6 * 128;
  CHECK(static_cast<double>(row_table_bytes(dlrm, Phase::train, Precision::fp16)) == 4 * rows);
  CHECK(static_cast<double>(row_table_bytes(dlrm, Phase::infer, Precision::fp16)) == 2 * rows);
  const auto others = static_cast<double>(parameter_count(dlrm)) - rows;
  CHECK(static_cast<double>(parameter_memory_bytes(dlrm, Phase::train, Precision::fp32)) ==
        4 * rows + 12 * others);
  const auto cross = make_network("dlrm-dcnv2:tables=4:rows=1000000");
  CHECK(static_cast<double>(row_table_bytes(cross, Phase::train, Precision::fp16)) == 8 * rows);
  CHECK(row_table_bytes(make_network("ncf"), Phase::train, Precision::fp16) == 0);
}

TEST_CASE("recommendation: engines that cannot run them say so") {
  const auto network = make_network("dlrm:tables=2:rows=100:dim=8");
  EngineOptions options;
  options.ranks = 2;
  CHECK_THROWS_WITH_AS(static_cast<void>(make_engine(EngineKind::cpu, network, options)),
                       doctest::Contains("use one rank"),
                       EngineError);
  options.ranks = 1;
  CHECK_THROWS_WITH_AS(static_cast<void>(make_engine(EngineKind::gpu, network, options)),
                       doctest::Contains("or use engine cpu"),
                       EngineError);
}
