#include "pricing/import/near_column.h"

#include <algorithm>
#include <cctype>
#include <numeric>
#include <vector>

namespace rightsize {
namespace {

std::string letters_of(std::string_view text) {
  std::string letters;
  for (const unsigned char c : text) {
    if (std::isalnum(c) != 0) {
      letters.push_back(static_cast<char>(std::tolower(c)));
    }
  }
  return letters;
}

// Levenshtein's distance, a row at a time.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const auto replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({row[j] + 1, row[j + 1] + 1, replaced});
    }
  }
  return row.back();
}

}  // namespace

std::string near_column(std::string_view column, std::span<const std::string_view> known) {
  const auto wanted = letters_of(column);
  std::string best;
  std::size_t least = std::max<std::size_t>(1, wanted.size() / 4) + 1;
  for (const auto name : known) {
    if (const auto off = distance(wanted, letters_of(name)); off < least) {
      least = off;
      best = name;
    }
  }
  return best;
}

}  // namespace rightsize
