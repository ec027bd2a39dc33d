// The command of a language model's server, in every file that starts it.
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <utility>
#include <vector>

#include <boost/json.hpp>
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "advisor/calibration.h"
#include "advisor/export/exporter.h"
#include "advisor/export/server_script.h"
#include "advisor/tokens/weights_taken.h"
#include "models/laws/decode_host.h"
#include "models/laws/decode_software.h"
#include "support/temporary_folder.h"

using namespace rightsize;

namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// Two machines with so many replicas of so many GPUs each, without a search.
Recommendation served_by(const std::string& software, int gpus = 1, int replicas = 1) {
  Recommendation answer;
  answer.query.name = "chat";
  answer.query.file = "job.toml";
  answer.query.network = "llama-8b";
  answer.query.phase = Phase::decode;
  answer.query.tokens = TokenService{};
  answer.query.tokens->sequences_per_s = 5;
  answer.query.tokens->prompt_tokens = 512;
  answer.query.tokens->output_tokens = 128;
  answer.query.tokens->limits = {1, 0.05};
  answer.query.tokens->software = software;
  Option option;
  option.provider = "aws";
  option.instance = "p5.48xlarge";
  option.region = "us-east-1";
  option.gpu = "H100";
  option.gpus = gpus * replicas;
  option.vcpus = 192;
  option.memory_gib = 2048;
  option.nodes = 2;
  option.satisfies = true;
  option.price_per_hour = Money::parse("1.006", "USD");
  TokenFleet fleet;
  fleet.machines = 2;
  fleet.expected.point.most_sequences = 96;
  fleet.server.precision = Precision::bf16;
  fleet.server.weight_bytes = 16e9;
  fleet.server.gpu.cluster.gpus_per_node = gpus;
  fleet.server.replicas = replicas;
  option.tokens = fleet;
  answer.chosen = option;
  answer.options = {option};
  return answer;
}

TokenServer& server_of(Recommendation& answer) {
  return answer.chosen->tokens->server;
}

std::string replica_of(const Recommendation& answer) {
  const auto command = server_command(answer, *answer.chosen);
  REQUIRE(command);
  return replica_script(*command);
}

std::string machine_of(const Recommendation& answer) {
  const auto command = server_command(answer, *answer.chosen);
  REQUIRE(command);
  return machine_script(*command, answer.chosen->tokens->server);
}

// Runs the script where its programs write what they are told, and gives their lines in order;
// nginx also what its file says.
std::string told(const std::string& script, const std::string& program) {
  const TemporaryFolder folder;
  std::ofstream(folder / "script") << script;
  std::ofstream(folder / program) << "#!/bin/bash\necho \"$CUDA_VISIBLE_DEVICES: $*\"\n";
  std::ofstream(folder / "nginx") << "#!/bin/bash\ngrep -o 'listen.*;\\|server 127.*;' $2\n";
  const auto command = fmt::format(
      "cd {} && chmod +x {} nginx && PATH=.:$PATH MODEL=org/name bash script | sort > out",
      folder.path(),
      program);
  REQUIRE(std::system(command.c_str()) == 0);
  std::ifstream in(folder / "out");
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

}  // namespace

TEST_CASE("server command: vLLM on one GPU") {
  const auto answer = served_by("vLLM");
  const auto* const text =
      "# --max-model-len is the longest request: prompt_tokens = 512 and output_tokens = 128 of "
      "[service].\n"
      "# Longer ones are refused. The memory was counted for it: say more there, and export "
      "again.\n"
      "PORT=8000\n"
      "exec vllm serve \"$MODEL\" --port \"$PORT\" \\\n"
      "  --tensor-parallel-size 1 \\\n"
      "  --max-model-len 640 --max-num-seqs 96 \\\n"
      "  --dtype bfloat16\n";
  CHECK(replica_of(answer) == text);
  CHECK(machine_of(answer) == text);
  CHECK(server_command(answer, *answer.chosen)->image == "vllm/vllm-openai:latest");
}

TEST_CASE("server command: two replicas of four GPUs have GPUs and ports behind a balancer") {
  const auto script = machine_of(served_by("vLLM", 4, 2));
  const auto* const rest =
      " --tensor-parallel-size 4 --max-model-len 640 --max-num-seqs 96 --dtype bfloat16\n";
  CHECK(told(script, "vllm") == fmt::format("0,1,2,3: serve org/name --port 8100{0}"
                                            "4,5,6,7: serve org/name --port 8200{0}"
                                            "listen 8000;\n"
                                            "server 127.0.0.1:8100; server 127.0.0.1:8200;\n",
                                            rest));
  CHECK(contains(machine_of(served_by("TGI", 1, 2)), "--shard-uds-path \"/tmp/tgi-$PORT\""));
  CHECK(contains(machine_of(served_by("TGI", 1, 2)), "--prometheus-port $((PORT + 10000))"));
  CHECK_FALSE(contains(machine_of(served_by("TGI")), "--shard-uds-path"));
  CHECK_FALSE(contains(machine_of(served_by("TGI")), "--prometheus-port"));
}

TEST_CASE("server command: attention by sequences gives every GPU sequences of its own") {
  const auto by_sequences = [](const char* software) {
    auto answer = served_by(software, 8);
    server_of(answer).attention = AttentionSharing::by_sequences;
    return replica_of(answer);
  };
  // As many GPUs as tensor times data parallel; what vLLM and TensorRT-LLM are told is a rank's.
  CHECK(contains(by_sequences("vLLM"),
                 "--tensor-parallel-size 1 --data-parallel-size 8 --enable-expert-parallel"));
  CHECK(contains(by_sequences("vLLM"), "--max-num-seqs 12 "));
  CHECK(contains(by_sequences("SGLang"), "--tp 8 --dp 8 --enable-dp-attention"));
  CHECK(contains(by_sequences("SGLang"), "--max-running-requests 96 "));
  CHECK(contains(by_sequences("TensorRT-LLM"), "--tp_size 8"));
  CHECK(contains(by_sequences("TensorRT-LLM"), "--max_batch_size 12 "));
  CHECK(contains(by_sequences("TensorRT-LLM"), "'enable_attention_dp: true' > /tmp/trtllm.yaml\n"));
  CHECK_FALSE(contains(replica_of(served_by("TensorRT-LLM", 8)), "/tmp/trtllm.yaml"));
}

TEST_CASE("server command: narrow weights and caches are asked for, or of the checkpoint") {
  const auto narrow = [](const char* software, WeightFormat weights) {
    auto answer = served_by(software, 2);
    server_of(answer).weights = weights;
    server_of(answer).fp8_caches = true;
    const auto command = server_command(answer, *answer.chosen);
    REQUIRE(command);
    return command->checkpoint + "\n" + replica_script(*command);
  };
  CHECK(contains(narrow("vLLM", WeightFormat::fp8), "--quantization fp8 --kv-cache-dtype fp8\n"));
  CHECK(contains(narrow("vLLM", WeightFormat::fp8), "FP8 itself leave out --quantization fp8\n"));
  CHECK_FALSE(contains(narrow("vLLM", WeightFormat::int4), "--quantization"));
  CHECK(contains(narrow("vLLM", WeightFormat::int4), "; one in int4\n"));
  CHECK(contains(narrow("SGLang", WeightFormat::fp8),
                 "--quantization fp8 --kv-cache-dtype fp8_e5m2\n"));
  CHECK(contains(narrow("TensorRT-LLM", WeightFormat::fp8), "; one in fp8\n"));
  CHECK(contains(narrow("TensorRT-LLM", WeightFormat::fp8), "'kv_cache_config: {dtype: fp8}'"));
  CHECK(contains(narrow("TGI", WeightFormat::fp8), "--quantize fp8"));
  CHECK_FALSE(contains(narrow("TGI", WeightFormat::fp8), "--dtype"));  // which excludes it
  CHECK(contains(narrow("llama.cpp", WeightFormat::int4), "user/repository:Q4_K_M\n"));
  CHECK(contains(narrow("llama.cpp", WeightFormat::mxfp4), "user/repository:MXFP4\n"));
  CHECK(contains(narrow("vLLM", WeightFormat::nvfp4), "; one in nvfp4\n"));
  CHECK(contains(narrow("llama.cpp", WeightFormat::fp8), "--split-mode row"));
}

TEST_CASE("server command: llama.cpp shares one context among its slots, of which it has few") {
  auto answer = served_by("llama.cpp");
  CHECK(contains(replica_of(answer), "-c 61440 -np 96\n"));  // 96 x 640
  auto narrow = *answer.query.tokens;
  narrow.fp8_caches = true;
  CHECK(decode_form(narrow, WeightFormat::own, Precision::bf16).q8_caches);  // -ctk q8_0, not FP8
  narrow.software = "vLLM";
  CHECK_FALSE(decode_form(narrow, WeightFormat::own, Precision::bf16).q8_caches);
  // It is sized for no more of them than it takes (laws/decode_host).
  const auto rates = shipped_gpu_rates();
  const auto& gpu = *rates.find("H100");
  const auto work = decode_work(make_network("llama-160m"), {Precision::bf16}, {128, 128, 1});
  const auto replica = decode_gpu(gpu, {Precision::bf16});
  CHECK(sequences_that_fit(work, served_by(replica, gpu, "llama.cpp"), 256) == 256);
  CHECK(sequences_that_fit(work, served_by(replica, gpu, "vLLM"), 256) == 2048);
}

TEST_CASE("server command: what the longest request is made of is said where it is started") {
  const std::vector<std::pair<const char*, const char*>> flags{
      {"vLLM", "--max-model-len is"},
      {"SGLang", "--context-length is"},
      {"TensorRT-LLM", "--max_seq_len is"},
      {"llama.cpp", "-c is, for each of -np,"},
      {"TGI", "--max-input-tokens and --max-total-tokens are"},
      {"", "MAX_TOKENS is"}};
  for (const auto& [software, said_by] : flags) {
    CAPTURE(software);
    const auto answer = served_by(software, 2, 2);
    const auto comment = fmt::format(
        "# {} the longest request: prompt_tokens = 512 and output_tokens = 128 of [service].",
        said_by);
    CHECK(contains(write_kubernetes(answer, *answer.chosen), comment));
    CHECK(contains(write_skypilot(answer, *answer.chosen), comment));
    CHECK(contains(write_terraform(answer, *answer.chosen), comment) == (*software != '\0'));
  }
}

TEST_CASE("server command: TensorRT-LLM takes prompts as long as they were sized for") {
  // Above 8192 tokens it would refuse them whole (NVIDIA/TensorRT-LLM, issue 9277).
  auto answer = served_by("TensorRT-LLM");
  CHECK_FALSE(contains(replica_of(answer), "--max_num_tokens"));
  answer.query.tokens->prompt_tokens = 32768;
  CHECK(contains(replica_of(answer), "--max_seq_len 32896 "));
  CHECK(contains(replica_of(answer), "--max_num_tokens 32896\n"));
}

TEST_CASE("server command: TGI lets callers wait whom it would turn away") {
  CHECK(contains(replica_of(served_by("TGI")), "--max-concurrent-requests 384"));  // 96 in flight
}

TEST_CASE("server command: what balances replicas has a connection for every caller's two ends") {
  const auto text = machine_of(served_by("vLLM", 4, 2));
  const auto at = text.find("worker_connections ");
  REQUIRE(at != std::string::npos);
  CHECK(std::stoi(text.substr(at + 19)) >= 2 * 2 * 96);
  CHECK(contains(text, "worker_rlimit_nofile "));
}

TEST_CASE("server command: every one is bash, and its software a name that job files take") {
  const TemporaryFolder folder;
  for (const auto* software : {"vLLM", "vLLM V0", "SGLang", "TensorRT-LLM", "llama.cpp", "TGI"}) {
    CAPTURE(software);
    CHECK(decode_software(software) == software);
    std::ofstream(folder / "script") << machine_of(served_by(software, 2, 4));
    CHECK(std::system(("bash -n " + (folder / "script")).c_str()) == 0);
    CHECK(contains(server_command_hint(served_by("").query, *served_by("").chosen),
                   fmt::format("\"{}\"", software)));
  }
}

TEST_CASE("server command: without one the skeleton says how to have it written") {
  for (const auto* software : {"", "MLC LLM"}) {
    const auto answer = served_by(software);
    CHECK_FALSE(server_command(answer, *answer.chosen));
    CHECK(missing_variable(answer, *answer.chosen) == "SERVE_COMMAND");
    for (auto* write : {&write_skypilot, &write_kubernetes, &write_terraform}) {
      CHECK(contains(write(answer, *answer.chosen), "has its command written here"));
    }
    CHECK(contains(write_kubernetes(answer, *answer.chosen), "image: REPLACE-ME"));
  }
  CHECK(contains(server_command_hint(served_by("MLC LLM").query, *served_by("MLC LLM").chosen),
                 "No command of MLC LLM is known"));
}

TEST_CASE("server command: AMD's GPUs get the image for ROCm, where there is one") {
  const auto image = [](const std::string& software, const std::string& gpu) {
    auto answer = served_by(software);
    answer.chosen->gpu = gpu;
    const auto command = server_command(answer, *answer.chosen);
    return command ? command->image : "";
  };
  CHECK(image("vLLM", "MI300X") == "vllm/vllm-openai-rocm:latest");
  CHECK(image("SGLang", "MI325X") == "lmsysorg/sglang:v0.5.9-rocm700-mi30x");
  CHECK(image("SGLang", "AMD Instinct MI355X") == "lmsysorg/sglang:v0.5.9-rocm700-mi35x");
  CHECK(image("SGLang", "MI250").empty());
  CHECK(image("TGI", "MI250") == "ghcr.io/huggingface/text-generation-inference:3.3.5-rocm");
  CHECK(image("llama.cpp", "MI300X") == "ghcr.io/ggml-org/llama.cpp:server-rocm");
  CHECK(image("TensorRT-LLM", "MI300X").empty());
  CHECK(image("TensorRT-LLM", "H100") == "nvcr.io/nvidia/tensorrt-llm/release:1.0.0");
  auto unknown = served_by("TensorRT-LLM");
  unknown.chosen->gpu = "MI250";
  const auto hint = server_command_hint(unknown.query, *unknown.chosen);
  CHECK(contains(hint, "No command of TensorRT-LLM is known on MI250; software = \"vLLM\""));
  CHECK_FALSE(contains(hint, "\"TensorRT-LLM\""));
  CHECK_FALSE(contains(hint, "\"SGLang\""));
  auto answer = served_by("vLLM");
  answer.chosen->gpu = "MI300X";
  const auto text = write_kubernetes(answer, *answer.chosen);
  CHECK(contains(text, "          amd.com/gpu: 1\n"));
  CHECK(contains(write_skypilot(answer, *answer.chosen), "--device=/dev/kfd"));
  CHECK_FALSE(contains(write_skypilot(served_by("vLLM"), *served_by("vLLM").chosen), "kfd"));
  CHECK_FALSE(contains(text, "nvidia"));
}

TEST_CASE("server command: a network's name cannot leave its comment") {
  auto answer = served_by("vLLM");
  answer.query.network = "a\nrun: rm -rf /";
  for (auto* write : {&write_skypilot, &write_kubernetes}) {
    CHECK_FALSE(contains(write(answer, *answer.chosen), "\nrun: rm"));
  }
}

TEST_CASE("server command: Terraform is told a replica's sequences and the machine's script") {
  const auto answer = served_by("vLLM", 4, 2);
  const auto variables = boost::json::parse(write_terraform(answer, *answer.chosen)).as_object();
  CHECK_FALSE(variables.contains("batch_per_gpu"));
  CHECK(variables.at("sequences_per_replica").as_int64() == 96);
  CHECK(variables.at("server_image").as_string() == "vllm/vllm-openai:latest");
  CHECK(variables.at("server_port").as_int64() == 8000);
  CHECK(std::string(variables.at("server_script").as_string()) == machine_of(answer));
  const auto unnamed = served_by("");
  CHECK(
      boost::json::parse(write_terraform(unnamed, *unnamed.chosen)).at("server_script").is_null());
}

TEST_CASE("server command: the files that hold it are read by a YAML parser that is not ours") {
  if (std::system("/usr/bin/python3 -c 'import yaml' 2>/dev/null") != 0) {
    MESSAGE("skipped: python3-yaml is not installed (./dev setup installs it)");
    return;
  }
  const auto answer = served_by("vLLM", 4, 2);
  const TemporaryFolder folder;
  std::ofstream(folder / "k8s") << write_kubernetes(answer, *answer.chosen);
  std::ofstream(folder / "sky") << write_skypilot(answer, *answer.chosen);
  std::ofstream(folder / "replica") << replica_of(answer);
  std::ofstream(folder / "machine") << machine_of(answer);
  std::ofstream(folder / "check.py")
      << "import sys, yaml\n"
         "deployment, service = yaml.safe_load_all(open(sys.argv[1]))\n"
         "spec = deployment['spec']\n"
         "assert spec['replicas'] == 4  # two machines of two\n"
         "pod = spec['template']['spec']\n"
         "assert pod['enableServiceLinks'] is False\n"
         "served = pod['containers'][0]\n"
         "assert served['image'] == 'vllm/vllm-openai:latest'\n"
         "assert served['args'] == [open(sys.argv[3]).read()]\n"
         "requests = served['resources']['requests']\n"
         "assert requests['nvidia.com/gpu'] == 4\n"
         "assert 2 * int(requests['cpu'][:-1]) <= 192000\n"
         "assert {one['name']: one['value'] for one in served['env']} == {\n"
         "    'MODEL': 'REPLACE-ME', 'HF_HOME': '/data'}\n"
         "assert served['ports'][0]['containerPort'] == 8000\n"
         "assert served['readinessProbe']['httpGet']['port'] == 8000\n"
         "assert service['spec']['ports'][0]['targetPort'] == 8000\n"
         "sky = yaml.safe_load(open(sys.argv[2]))\n"
         "assert sky['resources']['image_id'] == 'docker:vllm/vllm-openai:latest'\n"
         "assert sky['resources']['ports'] == 8000 and sky['service']['replicas'] == 2\n"
         "assert sky['envs'] == {'MODEL': None} and 'install -y nginx' in sky['setup']\n"
         "assert sky['run'].endswith(open(sys.argv[4]).read())\n";
  CHECK(std::system(
            fmt::format("cd {} && /usr/bin/python3 check.py k8s sky replica machine", folder.path())
                .c_str()) == 0);
}
