// Adapters against published counts, and what a network with them trains and holds.
#include <numeric>

#include <doctest/doctest.h>

#include "kernels/adapter_work.h"
#include "kernels/network_blocks.h"
#include "kernels/work.h"
#include "support/approx.h"

using namespace rightsize;

namespace {

const std::string folder = std::string(RIGHTSIZE_SOURCE_DIR) + "/models/calibration/networks/";

Network with(const std::string& name, const std::string& adapters, int sequence = 512) {
  auto network = make_network(name, sequence);
  network.adapters = parse_adapters(adapters).value();
  return network;
}

std::uint64_t trained(const Network& network) {
  const auto each = trained_parameters(network);
  return std::accumulate(each.begin(), each.end(), std::uint64_t{0});
}

}  // namespace

TEST_CASE("adapters: words read and written are the same, others are refused") {
  for (const auto* text : {"lora:16", "qlora:64", "lora:8:q_proj+v_proj", "qlora:1:down_proj"}) {
    CHECK(to_string(parse_adapters(text).value()) == text);
  }
  CHECK(to_string(Adapters{}).empty());
  CHECK(parse_adapters("lora:16:all-linear") == parse_adapters("lora:16"));
  CHECK(parse_adapters("LoRA:16") == parse_adapters("lora:16"));
  // As other families' programs call them.
  CHECK(parse_adapters("lora:8:c_attn") == parse_adapters("lora:8:q_proj+k_proj+v_proj"));
  CHECK(parse_adapters("lora:8:query_key_value+dense") ==
        parse_adapters("lora:8:q_proj+k_proj+v_proj+o_proj"));
  CHECK(parse_adapters("lora:8:qkv_proj+gate_up_proj") ==
        parse_adapters("lora:8:q_proj+k_proj+v_proj+gate_proj+up_proj"));
  CHECK(parse_adapters("lora:8:fc1+fc2") == parse_adapters("lora:8:up_proj+down_proj"));
  CHECK(parse_adapters("lora:8:Wqkv") == parse_adapters("lora:8:c_attn"));
  CHECK_FALSE(parse_adapters("lora:8:c_attn+q_proj"));  // that is in it
  for (const auto* text : {"none", "None", "no", "full"}) {
    CAPTURE(text);
    CHECK(parse_adapters(text) == Adapters{});
  }
  for (const auto* text : {"",
                           "lora",
                           "lora:",
                           "lora:0",
                           "lora:4097",
                           "lora:16:",
                           "lora:16:qkv",
                           "dora:16",
                           "lora:16x",
                           "lora:-1",
                           "lora:8:q_proj+",
                           "lora:8:+"}) {
    CAPTURE(text);
    CHECK_FALSE(parse_adapters(text));
  }
}

// lit-gpt's resource tables: 4 194 304 and 6 553 600 of Llama 2 7B and 13B, rank 8 on queries and
// values; PEFT's of Llama 7B is the same. Meta's Llama 3.1 8B of rank 16 on all linear layers:
// 41 943 040, as Unsloth's notebooks print.
TEST_CASE("adapters: as many parameters are trained as others publish") {
  CHECK(trained(with(folder + "llama-2-7b.json", "lora:8:q_proj+v_proj")) == 4'194'304);
  CHECK(trained(with(folder + "llama-2-13b.json", "lora:8:q_proj+v_proj")) == 6'553'600);
  CHECK(trained(with("llama-8b", "lora:16")) == 41'943'040);
  CHECK(trained(with("llama-8b", "qlora:16")) == 41'943'040);
  CHECK(trained(make_network("llama-160m")) == parameter_count(make_network("llama-160m")));
}

// diffusers' scripts have adapters of rank 4 on attention: of Stable Diffusion 1.5 a file of 3.2 MB
// (797,184 numbers of 4 bytes), of XL of 23 MB. huggingface.co/blog/flux-qlora prints 4,669,440 of
// FLUX.1, which are those of pictures: ours are of prompts too.
TEST_CASE("adapters: of denoisers as many as diffusers trains") {
  const auto* attention = "lora:4:q_proj+k_proj+v_proj+o_proj";
  CHECK(trained(with("sd-1.5-denoiser", attention, 0)) == 797'184);
  CHECK(trained(with("sdxl-denoiser", attention, 0)) == 5'806'080);
  const auto flux = with("flux-dev-denoiser", attention, 0);
  const auto each = trained_parameters(flux);
  std::uint64_t of_pictures = 0;
  std::uint64_t of_prompts = 0;
  for (std::size_t i = 0; i < each.size(); ++i) {
    const auto& name = flux.layers[i].name;
    const bool prompt = name.find("_prompt") != std::string::npos;
    const bool single_out = name.starts_with("single") && name.ends_with("_out");
    (prompt ? of_prompts : of_pictures) += single_out ? 0 : each[i];
  }
  CHECK(of_pictures == 4'669'440);
  CHECK(of_prompts == 19 * 4 * 4 * (3072 + 3072));
  const auto medium = with("sd3-medium-denoiser", attention, 0);
  CHECK(trained(medium) == (24 * 8 - 1) * 4 * (1536 + 1536));  // the last prompt goes nowhere
}

TEST_CASE("adapters: queries, keys and values of joint attention are told apart") {
  const auto count = [](const char* projections) {
    return trained(with("flux-dev-denoiser", std::string("lora:1:") + projections, 0));
  };
  const std::uint64_t square = 3072 + 3072;
  CHECK(count("q_proj") == (2 * 19 + 38) * square);
  CHECK(count("k_proj") == (2 * 19 + 38) * square);
  CHECK(count("v_proj") == (2 * 19 + 38) * square);
  CHECK(count("up_proj") == (2 * 19 + 38) * 5 * 3072);
  CHECK(count("down_proj") == 2 * 19 * 5 * 3072);
  CHECK(count("o_proj") == 2 * 19 * square + 38 * 6 * 3072);  // a single block's has both parts
}

// GPT-2's queries, keys and values lie in one matrix of 768 x 2304, two more in the perceptron.
TEST_CASE("adapters: every projection of a block is found, the head and the embedding are not") {
  const auto shapes = adapter_shapes(with("gpt2", "lora:4"));
  std::size_t pairs = 0;
  for (const auto& layer : shapes) {
    pairs += layer.size();
  }
  CHECK(pairs == 12 * 6);
  CHECK(shapes.back().empty());
  CHECK(trained(with("resnet50", "lora:4", 0)) == 0);
}

TEST_CASE("adapters: frozen parameters take their own width, and nothing else") {
  const auto plain = make_network("llama-8b", 512);
  const auto count = static_cast<double>(parameter_count(plain));
  const auto bytes = [](const Network& network) {
    return static_cast<double>(parameter_memory_bytes(network, Phase::train, Precision::bf16));
  };
  const double adapters = 41'943'040.0 * 18;
  CHECK(bytes(with("llama-8b", "lora:16")) == test::approx(2 * count + adapters));
  // Embedding, head and norms are in FP32 then.
  const double outside = 2.0 * 128256 * 4096 + 65 * 4096;
  CHECK(bytes(with("llama-8b", "qlora:16")) ==
        test::approx(4 * outside + 4.127 / 8 * (count - outside) + adapters));
  CHECK(bytes(plain) == test::approx(18 * count));
  CHECK(widened_matrix_bytes(with("llama-8b", "qlora:16"), Precision::bf16) == 2ull * 4096 * 28672);
  CHECK(widened_matrix_bytes(with("llama-8b", "lora:16"), Precision::bf16) == 0);
  const auto shared =
      sharded_parameter_bytes(with("llama-8b", "lora:16"), Phase::train, Precision::bf16, 8);
  CHECK(static_cast<double>(shared) > bytes(with("llama-8b", "lora:16")) / 8);
  CHECK(static_cast<double>(shared) < bytes(with("llama-8b", "lora:16")) / 2);
}

TEST_CASE("adapters: a frozen matrix has one gradient, and keeps no input of its own") {
  const auto all = make_network("llama-160m", 512);
  const auto some = with("llama-160m", "lora:8:q_proj+v_proj");
  double products = 0;
  double others = 0;
  for (std::size_t i = 0; i < all.layers.size(); ++i) {
    const auto work = layer_work(all, i);
    (all.layers[i].kind == LayerKind::linear ? products : others) += work.backward_flops;
  }
  CHECK(training_flops(some) == test::approx(forward_flops(all) + products / 2 + others));
  CHECK(activation_elements(some) < activation_elements(all));
  // Between each of 12 x 7 pairs 8 features; the frozen head does not read its 768.
  CHECK(activation_elements(with("llama-160m", "lora:8")) ==
        activation_elements(all) + 512 * (12 * 7 * 8 - 768));
}

// Attention's four matrices, as of a Llama of the same width: the experts are frozen, and their
// matrices have no gradient.
TEST_CASE("adapters: of a mixture of experts attention's alone are trained") {
  const std::string attention = "lora:16:q_proj+k_proj+v_proj+o_proj";
  const auto mixture = with("mixtral-8x7b", attention);
  CHECK(trained(mixture) == 13'631'488);
  CHECK(trained(mixture) == trained(with("llama-8b", attention)));
  const auto whole = make_network("mixtral-8x7b", 512);
  for (std::size_t i = 0; i < mixture.layers.size(); ++i) {
    if (mixture.layers[i].kind == LayerKind::experts) {
      const auto frozen = layer_work(mixture, i);
      CHECK(frozen.backward_flops == test::approx(frozen.forward_flops).epsilon(0.01));
      CHECK(layer_work(whole, i).backward_flops ==
            test::approx(2 * frozen.forward_flops).epsilon(0.01));
    }
  }
}
