#include "models/laws/gpu_name.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <regex>
#include <vector>

#include "models/laws/gpu_name_rules.h"
#include "models/laws/gpu_share.h"

namespace rightsize {
namespace {

// Words of letters and digits, in lower case, without those that name a vendor or a series.
std::vector<std::string> words_of(std::string_view name) {
  static constexpr std::array<std::string_view, 14> dropped{"nvidia",
                                                            "amd",
                                                            "aws",
                                                            "google",
                                                            "cloud",
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

bool matches(const GpuNameRule& rule, std::string_view form) {
  return form.starts_with(rule.model) &&
         (form.size() == rule.model.size() || form[rule.model.size()] == '-') &&
         form.substr(rule.model.size()).find(rule.mark) != std::string_view::npos;
}

const GpuNameRule* rule_of(std::string_view form) {
  const auto* const found =
      std::find_if(gpu_name_rules.begin(), gpu_name_rules.end(), [&](const GpuNameRule& rule) {
        return matches(rule, form);
      });
  return found == gpu_name_rules.end() ? nullptr : found;
}

// What drivers, clouds and tables of benchmarks write behind a model: "80gb", "sxm4", "hbm2e".
bool is_usual_behind_a_model(const std::string& word) {
  static const std::regex usual(
      "[0-9]+g(b|ib)?|(sxm|gen)[0-9]?|pcie|nvl(ink)?|hbm[0-9]?e?|gddr[0-9]?x?|max|q|design|ti|"
      "black|z|kepler|maxwell|pascal|volta|turing|ampere|ada|lovelace|hopper|grace|blackwell|"
      "superchip|generation|edition|server|workstation|tensor|core|cts|dgxs|fhhl|"
      "oam|cdna[234]?|slice|podslice|hightpu|standard|[148]t");
  constexpr std::size_t longest = 16;  // std::regex would run out of stack on a long enough word
  return word.size() <= longest && std::regex_match(word, usual);
}

// "tpu-v5p-8", "v5litepod-16": so many cores or chips of TPUs, which is which by generation.
bool is_slice_of_tpus(const std::vector<std::string>& words) {
  const bool tpu = !words.empty() && (words.front() == "tpu" || words.front().starts_with("v5") ||
                                      words.front() == "v6e");
  return tpu && words.back().find_first_not_of("0123456789") == std::string::npos;
}

// "A100 MIG 1g.10gb": a part of a GPU, of which no figures are known.
bool is_slice(std::string_view name) {
  const auto words = words_of(name);
  if (is_slice_of_tpus(words)) {
    return true;
  }
  return std::any_of(words.begin(), words.end(), [](const std::string& word) {
    return word == "mig" ||
           (word.size() == 2 && word[0] >= '1' && word[0] <= '9' && word[1] == 'g');
  });
}

}  // namespace

std::string canonical_gpu_name(std::string_view name) {
  if (const auto share = gpu_share(name)) {
    return canonical_gpu_name(share->whole) + std::string(name.substr(share->whole.size()));
  }
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
  if (const auto share = gpu_share(name)) {
    return unread_in_gpu_name(share->whole);
  }
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
  if (const auto share = gpu_share(name)) {
    const auto whole = memory_in_gpu_name(share->whole);
    return whole ? std::optional(*whole / share->parts) : std::nullopt;
  }
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
