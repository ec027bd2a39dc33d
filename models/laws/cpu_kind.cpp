#include "models/laws/cpu_kind.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <limits>

namespace rightsize {
namespace {

struct Generation {
  std::string_view word;  // in lower case; every '?' is one digit or letter
  double flops_per_cycle;
  double ghz;  // where the name does not say
  double threads_per_core;
};

// The first that matches: longer and newer names before the parts they contain. EC2's own Genoa and
// Turin (9R14, 9R45; families 25 and 26 in its virtual machines) come without SMT.
constexpr std::array generations{
    Generation{"graviton4", 32, 2.8, 1},   Generation{"graviton3", 32, 2.6, 1},
    Generation{"graviton2", 16, 2.5, 1},   Generation{"graviton", 8, 2.3, 1},
    Generation{"neoverse-v2", 32, 2.8, 1}, Generation{"neoverse-v1", 32, 2.6, 1},
    Generation{"neoverse-n1", 16, 2.5, 1}, Generation{"turin", 64, 3.0, 2},
    Generation{"genoa", 32, 3.1, 2},       Generation{"milan", 32, 2.8, 2},
    Generation{"rome", 32, 2.6, 2},        Generation{"naples", 16, 2.4, 2},
    Generation{"9r14", 32, 3.1, 1},        Generation{"9r45", 64, 3.0, 1},
    Generation{"family 26 ", 64, 3.0, 1},  Generation{"family 25 model 17)", 32, 3.1, 1},
    Generation{"epyc 9??5", 64, 3.0, 2},   Generation{"epyc 9???", 32, 3.1, 2},
    Generation{"epyc 7??1", 16, 2.4, 2},   Generation{"epyc 7???", 32, 2.7, 2},
    Generation{"epyc", 32, 2.8, 2},
    Generation{"sandy", 16, 2.6, 2},       Generation{"ivy", 16, 2.6, 2},
    Generation{"haswell", 32, 2.4, 2},     Generation{"broadwell", 32, 2.3, 2},
    Generation{"skylake", 64, 2.7, 2},     Generation{"cascade", 64, 2.8, 2},
    Generation{"ice lake", 64, 2.9, 2},    Generation{"icelake", 64, 2.9, 2},
    Generation{"sapphire", 64, 2.4, 2},    Generation{"emerald", 64, 2.4, 2},
    Generation{"granite", 64, 2.4, 2},     Generation{"platinum", 64, 2.7, 2},
    Generation{"gold", 64, 2.4, 2},        Generation{"silver", 64, 2.2, 2},
    Generation{" v2", 16, 2.6, 2},         Generation{" v3", 32, 2.4, 2},
    Generation{" v4", 32, 2.3, 2},         Generation{"avx512", 64, 2.8, 2},
    Generation{"avx-512", 64, 2.8, 2},     Generation{"avx2", 32, 2.5, 2},
    Generation{"avx", 16, 2.6, 2},         Generation{"sse", 8, 2.6, 2},
    Generation{"xeon(r) 6", 64, 2.4, 2},   Generation{"e5-26?? 0", 16, 2.6, 2},
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
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (matches_at(text, at, pattern)) {
      return true;
    }
  }
  return false;
}

double flops_of_build(std::string_view text) {
  for (const auto& build : builds) {
    if (contains(text, build.word)) {
      return build.flops_per_cycle;
    }
  }
  return std::numeric_limits<double>::infinity();
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
      return CpuKind{std::string(words),
                     ghz > 0 ? ghz : generation.ghz,
                     std::min(generation.flops_per_cycle, flops_of_build(text)),
                     generation.threads_per_core,
                     false};
    }
  }
  return std::nullopt;
}

CpuKind usual_cpu_kind(bool era) {
  return era ? CpuKind{"not stated: AVX2 at 2.5 GHz", 2.5, 32, 2, true}
             : CpuKind{"not stated: AVX-512 at 2.8 GHz", 2.8, 64, 2, true};
}

}  // namespace rightsize
