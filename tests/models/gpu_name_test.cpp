#include "models/laws/gpu_name.h"

#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "models/calibration_files.h"

using namespace rightsize;

TEST_CASE("gpu names: what drivers, clouds and people say becomes the name of the table") {
  const auto rates = test::shipped_rates();
  for (const auto& [said, name] : std::vector<std::pair<std::string, std::string>>{
           {"NVIDIA H200", "H200"},
           {"NVIDIA H100 80GB HBM3", "H100"},
           {"H100 SXM", "H100"},
           {"NVIDIA H100 PCIe", "H100-PCIe"},
           {"NVIDIA H100 NVL", "H100-NVL"},
           {"NVIDIA A100-SXM4-80GB", "A100-80GB"},
           {"NVIDIA A100 80GB PCIe", "A100-PCIe-80GB"},
           {"NVIDIA A100-PCIE-40GB", "A100-PCIe"},
           {"a100-40gb", "A100"},
           {"Tesla V100-SXM2-16GB", "V100"},
           {"Tesla V100-PCIE-16GB", "V100-PCIe"},
           {"V100", "V100"},
           {"Tesla P100-PCIE-16GB", "P100"},
           {"Tesla P100-SXM2-16GB", "P100-SXM2"},
           {"NVIDIA L40", "L40"},
           {"NVIDIA L40S", "L40S"},
           {"NVIDIA L4", "L4"},
           {"Tesla T4", "T4"},
           {"T4g", "T4g"},
           {"NVIDIA A10G", "A10G"},
           {"NVIDIA A10", "A10"},
           {"1080 Ti", "GTX-1080-Ti"},
           {"GeForce GTX 1080", "GTX-1080"},
           {"NVIDIA GeForce RTX 4090", "RTX-4090"},
           {"GeForce GTX TITAN X", "TitanX-Maxwell"},
           {"TITAN X (Pascal)", "TitanX-Pascal"},
           {"Pascal Titan X", "TitanX-Pascal"},
           {"Tesla V100S-PCIE-32GB", "V100S"},
           {"NVIDIA HGX H200", "H200"},
           {"GeForce RTX 3080 Ti", "RTX-3080-Ti"},
           {"NVIDIA A2", "A2"},
           {"RTXA6000", "A6000"},
           {"NVIDIA RTX 6000 Ada Generation", "RTX-6000-Ada"},
           {"Quadro RTX 8000", "RTX-8000"},
           {"AMD Instinct MI300X", "MI300X"},
           {"AMD_Instinct_MI300X_OAM", "MI300X"},
           {"AMD Instinct MI325 OAM", "MI325X"},
           {"AMD-MI300X-192G", "MI300X"},
           {"mi355x", "MI355X"},
           {"AMD Instinct MI250X / MI250", "MI250X"},
           {"AMD Instinct MI250", "MI250"},
           {"Tesla K80", "K80"}}) {
    CHECK(canonical_gpu_name(said) == name);
    CHECK_MESSAGE(rates.find(said) != nullptr, said);
  }
}

TEST_CASE("gpu names: canonical names are their own, unknown ones stay as they are") {
  const auto rates = test::shipped_rates();
  for (const auto& gpu : rates.gpus()) {
    CHECK(canonical_gpu_name(gpu.name) == gpu.name);
  }
  CHECK(canonical_gpu_name("NVIDIA RTX 9000") == "RTX 9000");
  CHECK(canonical_gpu_name("LPU v1") == "LPU v1");
  CHECK(canonical_gpu_name("AMD Instinct MI100") == "MI100");
  CHECK(canonical_gpu_name("") == "");
}

TEST_CASE("gpu names: what says nothing known of a known GPU is told") {
  CHECK(unread_in_gpu_name("NVIDIA A100-SXM4-80GB") == "");
  CHECK(unread_in_gpu_name("T4 x 4") == "x 4");
  CHECK(unread_in_gpu_name("AMD Instinct MI300X OAM 192GB HBM3") == "");
  CHECK(unread_in_gpu_name("A100 80GB quickly") == "quickly");
  CHECK(unread_in_gpu_name("Voodoo2 x 4") == std::nullopt);
  const auto rates = test::shipped_rates();
  for (const auto& gpu : rates.gpus()) {
    CAPTURE(gpu.name);
    CHECK(unread_in_gpu_name(gpu.name) == "");
  }
}

TEST_CASE("gpu names: some state the memory of a GPU that is sold with two sizes") {
  CHECK(memory_in_gpu_name("Tesla V100-SXM2-32GB") == 32);
  CHECK(memory_in_gpu_name("V100-32GB") == 32);
  CHECK(memory_in_gpu_name("NVIDIA A100-SXM4-80GB") == 80);
  CHECK(memory_in_gpu_name("RTX 3080 12 GB") == std::nullopt);  // a word of its own says nothing
  CHECK(memory_in_gpu_name("L40S-44.7GB") == 44.7);             // as AWS sells it
  CHECK(canonical_gpu_name("L40S-44.7GB") == "L40S");
  CHECK(memory_in_gpu_name("H100") == std::nullopt);
  CHECK(memory_in_gpu_name("Tesla K80-24GB") == std::nullopt);
  CHECK(memory_in_gpu_name("MI250 128GB") == std::nullopt);
  CHECK(memory_in_gpu_name("MI300X 192GB") == 192);
  CHECK(canonical_gpu_name("NVIDIA A100 1g.10gb") == "NVIDIA A100 1g.10gb");
  CHECK(canonical_gpu_name("A100 MIG 3g.20gb") == "A100 MIG 3g.20gb");
  CHECK(memory_in_gpu_name("4090") == std::nullopt);
}
