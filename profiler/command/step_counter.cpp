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

constexpr std::string_view digits = "0123456789";
constexpr std::string_view between_thousands = ",_'";

// A whole number, with or without a mark between its thousands.
std::optional<std::uint64_t> printed_number(std::string_view text) {
  const auto first_mark = std::min(text.find_first_of(between_thousands), text.size());
  std::string plain(text.substr(0, first_mark));
  const bool has_marks = first_mark < text.size();
  if (has_marks && (plain.empty() || plain.size() > 3)) {
    return std::nullopt;
  }
  for (auto rest = text.substr(first_mark); !rest.empty(); rest.remove_prefix(4)) {
    if (rest.size() < 4 || rest[0] != text[first_mark]) {
      return std::nullopt;
    }
    plain += rest.substr(1, 3);
  }
  return whole_number(plain);
}

// The 50 of "/50 loss 2.1", which follows the 12 of "step 12/50 loss 2.1".
std::optional<std::uint64_t> total_behind(std::string_view text) {
  const auto slash = std::min(text.find_first_not_of(' '), text.size());
  if (!text.substr(slash).starts_with('/')) {
    return std::nullopt;
  }
  text = text.substr(slash + 1);
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  const auto end = text.find_first_not_of(std::string(digits).append(between_thousands));
  text = text.substr(0, end);
  return printed_number(text.substr(0, text.find_last_of(digits) + 1));  // npos + 1 is 0
}

// The ",000" that follow the 10 of "step 10,000" where the pattern asks for digits alone; "" where
// the number goes on in another way, as the fields of a table do.
std::string_view thousands_behind(std::string_view text) {
  std::size_t end = 0;
  const auto is_digit = [&](std::size_t i) {
    return i < text.size() && digits.find(text[i]) != std::string_view::npos;
  };
  const auto is_mark = [&](std::size_t i) {
    return i < text.size() && text[i] == text[0] &&
           between_thousands.find(text[i]) != std::string_view::npos;
  };
  while (is_mark(end) && is_digit(end + 1) && is_digit(end + 2) && is_digit(end + 3)) {
    end += 4;
  }
  const bool goes_on =
      is_digit(end) || ((is_mark(end) || text.substr(end).starts_with('.')) && is_digit(end + 1));
  return goes_on ? std::string_view() : text.substr(0, end);
}

}  // namespace

void StepNews::add(const StepNews& other) {
  steps += other.steps;
  items += other.items;
  epoch_ended = epoch_ended || other.epoch_ended;
  loss = other.loss ? other.loss : loss;
  unread = unread || other.unread;
}

StepNews RunningNumber::see(std::uint64_t number, std::optional<std::uint64_t> total) {
  StepNews news;
  if (last_ && number < *last_) {
    news = fall(number, total);
  } else if (last_ && takes_up_another(number)) {
    two_counters_ = true;
    news.steps = number - *height_;
  } else if (last_) {
    news.steps = number - *last_;
    stride_ = std::max(stride_, news.steps);
    note_rise(news.steps);
  }
  last_ = number;
  total_ = total;
  return news;
}

void RunningNumber::note_rise(std::uint64_t rise) {
  if (rise == 0) {  // a line that is printed twice
    return;
  }
  if (last_rise_ > 0) {
    least_ = std::min(least_, last_rise_);
    largest_ = std::max(largest_, last_rise_);
    ++rises_;
  }
  last_rise_ = rise;
}

std::uint64_t RunningNumber::steady_stride() const {
  constexpr int telling = 3;
  return rises_ >= telling && least_ == largest_ ? largest_ : 0;
}

StepNews RunningNumber::fall(std::uint64_t number, std::optional<std::uint64_t> total) {
  StepNews news;
  last_rise_ = 0;
  news.epoch_ended = true;
  news.steps = number;
  if (total_ && total && total != total_) {
    two_counters_ = true;  // an epoch that is not over, and another number
  } else if (total_) {
    news.steps += *total_ - std::min(*total_, *last_);
  } else if (number == 0 && zero_is_step_) {
    news.steps = 1;
  }
  height_ = std::max(*last_, height_.value_or(0));
  return news;
}

bool RunningNumber::takes_up_another(std::uint64_t number) const {
  return height_ && *last_ < *height_ && number > *height_ && number - *height_ <= stride_ &&
         number - *last_ > 2 * stride_;
}

StepNews PatternSteps::line(const std::string& text) {
  std::smatch match;
  if (!std::regex_search(text, match, pattern_)) {
    return {};
  }
  matched_ = true;
  const bool captured = match.size() > 1 && match[1].matched;
  auto end = captured ? static_cast<std::size_t>(match.position(1) + match.length(1)) : 0;
  std::string digits_seen = captured ? match[1].str() : "";
  if (captured && match.position(0) + match.length(0) == match.position(1) + match.length(1)) {
    const auto more = thousands_behind(std::string_view(text).substr(end));
    if (printed_number(digits_seen + std::string(more))) {
      digits_seen += more;
      end += more.size();
    }
  }
  const auto number = captured ? printed_number(digits_seen) : std::nullopt;
  if (number) {
    return number_.see(*number, total_behind(std::string_view(text).substr(end)));
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
    const auto items = whole_number(rest);
    news.unread = !rest.empty() && !items;
    news.steps = news.unread ? 0 : 1;
    news.items = items.value_or(0);
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
