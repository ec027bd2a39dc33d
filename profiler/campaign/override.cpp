#include "profiler/campaign/override.h"

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "profiler/campaign/axis.h"
#include "profiler/campaign/fields.h"
#include "profiler/campaign/nearest.h"
#include "profiler/campaign/plan.h"
#include "profiler/campaign/toml_errors.h"

namespace rightsize {
namespace {

[[noreturn]] void fail(const std::string& assignment, const std::string& message) {
  throw PlanError(fmt::format("--set {}: {}", assignment, message));
}

// What a campaign file would take for a number or a truth value; ".5" and "5." too, as people write
// them.
std::optional<std::string> plain_value(const std::string& text) {
  if (text == "true" || text == "false") {
    return text;
  }
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != '\0' || text.find_first_not_of("+-.0123456789eE") != text.npos) {
    return std::nullopt;
  }
  try {
    static_cast<void>(toml::parse("value = " + text));
    return text;
  } catch (const toml::parse_error&) {
    return fmt::format("{:.17g}", number);
  }
}

const Field& field_of(const std::string& assignment, std::string_view key) {
  if (const auto* field = find_field(key)) {
    return *field;
  }
  std::vector<std::string_view> known;
  for (const auto& field : campaign_fields()) {
    known.push_back(field.name);
  }
  const auto near = nearest(key, known);
  fail(assignment,
       near.empty() ? fmt::format("unknown key; the keys are {}", fmt::join(known, ", "))
                    : fmt::format("unknown key; did you mean {}?", near));
}

// Quotes and brackets stand for themselves, as in the file.
std::optional<std::string> axis_of(std::string_view key, const std::string& text) {
  if (text.starts_with('[')) {
    return text;
  }
  return is_one_value(key, text) || text.starts_with('"') ? std::nullopt : toml_axis(text);
}

Override parse_override(const std::string& assignment) {
  const auto equals = assignment.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == assignment.size()) {
    fail(assignment, "expected key=value, as in --set cpus=2 or --set cpus=1,2,4");
  }
  Override made;
  made.key = assignment.substr(0, equals);
  const auto& field = field_of(assignment, made.key);
  const auto text = assignment.substr(equals + 1);
  const auto axis = axis_of(made.key, text);
  made.is_axis = axis.has_value();
  toml::table document;
  try {
    const auto value = axis ? *axis : text.starts_with('"') ? text : toml_value(text);
    document = toml::parse("value = " + value);
  } catch (const toml::parse_error& error) {
    fail(assignment, fmt::format("not a value: {}", error.description()));
  }
  const std::string nowhere;  // a complaint names the assignment instead
  try {
    if (made.is_axis) {
      for (const auto& value : axis_values(made.key, *document.get("value"), TomlErrors(nowhere))) {
        made.values.push_back(*value);
      }
    } else {
      made.values.push_back(*document.get("value"));
    }
  } catch (const PlanError&) {
    fail(assignment, "expected a list like 1,2,4 or a range like 1:16:x2");
  }
  for (const auto& value : made.values) {
    Cell scratch;
    if (!field.set(value, scratch)) {
      fail(assignment, refusal(field, value));
    }
  }
  return made;
}

}  // namespace

std::string toml_text(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (static_cast<unsigned char>(c) < ' ') {
      quoted += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else {
      quoted += (c == '"' || c == '\\') ? std::string("\\") + c : std::string(1, c);
    }
  }
  return quoted + "\"";
}

std::string toml_value(const std::string& text) {
  return plain_value(text).value_or(toml_text(text));
}

bool is_one_value(std::string_view key, std::string_view text) {
  // "sdxl:steps=20" is a name, and no range.
  const bool network = key == "network" && text.find(',') == std::string_view::npos;
  return network || key == "data_path" || key == "steps" || key == "command" || key == "arrivals" ||
         key == "synthetic";
}

std::optional<std::string> toml_axis(const std::string& text) {
  if (text.find(',') == std::string::npos) {
    const bool range = text.find(':') != std::string::npos && text.find('/') == std::string::npos;
    return range ? std::optional("\"" + text + "\"") : std::nullopt;
  }
  std::string list = "[";
  std::size_t at = 0;
  while (at <= text.size()) {
    const auto comma = std::min(text.find(',', at), text.size());
    list += (list.size() > 1 ? ", " : "") + toml_value(text.substr(at, comma - at));
    at = comma + 1;
  }
  return list + "]";
}

std::vector<Override> parse_overrides(const std::vector<std::string>& assignments) {
  std::vector<Override> overrides;
  for (const auto& assignment : assignments) {
    auto next = parse_override(assignment);
    std::erase_if(overrides, [&](const Override& earlier) { return earlier.key == next.key; });
    overrides.push_back(std::move(next));
  }
  return overrides;
}

const Override* find_override(const std::vector<Override>& overrides, std::string_view key) {
  const auto found = std::find_if(
      overrides.begin(), overrides.end(), [&](const Override& one) { return one.key == key; });
  return found == overrides.end() ? nullptr : &*found;
}

}  // namespace rightsize
