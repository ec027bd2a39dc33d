#include "profiler/command/step_counter.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "profiler/whole_number.h"

namespace rightsize {
namespace {

// The word before the first blank, and what follows it.
std::pair<std::string_view, std::string_view> first_word(std::string_view text) {
  const auto blank = std::min(text.find(' '), text.size());
  const auto rest = text.substr(blank);
  const auto begin = std::min(rest.find_first_not_of(' '), rest.size());
  return {text.substr(0, blank), rest.substr(begin)};
}

}  // namespace

void StepNews::add(const StepNews& other) {
  steps += other.steps;
  items += other.items;
  epoch_ended = epoch_ended || other.epoch_ended;
  loss = other.loss ? other.loss : loss;
}

StepNews RunningNumber::see(std::uint64_t number) {
  StepNews news;
  if (last_ && number < *last_) {
    news.epoch_ended = true;
    news.steps = number;
  } else if (last_) {
    news.steps = number - *last_;
  }
  last_ = number;
  return news;
}

StepNews PatternSteps::line(const std::string& text) {
  std::smatch match;
  if (!std::regex_search(text, match, pattern_)) {
    return {};
  }
  matched_ = true;
  const auto number = match.size() > 1 ? whole_number(match[1].str()) : std::nullopt;
  if (number) {
    return number_.see(*number);
  }
  StepNews news;
  news.steps = 1;
  return news;
}

std::string pattern_problem(const std::string& pattern) {
  try {
    const PatternSteps good(pattern);
    return {};
  } catch (const std::regex_error& error) {
    return error.what();
  }
}

StepNews protocol_line(std::string_view text) {
  const auto [word, rest] = first_word(text);
  StepNews news;
  if (word == "step") {
    news.steps = 1;
    news.items = whole_number(rest).value_or(0);
  } else if (word == "epoch") {
    news.epoch_ended = true;
  } else if (word == "loss") {
    char* end = nullptr;
    const std::string number(rest);
    const double loss = std::strtod(number.c_str(), &end);
    if (end != number.c_str() && std::isfinite(loss)) {
      news.loss = loss;
    }
  }
  return news;
}

StepNews FileSteps::content(std::string_view text) {
  if (text.empty()) {
    return {};  // between the truncation and the write
  }
  const auto newline_at_end = text.rfind('\n');
  if (newline_at_end != std::string_view::npos) {
    text = text.substr(0, newline_at_end + 1);  // a line that is still being written says nothing
  }
  auto end = text.size();
  while (end > 0 && (text[end - 1] == '\n' || text[end - 1] == ' ')) {
    --end;
  }
  const auto newline = text.substr(0, end).rfind('\n');
  const auto last = text.substr(newline == std::string_view::npos ? 0 : newline + 1,
                                end - (newline == std::string_view::npos ? 0 : newline + 1));
  const auto number = whole_number(last);
  const auto lines = static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '\n'));
  return number_.see(number.value_or(lines));
}

}  // namespace rightsize
