#include "models/laws/gpu_name.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <regex>
#include <vector>

namespace rightsize {
namespace {

// `model` starts the name once vendor and series words are gone; `mark` is somewhere behind it.
struct Rule {
  std::string_view model;
  std::string_view mark;  // empty: none needed
  std::string_view name;
};

// The first match counts: marks before none.
constexpr std::array rules{
    Rule{"a2", "", "A2"},
    Rule{"a100", "pcie-80gb", "A100-PCIe-80GB"},
    Rule{"a100", "80gb-pcie", "A100-PCIe-80GB"},
    Rule{"a100", "pcie", "A100-PCIe"},
    Rule{"a100", "80g", "A100-80GB"},
    Rule{"a100", "", "A100"},
    Rule{"a800", "", "A800"},
    Rule{"a10g", "", "A10G"},
    Rule{"a10", "", "A10"},
    Rule{"a16", "", "A16"},
    Rule{"a30", "", "A30"},
    Rule{"a40", "", "A40"},
    Rule{"a4000", "", "A4000"},
    Rule{"a5000", "", "A5000"},
    Rule{"a6000", "", "A6000"},
    Rule{"h100", "nvl", "H100-NVL"},
    Rule{"h100", "94gb", "H100-NVL"},
    Rule{"h100", "pcie", "H100-PCIe"},
    Rule{"h100", "", "H100"},
    Rule{"h800", "", "H800"},
    Rule{"h20", "", "H20"},
    Rule{"h200", "nvl", "H200-NVL"},
    Rule{"h200", "", "H200"},
    Rule{"gh200", "144g", "GH200-144GB"},
    Rule{"gh200", "", "GH200"},
    Rule{"b100", "", "B100"},
    Rule{"b200", "", "B200"},
    Rule{"b300", "", "B300"},
    Rule{"gb200", "", "GB200"},
    Rule{"gb300", "", "GB300"},
    Rule{"v100s", "", "V100S"},
    Rule{"v100", "pcie", "V100-PCIe"},
    Rule{"v100", "", "V100"},
    Rule{"p100", "sxm2", "P100-SXM2"},
    Rule{"p100", "nvlink", "P100-SXM2"},
    Rule{"p100", "", "P100"},
    Rule{"l40s", "", "L40S"},
    Rule{"l40", "", "L40"},
    Rule{"l4", "", "L4"},
    Rule{"t4g", "", "T4g"},
    Rule{"t4", "", "T4"},
    Rule{"p4", "", "P4"},
    Rule{"p40", "", "P40"},
    Rule{"p4000", "", "P4000"},
    Rule{"p5000", "", "P5000"},
    Rule{"p6000", "", "P6000"},
    Rule{"gp100", "", "GP100"},
    Rule{"k20", "", "K20"},
    Rule{"k40", "", "K40"},
    Rule{"k80", "", "K80"},
    Rule{"grid-k520", "", "K520"},
    Rule{"k520", "", "K520"},
    Rule{"m40", "", "M40"},
    Rule{"m60", "", "M60"},
    Rule{"m4000", "", "M4000"},
    Rule{"m6000", "", "M6000"},
    Rule{"titan-xp", "", "Titan-Xp"},
    Rule{"titan-x", "pascal", "TitanX-Pascal"},
    Rule{"titanx", "pascal", "TitanX-Pascal"},
    Rule{"pascal-titan-x", "", "TitanX-Pascal"},
    Rule{"maxwell-titan-x", "", "TitanX-Maxwell"},
    Rule{"titan-x", "", "TitanX-Maxwell"},
    Rule{"titanx", "", "TitanX-Maxwell"},
    Rule{"titan-v", "", "Titan-V"},
    Rule{"titan-rtx", "", "Titan-RTX"},
    Rule{"titan", "", "GTX-Titan"},
    Rule{"770", "", "GTX-770"},
    Rule{"980ti", "", "GTX-980-Ti"},
    Rule{"980", "", "GTX-980"},
    Rule{"1060", "", "GTX-1060"},
    Rule{"1070", "", "GTX-1070"},
    Rule{"1080ti", "", "GTX-1080-Ti"},
    Rule{"1080", "", "GTX-1080"},
    Rule{"2060", "", "RTX-2060"},
    Rule{"2070", "", "RTX-2070"},
    Rule{"2080ti", "", "RTX-2080-Ti"},
    Rule{"2080", "", "RTX-2080"},
    Rule{"3060", "", "RTX-3060"},
    Rule{"3070", "", "RTX-3070"},
    Rule{"3080ti", "", "RTX-3080-Ti"},
    Rule{"3080", "", "RTX-3080"},
    Rule{"3090ti", "", "RTX-3090-Ti"},
    Rule{"3090", "", "RTX-3090"},
    Rule{"4060ti", "", "RTX-4060-Ti"},
    Rule{"4070ti", "", "RTX-4070-Ti"},
    Rule{"4080", "", "RTX-4080"},
    Rule{"4090", "", "RTX-4090"},
    Rule{"5090", "", "RTX-5090"},
    Rule{"6000", "ada", "RTX-6000-Ada"},
    Rule{"6000ada", "", "RTX-6000-Ada"},
    Rule{"pro-6000", "max-q", "RTX-PRO-6000-Max-Q"},
    Rule{"pro-6000", "", "RTX-PRO-6000"},
    Rule{"pro6000", "", "RTX-PRO-6000"},
    Rule{"4000", "", "RTX-4000"},
    Rule{"5000", "", "RTX-5000"},
    Rule{"6000", "", "RTX-6000"},
    Rule{"8000", "", "RTX-8000"},
    Rule{"mi210", "", "MI210"},
    Rule{"mi250x", "", "MI250X"},
    Rule{"mi250", "", "MI250"},
    Rule{"mi300x", "", "MI300X"},
    Rule{"mi325x", "", "MI325X"},
    Rule{"mi325", "", "MI325X"},
    Rule{"mi350x", "", "MI350X"},
    Rule{"mi350", "", "MI350X"},
    Rule{"mi355x", "", "MI355X"},
    Rule{"mi355", "", "MI355X"},
    Rule{"inferentia2", "", "Inferentia2"},
    Rule{"inferentia-2", "", "Inferentia2"},
    Rule{"inf2", "", "Inferentia2"},
    Rule{"trainium2", "", "Trainium2"},
    Rule{"trainium-2", "", "Trainium2"},
    Rule{"trn2", "", "Trainium2"},
    Rule{"trn2u", "", "Trainium2"},
    Rule{"trainium3", "", "Trainium3"},
    Rule{"trainium-3", "", "Trainium3"},
    Rule{"trainium1", "", "Trainium"},
    Rule{"trainium", "", "Trainium"},
    Rule{"trn1", "", "Trainium"},
    Rule{"trn1n", "", "Trainium"},
    Rule{"inferentia1", "", "Inferentia"},
    Rule{"inferentia", "", "Inferentia"},
    Rule{"inf1", "", "Inferentia"},
};

// Words of letters and digits, in lower case, without those that name a vendor or a series.
std::vector<std::string> words_of(std::string_view name) {
  static constexpr std::array<std::string_view, 12> dropped{"nvidia",
                                                            "amd",
                                                            "aws",
                                                            "instinct",
                                                            "tesla",
                                                            "geforce",
                                                            "quadro",
                                                            "gtx",
                                                            "gpu",
                                                            "gpus",
                                                            "hgx",
                                                            "dgx"};
  std::vector<std::string> words(1);
  for (const char c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) {
      words.back() += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    } else if (!words.back().empty()) {
      words.emplace_back();
    }
  }
  std::erase_if(words, [](const std::string& word) {
    return word.empty() || std::find(dropped.begin(), dropped.end(), word) != dropped.end();
  });
  return words;
}

// "L40S-44.7GB" -> "l40s", "44.7gb": a point does not part a number.
std::vector<std::string> words_with_decimals(std::string_view name) {
  std::vector<std::string> words(1);
  for (const char c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.') {
      words.back() += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    } else if (!words.back().empty()) {
      words.emplace_back();
    }
  }
  return words;
}

// "RTX 2080 Ti" and "rtx2080ti" -> "2080ti", "H100SXM5" -> "h100-sxm5": the form of the rules.
std::string normal_form(std::string_view name) {
  std::string joined;
  for (auto& word : words_of(name)) {
    for (const std::string_view series : {"rtx", "gtx"}) {
      if (joined.empty() && word.starts_with(series)) {
        word.erase(0, series.size());
      }
    }
    const bool continues = word == "ti" || word == "super";
    joined += (joined.empty() || word.empty() || continues ? "" : "-") + word;
  }
  for (const std::string_view form : {"sxm", "pcie", "nvl"}) {
    const auto at = joined.find(form);
    if (at != std::string::npos && at > 0 && joined[at - 1] != '-') {
      joined.insert(at, "-");
    }
  }
  return joined;
}

bool matches(const Rule& rule, std::string_view form) {
  return form.starts_with(rule.model) &&
         (form.size() == rule.model.size() || form[rule.model.size()] == '-') &&
         form.substr(rule.model.size()).find(rule.mark) != std::string_view::npos;
}

const Rule* rule_of(std::string_view form) {
  const auto* const found = std::find_if(
      rules.begin(), rules.end(), [&](const Rule& rule) { return matches(rule, form); });
  return found == rules.end() ? nullptr : found;
}

// What drivers, clouds and tables of benchmarks write behind a model: "80gb", "sxm4", "hbm2e".
bool is_usual_behind_a_model(const std::string& word) {
  static const std::regex usual(
      "[0-9]+g(b|ib)?|(sxm|gen)[0-9]?|pcie|nvl(ink)?|hbm[0-9]?e?|gddr[0-9]?x?|max|q|design|ti|"
      "black|z|kepler|maxwell|pascal|volta|turing|ampere|ada|lovelace|hopper|grace|blackwell|"
      "superchip|generation|edition|server|workstation|tensor|core|cts|dgxs|fhhl|"
      "oam|cdna[234]?");
  constexpr std::size_t longest = 16;  // std::regex would run out of stack on a long enough word
  return word.size() <= longest && std::regex_match(word, usual);
}

// "A100 MIG 1g.10gb": a part of a GPU, of which no figures are known.
bool is_slice(std::string_view name) {
  const auto words = words_of(name);
  return std::any_of(words.begin(), words.end(), [](const std::string& word) {
    return word == "mig" ||
           (word.size() == 2 && word[0] >= '1' && word[0] <= '9' && word[1] == 'g');
  });
}

}  // namespace

std::string canonical_gpu_name(std::string_view name) {
  if (is_slice(name)) {
    return std::string(name);
  }
  if (const auto* rule = rule_of(normal_form(name))) {
    return std::string(rule->name);
  }
  for (const std::string_view vendor : {"NVIDIA ", "Tesla ", "AMD ", "Instinct "}) {
    if (name.starts_with(vendor)) {
      name.remove_prefix(vendor.size());
    }
  }
  return std::string(name);
}

bool runs_rocm(std::string_view gpu) {
  return canonical_gpu_name(gpu).starts_with("MI");
}

std::optional<std::string> unread_in_gpu_name(std::string_view name) {
  std::string whole(name);  // "44.7GB" is one word
  std::erase(whole, '.');
  const auto form = normal_form(whole);
  const auto* rule = is_slice(name) ? nullptr : rule_of(form);
  if (rule == nullptr) {
    return std::nullopt;
  }
  std::string unread;
  for (auto begin = rule->model.size(); begin < form.size();) {
    const auto end = std::min(form.find('-', begin + 1), form.size());
    const auto word = form.substr(begin + 1, end - begin - 1);
    unread += is_usual_behind_a_model(word) ? "" : (unread.empty() ? "" : " ") + word;
    begin = end;
  }
  return unread;
}

std::optional<double> memory_in_gpu_name(std::string_view name) {
  const auto gpu = canonical_gpu_name(name);
  if (gpu == "K80" || gpu == "M60" || gpu == "MI250" || gpu == "MI250X") {
    return std::nullopt;
  }
  for (const auto& word : words_with_decimals(name)) {
    double gib = 0;
    const auto* end = word.data() + word.size();
    const auto [unit, error] = std::from_chars(word.data(), end, gib, std::chars_format::fixed);
    const std::string_view rest(unit, static_cast<std::size_t>(end - unit));
    if (error == std::errc{} && gib > 0 && (rest == "gb" || rest == "gib")) {
      return gib;
    }
  }
  return std::nullopt;
}

}  // namespace rightsize
