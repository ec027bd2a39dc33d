#include "kernels/networks/near_name.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <iterator>
#include <string>
#include <vector>

#include "kernels/edit_distance.h"

namespace rightsize {
namespace {

// "meta-llama/Llama-3.1-8B" -> "llama-3.1-8b"
std::string model_of(std::string_view name) {
  std::string model(name.substr(name.find_last_of('/') + 1));
  std::transform(model.begin(), model.end(), model.begin(), [](unsigned char c) {
    return static_cast<char>(std::tolower(c));
  });
  return model;
}

std::vector<std::string_view> words_of(std::string_view name) {
  std::vector<std::string_view> words;
  while (!name.empty()) {
    const auto end = std::min(name.find_first_of("-_ "), name.size());
    words.push_back(name.substr(0, end));
    name.remove_prefix(std::min(end + 1, name.size()));
  }
  return words;
}

// How many words of `model` are `known`'s, all of them in their order; 0 where one is missing. A
// name of one word has no size in it, which the words behind it would change.
std::size_t shared_words(const std::string& model, std::string_view known) {
  const auto needed = words_of(known);
  auto at = needed.begin();
  for (const auto word : words_of(model)) {
    at += at != needed.end() && word == *at ? 1 : 0;
  }
  return needed.size() > 1 && at == needed.end() ? needed.size() : 0;
}

// "27" of "llama-2-7b": sizes and versions, which nobody misspells into another's.
std::string digits_of(std::string_view name) {
  std::string digits;
  std::copy_if(name.begin(), name.end(), std::back_inserter(digits), [](unsigned char c) {
    return std::isdigit(c) != 0;
  });
  return digits;
}

// Whether `a` is `b` with so many slips: with several of them it begins alike at least, which
// "gpt2-medium" and ptb-medium do not.
bool nearly(std::string_view a, std::string_view b, std::size_t slips) {
  return (digits_of(a) == digits_of(b) || b.starts_with(a)) &&
         slips <= std::clamp<std::size_t>((a.size() + 1) / 3, 1, 3) &&
         (slips <= 1 || a.front() == b.front());
}

// "llama" of "llama-13b", "mobilenet" of "mobilenetv4_hybrid": its first letters, without the "v"
// that a version begins with.
std::string_view family_of(std::string_view model) {
  constexpr std::size_t telling = 4;  // "wav" of "wav2vec2" has no version
  const auto end = std::find_if(
      model.begin(), model.end(), [](unsigned char c) { return std::isalpha(c) == 0; });
  const auto letters = model.substr(0, static_cast<std::size_t>(end - model.begin()));
  const bool versioned = letters.size() > telling && letters.ends_with('v') && end != model.end() &&
                         std::isdigit(static_cast<unsigned char>(*end)) != 0;
  return versioned ? letters.substr(0, letters.size() - 1) : letters;
}

// Small letters and digits alone.
std::string plain(std::string_view name) {
  std::string word;
  std::copy_if(name.begin(), name.end(), std::back_inserter(word), [](unsigned char c) {
    return std::isalnum(c) != 0;
  });
  return word;
}

// "tinyvit" of "tiny_vit_21m": its first words as one, for names that write them as one.
std::string first_two(std::string_view model) {
  const auto words = words_of(model);
  return words.size() < 2 ? "" : std::string(words[0]) + std::string(words[1]);
}

// Those whose names begin with its first word, "yolov8" of "yolov8-nano"; all where none does.
std::vector<std::string_view> of_version(const std::string& model,
                                         std::vector<std::string_view> members) {
  const auto word = plain(words_of(model).front());
  std::vector<std::string_view> same;
  std::copy_if(members.begin(), members.end(), std::back_inserter(same), [&](auto name) {
    return plain(name).starts_with(word);
  });
  return same.empty() ? members : same;
}

}  // namespace

std::string_view near_network(std::string_view name, std::span<const NetworkTitle> networks) {
  const auto model = model_of(name);
  std::string_view nearest;
  std::size_t distance = std::string_view::npos;
  std::string_view worded;
  std::size_t most = 0;
  for (const auto& info : networks) {
    const auto slips = edit_distance(model, info.name);
    if (slips < distance && nearly(model, info.name, slips)) {
      nearest = info.name;
      distance = slips;
    }
    if (const auto shared = shared_words(model, info.name); shared > most) {
      worded = info.name;
      most = shared;
    }
  }
  return distance > 0 && most > 0 ? worded : nearest;
}

std::vector<std::string_view> networks_of_family(std::string_view name,
                                                 std::span<const NetworkTitle> networks) {
  const auto model = model_of(name);
  const auto family = family_of(model);
  const auto joined = first_two(model);
  constexpr std::size_t telling = 3;  // "t" begins more than t5
  constexpr std::size_t ending = 2;   // "tiny" is no tinyllama
  const auto is_member = [&](std::string_view known) {
    const auto whole = family_of(known);
    const bool begins = family.size() >= telling && whole.starts_with(family) &&
                        whole.size() <= family.size() + ending;
    return whole == family || whole == joined || begins;
  };
  std::vector<std::string_view> members;
  for (const auto& info : networks) {
    if (!family.empty() && is_member(info.name)) {
      members.push_back(info.name);
    }
  }
  return members.empty() ? members : of_version(model, members);
}

std::string_view nearest_in_work(std::string_view name) {
  constexpr std::string_view deberta =
      "the first version's distances have matrices of their own in every layer; deberta-v3-base "
      "and deberta-v3-large are the nearest, and less work";
  struct Kin {
    std::string_view family;
    std::string_view words;
  };
  constexpr std::array<Kin, 1> kin{{{"deberta", deberta}}};
  const auto model = model_of(name);
  const auto family = family_of(model);
  const auto* const found =
      std::find_if(kin.begin(), kin.end(), [&](const Kin& one) { return one.family == family; });
  return found == kin.end() ? std::string_view() : found->words;
}

}  // namespace rightsize
