// GPUs with their count, as people write both in one cell or key.
#include "advisor/machine/gpu_words.h"

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "advisor/machine/batch_file.h"
#include "advisor/machine/machine_spec.h"
#include "advisor/query/own_rate.h"
#include "advisor/query/usage_error.h"
#include "models/laws/gpu_name.h"
#include "support/program.h"

using namespace rightsize;

namespace {

struct Said {
  const char* text;
  const char* gpu;
  int count;  // 0: none is said
};

}  // namespace

TEST_CASE("gpu words: a count is read in every form that people give it") {
  for (const auto& [text, gpu, count] :
       std::vector<Said>{{"T4 x 4", "T4", 4},
                         {"T4 x4", "T4", 4},
                         {"T4x4", "T4", 4},
                         {"T4 * 4", "T4", 4},
                         {"T4 \u00d7 4", "T4", 4},
                         {"T4 (4)", "T4", 4},
                         {"T4 (x4)", "T4", 4},
                         {"T4:4", "T4", 4},
                         {"T4: 4", "T4", 4},
                         {"A100 8", "A100", 8},
                         {"4x T4", "T4", 4},
                         {"4 x A100", "A100", 4},
                         {"8 A100", "A100", 8},
                         {"8x NVIDIA A100-SXM4-80GB", "A100-80GB", 8},
                         {"A100 80GB x 8", "A100-80GB", 8},
                         {"A100 (80GB) x 8", "A100-80GB", 8},
                         {"16 x V100", "V100", 16},
                         {"2 x RTX 4090", "RTX-4090", 2},
                         {"RTX 4090 x 2", "RTX-4090", 2},
                         {"4090 x 2", "RTX-4090", 2},
                         {"2 x 2080 Ti", "RTX-2080-Ti", 2},
                         {"Titan X 4", "TitanX-Maxwell", 4},
                         {"Titan X x 4", "TitanX-Maxwell", 4},
                         {"Voodoo2 x 4", "Voodoo2", 4}}) {
    CAPTURE(text);
    const auto words = gpu_words(text);
    CHECK(words.expected == "");
    CHECK(words.gpu == gpu);
    CHECK(words.count == count);
  }
}

TEST_CASE("gpu words: the digits of a name are no count") {
  for (const auto& [text, gpu, count] :
       std::vector<Said>{{"A100 80GB", "A100-80GB", 0},
                         {"A100 80 GB", "A100-80GB", 0},
                         {"NVIDIA A100 80GB PCIe", "A100-PCIe-80GB", 0},
                         {"RTX 4090", "RTX-4090", 0},
                         {"RTX4090", "RTX-4090", 0},
                         {"GTX 1080 Ti", "GTX-1080-Ti", 0},
                         {"GTX 1080", "GTX-1080", 0},
                         {"GTX1080", "GTX-1080", 0},
                         {"2080Ti", "RTX-2080-Ti", 0},
                         {"2080 Ti", "RTX-2080-Ti", 0},
                         {"H100 SXM5 80GB", "H100", 0},
                         {"H100 80GB HBM3", "H100", 0},
                         {"H100 80GB PCIe Gen5", "H100-PCIe", 0},
                         {"Quadro RTX 8000", "RTX-8000", 0},
                         {"RTX 6000 Ada", "RTX-6000-Ada", 0},
                         {"TITAN X (Pascal)", "TitanX-Pascal", 0},
                         {"NVIDIA GH200 Grace Hopper Superchip 144GB", "GH200-144GB", 0},
                         {"L40S-44.7GB", "L40S", 0}}) {
    CAPTURE(text);
    const auto words = gpu_words(text);
    CHECK(words.expected == "");
    CHECK(words.gpu == gpu);
    CHECK_FALSE(words.count);
  }
  CHECK(gpu_words("V100 32 GB").memory_gib == 32);
  CHECK(gpu_words("none").gpu == "");
}

TEST_CASE("gpu words: what is neither a name nor a count is an error, and never dropped") {
  const auto expected = [](const char* text) { return gpu_words(text).expected; };
  CHECK(expected("T4 x four").find("\"x four\" is neither") != std::string::npos);
  CHECK(expected("T4 x 4 x 2").find("\"x 4\" is neither") != std::string::npos);
  CHECK(expected("2x T4 x 4").find("\"x 4\" is neither") != std::string::npos);
  CHECK(expected("T4 quickly").find("\"quickly\" is neither") != std::string::npos);
  CHECK(expected("T4 x 0").find("a whole number of GPUs from 1 to 1024") == 0);
  CHECK(expected("T4:many").find("a whole number of GPUs from 1 to 1024") == 0);
  CHECK(expected("T4:").find("a whole number of GPUs") == 0);
  CHECK(expected("T4:1:2").find("one number after one colon") == 0);
  CHECK(expected(std::string(1 << 20, '4').c_str()) == "a GPU, such as A100 or A100:8");
  CHECK(unread_in_gpu_name("T4 " + std::string(1 << 20, '4'))->size() == 1 << 20);
  CHECK(expected("none x 4") == "no number with no GPU");
  CHECK(expected("A100 80").find("A100:80 for 80 GPUs, or A100-80GB for their memory") == 0);
}

TEST_CASE("gpu words: a machine and a row of a batch file read them alike") {
  const auto machine = parse_machine_spec("gpu=A100 x 8,vcpus=64");
  CHECK(machine.gpu == "A100");
  CHECK(machine.gpus_per_node == 8);
  CHECK_THROWS_WITH_AS(static_cast<void>(parse_machine_spec("gpu=A100 x eight")),
                       doctest::Contains("gpu=A100 x eight: expected a GPU and how many"),
                       UsageError);
  const auto batch = parse_batch_file(
      "network,gpu,gpus,nodes\n"
      "resnet50,T4 x 4,,\n"
      "resnet50,T4 x 4,4,\n"
      "resnet50,A100 8,16,2\n"
      "resnet50,8x A100,,2\n"
      "resnet50,T4 x 4,2,\n"
      "resnet50,T4 x four,,\n"
      "resnet50,T4,0,\n",
      "rows.csv");
  const auto gpus = [&](std::size_t row) { return batch.rows.at(row).asked.machine.gpus(); };
  for (std::size_t row = 0; row < 4; ++row) {
    CHECK(batch.rows[row].mistake == "");
  }
  CHECK(gpus(0) == 4);
  CHECK(gpus(1) == 4);
  CHECK(gpus(2) == 16);
  CHECK(gpus(3) == 16);
  CHECK(batch.rows[4].mistake ==
        "rows.csv:6:3: gpus = 2 but gpu names 4 of T4: gpus counts those of all nodes");
  CHECK(batch.rows[5].mistake.find("rows.csv:7:2: gpu = \"T4 x four\": expected a GPU and how") ==
        0);
  CHECK(batch.rows[6].mistake.find("rows.csv:8:3: gpus = 0 but gpu = T4: leave gpus out") == 0);
}

TEST_CASE("gpu words: where one GPU or GPU:COUNT is read, other counts are refused") {
  CHECK_THROWS_WITH_AS(static_cast<void>(parse_own_rate("T4 x 4=412")),
                       doctest::Contains("--measured T4 x 4=412: expected a GPU and the items"),
                       UsageError);
  CHECK(parse_own_rate("Tesla T4=412").gpu == "T4");
  const auto supposed = test::run_without_model(
      {"what-if", RIGHTSIZE_SOURCE_DIR "/examples/demo/job.toml", "g5.xlarge", "gpu=T4 x 4"});
  CHECK(supposed.code == cli::exit_usage);
  CHECK(supposed.err.find("gpu=T4 x 4: expected a GPU, or one and how many") != std::string::npos);
}
