#include "models/laws/cloud_cpu.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

namespace rightsize {
namespace {

struct Series {
  std::string_view provider;
  std::string_view begins;
  std::string_view ends;
  std::string_view cpu;
};

// The first that matches. Left out are series of whole cores (t2d, h3) and of any generation (e2).
// Of two the older is taken: n2 (Cascade Lake, Ice Lake), n2d (Rome, Milan), c4 (Emerald, Granite
// Rapids), F of version 2 (Skylake, Cascade Lake); of n1's, Sandy Bridge to Skylake, the one before
// the last.
constexpr std::array all_series{
    Series{"gcp", "a2-", "", "Cascade Lake"},
    Series{"gcp", "a3-ultragpu", "", "Emerald Rapids"},
    Series{"gcp", "a3-", "", "Sapphire Rapids"},
    Series{"gcp", "a4-", "", "Emerald Rapids"},
    Series{"gcp", "g2-", "", "Cascade Lake"},
    Series{"gcp", "g4-", "", "Turin"},
    Series{"gcp", "c2-", "", "Cascade Lake"},
    Series{"gcp", "c2d-", "", "Milan"},
    Series{"gcp", "c3-", "", "Sapphire Rapids"},
    Series{"gcp", "c3d-", "", "Genoa"},
    Series{"gcp", "c4-", "", "Emerald Rapids"},
    Series{"gcp", "c4a-", "", "Neoverse-V2"},  // Axion
    Series{"gcp", "c4d-", "", "Turin"},
    Series{"gcp", "n1-", "", "Broadwell"},
    Series{"gcp", "n2-", "", "Cascade Lake"},
    Series{"gcp", "n2d-", "", "Rome"},
    Series{"gcp", "n4-", "", "Emerald Rapids"},
    Series{"gcp", "n4d-", "", "Turin"},
    Series{"gcp", "t2a-", "", "Neoverse-N1"},  // Altra
    Series{"gcp", "m3-", "", "Ice Lake"},
    Series{"gcp", "z3-", "", "Sapphire Rapids"},
    Series{"azure", "Standard_NC", "ads_A100_v4", "Milan"},
    Series{"azure", "Standard_NC", "as_T4_v3", "Rome"},
    Series{"azure", "Standard_NC", "ads_H100_v5", "Genoa"},
    Series{"azure", "Standard_NC", "adis_H100_v5", "Genoa"},
    Series{"azure", "Standard_NC", "s_v3", "Broadwell"},
    Series{"azure", "Standard_ND", "asr_v4", "Rome"},
    Series{"azure", "Standard_ND", "amsr_A100_v4", "Rome"},
    Series{"azure", "Standard_ND", "isr_H100_v5", "Sapphire Rapids"},
    Series{"azure", "Standard_ND", "isr_H200_v5", "Sapphire Rapids"},
    Series{"azure", "Standard_ND", "isr_MI300X_v5", "Sapphire Rapids"},
    Series{"azure", "Standard_ND40rs_v2", "", "Skylake"},
    Series{"azure", "Standard_NV", "A10_v5", "Milan"},
    Series{"azure", "Standard_NV", "s_v3", "Broadwell"},
    Series{"azure", "Standard_NV", "as_v4", "Rome"},
    Series{"azure", "Standard_D", "as_v5", "Milan"},
    Series{"azure", "Standard_D", "ads_v5", "Milan"},
    Series{"azure", "Standard_DC", "", ""},                 // of several, and confidential
    Series{"azure", "Standard_D", "ps_v5", "Neoverse-N1"},  // Altra, as the three below
    Series{"azure", "Standard_D", "pds_v5", "Neoverse-N1"},
    Series{"azure", "Standard_D", "pls_v5", "Neoverse-N1"},
    Series{"azure", "Standard_D", "plds_v5", "Neoverse-N1"},
    Series{"azure", "Standard_D", "_v5", "Ice Lake"},
    Series{"azure", "Standard_F", "s_v2", "Skylake"},
};

struct Generation {
  std::string_view words;
  SameGeneration same;
};

constexpr std::array generations{
    Generation{"haswell", {"c4", false}},
    Generation{"broadwell", {"m4", false}},
    Generation{"skylake", {"m5", false}},
    Generation{"cascade lake", {"g4dn", false}},
    Generation{"ice lake", {"c6i", false}},
    Generation{"sapphire rapids", {"c7i", false}},
    Generation{"emerald rapids", {"i7i", false}},
    Generation{"granite rapids", {"c8i", false}},
    Generation{"rome", {"c5a", false}},
    Generation{"milan", {"c6a", false}},
    Generation{"genoa", {"c7a", true}},
    Generation{"turin", {"c8a", true}},
    // A core for each vCPU, there as here.
    Generation{"neoverse-n1", {"c6g", false}},
    Generation{"neoverse-v1", {"c7g", false}},
    Generation{"neoverse-v2", {"c8g", false}},
};

}  // namespace

std::string_view cloud_cpu(std::string_view provider, std::string_view instance) {
  const auto* const found =
      std::find_if(all_series.begin(), all_series.end(), [&](const Series& series) {
        return series.provider == provider && instance.starts_with(series.begins) &&
               instance.ends_with(series.ends);
      });
  return found == all_series.end() ? "" : found->cpu;
}

SameGeneration same_generation(std::string_view words) {
  std::string small;
  for (const char c : words) {
    small += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  const auto* const found =
      std::find_if(generations.begin(), generations.end(), [&](const Generation& generation) {
        return generation.words == small;
      });
  return found == generations.end() ? SameGeneration{} : found->same;
}

}  // namespace rightsize
