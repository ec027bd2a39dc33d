// How far the law of decoding (laws/decode.h) is from published rates, by software and kind of
// rate, as it is and with its constants fitted without each software. Prints Markdown;
// models/README.md holds its output. `bench_tokens rows` prints every row.
#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "decode_fit.h"
#include "kernels/work.h"
#include "models/calibration_files.h"
#include "models/laws/decode_software.h"

using namespace rightsize;
using bench::Asked;
using bench::fitted_law;

namespace {

struct Errors {
  std::vector<double> logs;
  int refused = 0;
  int inside = 0;  // 90 % intervals that hold the figure

  void add(const Asked& asked, std::optional<double> error) {
    if (!error) {
      ++refused;
      return;
    }
    logs.push_back(*error);
    const auto kind = asked.figure->kind;
    const auto known = decode_software(asked.figure->software).value_or("");
    const bool many = kind == DecodeRate::some || kind == DecodeRate::most;
    const double sd = decode_log_sd(
        known, many, {*asked.gpu, has_experts(*asked.network), asked.figure->form.weights});
    inside += std::abs(*error) < 1.645 * sd ? 1 : 0;
  }
};

std::string program_of(const DecodeFigure& figure) {
  return decode_software(figure.software).value_or(figure.software);
}

std::string group_of(const DecodeFigure& figure) {
  const std::string what = figure.kind == DecodeRate::alone    ? "one sequence"
                           : figure.kind == DecodeRate::prompt ? "prompts"
                           : figure.kind == DecodeRate::some   ? "some sequences"
                                                               : "largest load";
  const std::string parallel = figure.gpus > 1 ? ", several GPUs" : "";
  const std::string four = is_fp4(figure.form.weights) ? ", FP4" : "";
  return program_of(figure) + ": " + what + parallel + four;
}

void print_row(const std::string& name, const Errors& errors) {
  std::vector<double> sizes;
  double squares = 0;
  double sum = 0;
  for (const double error : errors.logs) {
    sizes.push_back(std::abs(std::expm1(error)));
    sum += error;
    squares += error * error;
  }
  if (sizes.empty()) {
    return;
  }
  std::sort(sizes.begin(), sizes.end());
  const auto n = static_cast<double>(sizes.size());
  fmt::print("| {} | {} | {} | {:.0f} % | {:.0f} % | {:+.2f} | {:.2f} | {:.0f} % |\n",
             name,
             sizes.size(),
             errors.refused,
             100 * sizes[sizes.size() / 2],
             100 * sizes[static_cast<std::size_t>(std::ceil(0.9 * n)) - 1],
             sum / n,
             std::sqrt(squares / n),
             100 * errors.inside / n);
}

// `law_of(source)`: what answers for its figures.
template <typename LawOf>
void print(const std::vector<Asked>& all, const LawOf& law_of, bool every_row) {
  std::map<std::string, Errors> groups;
  for (const auto& asked : all) {
    const auto error = asked.error(law_of(asked.source()));
    std::vector<std::string> names{group_of(*asked.figure)};
    if (asked.of_fit()) {
      names.push_back(program_of(*asked.figure) + ": **all that is fitted**");
    }
    for (const auto& name : names) {
      groups[name].add(asked, error);
    }
    if (every_row && error) {
      fmt::print("{:13} {:5} {:15} x{} {:3} of {:5}/{:<5} {:9.1f} {:+.2f} {}, {}\n",
                 asked.figure->network,
                 to_string(asked.figure->form.weights),
                 asked.figure->gpu,
                 asked.figure->gpus,
                 asked.figure->sequences,
                 asked.figure->prompt_tokens,
                 asked.figure->output_tokens,
                 asked.figure->tokens_per_s,
                 *error,
                 group_of(*asked.figure),
                 asked.source());
    }
  }
  fmt::print(
      "| software | figures | held not to fit | median error | P90 error | mean of ln | rms of ln "
      "| inside 90% interval |\n|---|--:|--:|--:|--:|--:|--:|--:|\n");
  for (const auto& [name, errors] : groups) {
    print_row(name, errors);
  }
}

void print_law(const std::string& name, const DecodeLaw& law) {
  fmt::print(
      "{}: bandwidth {:.3f} of HBM, {:.3f} of GDDR, widened {:.4f} B a FLOP, FP8 products {:.3f}, "
      "overhead {:.2f} ms, a step of an all-reduce "
      "{:.1f} us on NVLink, {:.1f} us on PCIe\n",
      name,
      law.bandwidth_share,
      law.gddr_bandwidth_share,
      law.widened_bytes_per_flop,
      law.fp8_matrix_share,
      1e3 * law.overhead_s,
      1e6 * law.nvlink_latency_s,
      1e6 * law.pcie_latency_s);
}

struct Table {
  explicit Table(const char* file)
      : figures(parse_decode_figures(test::calibration_text(file))),
        networks(networks_of(figures,
                             std::string(RIGHTSIZE_SOURCE_DIR) + "/models/calibration/networks")) {}

  // Mixtures of experts, or others.
  [[nodiscard]] Errors errors(const GpuRates& rates, const DecodeLaw& law, bool experts) const {
    Errors found;
    for (const auto& one : asked(rates)) {
      if (has_experts(*one.network) == experts) {
        found.add(one, one.error(law));
      }
    }
    return found;
  }

  [[nodiscard]] std::vector<Asked> asked(const GpuRates& rates) const {
    std::vector<Asked> all;
    for (const auto& figure : figures) {
      if (const auto* gpu = rates.find(figure.gpu)) {
        all.push_back({&figure, &networks.at(figure.network), gpu});
      }
    }
    return all;
  }

  std::vector<DecodeFigure> figures;
  std::map<std::string, Network> networks;
};

const DecodeLaw& shipped(const std::string& /*source*/) {
  static constexpr DecodeLaw law;
  return law;
}

// Of many sequences by programs of data centers on NVIDIA's GPUs, from every table that no constant
// is fitted to: dense networks and mixtures.
class Unfitted {
 public:
  void add(const std::vector<Asked>& all) {
    for (const auto& asked : all) {
      const auto program = program_of(*asked.figure);
      const auto kind = asked.figure->kind;
      const bool meant = program == "TensorRT-LLM" || program == "vLLM" || program == "SGLang";
      const bool many = kind == DecodeRate::some || kind == DecodeRate::most;
      if (meant && many && !is_instinct(*asked.gpu)) {
        (has_experts(*asked.network) ? mixtures_ : dense_).add(asked, asked.error({}));
      }
    }
  }
  void print() const {
    print_row("many sequences, no constant fitted: dense", dense_);
    print_row("many sequences, no constant fitted: mixtures", mixtures_);
    fmt::print("\n");
  }

 private:
  Errors dense_;
  Errors mixtures_;
};

// A table's errors by what is shipped, under such a heading.
Table shown(const char* file, const char* heading, const GpuRates& rates, bool every_row) {
  Table table(file);
  fmt::print("{}\n\n", heading);
  print(table.asked(rates), shipped, every_row);
  fmt::print("\n");
  return table;
}

void show_fp4(const GpuRates& rates, bool every_row) {
  const auto four_bits = shown("decode_fp4.csv",
                               "FP4 and what stands beside it in its publishers' tables",
                               rates,
                               every_row);
  for (const double share : {0.30, 0.35, 0.40, 0.45, 0.50, 0.60}) {
    DecodeLaw law;
    law.fp4_matrix_share = share;
    print_row(fmt::format("FP4 products at {} of the units' rate: dense", share),
              four_bits.errors(rates, law, false));
    print_row(fmt::format("FP4 products at {} of the units' rate: mixtures", share),
              four_bits.errors(rates, law, true));
  }
  fmt::print("\n");
}

void show_instinct(const GpuRates& rates, bool every_row) {
  DecodeLaw as_nvidias;
  as_nvidias.instinct_bandwidth = 1;
  as_nvidias.instinct_products = 1;
  for (const auto* file : {"decode_instinct.csv", "decode_instinct_early.csv"}) {
    const Table instinct(file);
    fmt::print("{} by the shares of NVIDIA's GPUs, and by their own, set to the first\n\n", file);
    print(
        instinct.asked(rates), [&](const std::string&) { return as_nvidias; }, every_row);
    print(instinct.asked(rates), shipped, every_row);
    fmt::print("\n");
  }
}

void show_fit(const GpuRates& rates, bool every_row) {
  const auto table = shown("decode_rates.csv", "As shipped", rates, every_row);
  const auto all = table.asked(rates);
  print_law("fitted to all", fitted_law(all, ""));
  std::map<std::string, DecodeLaw> without;
  for (const auto& asked : all) {
    const auto [found, fresh] = without.try_emplace(asked.source());
    if (fresh) {
      found->second = fitted_law(all, asked.source());
      print_law("without " + asked.source(), found->second);
    }
  }
  fmt::print("\nBy a law fitted without the source\n\n");
  print(
      all, [&](const std::string& source) { return without.at(source); }, false);
}

}  // namespace

int main(int argc, char** argv) {
  const bool every_row = argc > 1 && std::string(argv[1]) == "rows";
  const auto rates = test::shipped_rates();
  Unfitted unfitted;
  unfitted.add(
      shown("decode_recent.csv", "Published later: no constant has seen them", rates, every_row)
          .asked(rates));
  const auto mixtures = shown("decode_experts.csv",
                              "Mixtures of experts: experts_rate alone was set to them",
                              rates,
                              every_row);
  const auto crowd = shown("decode_crowd.csv",
                           "500 sequences at once: of mixtures experts_rate was set to them",
                           rates,
                           every_row);
  unfitted.add(mixtures.asked(rates));
  unfitted.add(crowd.asked(rates));
  unfitted.add(
      shown("decode_servers.csv",
            "Servers of 2023 to 2026: the host time of vLLM's first engine was set to them",
            rates,
            every_row)
          .asked(rates));
  shown("decode_one.csv", "One sequence alone, small networks and mixtures", rates, every_row);
  shown("decode_small.csv", "Small networks, many sequences", rates, every_row);
  shown("decode_hybrids.csv",
        "Networks whose layers keep states: no constant has seen them",
        rates,
        every_row);
  unfitted.add(Table("decode_fp4.csv").asked(rates));
  show_fp4(rates, every_row);
  unfitted.print();
  show_instinct(rates, every_row);
  DecodeLaw as_others;
  as_others.experts_rate = 1;
  for (const auto& [name, figures] : {std::pair{"mixtures", &mixtures}, {"at once", &crowd}}) {
    print_row(fmt::format("{}: experts' products at the rate of others", name),
              figures->errors(rates, as_others, true));
    print_row(fmt::format("{}: experts as shipped", name), figures->errors(rates, {}, true));
    print_row(fmt::format("{}: dense", name), figures->errors(rates, {}, false));
  }
  fmt::print("\n");
  show_fit(rates, every_row);
}
