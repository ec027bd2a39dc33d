#include "advisor/query/gpu_choice.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <regex>
#include <utility>

#include <boost/algorithm/string.hpp>
#include <fmt/format.h>

#include "advisor/query/usage_error.h"
#include "models/laws/gpu_name.h"

namespace rightsize {
namespace {

// A chip's name, and the marks behind it that tell how it is built: "A100", {"PCIe"}.
struct Marked {
  std::string chip;
  std::vector<std::string> forms;
};

// Memory is no mark: it is compared by itself. "RTX-6000-Ada" and "RTX-3080-Ti" are other chips
// than those whose names they begin with.
Marked marked(const std::string& gpu) {
  static const std::regex form("pcie|sxm[0-9]*|nvl|nvlink", std::regex::icase);
  static const std::regex memory("[0-9]+gi?b", std::regex::icase);
  Marked result;
  std::vector<std::string> words;
  boost::split(words, gpu, boost::is_any_of("-"));
  for (const auto& word : words) {
    if (std::regex_match(word, form)) {
      result.forms.push_back(word);
    } else if (!std::regex_match(word, memory)) {
      result.chip += (result.chip.empty() ? "" : "-") + word;
    }
  }
  return result;
}

bool has_forms(const std::vector<std::string>& wanted, const std::vector<std::string>& has) {
  return std::all_of(wanted.begin(), wanted.end(), [&](const std::string& form) {
    return std::find(has.begin(), has.end(), form) != has.end();
  });
}

// A table has 44.7 GiB of what is sold as 48 GB. Where neither says its memory, names have to
// agree.
bool is_so_large(const GpuWords& wanted, const Offer& offer, std::string_view gpu) {
  constexpr double apart = 0.15;
  const auto asked = wanted.memory_gib ? wanted.memory_gib : memory_in_gpu_name(wanted.gpu);
  const auto has = offer.gpu_memory_gib ? offer.gpu_memory_gib : memory_in_gpu_name(gpu);
  return !asked ? true : has ? std::abs(*has / *asked - 1) < apart : gpu == wanted.gpu;
}

bool is_one_of(const GpuWords& wanted, const Offer& offer, const std::string& gpu) {
  if (wanted.gpu.empty() || gpu.empty()) {
    return wanted.gpu.empty() && gpu.empty();
  }
  const auto asked = marked(wanted.gpu);
  const auto has = marked(gpu);
  return asked.chip == has.chip && has_forms(asked.forms, has.forms) &&
         is_so_large(wanted, offer, gpu) && (!wanted.count || offer.gpus == *wanted.count);
}

}  // namespace

std::vector<std::string> checked_gpus(const std::vector<std::string>& names,
                                      const std::string& what) {
  std::vector<std::string> all;
  for (const auto& several : names) {
    std::vector<std::string> each;
    boost::split(each, several, boost::is_any_of(","));
    for (auto& name : each) {
      boost::trim(name);
      const auto expected = name.empty()
                                ? std::string("a GPU such as H100, or none of machines without one")
                                : gpu_words(name).expected;
      if (!expected.empty()) {
        throw UsageError(fmt::format("{} = \"{}\": expected {}", what, several, expected));
      }
      all.push_back(std::move(name));
    }
  }
  return all;
}

GpuChoice::GpuChoice(std::span<const std::string> names) {
  std::transform(names.begin(), names.end(), std::back_inserter(wanted_), gpu_words);
}

bool GpuChoice::holds(const Offer& offer) const {
  if (wanted_.empty()) {
    return true;
  }
  const auto gpu = offer.gpu.empty() ? std::string() : canonical_gpu_name(offer.gpu);
  return std::any_of(wanted_.begin(), wanted_.end(), [&](const GpuWords& one) {
    return is_one_of(one, offer, gpu);
  });
}

}  // namespace rightsize
