#include "advisor/cli/help.h"

#include <algorithm>
#include <sstream>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "advisor/report/table.h"

namespace rightsize::cli {
namespace {

namespace po = boost::program_options;

constexpr std::size_t text_column = 30;
constexpr std::size_t many_flags = 30;  // that nobody reads as one list

std::string flag_lines(const po::option_description& option) {
  const auto brief = option.format_name();  // "-o [ --output ]" of one with a letter
  const auto letter = brief.starts_with("--") ? "" : brief.substr(0, 2) + ", ";
  auto line = fmt::format("  {}--{} {}", letter, option.long_name(), option.format_parameter());
  line.erase(line.find_last_not_of(' ') + 1);
  const auto width = report::display_width(line);
  if (option.description().empty()) {
    return line + "\n";
  }
  if (width + 2 > text_column) {
    line += "\n" + std::string(text_column, ' ');
  } else {
    line += std::string(text_column - width, ' ');
  }
  return line + help_lines(option.description(), text_column, text_column) + "\n";
}

// A word that no line holds, as a machine by its parts, may break behind its commas.
std::vector<std::string> parts_of(const std::string& word, std::size_t most) {
  if (report::display_width(word) <= most) {
    return {word};
  }
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin < word.size();) {
    const auto comma = word.find(',', begin);
    const auto end = comma == std::string::npos ? word.size() : comma + 1;
    parts.push_back(word.substr(begin, end - begin));
    begin = end;
  }
  return parts;
}

// Words that stay on one line: a flag and its value.
std::vector<std::string> units_of(const std::string& example) {
  std::vector<std::string> units;
  std::istringstream words(example);
  bool open = false;  // the last is a flag
  for (std::string word; words >> word;) {
    const bool flag = word.starts_with('-');
    if (open && !flag) {
      units.back() += " " + word;
    } else {
      units.push_back(word);
    }
    open = flag;
  }
  return units;
}

// A long example goes on behind a backslash, so that it can be pasted as it stands.
std::string example_lines(const std::string& example) {
  constexpr std::size_t behind = 2;  // the backslash and the blank before it
  constexpr std::size_t indent = 6;
  std::string text = "  ";
  std::size_t column = 2;
  for (const auto& unit : units_of(example)) {
    const bool first = column <= 2;
    if (!first && column + 1 + unit.size() + behind > static_cast<std::size_t>(help_columns)) {
      text += " \\\n" + std::string(indent, ' ');
      column = indent;
    } else if (!first) {
      text += " ";
      ++column;
    }
    text += unit;
    column += unit.size();
  }
  return text + "\n";
}

// By heading, in the order of the first flag of each, but what every command has at the end.
using Sections = std::vector<std::pair<std::string_view, std::string>>;

Sections sections_of(std::string_view command, const Options& options) {
  const bool many = options.options().size() > many_flags;
  Sections sections;
  for (const auto& option : options.options()) {
    const auto title = many ? heading_of(command, option->long_name()) : "options";
    auto found = std::find_if(
        sections.begin(), sections.end(), [&](const auto& one) { return one.first == title; });
    if (found == sections.end()) {
      found = sections.emplace(sections.end(), title, "");
    }
    found->second += flag_lines(*option);
  }
  const auto place = [](const auto& section) {
    return section.first == "Output" ? 2 : section.first == "Job" ? 0 : 1;
  };
  std::stable_sort(sections.begin(), sections.end(), [&](const auto& a, const auto& b) {
    return place(a) < place(b);
  });
  return sections;
}

}  // namespace

std::string help_lines(std::string_view text, std::size_t taken, std::size_t indent) {
  const auto most = static_cast<std::size_t>(help_columns);
  std::string lines;
  std::size_t column = taken;
  std::istringstream words{std::string(text)};
  for (std::string word; words >> word;) {
    bool blank = !lines.empty();  // before the first part of a word
    for (const auto& part : parts_of(word, most - indent)) {
      const auto width = report::display_width(part);
      if (!lines.empty() && column + (blank ? 1 : 0) + width > most) {
        lines += "\n" + std::string(indent, ' ');
        column = indent;
      } else if (blank) {
        lines += " ";
        ++column;
      }
      lines += part;
      column += width;
      blank = false;
    }
  }
  return lines;
}

std::string help_of(const Command& command, const Options& options) {
  const auto summary = fmt::format("rightsize {}: {}", command.name, command.summary);
  std::string text =
      fmt::format("{}\n\nusage: rightsize {} {}[options]\n\nexamples:\n",
                  help_lines(summary, 0, 2),
                  command.name,
                  command.arguments.empty() ? "" : std::string(command.arguments) + " ");
  std::istringstream examples{std::string(command.examples)};
  for (std::string line; std::getline(examples, line);) {
    text += example_lines(line);
  }
  for (const auto& [title, lines] : sections_of(command.name, options)) {
    text += fmt::format("\n{}:\n{}", title, lines);
  }
  return text;
}

}  // namespace rightsize::cli
