// How far the laws of waiting for tokens (laws/decode_latency.h) are from the replicas played
// iteration by iteration, in their 99th percentiles: what decode_latency_log_sd() is set by. Prints
// Markdown; models/README.md holds its output.
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "kernels/network.h"
#include "models/calibration_files.h"
#include "models/simulate/decode.h"

using namespace rightsize;

namespace {

struct Lengths {
  int prompt_tokens;
  int output_tokens;
};
constexpr std::array<Lengths, 3> lengths{{{128, 256}, {512, 128}, {2048, 256}}};
constexpr std::array<double, 6> shares{0.05, 0.2, 0.4, 0.6, 0.75, 0.85};

// How these spread over sequences, over their means.
struct Spread {
  double prompts_cv = 0;
  double outputs_cv = 0;
  double burst = 1;  // sequences that come together
};

// A replica by the load's lengths.
using Machine = std::function<DecodeReplicas(const DecodeLoad&)>;

// 8 billion parameters at 16 bits; prompts of the load's length at 16 GFLOP a token.
Machine dense(double bytes_per_s, double flops_per_s, double memory_bytes) {
  return [=](const DecodeLoad& load) {
    return DecodeReplicas{{.weight_bytes = 16e9,
                           .kv_bytes_per_token = 128e3,
                           .flops_per_token = 16e9,
                           .prompt_flops = 16e9 * load.prompt_tokens},  // attention aside
                          {.bytes_per_s = bytes_per_s,
                           .flops_per_s = flops_per_s,
                           .memory_bytes = memory_bytes,
                           .overhead_s = 1e-3}};
  };
}

Machine of_network(const GpuRates& rates, const char* network, const char* gpu) {
  return [&rates, network, gpu](const DecodeLoad& load) {
    const DecodeForm form{Precision::bf16};
    return DecodeReplicas{decode_work(make_network(network), form, load),
                          decode_gpu(*rates.find(gpu), form)};
  };
}

// A mixture with FP8 weights on eight GPUs that have attention for sequences of their own.
Machine by_sequences(const GpuRates& rates, const std::string& network, const char* gpu) {
  return [&rates, network, gpu](const DecodeLoad& load) {
    const DecodeForm form{Precision::bf16, WeightFormat::fp8};
    return DecodeReplicas{attention_parallel(decode_work(make_network(network), form, load), 8),
                          decode_gpu(*rates.find(gpu), form, 8)};
  };
}

struct Errors {
  std::vector<double> logs;  // ln(played / law)
  int inside = 0;            // 90 % intervals that hold what was played

  void add(double log_ratio, double log_sd) {
    logs.push_back(log_ratio);
    inside += std::abs(log_ratio) <= 1.645 * log_sd + 1e-9 ? 1 : 0;
  }
};

std::string summary(Errors errors) {
  auto& logs = errors.logs;
  std::sort(logs.begin(), logs.end());
  double squares = 0;
  for (const double log : logs) {
    squares += log * log;
  }
  const auto at = [&](double share) {
    return std::exp(-logs[static_cast<std::size_t>(share * static_cast<double>(logs.size() - 1))]);
  };
  const auto n = static_cast<double>(logs.size());
  return fmt::format("{:.2f} … {:.2f} … {:.2f} | {:.3f} | {:.0f} %",
                     at(1),
                     at(0.5),
                     at(0),
                     std::sqrt(squares / n),
                     100 * errors.inside / n);
}

void print_row(const std::vector<Machine>& machines,
               const Spread& spread,
               int count,
               double share) {
  Errors first;
  Errors token;
  for (const auto& machine : machines) {
    for (const auto& [prompt_tokens, output_tokens] : lengths) {
      DecodeLoad load{0, prompt_tokens, output_tokens};
      load.prompt_stddev = spread.prompts_cv * prompt_tokens;
      load.output_stddev = spread.outputs_cv * output_tokens;
      load.burst = spread.burst;
      auto replicas = machine(load);
      replicas.count = count;
      const auto alone = serve_decode(replicas.work, replicas.gpu, load);
      load.sequences_per_s = share * count * alone.most_sequences_per_s;
      const auto law = decode_latency(replicas, load);
      const auto sd = decode_latency_log_sd(replicas, load);
      const auto played = simulate_decode(replicas, load, {20'000 * count, 3});
      first.add(std::log(played.first_token_p99_s / law.first_token_p99_s), sd.first_token);
      token.add(std::log(played.token_p99_s / law.token_p99_s), sd.token);
    }
  }
  fmt::print("| {} | {:.2f} | {} | {} | {} |\n",
             count,
             share,
             first.logs.size(),
             summary(first),
             summary(token));
}

void print_table(const std::string& title,
                 const std::vector<Machine>& machines,
                 const Spread& spread = {}) {
  fmt::print(
      "{}\n\n"
      "| replicas | of the most | points | first token, law / played: least, median, most | rms of "
      "ln | inside 90 % | a token | rms of ln | inside 90 % |\n"
      "|--:|--:|--:|---|--:|--:|---|--:|--:|\n",
      title);
  for (const int count : {1, 2, 8}) {
    for (const double share : shares) {
      print_row(machines, spread, count, share);
    }
  }
}

}  // namespace

int main() {
  const auto rates = test::shipped_rates();
  const std::vector<Machine> gpus{dense(1.5e12, 150e12, 74e9), dense(0.6e12, 235e12, 44e9)};
  const std::vector<Machine> mixtures{of_network(rates, "mixtral-8x7b", "H200"),
                                      of_network(rates, "qwen1.5-moe-a2.7b", "L40S")};
  const std::vector<Machine> sharing{
      by_sequences(
          rates,
          std::string(RIGHTSIZE_SOURCE_DIR) + "/models/calibration/networks/deepseek-v3.json",
          "H200"),
      by_sequences(rates, "mixtral-8x22b", "H100")};
  for (const double burst : {4.0, 16.0}) {
    print_table(fmt::format("\n8 billion parameters, on an A100 and an L40S; in bursts of {:g}, "
                            "prompts spread by 0.96, outputs by 0.77",
                            burst),
                gpus,
                {0.96, 0.77, burst});
  }
  // Of token_lengths.csv: all as long, a provider's conversations, its programmers.
  for (const auto& spread : {Spread{}, Spread{0.96, 0.77}, Spread{0.96, 2.15}}) {
    const auto spread_words = fmt::format(
        "prompts spread by {:g}, outputs by {:g}", spread.prompts_cv, spread.outputs_cv);
    print_table("\n8 billion parameters, on an A100 and an L40S; " + spread_words, gpus, spread);
    print_table(
        "\nOf experts: Mixtral 8x7B on an H200, Qwen1.5-MoE-A2.7B on an L40S; " + spread_words,
        mixtures,
        spread);
    print_table(
        "\nAttention by sequences: DeepSeek-V3 on eight H200, Mixtral 8x22B on eight H100; " +
            spread_words,
        sharing,
        spread);
  }
}
