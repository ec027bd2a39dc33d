#include "profiler/campaign/field_values.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <limits>
#include <string_view>

#include "profiler/campaign/units.h"
#include "profiler/command/shell_words.h"
#include "profiler/command/step_counter.h"
#include "profiler/serving/arrivals.h"

namespace rightsize::field_value {

bool set_text(const toml::node& node, std::string& target) {
  const auto text = node.value_exact<std::string>();
  target = text.value_or("");
  return text.has_value() && !text->empty();
}

bool set_count(const toml::node& node, int least, int& target) {
  const auto value = node.value_exact<std::int64_t>();
  if (!value || *value < least || *value > std::numeric_limits<int>::max()) {
    return false;
  }
  target = static_cast<int>(*value);
  return true;
}

bool set_number(const toml::node& node, double& target) {
  const auto value = node.is_number() ? node.value<double>() : std::nullopt;
  target = value.value_or(target);
  return value && *value >= 0 && std::isfinite(*value);
}

bool set_seconds(const toml::node& node, double& target) {
  if (const auto text = node.value_exact<std::string>()) {
    const auto seconds = parse_seconds(*text);
    target = seconds.value_or(target);
    return seconds && *seconds <= most_seconds;
  }
  return set_number(node, target) && target <= most_seconds;
}

bool set_rate(const toml::node& node, double& target) {
  if (const auto text = node.value_exact<std::string>()) {
    const auto rate = parse_bytes_per_s(*text);
    target = rate.value_or(target);
    return rate.has_value();
  }
  return set_number(node, target);
}

namespace {

bool set_bytes(const toml::node& node, std::uint64_t& target) {
  if (const auto text = node.value_exact<std::string>()) {
    const auto bytes = parse_bytes(*text);
    target = bytes.value_or(target);
    return bytes.has_value();
  }
  const auto value = node.value_exact<std::int64_t>();
  target = value && *value >= 0 ? static_cast<std::uint64_t>(*value) : target;
  return value && *value >= 0;
}

}  // namespace

bool set_memory(const toml::node& node, std::uint64_t& target) {
  return set_bytes(node, target) && (target == 0 || target >= std::uint64_t{1} << 20);
}

bool set_disk_rate(const toml::node& node, double& target) {
  return set_rate(node, target) && (target == 0 || target >= 1e3);
}

bool set_flag(const toml::node& node, bool& target) {
  const auto value = node.value_exact<bool>();
  target = value.value_or(target);
  return value.has_value();
}

bool set_delay(const toml::node& node, double& target) {
  return set_seconds(node, target) && (!node.is_number() || target == 0);
}

bool set_arrivals(const toml::node& node, Requests& requests) {
  return set_text(node, requests.arrivals) &&
         (!requests.arrivals.starts_with("bursty") || group_size_of(requests.arrivals));
}

bool set_isa(const toml::node& node, std::string& target) {
  return set_text(node, target) && (target == "sse41" || target == "avx2" || target == "avx512");
}

namespace {

// What a shell would act on, and a program is handed as it stands.
bool is_for_a_shell(const std::vector<std::string>& words) {
  constexpr std::array<std::string_view, 9> operators{
      "|", ">", ">>", "<", "&&", "||", ";", "&", "2>&1"};
  const auto is_name = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
  };
  const auto equals = words.empty() ? std::string::npos : words[0].find('=');
  const bool assigns =
      equals != std::string::npos && equals > 0 &&
      std::all_of(
          words[0].begin(), words[0].begin() + static_cast<std::ptrdiff_t>(equals), is_name);
  return assigns || std::any_of(words.begin(), words.end(), [&](const std::string& word) {
           return std::find(operators.begin(), operators.end(), word) != operators.end();
         });
}

}  // namespace

bool set_command(const toml::node& node, UserCommand& command) {
  command.words.clear();
  if (const auto text = node.value_exact<std::string>()) {
    command.words = shell_words(*text).value_or(std::vector<std::string>{});
    if (is_for_a_shell(command.words)) {
      command.words.clear();
    }
  } else if (const auto* list = node.as_array()) {
    for (const auto& word : *list) {
      const auto text_word = word.value_exact<std::string>();
      if (!text_word) {
        return false;
      }
      command.words.push_back(*text_word);
    }
  }
  return !command.words.empty();
}

bool set_steps(const toml::node& node, UserCommand& command) {
  const auto text = node.value_exact<std::string>();
  const auto rule = text ? parse_step_rule(*text) : std::nullopt;
  command.steps = rule.value_or(command.steps);
  return rule.has_value();
}

}  // namespace rightsize::field_value
