#include "advisor/machine/gpu_words.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <regex>

#include <fmt/format.h>

#include "advisor/query/words.h"
#include "models/laws/gpu_name.h"

namespace rightsize {
namespace {

// Of what is longer nobody wrote a name; std::regex would run out of stack on a long enough text.
constexpr std::size_t longest_text = 200;

// A number with no sign beside it is a count up to here; "A100 80" may mean gigabytes.
constexpr int most_bare_count = 8;

struct Parts {
  std::string name;
  std::string count;  // "" where none is said
  bool sign = true;   // what is a count is marked as one: "x 8", ":8", "(x8)"
};

bool is_known(const std::string& name) {
  return unread_in_gpu_name(name) == "";
}

// "4 × T4" and "V100 32 GB" as they are read below: "4 x T4", "V100 32GB".
std::string with_plain_signs(std::string_view text) {
  constexpr std::string_view times = "\u00d7";
  std::string plain(text);
  for (auto at = plain.find(times); at != std::string::npos; at = plain.find(times)) {
    plain.replace(at, times.size(), "x");
  }
  static const std::regex apart("([0-9]) (gi?b)\\b", std::regex::icase);
  return std::regex_replace(plain, apart, "$1$2");
}

// "8x A100", "8 A100"; but "2080 Ti" is a name, and "4090 x 2" begins with one.
std::optional<Parts> count_before(const std::string& text) {
  static const std::regex form("([0-9]+)\\s*([x*]\\s*|\\s)(\\S.*)", std::regex::icase);
  std::smatch found;
  if (!std::regex_match(text, found, form)) {
    return std::nullopt;
  }
  const auto name = found[3].str();
  const bool sign = found[2].str().find_first_of("xX*") != std::string::npos;
  const bool lettered =
      std::any_of(name.begin(), name.end(), [](unsigned char c) { return std::isalpha(c) != 0; });
  return (sign && lettered) || is_known(name) ? std::optional(Parts{name, found[1]}) : std::nullopt;
}

// "T4 x 4", "T4x4", "T4 (4)", "T4 (x4)"; but "RTX 4090" and "Titan X 4" have the x in their names.
std::optional<Parts> count_behind(const std::string& text) {
  static const std::regex in_brackets("(.*\\S)\\s*\\(\\s*(x?)\\s*([0-9]+)( gpus?)?\\s*\\)",
                                      std::regex::icase);
  static const std::regex behind_sign("(.*[^\\s-])([\\s-]*)[x*]\\s*([0-9]+)( gpus?)?",
                                      std::regex::icase);
  std::smatch found;
  if (std::regex_match(text, found, in_brackets)) {
    return Parts{found[1], found[3], found[2].length() > 0};
  }
  if (!std::regex_match(text, found, behind_sign) || is_known(found[1].str() + " X")) {
    return std::nullopt;
  }
  return found[2].length() > 0 || is_known(found[1]) ? std::optional(Parts{found[1], found[3]})
                                                     : std::nullopt;
}

// "A100 8"; but "RTX 4090" is a name.
std::optional<Parts> bare_count_behind(const std::string& text) {
  static const std::regex form("(.*\\S)\\s+([0-9]+)( gpus?)?", std::regex::icase);
  std::smatch found;
  return std::regex_match(text, found, form) && is_known(found[1])
             ? std::optional(Parts{found[1], found[2], false})
             : std::nullopt;
}

Parts parts_of(const std::string& text) {
  if (const auto colon = text.rfind(':'); colon != std::string::npos) {
    const auto digits = text.find_first_not_of(' ', colon + 1);
    return {text.substr(0, colon), digits == std::string::npos ? "nothing" : text.substr(digits)};
  }
  for (const auto& read : {count_before, count_behind, bare_count_behind}) {
    if (auto parts = read(text)) {
      return *parts;
    }
  }
  return {text, ""};
}

std::optional<int> whole(const std::string& text) {
  int value = 0;
  const auto* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  return error == std::errc{} && rest == end ? std::optional(value) : std::nullopt;
}

// What was expected instead of such parts; "" where they can be read.
std::string mistake_in(const Parts& parts) {
  if (parts.name.find(':') != std::string::npos) {
    return "one number after one colon, such as A100:8";
  }
  const auto count = whole(parts.count);
  if (means_no_gpu(parts.name)) {
    return parts.count.empty() || count == 0 ? "" : "no number with no GPU";
  }
  if (const auto unread = unread_in_gpu_name(parts.name).value_or(""); !unread.empty()) {
    return fmt::format(
        "a GPU and how many of them, such as A100:8 or \"8x A100\"; \"{}\" is neither", unread);
  }
  if (!parts.count.empty() && (!count || *count < 1 || *count > most_gpus_per_node)) {
    return fmt::format("a whole number of GPUs from 1 to {}, such as A100:8", most_gpus_per_node);
  }
  if (!parts.sign && count.value_or(0) > most_bare_count) {
    return fmt::format(
        "{0}:{1} for {1} GPUs, or {0}-{1}GB for their memory: {1} alone may mean both",
        parts.name,
        *count);
  }
  return "";
}

}  // namespace

GpuWords gpu_words(std::string_view text) {
  GpuWords words;
  if (text.size() > longest_text) {
    words.expected = "a GPU, such as A100 or A100:8";
    return words;
  }
  const auto parts = parts_of(with_plain_signs(text));
  words.expected = mistake_in(parts);
  if (!words.expected.empty() || means_no_gpu(parts.name)) {
    return words;
  }
  words.gpu = canonical_gpu_name(parts.name);
  words.memory_gib = memory_in_gpu_name(parts.name);
  words.count = whole(parts.count);
  return words;
}

}  // namespace rightsize
