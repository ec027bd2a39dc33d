// How far rates are from published figures that they were made without. Prints Markdown, in part;
// models/VALIDATION.md holds it.
#include <fstream>
#include <functional>
#include <map>
#include <sstream>

#include <fmt/format.h>

#include "models/rate_errors.h"
#include "models/rate_validation.h"

using namespace rightsize;

namespace {

std::string text_of(const std::string& name) {
  std::ifstream in(std::string(RIGHTSIZE_SOURCE_DIR) + "/models/calibration/" + name);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

void print(const std::string& name, std::span<const RateCheck> checks) {
  const auto errors = errors_of(checks);
  fmt::print("| {} | {} | {:.1f}% | {:.1f}% | {:+.1f}% | {:.0f}% |\n",
             name,
             errors.figures,
             100 * errors.median_error,
             100 * errors.p90_error,
             100 * errors.bias,
             100 * errors.coverage);
}

using Key = std::function<std::string(const RateCheck&)>;

void print_table(const std::string& what, std::span<const RateCheck> checks, const Key& key) {
  std::map<std::string, std::vector<RateCheck>> groups;
  for (const auto& check : checks) {
    groups[key(check)].push_back(check);
  }
  fmt::print("\n| {} | figures | median error | P90 error | bias | inside 90% interval |\n", what);
  fmt::print("|---|--:|--:|--:|--:|--:|\n");
  for (const auto& [name, group] : groups) {
    print(name, group);
  }
  print("**all**", checks);
}

// No law comes nearer than publishers come to one another, unless it is told whose software runs.
void print_apart(std::span<const RateCheck> checks, const Key& key) {
  std::map<std::string, std::vector<RateCheck>> groups;
  for (const auto& check : checks) {
    groups[key(check)].push_back(check);
    groups["**all**"].push_back(check);
  }
  fmt::print("\n| publishers of the very same setting | figures | median apart | P90 apart |\n");
  fmt::print("|---|--:|--:|--:|\n");
  for (const auto& [name, group] : groups) {
    const auto errors = errors_of(group);
    fmt::print("| {} | {} | {:.1f}% | {:.1f}% |\n",
               name,
               errors.figures,
               100 * errors.median_error,
               100 * errors.p90_error);
  }
}

}  // namespace

int main() {
  const auto step_csv = text_of("gpu_step.csv");
  const RateTables tables{
      parse_gpus(text_of("gpus.csv")), parse_published_rates(text_of("gpu_rates.csv")), step_csv};
  const auto by_gpu = [](const RateCheck& check) { return check.figure.gpu; };
  const auto by_network = [](const RateCheck& check) { return check.figure.network; };
  const auto gpus = check_rates(tables, LeaveOut::gpu);
  const auto networks = check_rates(tables, LeaveOut::network);
  print_table("GPU left out", gpus, by_gpu);
  print_table("network left out", networks, by_network);
  const auto by_direction = [](const RateCheck& check) {
    return fmt::format("{}, {}",
                       to_string(check.figure.stack),
                       has_backward(check.figure.phase) ? "with backward pass" : "forward");
  };
  print_table("publisher left out", check_rates(tables, LeaveOut::publisher), by_direction);
  print_apart(check_publishers(tables.figures), by_direction);
  print_table("publisher left out, asked for a GPU after one measured on another",
              check_carried(tables),
              by_direction);
  print_table("the same figures, nothing measured", check_not_carried(tables), by_direction);
  print_table("GPU left out, by precision", gpus, [](const RateCheck& check) {
    return fmt::format("{} {}",
                       to_string(check.figure.precision),
                       has_backward(check.figure.phase) ? "with backward pass" : "forward");
  });
  std::vector<RateCheck> all = gpus;
  for (const auto& more : {networks,
                           check_rates(tables, LeaveOut::both),
                           check_rates(tables, LeaveOut::curve),
                           check_rates(tables, LeaveOut::figure, false, 3),
                           check_rates(tables, LeaveOut::publisher)}) {
    all.insert(all.end(), more.begin(), more.end());
  }
  print_table("regime, all ways of leaving out", all, [](const RateCheck& check) {
    return fmt::format("{}, {}", to_string(check.predicted.regime), to_string(check.figure.stack));
  });
  fmt::print(
      "\nWith the framework told (`RateQuery::framework`; of a publisher left out, as others'):\n");
  const auto told = check_rates(tables, LeaveOut::gpu, true);
  print_table("left out", told, [](const auto&) { return std::string("GPU"); });
  print_table("left out", check_rates(tables, LeaveOut::network, true), [](const auto&) {
    return std::string("network");
  });
  print_table("left out", check_rates(tables, LeaveOut::publisher, true), [](const auto&) {
    return std::string("publisher");
  });
  print_table("GPU left out, framework told", told, [](const RateCheck& check) {
    constexpr int small = 16;  // below, a step waits for its launches
    return fmt::format("{}, batch {}",
                       has_backward(check.figure.phase) ? "with backward pass" : "forward",
                       check.figure.batch < small ? "below 16" : "16 and more");
  });
}
