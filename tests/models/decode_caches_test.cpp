// Caches that are not as long as the sequence times the heads: windows, and latents.
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "kernels/networks/llama.h"
#include "models/calibration_files.h"
#include "models/laws/decode.h"
#include "support/approx.h"

using namespace rightsize;

// Mistral 7B as of 2023, whose 32 layers see 4096 positions: 8 heads of 128 for keys and values.
TEST_CASE("decode: caches of a window stop growing where it is full") {
  LlamaConfig config{.name = "windowed",
                     .title = "Windowed",
                     .layers = 32,
                     .width = 4096,
                     .heads = 32,
                     .kv_heads = 8,
                     .head_dim = 128,
                     .feed_forward = 14'336,
                     .vocabulary = 32'000,
                     .context = 32'768,
                     .window = 4096,
                     .windowed = std::vector<bool>(32, true)};
  const auto work_of = [&](const DecodeLoad& load) {
    return decode_work(make_llama(config, 64), {Precision::bf16}, load);
  };
  const DecodeLoad load{1, 16'384, 1024};
  const auto all = work_of(load);
  const double token = 2.0 * 32 * 8 * 128 * 2;
  CHECK(sequence_cache_bytes(all, 1000) == test::approx(1000 * token));
  CHECK(sequence_cache_bytes(all, 4096) == test::approx(4096 * token));
  CHECK(sequence_cache_bytes(all, 20'000) == test::approx(4096 * token));
  CHECK(mean_cache_bytes(all, 8192) == test::approx(token / 2));
  for (std::size_t i = 0; i < 32; i += 2) {
    config.windowed[i] = false;  // every other layer sees all
  }
  const auto half = work_of(load);
  CHECK(sequence_cache_bytes(half, 20'000) == test::approx((20'000 + 4096) / 2.0 * token));
  CHECK(sequence_cache_bytes(tensor_parallel(half, 2), 20'000) ==
        test::approx((20'000 + 4096) / 4.0 * token));
  config.window = 0;
  const auto whole = work_of(load);
  const auto rates = test::shipped_rates();
  const auto gpu = decode_gpu(*rates.find("A100"), {Precision::bf16});
  CHECK(sequences_that_fit(all, gpu, 16'384) ==
        test::approx(4 * sequences_that_fit(whole, gpu, 16'384)).epsilon(0.1));
  CHECK(decode_step(half, gpu, 8, 17'000).caches_s ==
        test::approx(8 * (17'000 + 4096) / 2.0 * token / gpu.bytes_per_s));
  // Scores and sums of a prompt, and the softmax: 4096 - 4096 * 4095 / 2 / 16384 positions seen by
  // each where 8192.5 would be.
  const double seen = 4096 - 4096.0 * 4095 / 2 / 16'384;
  CHECK(whole.prompt_flops - all.prompt_flops ==
        test::approx(32.0 * 16'384 * 32 * (8192.5 - seen) * (4 * 128 + 5)));
}

// What a prompt of p takes less what one of c does: its own tokens, each beside all before it.
TEST_CASE("decode: of a prompt whose beginning is cached the rest is computed") {
  const auto network = make_llama(LlamaConfig{.name = "whole",
                                              .title = "Whole",
                                              .layers = 32,
                                              .width = 4096,
                                              .heads = 32,
                                              .kv_heads = 8,
                                              .head_dim = 128,
                                              .feed_forward = 14'336,
                                              .vocabulary = 128'256,
                                              .context = 32'768},
                                  64);
  const auto work_of = [&](int prompt, int cached) {
    return decode_work(network, {Precision::bf16}, {0, prompt, 128, cached});
  };
  const auto all = work_of(8192, 0);
  const auto rest = work_of(8192, 7168);
  const auto begun = work_of(7168, 0);
  CHECK(rest.prompt_flops < 0.2 * all.prompt_flops);
  // Each of the two computes the head of its last token.
  const double head = 2.0 * 4096 * 128'256;
  CHECK(rest.prompt_flops + begun.prompt_flops - head == test::approx(all.prompt_flops));
  CHECK(sequence_cache_bytes(rest, 8320) == sequence_cache_bytes(all, 8320));
  const auto rates = test::shipped_rates();
  const auto gpu = decode_gpu(*rates.find("H100"), {Precision::bf16});
  const DecodeLoad cold{2, 8192, 128};
  const DecodeLoad warm{2, 8192, 128, 7168};
  CHECK(serve_decode(rest, gpu, warm).first_token_s <
        0.3 * serve_decode(all, gpu, cold).first_token_s);
  CHECK(serve_decode(rest, gpu, warm).most_sequences_per_s >
        2 * serve_decode(all, gpu, cold).most_sequences_per_s);
  CHECK(serve_decode(rest, gpu, warm).most_sequences ==
        serve_decode(all, gpu, cold).most_sequences);
}

// DeepSeek-V3: 61 layers of 128 heads, which read the same 512 + 64 features of a position.
TEST_CASE("decode: all heads read the same latents, on every GPU, and multiply them") {
  const LlamaConfig config{.name = "latent",
                           .title = "Latent",
                           .layers = 61,
                           .width = 7168,
                           .heads = 128,
                           .kv_heads = 128,
                           .head_dim = 56,
                           .feed_forward = 18'432,
                           .vocabulary = 129'280,
                           .context = 163'840,
                           .latent = {512, 1536, 128, 64, 128}};
  const auto whole = decode_work(make_llama(config, 64), {Precision::bf16}, {1, 4096, 1024});
  CHECK(whole.kv_bytes_per_token == test::approx(61 * 576 * 2));
  CHECK(whole.reduce_bytes_per_token == 7168 * 2);
  const auto part = tensor_parallel(whole, 8);
  CHECK(part.kv_bytes_per_token == whole.kv_bytes_per_token);
  // Scores of 576 and sums of 512 features, 16 heads of a GPU, and the softmax.
  const double flops = 61 * 16.0 * (2 * (576 + 512) + 5);
  CHECK(part.flops_per_cached_token == test::approx(flops));
  const auto rates = test::shipped_rates();
  const auto h200 = decode_gpu(*rates.find("H200"), {Precision::bf16}, 8);
  // 16 heads: 30 FLOP a byte, which an H200 reads for longer than it multiplies; 128: 242.
  CHECK(decode_step(part, h200, 4, 5000).caches_s ==
        test::approx(4 * 5000 * 61 * 1152 / h200.bytes_per_s));
  CHECK(decode_step(whole, h200, 4, 5000).caches_s ==
        test::approx(4 * 5000 * 8 * flops / h200.attention_flops_per_s));
  // Prompts have their keys and values made: 128 + 64 features scored, 128 summed.
  const double seen = (4096 + 1) / 2.0;
  const auto longer = decode_work(make_llama(config, 64), {Precision::bf16}, {1, 8192, 1024});
  const double longer_seen = (8192 + 1) / 2.0;
  const double attention = 61 * 128.0 * (2 * (192 + 128) + 5);
  CHECK(longer.prompt_flops - 2 * whole.prompt_flops ==
        test::approx(attention * 8192 * (longer_seen - seen)).epsilon(0.001));
}

// Mixtral 8x22B on eight GPUs: attention whole on each, an eighth of the rest.
TEST_CASE("decode: GPUs of a mixture may have sequences of their own") {
  const DecodeLoad load{1, 4096, 1024};
  const auto whole = decode_work(make_network("mixtral-8x22b"), {Precision::bf16}, load);
  // 48 heads of 128, 8 of keys and of values, 56 layers, two bytes.
  const double matrices = 56 * 2.0 * 6144 * (48 + 2 * 8 + 48) * 128;
  CHECK(whole.attention_bytes == test::approx(matrices));
  CHECK(attention_sharings(whole, 1).size() == 1);
  CHECK(attention_sharings(whole, 8).size() == 2);
  const auto dense = decode_work(make_network("llama-8b"), {Precision::bf16}, load);
  CHECK(attention_sharings(dense, 8).size() == 1);
  const auto heads = shared_work(whole, 8, AttentionSharing::by_heads);
  const auto own = shared_work(whole, 8, AttentionSharing::by_sequences);
  CHECK(own.weight_bytes - heads.weight_bytes == test::approx(matrices * 7 / 8));
  CHECK(own.kv_bytes_per_token == heads.kv_bytes_per_token);  // eight heads: one each, or all
  CHECK(own.reduces * 2 == heads.reduces);
  // Of 16 GPUs two would hold each head: with sequences of their own they hold none twice.
  CHECK(shared_work(whole, 16, AttentionSharing::by_sequences).kv_bytes_per_token ==
        test::approx(heads.kv_bytes_per_token / 2));
  const auto rates = test::shipped_rates();
  const auto h100 = decode_gpu(*rates.find("H100"), {Precision::bf16}, 8);
  // One sequence lies on one GPU, and its cache is read there.
  CHECK(decode_step(own, h100, 1, 4000).caches_s ==
        test::approx(4000 * whole.kv_bytes_per_token / h100.bytes_per_s));
  CHECK(decode_step(own, h100, 80, 4000).caches_s ==
        test::approx(decode_step(heads, h100, 80, 4000).caches_s));
  CHECK(decode_step(own, h100, 1, 4000).weights_s > decode_step(heads, h100, 1, 4000).weights_s);
  CHECK(sequences_that_fit(own, h100, 5120) % 8 == 0);
  // A prompt alone has its attention computed by one GPU, eight each by its own.
  const double rate = product_flops_per_s(own, h100);
  CHECK(rate == test::approx(DecodeLaw{}.experts_rate * h100.flops_per_s));
  CHECK(product_flops_per_s(dense, h100) == h100.flops_per_s);
  const double unshared = whole.prompt_attention_flops * 7 / 8;
  const auto products = [&](double prompts) {
    return prompts_seconds(own, h100, load, 500, prompts) -
           prompts * reduce_seconds(own, h100, load.prompt_tokens);
  };
  CHECK(products(1) == test::approx((whole.prompt_flops / 8 + unshared) / rate).epsilon(1e-6));
  CHECK(products(8) == test::approx(whole.prompt_flops / rate).epsilon(1e-6));
}

// ggml-org/llama.cpp's q8_0: 32 numbers of 8 bits share one of 16.
TEST_CASE("decode: llama.cpp's narrow caches have scales beside them") {
  const auto network = make_network("llama-8b");
  const auto bytes = [&](const DecodeForm& form) {
    return decode_work(network, form, {}).kv_bytes_per_token;
  };
  const double wide = bytes({Precision::bf16});
  CHECK(bytes({Precision::bf16, WeightFormat::own, true}) == test::approx(wide / 2));
  CHECK(bytes({Precision::bf16, WeightFormat::own, true, true}) ==
        test::approx(wide / 2 * 34 / 32));
  CHECK(bytes({Precision::bf16, WeightFormat::own, false, true}) == wide);  // they are not narrow
}
