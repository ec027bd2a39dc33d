#include "figures/decode_figures.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "models/calibration_table.h"
#include "models/laws/decode_host.h"
#include "models/laws/decode_software.h"
#include "models/model.h"

namespace rightsize {
namespace {

constexpr const char* table_name = "calibration/decode_rates.csv";

[[noreturn]] void fail(const TableRow& row, const char* field) {
  throw ModelError(
      fmt::format("{}:{}: {} = \"{}\" is not known", table_name, row.line, field, row.text(field)));
}

DecodeRate kind_of(const TableRow& row) {
  const auto& word = row.text("kind");
  if (word != "alone" && word != "prompt" && word != "some" && word != "most") {
    fail(row, "kind");
  }
  return word == "alone"    ? DecodeRate::alone
         : word == "prompt" ? DecodeRate::prompt
         : word == "some"   ? DecodeRate::some
                            : DecodeRate::most;
}

DecodeForm form_of(const TableRow& row) {
  const auto& weights = row.text("weights");
  const auto& caches = row.text("caches");
  const auto format = weights == "16bit" ? WeightFormat::own : parse_weight_format(weights);
  if (!format) {
    fail(row, "weights");
  }
  if (caches != "16bit" && caches != "fp8") {
    fail(row, "caches");
  }
  return {Precision::fp16, *format, caches == "fp8"};
}

}  // namespace

std::vector<DecodeFigure> parse_decode_figures(std::string_view csv) {
  std::vector<DecodeFigure> figures;
  for (const auto& row : parse_table(csv, table_name)) {
    const auto links = parse_interconnect(row.text("interconnect"));
    if (!links) {
      fail(row, "interconnect");
    }
    figures.push_back({kind_of(row),
                       row.text("network"),
                       form_of(row),
                       row.text("gpu"),
                       static_cast<int>(row.number("gpus")),
                       *links,
                       static_cast<int>(row.number("sequences")),
                       static_cast<int>(row.number("prompt_tokens")),
                       static_cast<int>(row.number("output_tokens")),
                       row.number("tokens_per_s"),
                       row.text("software"),
                       row.text("source")});
  }
  return figures;
}

namespace {

std::optional<double> tokens_per_s(const DecodeFigure& figure,
                                   const DecodeWork& work,
                                   const DecodeGpu& replica) {
  const DecodeLoad load{0, figure.prompt_tokens, figure.output_tokens};
  const int most = sequences_that_fit(work, replica, figure.prompt_tokens + figure.output_tokens);
  if (most == 0) {
    return std::nullopt;
  }
  switch (figure.kind) {
    case DecodeRate::alone:
      return 1 / decode_step_seconds(
                     work, replica, 1, figure.prompt_tokens + figure.output_tokens / 2.0);
    case DecodeRate::prompt:
      return figure.prompt_tokens /
             (overhead_seconds(work, replica) + prompt_seconds(work, replica, load));
    case DecodeRate::some: {
      const double together = std::min(figure.sequences, most);
      return together / decode_period_seconds(work, replica, load, together);
    }
    case DecodeRate::most:
      return most / decode_period_seconds(work, replica, load, most);
  }
  return std::nullopt;
}

}  // namespace

std::optional<double> predicted_tokens_per_s(const DecodeFigure& figure,
                                             const Network& network,
                                             const GpuSpec& gpu,
                                             const DecodeLaw& law) {
  const auto whole =
      decode_work(network, figure.form, {0, figure.prompt_tokens, figure.output_tokens});
  const auto software = decode_software(figure.software).value_or("");
  const auto replica =
      served_by(decode_gpu(gpu, figure.form, figure.gpus, figure.links, law), gpu, software);
  std::optional<double> best;
  for (const auto sharing : attention_sharings(whole, figure.gpus)) {
    if (sharing == AttentionSharing::by_sequences && !shares_by_sequences(software, network)) {
      continue;
    }
    const auto rate = tokens_per_s(figure, shared_work(whole, figure.gpus, sharing), replica);
    best = std::max(best, rate);
  }
  return best;
}

std::map<std::string, Network> networks_of(const std::vector<DecodeFigure>& figures,
                                           const std::string& folder) {
  std::map<std::string, Network> networks;
  for (const auto& figure : figures) {
    if (networks.contains(figure.network)) {
      continue;
    }
    const auto path = fmt::format("{}/{}.json", folder, figure.network);
    const bool from_file = std::filesystem::exists(path);
    networks.emplace(figure.network, make_network(from_file ? path : figure.network));
  }
  return networks;
}

}  // namespace rightsize
