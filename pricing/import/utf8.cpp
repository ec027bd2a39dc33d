#include "pricing/import/utf8.h"

#include <algorithm>
#include <cstddef>

namespace rightsize {
namespace {

struct Lead {
  std::size_t more;         // bytes that follow
  unsigned char first_low;  // bounds of the first of these: no longer forms, no surrogates
  unsigned char first_high;
};

// `more` of 4: no sequence begins so.
Lead lead_of(unsigned char byte) {
  constexpr unsigned char low = 0x80;
  constexpr unsigned char high = 0xbf;
  return byte < 0x80                  ? Lead{0, low, high}
         : byte < 0xc2 || byte > 0xf4 ? Lead{4, low, high}
         : byte < 0xe0                ? Lead{1, low, high}
         : byte == 0xe0               ? Lead{2, 0xa0, high}
         : byte == 0xed               ? Lead{2, low, 0x9f}
         : byte < 0xf0                ? Lead{2, low, high}
         : byte == 0xf0               ? Lead{3, 0x90, high}
         : byte == 0xf4               ? Lead{3, low, 0x8f}
                                      : Lead{3, low, high};
}

}  // namespace

bool is_utf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto [more, first_low, first_high] = lead_of(static_cast<unsigned char>(text[i]));
    if (more > 3 || i + more >= text.size()) {
      return false;
    }
    for (std::size_t k = 1; k <= more; ++k) {
      const auto byte = static_cast<unsigned char>(text[i + k]);
      if (byte < (k == 1 ? first_low : 0x80) || byte > (k == 1 ? first_high : 0xbf)) {
        return false;
      }
    }
    i += more;
  }
  return true;
}

int first_line_not_utf8(std::string_view text) {
  for (int line = 1; !text.empty(); ++line) {
    const auto end = std::min(text.find('\n'), text.size());
    if (!is_utf8(text.substr(0, end))) {
      return line;
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return 0;
}

}  // namespace rightsize
