// The constants of the law of networks on CPUs against the figures and the runs they are fitted to.
#include "figures/cpu_calibration.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "models/calibration_files.h"
#include "models/measured_records.h"
#include "support/approx.h"

using namespace rightsize;

namespace {

std::vector<CpuRate> published(Phase phase) {
  auto rates = parse_cpu_rates(test::calibration_text("cpu_rates.csv"),
                               CpuSpeeds(test::calibration_text("cpu_speed.csv")));
  std::erase_if(rates, [&](const CpuRate& rate) { return rate.phase != phase; });
  return rates;
}

std::vector<CpuRate> measured(Phase phase) {
  auto records = test::measured_records("networks_zen4.jsonl");
  for (auto& record : test::measured_records("precision_zen4.jsonl")) {
    records.push_back(std::move(record));
  }
  auto rates = measured_cpu_rates(records);
  std::erase_if(rates, [&](const CpuRate& rate) { return rate.phase != phase; });
  return rates;
}

std::vector<double> sorted_errors(const std::vector<CpuRateCheck>& checks) {
  std::vector<double> errors;
  for (const auto& check : checks) {
    errors.push_back(std::abs(std::log(check.predicted / check.rate->items_per_s)));
  }
  std::sort(errors.begin(), errors.end());
  return errors;
}

}  // namespace

TEST_CASE("cpu compute: the shipped constants are the fit of the published figures") {
  for (const auto phase : {Phase::infer, Phase::train}) {
    const auto shipped = cpu_compute_law(Stack::era, phase);
    const auto fitted = fit_cpu_compute(published(phase));
    CHECK(fitted.efficiency == test::approx(shipped.efficiency).epsilon(0.1));
    CHECK(fitted.bytes_per_s == test::approx(shipped.bytes_per_s).epsilon(0.15));
    CHECK(fitted.layer_s == test::approx(shipped.layer_s).epsilon(0.3));  // little tells it
  }
}

TEST_CASE("cpu compute: a network left out of the fit is met within 30 % at the median") {
  for (const auto phase : {Phase::infer, Phase::train}) {
    const auto rates = published(phase);
    REQUIRE(rates.size() >= 10);
    const auto errors = sorted_errors(leave_one_network_out(rates));
    const auto law = cpu_compute_law(Stack::era, phase);
    CHECK(errors[errors.size() / 2] < 0.27);
    CHECK(errors[errors.size() * 85 / 100] < 1.645 * law.log_sd);  // the interval is honest
  }
}

TEST_CASE("cpu compute: today's constants are the fit of what was measured") {
  for (const auto phase : {Phase::infer, Phase::train}) {
    const auto shipped = cpu_compute_law(Stack::current, phase);
    const auto fitted = fit_cpu_compute(measured(phase), shipped, CpuConstants::of_measured);
    MESSAGE(to_string(phase),
            ": ",
            fitted.efficiency,
            " ",
            fitted.sequence_share,
            " ",
            fitted.lstm_share,
            " ",
            fitted.bytes_per_s,
            " ",
            fitted.weight_share,
            " ",
            fitted.layer_s,
            " ",
            fitted.position_share);
    CHECK(fitted.efficiency == test::approx(shipped.efficiency).epsilon(0.05));
    CHECK(fitted.sequence_share == test::approx(shipped.sequence_share).epsilon(0.05));
    CHECK(fitted.lstm_share == test::approx(shipped.lstm_share).epsilon(0.1));
    CHECK(fitted.bytes_per_s == test::approx(shipped.bytes_per_s).epsilon(0.1));
    CHECK(fitted.weight_share == test::approx(shipped.weight_share).epsilon(0.1));
    CHECK(fitted.layer_s == test::approx(shipped.layer_s).epsilon(0.3));  // little tells it
    CHECK(fitted.position_share == test::approx(shipped.position_share).epsilon(0.3));
  }
}

TEST_CASE("cpu compute: a network left out of what was measured is met within 12 % at the median") {
  for (const auto phase : {Phase::infer, Phase::train}) {
    const auto rates = measured(phase);
    REQUIRE(rates.size() >= 20);
    const auto checks = leave_one_network_out(
        rates, cpu_compute_law(Stack::current, phase), CpuConstants::of_measured);
    for (const auto& check : checks) {
      MESSAGE(check.rate->network,
              " ",
              to_string(phase),
              " b",
              check.rate->batch,
              ": ",
              std::log(check.predicted / check.rate->items_per_s));
    }
    const auto errors = sorted_errors(checks);
    CHECK(errors[errors.size() / 2] < 0.12);
    CHECK(errors[errors.size() * 9 / 10] < 0.6);
  }
}

// A Granite Rapids by the law of a Zen 4.
TEST_CASE("cpu compute: networks on another CPU are met within a fifth at the median") {
  const auto rates = measured_cpu_rates(test::measured_records("precision_granite_rapids.jsonl"));
  REQUIRE(rates.size() >= 15);
  std::vector<double> errors;
  for (const auto& rate : rates) {
    errors.push_back(std::abs(std::log(
        predicted_cpu_rate(cpu_compute_law(Stack::current, rate.phase), rate) / rate.items_per_s)));
  }
  std::sort(errors.begin(), errors.end());
  CHECK(errors[errors.size() / 2] < 0.2);
  CHECK(errors[errors.size() * 9 / 10] < 0.35);
}
