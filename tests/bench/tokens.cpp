// How far the law of decoding (laws/decode.h) is from published rates, by software and kind of
// rate, as it is and with its constants fitted without each software. Prints Markdown;
// models/README.md holds its output. `bench_tokens rows` prints every row.
#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "models/calibration_files.h"
#include "models/decode_figures.h"

using namespace rightsize;

namespace {

struct Errors {
  std::vector<double> logs;  // ln(predicted / published)
  int refused = 0;
};

std::string group_of(const DecodeFigure& figure) {
  const std::string what = figure.kind == DecodeRate::alone    ? "one sequence"
                           : figure.kind == DecodeRate::prompt ? "prompts"
                                                               : "largest load";
  const std::string parallel = figure.gpus > 1 ? ", several GPUs" : "";
  return figure.software + ": " + what + parallel;
}

void print(const std::map<std::string, Errors>& groups) {
  fmt::print(
      "| software | figures | held not to fit | median error | P90 error | mean of ln | sd of ln "
      "|\n|---|--:|--:|--:|--:|--:|--:|\n");
  for (const auto& [name, errors] : groups) {
    if (errors.logs.empty()) {
      continue;
    }
    std::vector<double> sizes;
    double sum = 0;
    double squares = 0;
    for (const double error : errors.logs) {
      sizes.push_back(std::abs(std::expm1(error)));
      sum += error;
      squares += error * error;
    }
    std::sort(sizes.begin(), sizes.end());
    const auto n = static_cast<double>(sizes.size());
    fmt::print("| {} | {} | {} | {:.0f} % | {:.0f} % | {:+.2f} | {:.2f} |\n",
               name,
               sizes.size(),
               errors.refused,
               100 * sizes[sizes.size() / 2],
               100 * sizes[static_cast<std::size_t>(std::ceil(0.9 * n)) - 1],
               sum / n,
               std::sqrt(std::max(0.0, squares / n - sum * sum / n / n)));
  }
}

}  // namespace

int main(int argc, char** argv) {
  const bool every_row = argc > 1 && std::string(argv[1]) == "rows";
  const auto figures = parse_decode_figures(test::calibration_text("decode_rates.csv"));
  const auto networks =
      networks_of(figures, std::string(RIGHTSIZE_SOURCE_DIR) + "/models/calibration/networks");
  const auto rates = test::shipped_rates();
  std::map<std::string, Errors> groups;
  for (const auto& figure : figures) {
    const auto* gpu = rates.find(figure.gpu);
    const auto predicted = gpu == nullptr
                               ? std::nullopt
                               : predicted_tokens_per_s(figure, networks.at(figure.network), *gpu);
    auto& group = groups[group_of(figure)];
    if (!predicted) {
      ++group.refused;
      continue;
    }
    group.logs.push_back(std::log(*predicted / figure.tokens_per_s));
    if (every_row) {
      fmt::print("{:13} {:5} {:15} x{} {:5}/{:<5} {:9.1f} ~{:9.1f} {:+.2f} {}\n",
                 figure.network,
                 to_string(figure.form.weights),
                 figure.gpu,
                 figure.gpus,
                 figure.prompt_tokens,
                 figure.output_tokens,
                 figure.tokens_per_s,
                 *predicted,
                 group.logs.back(),
                 group_of(figure));
    }
  }
  print(groups);
}
