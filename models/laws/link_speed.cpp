#include "models/laws/link_speed.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <string>
#include <vector>

namespace rightsize {
namespace {

constexpr double gbit_of_gib = 8 * 1.073741824;
constexpr double most_gbit_per_s = 60'000;  // of a rack of 72 GPUs with 800 each

bool is_digit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

bool is_letter(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) != 0;
}

std::size_t behind_blanks(std::string_view text, std::size_t at) {
  return std::min(text.find_first_not_of(' ', at), text.size());
}

// A number as a word of its own, perhaps several times another: "2 x 100gbe".
struct Number {
  double value = 0;
  std::size_t begin = 0;
  std::size_t end = 0;
  std::string_view behind;  // what follows, blanks left out
};

double value_at(std::string_view text, std::size_t at) {
  return std::atof(std::string(text.substr(at)).c_str());
}

std::size_t end_of_number(std::string_view text, std::size_t at) {
  return std::min(text.find_first_not_of("0123456789.", at), text.size());
}

bool starts_number(std::string_view text, std::size_t at) {
  if (!is_digit(text[at])) {
    return false;
  }
  const char before = at == 0 ? ' ' : text[at - 1];
  const bool negative = before == '-' && (at == 1 || text[at - 2] == ' ' || text[at - 2] == ':');
  return negative || (!is_digit(before) && !is_letter(before) && before != '.' && before != '-');
}

std::vector<Number> numbers_in(std::string_view text) {
  std::vector<Number> all;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (!starts_number(text, at)) {
      continue;
    }
    Number number{value_at(text, at), at, end_of_number(text, at), {}};
    number.value *= at > 0 && text[at - 1] == '-' ? -1 : 1;
    const auto times = behind_blanks(text, number.end);
    const auto second =
        times < text.size() && text[times] == 'x' ? behind_blanks(text, times + 1) : text.size();
    if (second < text.size() && is_digit(text[second])) {
      number.value *= value_at(text, second);
      number.end = end_of_number(text, second);
    }
    number.behind = text.substr(behind_blanks(text, number.end));
    all.push_back(number);
    at = number.end;
  }
  return all;
}

// Gigabits of the unit that `text` begins with; 0 for none.
double unit_of(std::string_view text) {
  struct Unit {
    std::string_view word;
    double gbit;
  };
  static constexpr std::array<Unit, 14> units{{{"gbyte", 8},
                                               {"gigabyte", 8},
                                               {"tbyte", 8000},
                                               {"terabyte", 8000},
                                               {"mbyte", 8e-3},
                                               {"megabyte", 8e-3},
                                               {"gib/", gbit_of_gib},
                                               {"gibps", gbit_of_gib},
                                               {"gb", 1},
                                               {"gig", 1},
                                               {"tb", 1000},
                                               {"tera", 1000},
                                               {"mb", 1e-3},
                                               {"mega", 1e-3}}};
  for (const auto& unit : units) {
    if (text.starts_with(unit.word)) {
      return unit.gbit;
    }
  }
  const bool g = text.starts_with("g") && (text.size() == 1 || !is_letter(text[1]));
  return g ? 1 : 0;
}

// "8x hdr", "16x": of lines, of lanes.
bool is_count(const Number& number) {
  return number.behind.starts_with('x');
}

// Behind a word ("roce 100") or a colon; nothing else in front says that it is a speed.
bool stands_behind_word(std::string_view text, const Number& number) {
  const auto before = text.substr(0, number.begin).find_last_not_of(' ');
  return before != std::string_view::npos &&
         (text[before] == ':' || is_letter(text[before]) || is_digit(text[before]));
}

bool names_network(std::string_view word) {
  static constexpr std::array<std::string_view, 8> networks{
      "ib", "infiniband", "roce", "rdma", "efa", "eth", "ethernet", "network"};
  return std::find(networks.begin(), networks.end(), word) != networks.end();
}

}  // namespace

LinkSpeed link_speed(std::string_view part) {
  LinkSpeed bare;
  for (const auto& number : numbers_in(part)) {
    if (const double unit = unit_of(number.behind); unit > 0) {
      return {number.value * unit, true};
    }
    if (bare.gbit_per_s == 0 && !is_count(number) && stands_behind_word(part, number)) {
      bare.gbit_per_s = number.value;
    }
  }
  return bare;
}

double lines_in(std::string_view part) {
  for (const auto& number : numbers_in(part)) {
    const auto word = number.behind.substr(is_count(number) ? 1 : 0);
    const auto start = behind_blanks(word, 0);
    if (is_count(number) && start < word.size() && is_letter(word[start])) {
      return number.value;
    }
  }
  return 1;
}

bool has_impossible_speed(std::string_view part) {
  const auto colon = part.find(':');
  const auto word = part.substr(0, std::min(colon, part.size()));
  if (colon != std::string_view::npos && names_network(word.substr(word.find_last_of(' ') + 1))) {
    const auto behind = part.substr(behind_blanks(part, colon + 1));
    if (behind.empty() || behind.starts_with("nan") || behind.starts_with("inf") ||
        behind.starts_with('-')) {
      return true;
    }
  }
  const auto numbers = numbers_in(part);
  const auto speed = link_speed(part);
  return std::any_of(numbers.begin(),
                     numbers.end(),
                     [](const Number& number) {
                       return number.value < 0 || (number.value == 0 && unit_of(number.behind) > 0);
                     }) ||
         part.ends_with(":0") || speed.gbit_per_s > most_gbit_per_s;
}

}  // namespace rightsize
