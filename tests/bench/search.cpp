// How long the search over all shipped offers takes, on one core, for a prepared model: the
// dimensions a user gets by default, a million candidates, and services, whose fleets are worked
// out besides.
#include "advisor/search.h"

#include <algorithm>
#include <chrono>
#include <string_view>

#include <fmt/format.h>

#include "advisor/calibration.h"
#include "support/made_model.h"

using namespace rightsize;

namespace {

Query imagenet() {
  Query query;
  query.batches = {64, 128, 256};
  query.items = 1281167;
  query.epochs = 90;
  query.dataset_bytes = 140'000'000'000;
  query.deadline_s = 48 * 3600;
  query.markets = {Market::on_demand, Market::spot};
  return query;
}

// examples/service, wherever it can be rented.
Query resnet_service() {
  Query query;
  query.phase = Phase::infer;
  query.format = DataFormat::synthetic;
  query.batches = {1, 4, 8, 16, 32};
  query.service = Service{1500, 0.050, 0.005, 2, {}};
  return query;
}

void time_search(const char* what, const Query& query, const Evidence& evidence, int runs = 5) {
  double best_s = 1e9;
  std::size_t candidates = 0;
  for (int run = 0; run < runs; ++run) {
    const auto start = std::chrono::steady_clock::now();
    const auto answer = search(query, evidence);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    best_s = std::min(best_s, took.count());
    candidates = answer.candidates;
  }
  fmt::print("{:<58} {:>9} candidates {:8.1f} ms {:6.2f} us each (best of {})\n",
             what,
             candidates,
             best_s * 1e3,
             best_s * 1e6 / static_cast<double>(candidates),
             runs);
}

}  // namespace

// usage: bench_search [default|wide|service]: that one alone and once, for a profiler that counts.
int main(int arguments, char** argument) {
  const std::string_view alone = arguments > 1 ? argument[1] : "";
  const int runs = alone.empty() ? 5 : 1;
  const auto model = test::made_model();
  const auto catalog = shipped_catalog();
  const auto gpu_rates = shipped_gpu_rates();
  const auto cpu_speeds = shipped_cpu_speeds();
  const Evidence evidence{model, catalog, gpu_rates, cpu_speeds};
  fmt::print("{} offers\n", catalog.offers().size());
  const auto asked = [&](std::string_view name) { return alone.empty() || alone == name; };
  auto query = imagenet();
  if (asked("default")) {
    time_search("3 batches, on demand and spot", query, evidence, runs);
  }
  if (asked("wide")) {
    query.batches = {32, 64, 96, 128, 192, 256};
    query.nodes_max = 8;
    query.preprocess_on = PreprocessChoice::either;
    time_search("6 batches, 1 to 8 nodes, preprocessing on CPU or GPU", query, evidence, runs);
  }
  if (asked("service")) {
    time_search("a service of 1500 requests/s, 5 batches", resnet_service(), evidence, runs);
  }
}
