// What the laws of GPUs make of a recommender: rows, not tables, cross memory; tables are divided
// and the vectors of them sent.
#include <string>

#include <doctest/doctest.h>

#include "kernels/network.h"
#include "kernels/work.h"
#include "models/calibration_files.h"
#include "models/laws/cpu_compute.h"
#include "models/laws/exchange.h"
#include "models/laws/expert_exchange.h"
#include "models/laws/gpu_kernels.h"
#include "models/laws/gpu_memory.h"
#include "models/laws/table_exchange.h"
#include "models/predict.h"
#include "support/approx.h"

using namespace rightsize;
using test::calibration_text;
using test::shipped_rates;

namespace {

double rows_of(const GpuWork& work) {
  double rows = 0;
  for (const auto& kernel : work.kernels) {
    rows += kernel.count * kernel.rows_per_item;
  }
  return rows;
}

double fixed_bytes(const GpuWork& work) {
  double bytes = 0;
  for (const auto& kernel : work.kernels) {
    bytes += kernel.count * kernel.bytes_fixed;
  }
  return bytes;
}

GpuWork training(const std::string& network) {
  return gpu_work(make_network(network), Phase::train);
}

}  // namespace

TEST_CASE("recommendation laws: a step moves rows of the batch, however large the tables are") {
  const auto small = training("dlrm:tables=10:rows=100000");
  const auto large = training("dlrm:tables=10:rows=10000000");
  // Looked up, then read and written; of the small ones a hundredth lies in a cache.
  const auto near = [](double rows) { return test::approx(rows).epsilon(0.02); };
  CHECK(rows_of(large) == near(10 * 3));
  CHECK(rows_of(small) == near(rows_of(large)));
  CHECK(fixed_bytes(large) == fixed_bytes(small));
  CHECK(rows_of(training("dlrm:tables=10:rows=100000:hot=4")) == 4 * rows_of(small));
  CHECK(rows_of(training("dlrm-dcnv2:tables=10:rows=100000:hot=1")) ==
        near(10 * 5));                                       // and squares
  CHECK(rows_of(training("dlrm:tables=10:rows=500")) == 0);  // 2.4 MiB, in a GPU's cache
  CHECK(small.looks_up);
  const auto asked = gpu_work(make_network("dlrm:tables=10:rows=100000"), Phase::infer);
  CHECK(rows_of(asked) == near(10));
}

TEST_CASE("recommendation laws: as many rows come from memory as a cache of 4 MiB does not hold") {
  // Ten tables of 128 elements a row, in FP32: 8192 rows of all are 4 MiB.
  const auto read = [](int rows) {
    return rows_of(training("dlrm:tables=10:rows=" + std::to_string(rows)));
  };
  CHECK(read(1638) == test::approx(10 * 3 * (16'380 - 8192) / 16'380.0));
  CHECK(read(8192) == test::approx(10 * 3 * 0.9));
  CHECK(read(8193) / read(8192) == test::approx(1).epsilon(1e-4));
  // With Adagrad's sums beside half as many rows lie there.
  const auto sums = rows_of(training("dlrm-dcnv2:tables=10:rows=1638:hot=1"));
  CHECK(sums == test::approx(10 * 5 * (16'380 - 4096) / 16'380.0));
}

TEST_CASE("recommendation laws: short rows at random places reach less of the bandwidth") {
  // As many bytes of rows, four times as many of a quarter of the length.
  const auto rate = [](const char* network) {
    return shipped_rates()
        .rate({.network = network,
               .phase = Phase::infer,
               .precision = Precision::fp16,
               .gpu = "A100",
               .batch = 65'536})
        ->items_per_s;
  };
  CHECK(rate("dlrm:tables=8:rows=10000000:hot=200:dim=64") <
        0.85 * rate("dlrm:tables=8:rows=10000000:hot=100:dim=128"));
}

TEST_CASE("recommendation laws: tables that are trained whole are updated whole") {
  const auto ncf = make_network("ncf");
  const double state = state_bytes(ncf, Phase::train, Precision::bf16).updated;
  const double tables = 165'237.0 * (128 + 64);
  CHECK(fixed_bytes(training("ncf")) ==
        test::approx(state * static_cast<double>(parameter_count(ncf)) + 4 * tables));
}

TEST_CASE("recommendation laws: GPUs divide tables, and have all else") {
  const auto network = make_network("dlrm:criteo=t3");
  const auto need = [&](int ranks) {
    return gpu_memory_need(network, Phase::train, Precision::fp16, 8192, {.table_ranks = ranks});
  };
  const auto tables = static_cast<double>(row_table_bytes(network, Phase::train, Precision::fp16));
  CHECK(need(1).parameters_bytes - need(8).parameters_bytes ==
        test::approx(tables * 7 / 8).epsilon(1e-9));
  CHECK(need(1).activations_bytes == need(8).activations_bytes);
  const auto whole = make_network("ncf");
  const auto of = [&](int ranks) {
    return gpu_memory_need(whole, Phase::train, Precision::fp16, 8192, {.table_ranks = ranks});
  };
  CHECK(of(1).total() == of(8).total());
}

TEST_CASE("recommendation laws: gradients that are averaged are those of the layers alone") {
  double bytes = 0;
  const auto network = make_network("dlrm");
  for (const auto& bucket : gradient_buckets(network, 4, 25e6)) {
    bytes += bucket.bytes;
  }
  CHECK(bytes ==
        4.0 * static_cast<double>(parameter_count(network) - row_table_parameters(network)));
}

TEST_CASE("recommendation laws: vectors go over the links once each way") {
  const ExchangeLaw law;
  const Cluster one{1, 1, {}};
  CHECK(table_exchange_seconds(law, one, 8192, 26 * 128, 2, true) == 0);
  Interconnect links;
  links.link = NodeLink::nvlink;
  links.link_bytes_per_s = 200e9;
  const Cluster eight{8, 1, links};
  CHECK(table_exchange_seconds(law, eight, 8192, 0, 2, true) == 0);
  const double once = table_exchange_seconds(law, eight, 8192, 26 * 128, 2, false);
  // Seven eighths of 54.5 MB leave each GPU, at some share of 200 GB/s.
  const double at_full_speed = 8192.0 * 26 * 128 * 2 * 7 / 8 / 200e9;
  CHECK(once > at_full_speed);
  CHECK(once < 2 * at_full_speed + 100e-6);
  CHECK(table_exchange_seconds(law, eight, 8192, 26 * 128, 2, true) == test::approx(2 * once));
}

TEST_CASE("recommendation laws: a CPU's memory passes rows too, not tables") {
  const auto small = cpu_work(make_network("dlrm:tables=4:rows=1000"), Phase::train);
  const auto large = cpu_work(make_network("dlrm:tables=4:rows=1000000"), Phase::train);
  CHECK(large.weight_bytes == small.weight_bytes);
  CHECK(large.activation_bytes == small.activation_bytes);
  CHECK(cpu_work(make_network("dlrm:tables=4:rows=1000:hot=8"), Phase::train).activation_bytes >
        small.activation_bytes);
}
