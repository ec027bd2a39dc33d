#include "models/laws/spelling.h"

#include <cctype>

namespace rightsize {

std::string bare(std::string_view text) {
  std::string kept;
  for (const char c : text) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) {
      kept += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
  }
  return kept;
}

}  // namespace rightsize
