#include "kernels/networks/form_parts.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "kernels/network.h"
#include "kernels/network_error.h"

namespace rightsize {

std::vector<FormPart> form_parts(std::string_view name) {
  std::vector<FormPart> parts;
  for (auto rest = name.substr(without_form(name).size()); !rest.empty();) {
    rest.remove_prefix(1);  // the colon
    const auto text = rest.substr(0, rest.find(':'));
    const auto equals = text.find('=');
    const auto key = text.substr(0, equals);
    if (std::any_of(parts.begin(), parts.end(), [&](const auto& one) { return one.key == key; })) {
      refuse_form(name, fmt::format("\"{}\": {} is said twice", text, key));
    }
    const auto value = equals == std::string_view::npos ? "" : text.substr(equals + 1);
    parts.push_back({text, key, value});
    rest.remove_prefix(text.size());
  }
  return parts;
}

void refuse_form(std::string_view name, const std::string& why) {
  throw NetworkError(fmt::format("network {}: {}", name, why));
}

int form_number(std::string_view text, int most) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  return whole && value > 0 && value <= most ? value : 0;
}

}  // namespace rightsize
