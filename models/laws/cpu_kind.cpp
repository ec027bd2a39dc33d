#include "models/laws/cpu_kind.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>

#include "models/laws/gpu_step.h"

namespace rightsize {
namespace {

struct Generation {
  std::string_view word;  // in lower case; every '?' is one digit or letter
  double flops_per_cycle;
  double ghz;  // where the name does not say
  double threads_per_core;
  double bf16_speed = 0;
  double sustains = 1;
};

// CpuKind::sustains. Zen 4, Zen 5 and Granite Rapids as measured (cpu_compute.h); the others by the
// all-core clocks that clouds state for their machines, and 512-bit vectors of Intel's as far below
// their peak as Granite Rapids' were: assumed.
constexpr double zen2_sustains = 1.20;
constexpr double zen3_sustains = 1.25;
constexpr double zen4_sustains = 1.19;
constexpr double zen5_sustains = 1.40;
constexpr double cascade_sustains = 0.75;
constexpr double ice_lake_sustains = 0.82;
constexpr double sapphire_sustains = 0.90;
constexpr double granite_sustains = 1.04;

// The first that matches: longer and newer names before the parts they contain. EC2's own Genoa and
// Turin (9R14, 9R45; families 25 and 26 in its virtual machines) come without SMT. Of Intel's
// numbers 143 is Sapphire Rapids, 207 Emerald Rapids, 173 Granite Rapids, which in a virtual
// machine here goes by 167 (else Rocket Lake's, a CPU of desktops, which no cloud rents).
constexpr std::array generations{
    Generation{"graviton4", 32, 2.8, 1, bfmmla_speed},
    Generation{"graviton3", 32, 2.6, 1, bfmmla_speed},
    Generation{"graviton2", 16, 2.5, 1},
    Generation{"graviton", 8, 2.3, 1},
    Generation{"neoverse-v2", 32, 2.8, 1, bfmmla_speed},
    Generation{"neoverse-v1", 32, 2.6, 1, bfmmla_speed},
    Generation{"neoverse-n1", 16, 2.5, 1},
    Generation{"turin", 64, 3.0, 2, avx512_bf16_speed, zen5_sustains},
    Generation{"genoa", 32, 3.1, 2, avx512_bf16_speed, zen4_sustains},
    Generation{"milan", 32, 2.8, 2, 0, zen3_sustains},
    Generation{"rome", 32, 2.6, 2, 0, zen2_sustains},
    Generation{"naples", 16, 2.4, 2},
    Generation{"9r14", 32, 3.1, 1, avx512_bf16_speed, zen4_sustains},
    Generation{"9r45", 64, 3.0, 1, avx512_bf16_speed, zen5_sustains},
    Generation{"family 26 ", 64, 3.0, 1, avx512_bf16_speed, zen5_sustains},
    Generation{"family 25 model 17)", 32, 3.1, 1, avx512_bf16_speed, zen4_sustains},
    Generation{"epyc 9??5", 64, 3.0, 2, avx512_bf16_speed, zen5_sustains},
    Generation{"epyc 9???", 32, 3.1, 2, avx512_bf16_speed, zen4_sustains},
    Generation{"epyc 7??1", 16, 2.4, 2},
    Generation{"epyc 7??2", 32, 2.6, 2, 0, zen2_sustains},
    Generation{"epyc 7???", 32, 2.7, 2, 0, zen3_sustains},
    Generation{"epyc", 32, 2.8, 2, 0, zen3_sustains},
    Generation{"family 6 model 143)", 64, 2.4, 2, amx_speed},
    Generation{"family 6 model 207)", 64, 2.4, 2, amx_speed},
    Generation{"family 6 model 173)", 64, 2.4, 2, amx_speed, granite_sustains},
    Generation{"family 6 model 167)", 64, 2.4, 2, amx_speed, granite_sustains},
    Generation{"sandy", 16, 2.6, 2},
    Generation{"ivy", 16, 2.6, 2},
    Generation{"haswell", 32, 2.4, 2},
    Generation{"broadwell", 32, 2.3, 2},
    Generation{"skylake", 64, 2.7, 2, 0, cascade_sustains},
    Generation{"cascade", 64, 2.8, 2, 0, cascade_sustains},
    Generation{"ice lake", 64, 2.9, 2, 0, ice_lake_sustains},
    Generation{"icelake", 64, 2.9, 2, 0, ice_lake_sustains},
    Generation{"sapphire", 64, 2.4, 2, amx_speed},
    Generation{"emerald", 64, 2.4, 2, amx_speed},
    Generation{"granite", 64, 2.4, 2, amx_speed, granite_sustains},
    Generation{"platinum 84??", 64, 2.7, 2, amx_speed, sapphire_sustains},
    Generation{"platinum 85??", 64, 2.7, 2, amx_speed, sapphire_sustains},
    Generation{"platinum 83??", 64, 2.9, 2, 0, ice_lake_sustains},
    Generation{"platinum", 64, 2.7, 2, 0, cascade_sustains},
    Generation{"gold 54??", 64, 2.4, 2, amx_speed},
    Generation{"gold 64??", 64, 2.4, 2, amx_speed},
    Generation{"gold 55??", 64, 2.4, 2, amx_speed},
    Generation{"gold 65??", 64, 2.4, 2, amx_speed},
    Generation{"gold 63??", 64, 2.4, 2, 0, ice_lake_sustains},
    Generation{"gold 53??", 64, 2.4, 2, 0, ice_lake_sustains},
    Generation{"gold", 64, 2.4, 2, 0, cascade_sustains},
    Generation{"silver 44??", 64, 2.2, 2, amx_speed},
    Generation{"silver 45??", 64, 2.2, 2, amx_speed},
    Generation{"silver 43??", 64, 2.2, 2, 0, ice_lake_sustains},
    Generation{"silver", 64, 2.2, 2, 0, cascade_sustains},
    Generation{" v2", 16, 2.6, 2},
    Generation{" v3", 32, 2.4, 2},
    Generation{" v4", 32, 2.3, 2},
    Generation{"avx512", 64, 2.8, 2},
    Generation{"avx-512", 64, 2.8, 2},
    Generation{"avx2", 32, 2.5, 2},
    Generation{"avx", 16, 2.6, 2},
    Generation{"sse", 8, 2.6, 2},
    Generation{"xeon(r) 6???e", 16, 2.4, 1},  // Sierra Forest's cores have neither
    Generation{"xeon(r) 6", 64, 2.4, 2, amx_speed, granite_sustains},
    Generation{"e5-26?? 0", 16, 2.6, 2},
    Generation{"e5-26??", 16, 2.6, 2},
};

// What a program was built for, where the words say it beside the CPU: it uses no more.
struct Build {
  std::string_view word;
  double flops_per_cycle;
};

constexpr std::array builds{Build{"avx512", 64},
                            Build{"avx-512", 64},
                            Build{"avx2", 32},
                            Build{"avx", 16},
                            Build{"sse", 8}};

bool matches_at(std::string_view text, std::size_t at, std::string_view pattern) {
  if (at + pattern.size() > text.size()) {
    return false;
  }
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    const bool any = pattern[i] == '?' && std::isalnum(static_cast<unsigned char>(text[at + i]));
    if (!any && pattern[i] != text[at + i]) {
      return false;
    }
  }
  return true;
}

bool contains(std::string_view text, std::string_view pattern) {
  if (pattern.find('?') == std::string_view::npos) {
    return text.find(pattern) != std::string_view::npos;
  }
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (matches_at(text, at, pattern)) {
      return true;
    }
  }
  return false;
}

const Build* build_in(std::string_view text) {
  const auto* const found = std::find_if(
      builds.begin(), builds.end(), [&](const auto& build) { return contains(text, build.word); });
  return found == builds.end() ? nullptr : found;
}

// "@ 2.30GHz" -> 2.3; 0 when the name does not say.
double clock_in(std::string_view text) {
  const auto unit = text.find("ghz");
  if (unit == std::string_view::npos) {
    return 0;
  }
  auto to = unit;
  while (to > 0 && text[to - 1] == ' ') {
    --to;
  }
  auto from = to;
  while (from > 0 &&
         (std::isdigit(static_cast<unsigned char>(text[from - 1])) != 0 || text[from - 1] == '.')) {
    --from;
  }
  return std::atof(std::string(text.substr(from, to - from)).c_str());
}

}  // namespace

std::optional<CpuKind> cpu_kind_of(std::string_view words) {
  std::string text;
  for (const char c : words) {
    text += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  for (const auto& generation : generations) {
    if (contains(text, generation.word)) {
      const double ghz = clock_in(text);
      const auto* const build = build_in(text);
      const double flops = generation.flops_per_cycle;
      return CpuKind{std::string(words),
                     ghz > 0 ? ghz : generation.ghz,
                     build == nullptr ? flops : std::min(flops, build->flops_per_cycle),
                     generation.threads_per_core,
                     build == nullptr ? generation.bf16_speed : 0,
                     false,
                     generation.sustains};
    }
  }
  return std::nullopt;
}

CpuKind usual_cpu_kind(Stack stack) {
  return stack == Stack::era
             ? CpuKind{"not stated: AVX2 at 2.5 GHz", 2.5, 32, 2, 0, true}
             : CpuKind{"not stated: AVX-512 at 2.8 GHz", 2.8, 64, 2, 0, true, ice_lake_sustains};
}

}  // namespace rightsize
