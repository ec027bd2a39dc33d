// Decoding: bytes over bandwidth, caches against memory, sequences in flight by Little's law.
#include "models/laws/decode.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <map>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "figures/decode_figures.h"
#include "kernels/network.h"
#include "models/calibration_files.h"
#include "models/simulate/random.h"
#include "support/approx.h"

using namespace rightsize;

namespace {

// 8 billion parameters at 16 bits
constexpr DecodeWork work{.weight_bytes = 16e9,
                          .kv_bytes_per_token = 128e3,
                          .flops_per_token = 16e9,
                          .prompt_flops = 8.2e12};
const DecodeGpu gpu{
    .bytes_per_s = 1.5e12, .flops_per_s = 150e12, .memory_bytes = 80e9, .overhead_s = 0};

// Iterations played one by one: who came is let in while there is room, each iteration gives every
// sequence a token, and prompts are computed before it.
double played_tokens_in_flight(const DecodeLoad& load, int most, int arrivals) {
  simulate::Random random(17);
  double now = 0;
  double next = random.exponential(1 / load.sequences_per_s);
  std::deque<double> waiting;
  std::vector<int> left;
  int arrived = 0;
  double area = 0;
  while (arrived < arrivals) {
    for (; next <= now; next += random.exponential(1 / load.sequences_per_s)) {
      waiting.push_back(next);
      ++arrived;
    }
    double prompts = 0;
    while (!waiting.empty() && static_cast<int>(left.size()) < most) {
      waiting.pop_front();
      left.push_back(load.output_tokens);
      ++prompts;
    }
    if (left.empty()) {
      now = next;
      continue;
    }
    const double context = load.prompt_tokens + load.output_tokens / 2.0;
    const double step_s = prompts * work.prompt_flops / gpu.flops_per_s +
                          decode_step_seconds(work, gpu, static_cast<double>(left.size()), context);
    area += static_cast<double>(left.size()) * step_s;
    now += step_s;
    for (auto& tokens : left) {
      --tokens;
    }
    left.erase(std::remove(left.begin(), left.end(), 0), left.end());
  }
  return area / now;
}

}  // namespace

// Batches of prompts computed together and then decoded to the end, by TensorRT-LLM 0.6.1 in FP16
// on an A100 of 80 GB: NVIDIA/TensorRT-LLM docs/source/performance.md at 138f96d45f, "Peak
// Throughput".
TEST_CASE("decode: TensorRT-LLM's published rates of Llama-2 7B and GPT-J 6B") {
  struct Published {
    double parameters;
    double vocabulary;
    int layers;  // of 4096 channels, each with its own keys and values
    int sequences;
    int prompt;
    int output;
    double tokens_per_s;
  };
  const auto rates = test::shipped_rates();
  const auto a100 = decode_gpu(*rates.find("A100-80GB"), {Precision::fp16});
  for (const auto& row : {Published{6.74e9, 32e3, 32, 384, 128, 128, 5586},
                          Published{6.74e9, 32e3, 32, 60, 128, 2048, 1928},
                          Published{6.74e9, 32e3, 32, 52, 2048, 128, 591},
                          Published{6.05e9, 50.4e3, 28, 512, 128, 128, 6374},
                          Published{6.05e9, 50.4e3, 28, 60, 2048, 128, 670}}) {
    const double channels = 4096.0 * row.layers;
    const auto flops = [&](double context) { return 2 * row.parameters + 4 * channels * context; };
    const double context = row.prompt + row.output / 2.0;
    const double table = 4096 * row.vocabulary;  // of which a token reads a row
    const double head = table;                   // of which a prompt needs the last token's product
    const DecodeWork model{.weight_bytes = 2 * row.parameters,
                           .kv_bytes_per_token = 4 * channels,
                           .flops_per_token = flops(context),
                           .prompt_flops = row.prompt * flops(row.prompt / 2.0) -
                                           (row.prompt - 1) * 2 * head - row.prompt * 2 * table};
    const double seconds = row.sequences * model.prompt_flops / a100.flops_per_s +
                           row.output * decode_step_seconds(model, a100, row.sequences, context);
    CAPTURE(row.parameters);
    CAPTURE(row.prompt);
    CHECK(row.sequences * row.output / seconds == test::approx(row.tokens_per_s).epsilon(0.18));
  }
}

TEST_CASE("decode: an iteration is bytes over bandwidth, or FLOPs over their rate") {
  CHECK(decode_step_seconds(work, gpu, 1, 1000) == test::approx((16e9 + 128e6) / 1.5e12));
  CHECK(decode_step_seconds(work, gpu, 64, 1000) == test::approx((16e9 + 64 * 128e6) / 1.5e12));
  CHECK(decode_step_seconds(work, gpu, 4000, 1) ==
        test::approx(4000 * 16e9 / 150e12 + 4000 * 128e3 / 1.5e12));
}

TEST_CASE("decode: an iteration's parts are what it is made of") {
  auto slow = gpu;
  slow.overhead_s = 1e-3;
  const auto step = decode_step(work, slow, 10, 1000);
  CHECK(step.weights_s == test::approx(16e9 / 1.5e12));
  CHECK(step.products_s == test::approx(10 * 16e9 / 150e12));
  CHECK(step.caches_s == test::approx(10 * 1000 * 128e3 / 1.5e12));
  CHECK(step.reduces_s == 0);
  CHECK(decode_step_seconds(work, slow, 10, 1000) ==
        test::approx(1e-3 + step.weights_s + step.caches_s));
  const auto many = decode_step(work, slow, 1000, 1000);
  CHECK(many.products_s > many.weights_s);
  CHECK(many.seconds() == test::approx(1e-3 + many.products_s + many.caches_s));
}

TEST_CASE("decode: caches take the memory that the weights leave") {
  CHECK(sequences_that_fit(work, gpu, 1000) == 500);
  CHECK(sequences_that_fit(work, gpu, 10'000) == 50);
  const DecodeGpu small{
      .bytes_per_s = 3e11, .flops_per_s = 60e12, .memory_bytes = 15e9, .overhead_s = 0};
  CHECK(sequences_that_fit(work, small, 1000) == 0);
  CHECK(serve_decode(work, small, {1, 512, 128}).regime == DecodeRegime::too_small);
}

TEST_CASE("decode: one sequence alone writes at bandwidth over weights") {
  const auto alone = serve_decode(work, gpu, {0, 1, 1000});
  CHECK(alone.tokens_per_s == test::approx(1.5e12 / 16e9).epsilon(0.06));
  CHECK(alone.regime == DecodeRegime::memory_bound);
  auto behind = gpu;  // a host that takes longer for a token than the GPU
  behind.host_sequence_s = 2 * alone.token_s;
  CHECK(serve_decode(work, behind, {0, 1, 1000}).regime == DecodeRegime::host_bound);
}

TEST_CASE("decode: sequences in flight follow Little's law and the played iterations") {
  for (const double rate : {0.5, 2.0, 6.0}) {
    const DecodeLoad load{rate, 512, 128};
    const auto point = serve_decode(work, gpu, load);
    CAPTURE(rate);
    REQUIRE(point.regime != DecodeRegime::saturated);
    if (point.sequences > 1) {
      CHECK(point.sequences ==
            test::approx(rate * load.output_tokens * point.token_s).epsilon(1e-6));
    }
    const double played = played_tokens_in_flight(load, point.most_sequences, 20'000);
    CHECK(point.sequences == test::approx(played).epsilon(0.10));
    CHECK(point.tokens_per_s == test::approx(rate * 128));
  }
}

TEST_CASE("decode: beyond what the caches allow it is saturated at that rate") {
  const auto calm = serve_decode(work, gpu, {1, 512, 128});
  const auto flooded = serve_decode(work, gpu, {1000, 512, 128});
  CHECK(flooded.regime == DecodeRegime::saturated);
  CHECK(flooded.sequences == flooded.most_sequences);
  CHECK(flooded.tokens_per_s == test::approx(flooded.most_sequences_per_s * 128));
  CHECK(flooded.most_sequences_per_s == test::approx(calm.most_sequences_per_s));
  CHECK(flooded.token_s > calm.token_s);
  CHECK(calm.first_token_s < calm.sequence_s);
}

TEST_CASE("decode: Llama 8B's weights and caches are its configuration's arithmetic") {
  const DecodeLoad load{1, 512, 128};
  const auto llama = decode_work(make_network("llama-8b"), {Precision::bf16}, load);
  CHECK(llama.weight_bytes == test::approx(8.03e9 * 2).epsilon(0.02));
  // 32 layers, 8 heads of 128 for keys and as many for values, two bytes.
  CHECK(llama.kv_bytes_per_token == test::approx(2.0 * 32 * 8 * 128 * 2));
  CHECK(llama.flops_per_token == test::approx(2 * 8e9).epsilon(0.15));
  // The layers' 7.0 billion multiply every token, the head's 0.5 billion the last one; attention
  // over half of the prompt.
  const double head = 128'256.0 * 4096;
  CHECK(llama.prompt_flops ==
        test::approx(2 * (512 * (8.03e9 - 2 * head) + head) + 512 * 4 * 4096.0 * 32 * 256)
            .epsilon(0.01));
  const auto rates = test::shipped_rates();
  const auto* a100 = rates.find("A100-80GB");
  REQUIRE(a100 != nullptr);
  const auto alone = serve_decode(llama, decode_gpu(*a100, {Precision::bf16}), {0, 512, 128});
  CHECK(alone.tokens_per_s > 60);  // weights at 2.04 TB/s allow 127 at the very most
  CHECK(alone.tokens_per_s < 127);
}

TEST_CASE("decode: a node's GPUs divide the work and pay two all-reduces a layer") {
  const DecodeLoad load{1, 512, 128};
  const auto whole = decode_work(make_network("llama-8b"), {Precision::bf16}, load);
  CHECK(whole.reduces == 2 * 32);
  CHECK(whole.heads == 32);
  CHECK(whole.kv_heads == 8);
  CHECK(divides_heads(whole, 8));
  CHECK_FALSE(divides_heads(whole, 3));
  const auto part = tensor_parallel(whole, 4);
  CHECK(part.weight_bytes == test::approx(whole.weight_bytes / 4));
  CHECK(part.kv_bytes_per_token == test::approx(whole.kv_bytes_per_token / 4));
  // Sixteen GPUs hold each of the eight heads of keys and values twice.
  CHECK(tensor_parallel(whole, 16).kv_bytes_per_token ==
        test::approx(whole.kv_bytes_per_token / 8));
  // Ten heads among four: two GPUs hold three.
  DecodeWork ten = whole;
  ten.heads = 40;
  ten.kv_heads = 10;
  CHECK(tensor_parallel(ten, 4).kv_bytes_per_token == test::approx(0.3 * whole.kv_bytes_per_token));
  const auto rates = test::shipped_rates();
  const auto& a100 = *rates.find("A100-80GB");
  const DecodeForm form{Precision::bf16};
  CHECK(reduce_seconds(whole, decode_gpu(a100, form, 1), 1) == 0);
  // One token of 8 KiB is all latency: a tree's four steps between four GPUs.
  const DecodeLaw law;
  CHECK(reduce_seconds(part, decode_gpu(a100, form, 4), 1) ==
        test::approx(64 * 4 * law.nvlink_latency_s).epsilon(0.02));
  const auto alone = [&](int gpus) {
    return serve_decode(tensor_parallel(whole, gpus), decode_gpu(a100, form, gpus), {0, 512, 128});
  };
  CHECK(alone(2).tokens_per_s > alone(1).tokens_per_s);
  CHECK(alone(2).tokens_per_s < 2 * alone(1).tokens_per_s);
  CHECK(alone(8).most_sequences > alone(1).most_sequences);
  CHECK(reduce_seconds(part, decode_gpu(a100, form, 4, *parse_interconnect("PCIe")), 1) >
        reduce_seconds(part, decode_gpu(a100, form, 4), 1));
}

TEST_CASE("decode: narrow weights are held and read narrow, FP8 multiplies where the GPU does") {
  const DecodeLoad load{1, 512, 128};
  const auto network = make_network("llama-8b");
  const auto of = [&](WeightFormat weights) {
    return decode_work(network, {Precision::bf16, weights}, load);
  };
  const double table = 128'256.0 * 4096;  // of tokens, and the head: at 16 bits always
  const double matrices = 8.03e9 - 2 * table;
  CHECK(of(WeightFormat::own).table_bytes == test::approx(2 * table));
  CHECK(of(WeightFormat::int8).weight_bytes == test::approx(matrices + 4 * table).epsilon(0.01));
  CHECK(of(WeightFormat::int4).weight_bytes ==
        test::approx(4.5 / 8 * matrices + 4 * table).epsilon(0.01));
  CHECK(of(WeightFormat::int4).kv_bytes_per_token == of(WeightFormat::own).kv_bytes_per_token);
  const auto rates = test::shipped_rates();
  const auto rate = [&](const char* gpu, WeightFormat weights) {
    return decode_gpu(*rates.find(gpu), {Precision::bf16, weights}).flops_per_s;
  };
  CHECK(rate("H100", WeightFormat::fp8) > 1.5 * rate("H100", WeightFormat::own));
  CHECK(rate("A100-80GB", WeightFormat::fp8) == rate("A100-80GB", WeightFormat::own));
  CHECK(rate("H100", WeightFormat::int8) == rate("H100", WeightFormat::own));
}

// The law's constants are fitted to most of these (tests/bench/tokens.cpp prints them without).
TEST_CASE("decode: published rates are met within what models/README.md says") {
  const auto figures = parse_decode_figures(test::calibration_text("decode_rates.csv"));
  REQUIRE(figures.size() > 200);
  const auto networks =
      networks_of(figures, std::string(RIGHTSIZE_SOURCE_DIR) + "/models/calibration/networks");
  const auto rates = test::shipped_rates();
  std::map<std::string, std::vector<double>> errors;
  int refused = 0;
  for (const auto& figure : figures) {
    const auto* gpu = rates.find(figure.gpu);
    REQUIRE(gpu != nullptr);
    const auto predicted = predicted_tokens_per_s(figure, networks.at(figure.network), *gpu);
    refused += predicted ? 0 : 1;
    if (predicted && figure.kind != DecodeRate::prompt) {
      errors[figure.software].push_back(std::abs(std::log(*predicted / figure.tokens_per_s)));
    }
  }
  CHECK(refused <= 4);
  const auto quantile = [&](const char* software, double share) {
    auto& found = errors.at(software);
    std::sort(found.begin(), found.end());
    return found[static_cast<std::size_t>(share * static_cast<double>(found.size() - 1))];
  };
  CHECK(quantile("TensorRT-LLM", 0.5) < 0.11);
  CHECK(quantile("TensorRT-LLM", 0.9) < 0.30);
  CHECK(quantile("gpt-fast", 0.5) < 0.12);
  CHECK(quantile("MLC LLM", 0.5) < 0.12);
  CHECK(quantile("llama.cpp", 0.5) < 0.15);
  for (const char* program : {"AutoAWQ", "Exllama V2", "Exllama", "TinyChat", "LMDeploy"}) {
    CAPTURE(program);
    CHECK(quantile(program, 0.5) < 0.12);
    CHECK(quantile(program, 0.9) < 0.25);
  }
  // Not by generate(), which waits for Python (decode_host_test): too slow, as models/README.md
  // says.
  CHECK(quantile("Hugging Face", 0.5) < 0.40);
}

// No constant has seen these; between one sequence and the largest load among them.
TEST_CASE("decode: rates published later are met blind") {
  const auto figures = parse_decode_figures(test::calibration_text("decode_recent.csv"));
  REQUIRE(figures.size() >= 18);
  const auto networks =
      networks_of(figures, std::string(RIGHTSIZE_SOURCE_DIR) + "/models/calibration/networks");
  const auto rates = test::shipped_rates();
  int between = 0;
  for (const auto& figure : figures) {
    const auto predicted =
        predicted_tokens_per_s(figure, networks.at(figure.network), *rates.find(figure.gpu));
    REQUIRE(predicted);
    CAPTURE(figure.source);
    CAPTURE(figure.sequences);
    const bool fitted = figure.software == "TensorRT-LLM";
    CHECK(std::abs(std::log(*predicted / figure.tokens_per_s)) < (fitted ? 0.12 : 0.25));
    between += figure.kind == DecodeRate::some ? 1 : 0;
  }
  CHECK(between >= 10);
}
