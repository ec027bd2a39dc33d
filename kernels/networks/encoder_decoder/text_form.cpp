#include "kernels/networks/encoder_decoder/text_form.h"

#include <algorithm>
#include <charconv>
#include <vector>

#include <fmt/format.h>

#include "kernels/network_error.h"

namespace rightsize {
namespace {

constexpr int most_beams = 64;

[[noreturn]] void refuse(std::string_view name, const std::string& why) {
  throw NetworkError(fmt::format("network {}: {}", name, why));
}

int number_in(std::string_view name, std::string_view key, std::string_view text, int most) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < 1 || value > most) {
    refuse(name, fmt::format("{}={}: expected 1 to {}", key, text, most));
  }
  return value;
}

void read_part(TextForm& form,
               std::string_view name,
               std::string_view part,
               const EncoderDecoderInfo& info) {
  const auto equals = part.find('=');
  const auto key = part.substr(0, equals);
  const auto value = equals == std::string_view::npos ? "" : part.substr(equals + 1);
  if (key == "tokens") {
    form.tokens = number_in(name, key, value, info.most_tokens);
    return;
  }
  if (key == "beams" && !info.trained) {
    form.beams = number_in(name, key, value, most_beams);
    return;
  }
  refuse(
      name,
      fmt::format("\"{}\": {}",
                  part,
                  info.trained ? "of what it is trained on there is :tokens=N, as long as a text is"
                               : "expected :tokens=N, as much as is written, or :beams=N"));
}

}  // namespace

TextForm read_text_form(std::string_view name, const EncoderDecoderInfo& info) {
  auto form = info.usual;
  std::vector<std::string_view> said;
  for (auto rest = name.substr(without_form(name).size()); !rest.empty();) {
    rest.remove_prefix(1);  // the colon
    const auto part = rest.substr(0, rest.find(':'));
    const auto key = part.substr(0, part.find('='));
    if (std::find(said.begin(), said.end(), key) != said.end()) {
      refuse(name, fmt::format("\"{}\": {} is said twice", part, key));
    }
    said.push_back(key);
    read_part(form, name, part, info);
    rest.remove_prefix(part.size());
  }
  return form;
}

std::string text_title(const EncoderDecoderInfo& info, const TextForm& form) {
  return fmt::format("{}, {} token{}{}",
                     info.title,
                     form.tokens,
                     form.tokens == 1 ? "" : "s",
                     form.beams > 1 ? fmt::format(" by {} beams", form.beams) : "");
}

}  // namespace rightsize
